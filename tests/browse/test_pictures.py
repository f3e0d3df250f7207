"""Figures of stored runs: means over seeds with their bands, groups, differences with intervals."""

import math

import numpy as np
import pytest
import scipy.stats

from featlearn._check import InputError
from featlearn.browse.browser import Browser, python
from featlearn.browse.pictures import groups, picture
from featlearn.browse.shelf import Shelf
from featlearn.figures.files import to_document
from featlearn.results.key import ResultKey
from featlearn.results.store import Entry
from tests.browse.stores import STEPS, add_run


@pytest.fixture
def shelf(store) -> Shelf:
    return Shelf(store.root)


def addresses(shelf: Shelf, words: str) -> list[str]:
    found = shelf.search(words=words, sort="d", descending=False)
    return [each["address"] for each in found["entries"]]


def test_a_line_is_the_mean_over_seeds_and_its_band_the_interval_of_the_mean(shelf, store):
    (one,) = addresses(shelf, "d=10 eta=0.1")
    (series,) = picture(shelf, [one], quantity="test_accuracy").panels[0].series
    entry = Entry(path=store.root / one, identity="toy.xor")
    values = entry.read("seeds-0-2")["test_accuracy"].values
    np.testing.assert_array_equal(series.x, STEPS)
    np.testing.assert_allclose(series.y, values.mean(axis=0))
    half = scipy.stats.t.ppf(0.975, 2) * values.std(axis=0, ddof=1) / math.sqrt(3)
    np.testing.assert_allclose(series.high - series.y, half)


def test_runs_of_a_group_are_pooled_and_neurons_told_by_their_median(shelf):
    six = addresses(shelf, "xor")
    figure = picture(shelf, six, quantity="signal_share", by=["eta"])
    assert [series.name for series in figure.panels[0].series] == ["eta = 0.1", "eta = 0.4"]
    assert len({series.role for series in figure.panels[0].series}) == 2
    plain = picture(shelf, six, quantity="test_accuracy", by=["eta"])
    for share, accuracy in zip(figure.panels[0].series, plain.panels[0].series, strict=True):
        np.testing.assert_allclose(share.y, 0.5 * accuracy.y)
    assert "6 runs in 2 groups" in figure.caption


def test_a_summary_is_drawn_over_a_field(shelf):
    figure = picture(
        shelf, addresses(shelf, "xor"), quantity="test_accuracy", over="d", by=["eta"], log_x=True
    )
    first, second = figure.panels[0].series
    assert first.x.tolist() == second.x.tolist() == [10, 100, 1000]
    assert (second.y > first.y).all(), "a larger eta is further at the end"
    assert figure.panels[0].x.scale == "log"


def test_groups_are_any_field_but_the_seed_and_in_the_order_of_their_values(shelf):
    runs = [shelf.find(address) for address in reversed(addresses(shelf, "xor"))]
    assert [group.label for group in groups(runs, ["d"])] == ["d = 10", "d = 100", "d = 1000"]
    assert len(groups(runs, [])) == 6
    with pytest.raises(InputError, match="group: expected a field of the runs, got 'widht'"):
        groups(runs, ["widht"])


def test_the_python_lines_make_the_same_figure(shelf, store, tmp_path, monkeypatch):
    asked = {"runs": addresses(shelf, "xor"), "quantity": "test_accuracy", "by": ["d"]}
    monkeypatch.chdir(tmp_path)
    made: dict[str, object] = {}
    exec(python(store.root, asked), made)
    assert to_document(made["figure"]) == to_document(  # type: ignore[arg-type]
        picture(shelf, asked["runs"], quantity="test_accuracy", by=["d"])
    )
    assert {file.suffix for file in tmp_path.glob("test_accuracy*")} == {".pdf", ".svg", ".csv"}


def test_differences_of_groups_have_intervals(store, shelf):
    browser = Browser(store.root)
    told = browser.compare({"runs": addresses(shelf, "xor"), "by": ["eta"]})
    (row,) = told["rows"]
    assert (row["first"], row["group"]) == ("eta = 0.1", "eta = 0.4")
    assert row["ci"][0] < row["difference"] < row["ci"][1]
    assert row["ci"][0] > 0


def test_what_is_no_run_is_refused(store, shelf):
    with pytest.raises(InputError, match="expected a recorded loss, got none"):
        picture(shelf, addresses(shelf, "clusters"), quantity="loss")
    with pytest.raises(InputError, match="runs: expected 1 to 60 of them, got 0"):
        picture(shelf, [], quantity="test_accuracy")


def test_a_sweep_is_the_runs_that_it_made(store, shelf):
    runs = addresses(shelf, "xor eta=0.1")
    grid = {"id": "toy.xor", "grid": {"d": [10, 100, 1000]}, "fixed": {"eta": 0.1}}
    key = ResultKey(description="sweep", modules={"toy": "0"})
    entry = store.entry("toy.xor", key, grid, kind="sweep")
    entry.write({"rows": []}, parents=runs)
    shelf.look()
    (sweep,) = shelf.search(kind="sweep")["entries"]
    made = picture(shelf, [sweep["address"], runs[0]], quantity="test_accuracy", by=["d"])
    assert to_document(made) == to_document(
        picture(shelf, runs, quantity="test_accuracy", by=["d"])
    )
    assert shelf.find(sweep["address"]).config["eta"] == "0.1"


def test_runs_recorded_at_different_steps_are_averaged_where_all_of_them_are_known(store):
    add_run(store, "toy.late", d=1, eta=0.2)
    add_run(store, "toy.late", d=2, eta=0.2, steps=STEPS[:-1] + 5)
    shelf = Shelf(store.root)
    (series,) = (
        picture(shelf, addresses(shelf, "late"), quantity="test_accuracy", by=["eta"])
        .panels[0]
        .series
    )
    assert series.x.tolist() == sorted({*STEPS[1:-1].tolist(), *(STEPS[:-1] + 5).tolist()})
    assert (np.diff(series.y) > -0.01).all(), "it does not jump from one run to the other"
