"""A seed's numbers depend on nothing but the seed; what was interrupted goes on."""

import importlib
from typing import Any

import numpy as np
import pytest
import xarray as xr

import featlearn as fl
from featlearn.experiments import trajectory
from featlearn.experiments.named import seed_range
from featlearn.experiments.run import Estimate
from featlearn.experiments.scheduler import Stopped
from featlearn.experiments.trajectory import trajectory_task
from featlearn.papers.glasgow2023.xor import Xor
from featlearn.results.codec import load

TOY: dict[str, Any] = {"d": 6, "width": 8, "steps": 30, "records": 6, "test": 20}


def test_a_seed_alone_has_the_bits_it_has_among_others(tmp_path):
    many = fl.run("glasgow2023.xor", seeds=4, out=tmp_path / "many", **TOY)
    one = fl.run("glasgow2023.xor", seeds=1, first_seed=2, out=tmp_path / "one", **TOY)
    memory = fl.run("glasgow2023.xor", seeds=1, first_seed=2, **TOY)
    xr.testing.assert_identical(many.dataset.sel(seed=[2]), one.dataset)
    xr.testing.assert_identical(memory.dataset, one.dataset)
    assert memory.path is None
    assert many.summary["test_loss"].values[2] == one.summary["test_loss"].values[0]


ASKED = {
    "experiments.run": lambda out: fl.run("glasgow2023.xor", seeds=1, out=out, **TOY).status,
    "theory.check": lambda out: fl.check("glasgow2023.lemma-C.4", d=[4], seeds=1, out=out).status,
}


@pytest.mark.parametrize("module", ASKED)
def test_what_another_process_has_finished_meanwhile_is_read(module, tmp_path, monkeypatch):
    modules = {name: importlib.import_module(f"featlearn.{name}") for name in ASKED}
    where = modules[module]  # all are imported before one is patched
    look_up = where.entry_of

    def slowly(store, job):
        entry = look_up(store, job)
        assert entry.found == "new"
        monkeypatch.setattr(where, "entry_of", look_up)
        assert ASKED[module](tmp_path) == "computed"  # the other process
        return entry

    monkeypatch.setattr(where, "entry_of", slowly)
    assert ASKED[module](tmp_path) == "read"


def test_what_is_stored_can_be_opened_with_numpy_alone(tmp_path):
    result = fl.run("glasgow2023.xor", seeds=2, out=tmp_path / "store", **TOY)
    (file,) = (tmp_path / "store").rglob("data.npz")
    with np.load(file) as arrays:
        for name, values in result.dataset.variables.items():
            np.testing.assert_array_equal(arrays[str(name)], values.values)
    opened = load(file)
    xr.testing.assert_identical(opened, result.dataset)
    assert opened["signal"].dims == ("seed", "step", "neuron")
    assert opened["step"].values[[0, -1]].tolist() == [0, TOY["steps"]]
    assert opened["cluster"].values.tolist() == ["+mu1", "-mu1", "+mu2", "-mu2"]
    assert "diverged_at" in opened.coords
    assert all(opened[name].attrs["meaning"] for name in opened.data_vars)


def test_more_seeds_are_added_to_those_that_are_there(tmp_path):
    out = tmp_path / "store"
    first = fl.run("glasgow2023.xor", seeds=2, first_seed=1, out=out, **TOY)
    more = fl.run("glasgow2023.xor", seeds=4, out=out, **TOY)
    again = fl.run("glasgow2023.xor", seeds=4, out=out, **TOY)
    assert [result.status for result in (first, more, again)] == ["computed", "completed", "read"]
    assert sorted(p.name for p in out.rglob("seeds-*")) == ["seeds-0-0", "seeds-1-2", "seeds-3-3"]
    xr.testing.assert_identical(more.dataset.sel(seed=[1, 2]), first.dataset)
    xr.testing.assert_identical(more.dataset, again.dataset)


def test_computing_some_seeds_again_leaves_their_neighbours(tmp_path):
    out = tmp_path / "store"
    before = fl.run("glasgow2023.xor", seeds=4, out=out, **TOY)
    fl.run("glasgow2023.xor", seeds=1, first_seed=1, out=out, fresh=True, **TOY)
    after = fl.run("glasgow2023.xor", seeds=4, out=out, **TOY)
    assert after.status == "read"
    xr.testing.assert_identical(before.dataset, after.dataset)


