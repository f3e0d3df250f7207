"""Every quantity finds its place by the names of its axes; a new experiment needs no word."""

import numpy as np

from featlearn.play.view import NEURONS, view
from featlearn.training import Quantity


def quantity(*dims: str, meaning: str = "something") -> Quantity:
    return Quantity(dims=dims, meaning=meaning)


def test_numbers_are_curves_and_neurons_are_columns():
    known = {
        "test_accuracy": quantity(),
        "gamma": quantity("cluster", meaning="margin y(mu) f(mu)"),
        "gamma_heavy": quantity("cluster", meaning="margin carried by some"),
        "projection": quantity("direction", "neuron"),
        "a": quantity("neuron"),
        "table": quantity("row", "column"),
    }
    record = {
        "test_accuracy": np.array(0.25),
        "gamma": np.array([1.0, np.nan]),
        "gamma_heavy": np.array([1.0, 2.0]),
        "projection": np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]),
        "a": np.array([1.0, -1.0, 1.0]),
        "table": np.ones((2, 2)),
    }
    seen = view(known, {"cluster": ("+mu1", "-mu1"), "direction": ("mu1", "mu2")}, record)
    assert seen.frame(7, record) == {
        "step": 7,
        "curves": {
            "test_accuracy": 0.25,
            "gamma +mu1": 1.0,
            "gamma -mu1": None,
            "gamma_heavy +mu1": 1.0,
            "gamma_heavy -mu1": 2.0,
        },
        "neurons": {
            "projection mu1": [1.0, 2.0, 3.0],
            "projection mu2": [4.0, 5.0, 6.0],
            "a": [1.0, -1.0, 1.0],
        },
    }
    told = seen.document()
    assert [panel["title"] for panel in told["panels"]] == ["Accuracy", "Margins", "gamma heavy"]
    assert [curve["role"] for curve in told["panels"][1]["curves"]] == ["+mu1", "-mu1"]
    assert told["axes"] == ["projection mu1", "projection mu2"]
    assert told["sign"] == "a"


def test_many_places_are_told_by_three_and_many_neurons_by_some():
    known = {"nearest": quantity("cluster"), "cos": quantity("neuron")}
    record = {"nearest": np.arange(101.0), "cos": np.arange(4.0 * NEURONS)}
    seen = view(known, {}, record)
    frame = seen.frame(0, record)
    assert frame["curves"] == {
        "nearest least": 0.0,
        "nearest middle": 50.0,
        "nearest largest": 100.0,
    }
    assert frame["neurons"]["cos"] == list(np.arange(0, 4.0 * NEURONS, 4))
    assert seen.document()["shown"] == NEURONS
    assert seen.document()["width"] == 4 * NEURONS


def test_an_experiment_without_neurons_has_curves_alone():
    seen = view({"test_loss": quantity()}, {}, {"test_loss": np.array(np.inf)})
    assert seen.frame(0, {"test_loss": np.array(np.inf)})["curves"] == {"test_loss": None}
    assert seen.document()["columns"] == []
    assert seen.document()["share"] is None


def test_curves_of_one_panel_differ_in_their_look():
    known = {f"{name}_accuracy": quantity() for name in ("test", "train", "one", "two", "test_a")}
    seen = view(known, {}, {name: np.array(0.0) for name in known})
    roles = [curve["role"] for curve in seen.document()["panels"][0]["curves"]]
    assert roles[:2] == ["test", "train"]
    assert len(set(roles)) == 5
