"""Links, presets, predictions and notebooks of the playground, without a browser."""

import json
import math

import numpy as np
import pytest

from featlearn._check import InputError
from featlearn._config import replace
from featlearn.play.knobs import configured
from featlearn.play.links import read_link
from featlearn.play.notebook import notebook
from featlearn.play.predictions import predictions
from featlearn.play.presets import PRESETS
from featlearn.reproduction.catalogue import experiments, papers


def test_a_link_names_its_experiment_and_nothing_else_is_taken_for_one():
    assert read_link("?experiment=a.b&d=3") == ("a.b", "experiment=a.b&d=3")
    assert read_link("http://localhost:8642/?experiment=a.b#token") == ("a.b", "experiment=a.b")
    assert read_link("http://elsewhere.example/?experiment=a.b")[1] == ""
    with pytest.raises(InputError, match="play: expected a link that the playground gave"):
        read_link("?d=3")


def test_every_paper_has_a_preset_and_every_preset_can_be_started():
    assert {name.partition(".")[0] for name in PRESETS} == set(papers())
    for name, presets in PRESETS.items():
        for each in presets:
            configured(experiments()[name], each.values)
            assert each.watch.endswith(".")


def test_the_signal_of_xor_is_predicted_to_grow_at_the_rate_of_phase_1():
    config = replace(experiments()["glasgow2023.xor"].config, {"steps": 100}, "xor")
    (found,) = predictions(config, {"signal": [0.01, 0.02, 0.03]}, 100)
    assert found.values[0] == 0.02
    rate = 1 + 2 * config.eta / math.sqrt(2 * math.pi)
    np.testing.assert_allclose(found.values[-1], 0.02 * rate ** (found.steps[-1] / 2))
    assert max(found.values) <= 2 * config.theta
    (late,) = predictions(config, {"signal": [0.02]}, 1_000_000)  # it overflows, and says nothing
    assert max(late.values) <= 2 * config.theta
    squared = replace(config, {"loss": "squared"}, "xor")
    assert predictions(squared, {"signal": [0.01]}, 100) == []


def test_the_flow_foretells_a_staircase():
    config = replace(experiments()["abbe2022.staircase"].config, {"formula": "x1 + x1*x2"}, "s")
    found = {each.key: each for each in predictions(config, {"on_bit 1": [], "on_bit 2": []}, 400)}
    assert set(found) == {"test_loss", "on_bit 1", "on_bit 2"}
    loss = found["test_loss"].values
    assert loss[0] == pytest.approx(1.0, rel=0.2), "half the variance of the target"
    assert loss[-1] < 0.5 * loss[0]
    first, second = (np.array(found[f"on_bit {bit}"].values) for bit in (1, 2))
    assert first[10] > second[10], "bit 1 before bit 2"


def test_nothing_is_predicted_where_the_paper_says_nothing():
    assert predictions(experiments()["frei2022.plane"].config, {}, 10) == []


def test_a_notebook_is_one_that_can_be_run():
    named = experiments()["glasgow2023.xor"]
    config = replace(named.config, {"d": 6, "rotated": True}, "xor")
    document = json.loads(notebook(named, config, 4))
    assert (document["nbformat"], document["nbformat_minor"]) == (4, 5)
    code = ["".join(c["source"]) for c in document["cells"] if c["cell_type"] == "code"]
    for each in code:
        compile(each, "cell", "exec")
    assert "    d=6,\n    rotated=True,\n    seeds=1,\n    first_seed=4,\n" in code[1]
