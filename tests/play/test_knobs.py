"""Knobs say what flags say, and their command line is the configuration itself."""

import dataclasses
import shlex
from typing import Any

import pytest

from featlearn._config import fields
from featlearn.cli import run as cli_run
from featlearn.cli.main import main
from featlearn.play.knobs import command, configured, knobs, texts
from featlearn.reproduction.catalogue import experiments

XOR = experiments()["glasgow2023.xor"]


@pytest.mark.parametrize("identity", sorted(experiments()))
def test_the_texts_of_a_configuration_are_read_back_as_it_is(identity):
    named = experiments()[identity]
    assert configured(named, texts(named.config, 5)) == (named.config, 5)
    shown = {knob["name"]: knob for knob in knobs(named.config)}
    assert list(shown) != []
    assert set(shown) == {*fields(named.config), "seed"}
    assert all(knob["help"] for knob in shown.values())


@pytest.mark.parametrize(
    ("identity", "changes"),
    [
        ("glasgow2023.xor", {"d": 50, "noise": "gaussian", "rotated": True, "log_power": -1.5}),
        ("glasgow2023.xor", {"batch": 7, "eta": 1e-7, "keep_weights": True}),
        ("frei2022.plane", {"keep_weights": False, "cluster_flips": (0.1, 0.2, 0.1, 0.0)}),
        ("shi2022.interval", {"p_a": None, "positive": (20, 21), "structure": False}),
        ("daniely2020.parity", {"relevant": (1, 2, 3, 4, 5), "lam": 0.001}),
    ],
)
def test_the_command_line_runs_the_same_configuration(identity, changes, monkeypatch):
    named = experiments()[identity]
    config = dataclasses.replace(named.config, **changes)
    seen: dict[str, Any] = {}

    def watched(named, changes, **options):
        seen.update(config=dataclasses.replace(named.config, **changes), **options)
        return 0

    monkeypatch.setattr(cli_run, "run", watched)
    words = shlex.split(command(named, config, 9))
    assert words[0] == "featlearn"
    assert main(words[1:]) == 0
    assert seen["config"] == config
    assert (seen["seeds"], seen["first_seed"]) == (1, 9)


def test_the_knobs_that_are_turned_most_stand_first():
    first = [knob["name"] for knob in knobs(XOR.config) if knob["first"]]
    assert first == ["d", "width", "eta", "steps", "noise", "seed"]
    kinds = {knob["name"]: knob["kind"] for knob in knobs(XOR.config)}
    assert kinds["d"] == "integer"
    assert kinds["eta"] == "number"
    assert kinds["noise"] == "choice"
    assert kinds["rotated"] == "switch"
    assert kinds["batch"] == "text", "none is an answer too"
    assert set(kinds) - {"seed"} == set(fields(XOR.config))
