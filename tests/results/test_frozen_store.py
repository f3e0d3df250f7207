"""Stores that earlier versions wrote can be read for ever."""

import json
import shutil
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import featlearn as fl
from featlearn.cli.main import main
from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.population import Heavy, Net
from featlearn.results.codec import records_in
from featlearn.results.inventory import inventory
from featlearn.results.seeds import finished, read_seeds, read_summary
from featlearn.results.store import Entry, Store
from featlearn.theory.job import RECORDS
from featlearn.theory.statement import judge
from tests.results.freeze import STATEMENT, freeze

FROZEN = Path(__file__).parent / "frozen"
FORMATS = sorted(path.name for path in FROZEN.iterdir())


@pytest.fixture(params=FORMATS)
def store(request, tmp_path):
    """A copy, since a store is written to when it is read by other code."""
    return shutil.copytree(FROZEN / request.param, tmp_path / "store")


def entry(store, kind):
    """The entry of that kind that has the most in it."""
    found = [each for each in inventory(store) if each.kind == kind]
    most = max(found, key=lambda each: each.seeds)
    return Entry(path=most.path, identity=most.id)


def test_it_is_listed_and_every_checksum_is_right(store, capsys):
    assert main(["store", "list", "--out", str(store), "--json"]) == 0
    kinds = {each["kind"] for each in json.loads(capsys.readouterr().out)["entries"]}
    assert kinds == {"run", "evidence", "computed", "sweep"}
    assert main(["store", "verify", "--out", str(store)]) == 0
    assert main(["store", "explain", "--out", str(store)]) == 0


def test_a_run_is_read(store):
    run = entry(store, "run")
    assert sorted(finished(run)) == [0, 1]
    data = read_seeds(run, [0, 1])
    assert data["weights_w"].dims == ("seed", "step", "neuron", "input")
    assert data["step"].values.tolist() == [0, 1, 2]
    start = data["weights_w"].sel(step=0).values
    np.testing.assert_allclose(np.linalg.norm(start, axis=-1), 0.5, rtol=1e-6)
    assert read_summary(run, [0, 1])["test_loss"] == pytest.approx(
        data["test_loss"].isel(step=-1).values.tolist()
    )


def test_evidence_is_judged(store):
    found = entry(store, "evidence").read("seeds-0-1", RECORDS)
    judged = judge(STATEMENT, STATEMENT.config, found, 2)
    assert judged.parts[0].verdict is fl.Verdict.HOLDS
    assert not [part for part in judged.parts if part.verdict is fl.Verdict.FAILS]
    assert len(judged.parts) == 10
    assert judged.parts[-1].reason == "; and why"
    value = judged.constants["C"].value
    assert judged.trends[0].predicted[0] == pytest.approx(8 * value)


def test_records_come_back(store):
    nets = entry(store, "computed").read(records=records_in(tuple[Heavy, ...]))
    assert len(nets) == 3
    assert isinstance(nets[0].net, Net)
    assert nets[0].net.w.shape == (8, 4)


def test_a_sweep_is_read_with_what_it_rests_on(store):
    sweep = entry(store, "sweep")
    value = sweep.read()
    assert value["grid"] == {"eta": [0.25, 0.5]}
    assert [point["config"]["eta"] for point in value["points"]] == [0.25, 0.5]
    there = {each.address for each in inventory(store)}
    assert set(sweep.about()["parents"]) <= there


def test_the_newest_frozen_store_is_what_is_written_today(tmp_path):
    """Where this fails, the format has changed: raise FORMAT and freeze another one."""
    freeze(tmp_path / "store")
    files = [
        Counter(path.name for path in root.rglob("*") if path.is_file() and path.name != "lock")
        for root in (tmp_path / "store", FROZEN / FORMATS[-1])
    ]
    assert files[0] == files[1]
    mark = json.loads((FROZEN / FORMATS[-1] / "featlearn.json").read_text())
    assert mark == json.loads((tmp_path / "store" / "featlearn.json").read_text())


def test_the_lab_may_write_beside_what_is_frozen(store):
    assert isinstance(Lab.at(store).store, Store)
