"""Rows: one way to make them, one rule, and a reason that cites a run or says it is not known."""

import math

import numpy as np
import pytest

from featlearn._check import InputError
from featlearn.experiments.result import Estimate
from featlearn.reproduction.rows import cell, conclusion, measured, side
from featlearn.results.ledger import Ours, Printed, RowJudgement, RowKind, Status

PAPER = Printed(value=86.4, rounding=0.05, sd=0.5, runs=5)
FIVE = [86.0, 86.2, 86.4, 86.6, 86.8]


@pytest.mark.parametrize(
    "found",
    [
        FIVE,
        np.array(FIVE),
        Estimate(values=tuple(FIVE)),
        Ours(mean=86.4, stderr=0.141421, seeds=5),
    ],
)
def test_our_side_is_one_number_a_seed_in_any_form(found):
    row = cell("full", "toy.table-1", "accuracy", found, PAPER, unit="%")
    assert row.measured == pytest.approx(86.4)
    assert row.stderr == pytest.approx(0.02**0.5, rel=1e-4)
    assert (row.seeds, row.status, row.kind) == (5, Status.AGREES, RowKind.CELL)
    assert (row.paper, row.paper_sd, row.paper_runs, row.rounding) == (86.4, 0.5, 5, 0.05)


def test_a_single_number_is_a_computed_one():
    assert (side(2.5).stderr, side(None).mean, side([]).seeds) == (0.0, None, 0)
    row = cell("full", "toy.x", "q", 2.5, Printed(value=2.5, sd=0.0, resolve=0.1))
    assert (row.status, row.stderr) == (Status.AGREES, None)


def test_a_seed_without_a_number_leaves_a_cell_open_and_is_counted():
    row = cell("full", "toy.x", "q", [*FIVE, None], PAPER, unit="%")
    assert (row.status, row.seeds) == (Status.CANNOT_TELL, 6)
    assert row.why == "1 of 6 seeds never got there"
    told = measured("full", "toy.x", "q", [1.0, math.nan], why="so")
    assert (told.status, told.why) == (Status.NO_CLAIM, "so; 1 of 2 seeds never got there")


def test_what_is_apart_says_why_and_the_rest_does_not():
    above = [value + 5 for value in FIVE]
    row = cell("full", "toy.x", "q", above, PAPER, unit="%")
    assert row.status is Status.HIGHER
    assert row.why.endswith("; why: not known")
    cited = cell("full", "toy.x", "q", above, PAPER, unit="%", reason="see toy2022.second-look")
    assert cited.why.endswith("; why: see toy2022.second-look")
    assert "why:" not in cell("full", "toy.x", "q", FIVE, PAPER, unit="%").why


@pytest.mark.parametrize("guess", ["the step budget is too small", "see the paper", ""])
def test_a_guess_is_refused(guess):
    expected = f"toy.x q: expected a reason with `see ID`, or `not known`, got {guess!r}."
    with pytest.raises(InputError) as error:
        conclusion("full", "toy.x", "q", 1.0, "always", False, reason=guess)
    assert str(error.value) == expected
    lead = "not known; a lead from a probe: the step"
    assert conclusion("full", "toy.x", "q", 1.0, "always", False, reason=lead).why.endswith(lead)


def test_conclusions_take_a_truth_a_status_or_a_side():
    def status(holds):
        return conclusion("full", "toy.x", "q", [1.0, 2.0], "grows", holds).status

    assert (status(True), status(False)) == (Status.AGREES, Status.DIFFERS)
    assert status(Status.NOT_RUN) is Status.NOT_RUN
    assert status(RowJudgement(status=Status.CANNOT_TELL, detail="")) is Status.CANNOT_TELL


def test_a_status_given_by_hand_is_no_comparison():
    row = cell("full", "toy.x", "q", FIVE, PAPER, unit="%", status=Status.FITTED)
    assert (row.status, row.p_value) == (Status.FITTED, None)


def test_recipes_of_one_quantity_share_a_cell_and_have_groups_of_their_own():
    rows = [cell("full", "toy.x", "q", FIVE, PAPER, unit="%", recipe=r) for r in ("a", "b")]
    assert {row.cell for row in rows} == {"toy.x/q"}
    assert [row.group for row in rows] == ["toy.x/a", "toy.x/b"]


def test_a_share_whose_seeds_are_all_equal_has_the_error_of_its_exact_interval():
    one = Printed(value=1.0, sd=0.0, resolve=0.3)
    row = cell("full", "toy.x", "q", [1.0] * 4, one, trials=20)
    assert row.stderr == pytest.approx((1 - 0.005 ** (1 / 20)) / 2.5758, rel=1e-4)
    assert cell("full", "toy.x", "q", [1.0] * 4, one).stderr == 0