def test_a_damaged_folder_does_not_stop_what_is_computed_afresh(tmp_path):
    out = tmp_path / "store"
    before = fl.run("glasgow2023.xor", seeds=3, out=out, **TOY)
    (folder,) = out.rglob("seeds-0-2")
    (folder / "manifest.json").unlink()
    fl.run("glasgow2023.xor", seeds=1, out=out, fresh=True, **TOY)
    after = fl.run("glasgow2023.xor", seeds=3, out=out, **TOY)
    assert after.status == "completed"
    xr.testing.assert_identical(before.dataset, after.dataset)


def plan():
    return Xor(**TOY).experiment().plan


@pytest.mark.parametrize("damage", [None, "state.npz", "records-0000.npz"])
def test_a_stopped_trajectory_goes_on_and_a_damaged_one_begins_again(damage, tmp_path, monkeypatch):
    monkeypatch.setattr(trajectory, "CHECKPOINT_SECONDS", 0.0)
    whole = trajectory_task(plan, 3, None).work(lambda: False, lambda share: None)
    seen: list[float] = []
    with pytest.raises(Stopped):
        trajectory_task(plan, 3, tmp_path / "c").work(lambda: len(seen) > 3, seen.append)
    assert 0 < seen[-1] < 1
    if damage:
        file = tmp_path / "c" / damage
        file.write_bytes(file.read_bytes()[:-50])
    later: list[float] = []
    found = trajectory_task(plan, 3, tmp_path / "c").work(lambda: False, later.append)
    assert (later[0] > seen[-1]) == (damage is None)
    assert found.records.keys() == whole.records.keys()
    for step, record in whole.records.items():
        same = found.records[step]
        assert record.keys() == same.keys()
        assert all(np.array_equal(record[name], same[name]) for name in record)


def test_an_estimate_counts_only_what_was_reached():
    some = Estimate(values=(1.0, None, 3.0))
    assert (some.reached, some.mean, some.stderr) == (2, 2.0, 1.0)
    assert (Estimate(values=(1.0, None)).mean, Estimate(values=(1.0, None)).stderr) == (1.0, None)
    none = Estimate(values=(None, None))
    assert (none.reached, none.mean, none.stderr) == (0, None, None)


@pytest.mark.parametrize(
    ("seeds", "first", "sentence"),
    [
        (0, 0, "seeds: expected at least 1, got 0."),
        (1, -1, "first-seed: expected 0 or more, got -1."),
        (2, 2**31 - 1, "first-seed + seeds: expected at most 2^31, got 2147483649."),
    ],
)
def test_seeds_that_do_not_exist_are_refused(seeds, first, sentence):
    with pytest.raises(fl.InputError) as told:
        seed_range(seeds, first)
    assert str(told.value) == sentence


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"d": 2.5}, "glasgow2023.xor: d: expected an integer, got 2.5."),
        ({"d": True}, "glasgow2023.xor: d: expected an integer, got True."),
        ({"eta": "fast"}, "glasgow2023.xor: eta: expected a number, got 'fast'."),
        ({"eta": -1}, "eta: expected a positive number, got -1."),
    ],
)
def test_a_field_of_the_wrong_kind_is_refused(changes, sentence):
    with pytest.raises(fl.InputError) as told:
        fl.run("glasgow2023.xor", **changes)
    assert str(told.value) == sentence


def test_an_experiment_has_no_fields_to_change():
    net = fl.TwoLayer(d=4, width=2, w=fl.Gaussian(sd=0.1), a=fl.Signs(size=1.0), scaling="one")
    how = fl.SGD(eta=0.1, batch=2, steps=1, loss=fl.logistic)
    experiment = fl.Experiment(fl.Parity(d=4), net, how, record=[fl.HeldOut()])
    with pytest.raises(fl.InputError) as told:
        fl.run(experiment, d=5)
    assert str(told.value) == (
        "experiment: expected no fields beside an Experiment, got d. Change it with its replace, "
        "or give a function with these arguments that returns one."
    )
