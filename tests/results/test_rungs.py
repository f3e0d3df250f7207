"""Whether a stored result may be read, and what is said of it."""

import json
import os

import pytest

import featlearn as fl
from featlearn._check import InputError
from featlearn.experiments import pools
from featlearn.experiments.job import ExperimentJob
from featlearn.experiments.named import named
from featlearn.results.store import explaining

NET = fl.TwoLayer(d=4, width=6, w=fl.Sphere(radius=0.5), a=fl.Signs(size=0.5), scaling="one")
HOW = fl.SGD(eta=0.2, batch=16, steps=3, loss=fl.logistic)
EXPERIMENT = fl.Experiment(fl.Parity(d=4), NET, HOW, record=[fl.HeldOut(samples=20)], at=(0, 3))


def lines_of(out, seeds=1, experiment=EXPERIMENT):
    lines: list[str] = []
    with explaining(lines.append):
        result = fl.run(experiment, seeds=seeds, out=out)
    (line,) = lines
    return result.status, line.partition(": ")[2]


def test_what_is_read_adopted_or_new_is_told_with_its_reason(tmp_path):
    status, why = lines_of(tmp_path)
    assert (status, why) == ("computed", "new, nothing of this description is stored")
    status, why = lines_of(tmp_path)
    assert status == "read"
    assert why.startswith("read, the code behind it is the same (")
    (file,) = tmp_path.glob("*/*/*/sources.json")
    (modules,) = json.loads(file.read_text()).values()
    file.write_text(json.dumps({"before": {**modules, "featlearn.training.rules": "other"}}))
    status, why = lines_of(tmp_path)
    assert status == "adopted"
    assert why.startswith("adopted, other code (featlearn.training.rules) and the same program ")
    assert lines_of(tmp_path)[0] == "read", "it is noted, and need not be found again"


def test_another_program_is_filed_beside_the_old_one(tmp_path):
    lines_of(tmp_path)
    (file,) = tmp_path.glob("*/*/*/sources.json")
    (modules,) = json.loads(file.read_text()).values()
    file.write_text(json.dumps({"before": {**modules, "featlearn.training.rules": "other"}}))
    file.parent.rename(file.parent.with_name("another"))
    status, why = lines_of(tmp_path)
    assert status == "computed"
    assert why.startswith("new, other code (featlearn.training.rules) and another program ")
    assert len(list(tmp_path.glob("*/*/*/sources.json"))) == 2


def test_seeds_of_two_programs_do_not_mix(tmp_path):
    lines_of(tmp_path, seeds=2)
    (file,) = tmp_path.glob("*/*/*/sources.json")
    file.parent.rename(file.parent.with_name("another"))
    (tmp_path / file.parent.relative_to(tmp_path).parent / "another" / "sources.json").write_text(
        "{}"
    )
    assert lines_of(tmp_path, seeds=3)[0] == "computed"


def test_a_finished_result_is_read_where_nobody_can_write(tmp_path, monkeypatch):
    lines_of(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    really = os.access

    def may(path, mode):
        return mode != os.W_OK and really(path, mode)

    monkeypatch.setattr("featlearn.results.store.os.access", may)
    assert lines_of(tmp_path)[0] == "read"
    assert sorted(tmp_path.rglob("*")) == before
    with pytest.raises(InputError, match="a folder one can write to, for what is not stored yet"):
        lines_of(tmp_path, seeds=2)
    with pytest.raises(InputError, match="a folder one can write to, for what is not stored yet"):
        lines_of(tmp_path, experiment=EXPERIMENT.replace(at=(0, 2)))


def test_a_store_of_the_first_edition_is_refused_and_left_alone(tmp_path):
    (tmp_path / "featlearn.json").write_text('{"program": "featlearn", "schema": 1}')
    told = "expected a store of format 3, got one of the first edition. It stays as it is; choose"
    with pytest.raises(InputError, match=told):
        fl.run(EXPERIMENT, seeds=1, out=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["featlearn.json"]


def test_a_worker_with_other_code_refuses_the_job(monkeypatch):
    job = ExperimentJob(identity="x", config=named(EXPERIMENT).config, seeds=(0,))
    packed = pools.pack(job)
    assert pools.compute_packed(packed)["seed"].values.tolist() == [0]
    monkeypatch.setattr(pools, "sources", lambda value: {"featlearn.training.rules": "other"})
    with pytest.raises(InputError, match="worker: expected the code of the machine that sent"):
        pools.compute_packed(packed)
