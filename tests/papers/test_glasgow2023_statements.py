"""Lemma C.4 and Remark 2.1: they hold, and each planted error is found."""

import math
from dataclasses import replace
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

from featlearn._streams import stream
from featlearn.papers.glasgow2023.statements import lemma_c_4, remark_2_1
from featlearn.theory import Reading, Verdict
from featlearn.theory.check import check


def scaled(**factors):
    """The lemma with some right-hand sides multiplied."""

    def predict(neuron, method="auto"):
        right = lemma_c_4.predicted(neuron, method)
        return {b: factors.get(b, 1.0) * value for b, value in right.items()}

    return predict


def exchanged(neuron, method="auto"):
    """The lemma with w_sig and w_opp in each other's place."""
    return lemma_c_4.predicted(replace(neuron, a=-neuron.a), method)


QUARTER = (1 / 4) / (math.sqrt(2) / 4)
PLANTED = {
    "tau = 1/4": scaled(B1=QUARTER, B2=QUARTER),
    "B3 of the other sign": scaled(B3=-1.0),
    "B4 as printed, of the other sign": scaled(B4=-1.0),
    "w_sig and w_opp exchanged": exchanged,
}


def test_the_lemma_holds_at_every_point_of_small_cubes():
    judged = check(lemma_c_4.STATEMENT, d=[3, 4, 8], seeds=4)
    assert judged.verdicts == {"printed": "FAILS", "corrected": "HOLDS"}
    assert {part.name.split()[0] for part in judged.parts} == {"B1", "B2", "B3", "B4"}


@pytest.mark.parametrize("error", PLANTED)
def test_a_planted_error_in_the_lemma_fails(error):
    judged = check(lemma_c_4.statement(PLANTED[error]), d=[8], seeds=3)
    assert judged.verdicts["corrected"] == "FAILS"


def test_only_the_part_with_the_error_fails():
    judged = check(lemma_c_4.statement(PLANTED["B3 of the other sign"]), d=[8], seeds=3)
    mended = [part for part in judged.parts if part.speaks_for(Reading.CORRECTED)]
    failed = {part.name[:2] for part in mended if part.verdict is Verdict.FAILS}
    assert failed == {"B3"}


def test_the_lemma_as_printed_fails_by_the_sign_of_b4_and_by_ties_alone():
    judged = check(lemma_c_4.STATEMENT, d=[3, 4, 8], seeds=4)
    printed = [part for part in judged.parts if part.speaks_for(Reading.PRINTED)]
    failed = {part.name for part in printed if part.verdict is Verdict.FAILS}
    assert "B4 d=8, all points, as printed" in failed
    assert any("ties" in name for name in failed)
    assert all("as printed" in name for name in failed)


def test_samples_are_as_many_as_asked_for():
    neuron = lemma_c_4.draw_neuron(50, 0, ties=False)
    key = stream(0, "test")
    few, few_errors = lemma_c_4.by_sampling(neuron, 20_000, key=key)
    _, more_errors = lemma_c_4.by_sampling(neuron, 80_000, key=key)
    # Standard errors shrink by two with four times the samples; they vary by about a percent.
    assert few_errors["B1"] / more_errors["B1"] == pytest.approx(2.0, rel=0.1)
    right = lemma_c_4.predicted(neuron)
    assert abs(float(few["B1"] - right["B1"])) < 5 * float(few_errors["B1"])


@pytest.mark.slow
@pytest.mark.parametrize("error", [None, *PLANTED])
def test_at_a_thousand_dimensions_sampling_finds_what_is_planted(error):
    claim = lemma_c_4.STATEMENT if error is None else lemma_c_4.statement(PLANTED[error])
    judged = check(claim, d=[1000], samples=1_000_000, seeds=2)
    if error is None:  # a million samples need not suffice to confirm every part
        assert judged.verdicts["corrected"] in ("HOLDS", "UNDECIDED")
    else:
        assert judged.verdicts["corrected"] == "FAILS"


SMALL: dict[str, Any] = {"d": 5, "width": 10, "steps": 4}


def stretched(d):
    return 2 * jnp.eye(d)


def sheared(d):
    return jnp.eye(d).at[0, 1].set(0.01)


def reflected(d):
    return jnp.eye(d).at[0, 0].set(-1.0)


@pytest.mark.parametrize(
    ("turn", "verdict"),
    [
        (remark_2_1.a_rotation, Verdict.HOLDS),
        (reflected, Verdict.HOLDS),  # the remark needs an orthogonal matrix only
        (stretched, Verdict.FAILS),
        (sheared, Verdict.FAILS),
    ],
)
def test_one_gradient_commutes_with_rotations_and_with_nothing_else(turn, verdict):
    sizes = remark_2_1.Sizes(**SMALL)
    assert remark_2_1.coupled(sizes, [0, 1], turn).verdict is verdict


def test_the_remark_with_a_turn_that_is_no_rotation_fails():
    judged = check(remark_2_1.statement(sheared), seeds=2, **SMALL)
    assert judged.verdict is Verdict.FAILS
    assert judged.deciding is not None
    assert judged.deciding.name == "coupled: one gradient, rotated"


def test_the_control_of_the_remark_does_not_hold():
    judged = check(remark_2_1.STATEMENT.negative_control(), seeds=2, **SMALL)
    assert judged.verdicts == {"printed": "FAILS"}, str(judged)


def test_the_remark_is_undecided_on_one_seed():
    judged = check(remark_2_1.STATEMENT, seeds=1, **SMALL)
    assert judged.verdict is Verdict.UNDECIDED
    assert judged.deciding is not None
    assert judged.deciding.reason == "one seed has no error bar"


def test_the_parts_of_a_neuron_add_up_and_are_orthogonal():
    for seed in range(5):
        neuron = lemma_c_4.draw_neuron(7, seed, ties=False)
        assert np.allclose(neuron.parts.sum(0), neuron.w)
        gram = neuron.parts @ neuron.parts.T
        assert np.allclose(gram, np.diag(np.diag(gram)))
