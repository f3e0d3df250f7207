"""The experiment of any target: what it records, what it refuses, and in which words."""

from typing import Any

import numpy as np
import pytest

import featlearn as fl
from featlearn._check import InputError
from featlearn.papers.abbe2022.staircase import STAIRCASE, Staircase
from featlearn.play.knobs import about

TOY: dict[str, Any] = {"d": 12, "width": 8, "steps": 4, "test": 50, "records": 3}


def test_a_run_has_a_coordinate_a_bit_and_a_term_each():
    data = fl.run(STAIRCASE, seeds=2, **TOY).dataset
    assert list(data["direction"].values) == ["x1", "x2", "x3"]
    assert list(data["term"].values) == ["x1", "x1*x2", "x1*x2*x3"]
    assert data["u"].dims == ("seed", "step", "neuron", "direction")


def test_hiding_and_turning_the_bits_leaves_the_law_of_the_target():
    config = Staircase(formula="x1 + x1*x2", hidden=True, rotated=True, **TOY)
    law = config.law()
    assert law.A != (0, 1)
    assert law.leap == 1
    np.testing.assert_allclose(law.directions @ law.directions.T, np.eye(2), atol=1e-5)


@pytest.mark.parametrize(
    ("formula", "sentence"),
    [
        ("x1 + ", "formula: expected a formula of bits such as 'x1 + x1*x2', got 'x1 + ' "),
        ("x1 + y2", "formula: expected bits called x1, x2, …, got 'y2'."),
        ("x1 + x3", "formula: expected a target that depends on each of its bits x1 … x3, got "),
        ("2", "formula: expected a target that depends on some bit, got the constant '2'."),
        ("x1 + x99", "formula: expected at most 20 bits, got 99."),
    ],
)
def test_a_target_typed_wrong_is_refused_by_its_knob(formula, sentence):
    with pytest.raises(InputError) as error:
        about(Staircase(formula=formula))
    assert str(error.value).startswith(sentence)


def test_the_playground_tells_terms_staircase_and_floor():
    told = about(Staircase(formula="x1 + x2 + x1*x3 + x2*x4"))
    assert told == [
        "Terms of the label: x1 (1), x2 (1), x1*x3 (1), x2*x4 (1); degree 2.",
        "A merged staircase: x1, then x2, then x1*x3, then x2*x4.",
        "In the limit of large d, tied in every neuron: x1 = x2; x3 = x4; the error stays at or "
        "above 1 of 4.",
    ]


@pytest.mark.slow
def test_gaussian_noise_is_simulated_without_d_in_the_same_law():
    """At d = 40 in both forms: the weight on x1 after 40 steps, 24 seeds, five standard errors."""
    fields: dict[str, Any] = {
        **TOY,
        "d": 40,
        "steps": 40,
        "width": 6,
        "formula": "x1 + x1*x2",
        "noise": "gaussian",
        "batch_ratio": 1.0,
    }
    assert Staircase(**{**fields, "d": 10**6}).experiment().network.d == 2 + 6
    ends = []
    for simulation in ("plain", "gram"):
        data = fl.run(STAIRCASE, seeds=24, **fields, simulation=simulation).dataset
        ends.append(data["on_bit"].isel(step=-1).values[:, 0])
    error = np.hypot(*(each.std(ddof=1) / np.sqrt(24) for each in ends))
    assert abs(ends[0].mean() - ends[1].mean()) < 5 * error
    assert ends[0].mean() > 3 / np.sqrt(40)
