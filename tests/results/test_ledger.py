"""The rule of the ledger, from both sides of every threshold."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from featlearn._check import InputError
from featlearn.results.ledger import (
    Ours,
    Printed,
    Row,
    RowKind,
    Status,
    computed,
    from_document,
    interval,
    judge,
    ours,
    side_of,
    to_document,
)

T4, T8, T2 = 4.604094871, 3.355387331, 9.924843201
"""Student's t at 99.5 % with 4, 8 and 2 degrees of freedom, from a printed table."""
A_BIT = 1e-6


def five(mean: float, sd: float = 1.0) -> Ours:
    """Five seeds with that mean and that standard deviation, n - 1 in it."""
    half = sd * math.sqrt(2.0)
    return ours([mean - half, mean, mean, mean, mean + half])


def status(paper: Printed, found: Ours, unit: str = "%") -> Status:
    return judge(paper, found, unit=unit).status


def test_five_seeds_have_the_standard_deviation_they_are_made_with():
    assert five(3.0, 2.0).stderr == pytest.approx(2.0 / math.sqrt(5))
    assert ours([2.0, 4.0]).stderr == pytest.approx(1.0)  # n would give .7
    assert (ours([2.0]).stderr, ours([]).mean) == (None, None)


@pytest.mark.parametrize("sign", [1, -1])
def test_the_papers_own_error_decides_where_it_is_printed(sign):
    # s = 1, n = 5; s_p = .5, n_p = 5: error^2 = (1 + .25)/5, Welch's freedom 1.25^2/(1/4 + .0625/4)
    freedom = 1.25**2 / (1 / 4 + 0.25**2 / 4)
    assert freedom == pytest.approx(5.882, abs=1e-3)
    half = judge(Printed(value=0.0, sd=0.5, runs=5), five(0.0), unit="%").half
    assert half is not None
    assert half / 0.5 == pytest.approx(3.738, abs=2e-3)  # t_.995(5.882); t(5) 4.032, t(6) 3.707
    paper = Printed(value=50.0, rounding=0.05, sd=0.5, runs=5)
    side = Status.HIGHER if sign > 0 else Status.LOWER
    assert status(paper, five(50 + sign * (half + 0.05 - A_BIT))) is Status.AGREES
    assert status(paper, five(50 + sign * (half + 0.05 + A_BIT))) is side


def test_ours_stands_for_both_errors_where_the_paper_prints_none():
    half = T8 * math.sqrt(2 / 5)
    paper = Printed(value=50.0)
    assert status(paper, five(50 + half - A_BIT)) is Status.AGREES
    assert status(paper, five(50 + half + A_BIT)) is Status.HIGHER
    one_run = Printed(value=50.0, runs=1)  # s^2/5 + s^2/1
    assert (judge(one_run, five(50.0), unit="%").half or 0.0) > 2 * half


def test_a_formula_has_no_error_of_its_own():
    half = T4 / math.sqrt(5)
    exact = Printed(value=50.0, sd=0.0)
    assert judge(exact, five(50.0), unit="%").half == pytest.approx(half)
    assert status(exact, five(50 - half + A_BIT)) is Status.AGREES
    assert status(exact, five(50 - half - A_BIT)) is Status.LOWER


def test_three_points_are_what_a_percentage_may_be_unsure_by():
    exact = Printed(value=50.0, sd=0.0)
    sd = 3.0 * math.sqrt(5) / T4
    assert status(exact, five(50.0, sd * (1 - A_BIT))) is Status.AGREES
    assert status(exact, five(50.0, sd * (1 + A_BIT))) is Status.CANNOT_TELL
    assert status(exact, five(90.0, sd * 2)) is Status.HIGHER  # 40 points are seen all the same


def test_what_is_no_percentage_says_how_fine_it_has_to_be():
    sd = 0.03 * math.sqrt(5) / T4
    paper = Printed(value=0.5, sd=0.0, resolve=0.03)
    assert status(paper, five(0.5, sd * (1 - A_BIT)), "") is Status.AGREES
    assert status(paper, five(0.5, sd * (1 + A_BIT)), "") is Status.CANNOT_TELL
    with pytest.raises(InputError, match=r"Printed\(resolve\): expected a half-width that can"):
        judge(Printed(value=0.5), five(0.5))


@pytest.mark.parametrize("sign", [1, -1])
def test_the_whole_interval_lies_inside_what_a_claim_allows(sign):
    half = T4 / math.sqrt(5)
    about = Printed(value=10.0, sd=0.0, allowed=5.0, reason="leading order")
    side = Status.HIGHER if sign > 0 else Status.LOWER
    assert status(about, five(10 + sign * (5 - half - A_BIT))) is Status.AGREES
    assert status(about, five(10 + sign * (5 - half + A_BIT))) is Status.CANNOT_TELL
    assert status(about, five(10 + sign * (5 + half - A_BIT))) is Status.CANNOT_TELL
    assert status(about, five(10 + sign * (5 + half + A_BIT))) is side


def test_an_exponent_of_1_232_is_not_1_at_a_tenth():
    found = Ours(mean=1.232, stderr=0.011, seeds=5)
    about = Printed(value=1.0, sd=0.0, allowed=0.1, reason="about")
    assert status(about, found, "") is Status.HIGHER


def test_a_tolerance_has_a_reason():
    with pytest.raises(InputError, match="a tolerance with its reason"):
        Printed(value=1.0, allowed=0.1)
    with pytest.raises(InputError, match="a tolerance with its reason"):
        Printed(value=1.0, reason="about")


@given(
    gap=st.floats(0, 5),
    sd=st.floats(0.01, 5),
    factor=st.floats(1, 20),
    allowed=st.sampled_from([None, 2.0]),
)
def test_noise_never_buys_agreement(gap, sd, factor, allowed):
    reason = "so" if allowed else ""
    paper = Printed(value=0.0, sd=0.0, resolve=2.0, allowed=allowed, reason=reason)
    quiet, noisy = five(gap, sd), five(gap, sd * factor)
    if judge(paper, noisy).status is Status.AGREES and allowed:
        assert judge(paper, quiet).status is Status.AGREES
    if judge(paper, noisy).status is Status.AGREES:
        half = judge(paper, noisy).half
        assert half is not None
        assert half <= 2.0


def test_equal_seeds_of_a_share_have_the_exact_binomial_interval():
    # 20 of 20: the 99 % lower limit is .005^(1/20).
    low = 0.005 ** (1 / 20)
    equal = ours([1.0] * 4, trials=20)
    assert interval(equal) == pytest.approx((low, 1.0))
    in_percent = interval(ours([100.0] * 4, trials=20), unit="%")
    assert in_percent == pytest.approx((100 * low, 100.0))
    assert interval(ours([1.0] * 4)) == (1.0, 1.0)
    none = ours([0.0] * 4, trials=20)
    assert interval(none) == pytest.approx((0.0, 1 - low))
    paper = Printed(value=1.0, sd=0.0, resolve=0.2)
    assert judge(paper, equal).status is Status.CANNOT_TELL  # .233 wide
    assert judge(replace(paper, resolve=0.24), equal).status is Status.AGREES
    assert judge(Printed(value=0.76, sd=0.0, resolve=0.3), equal).status is Status.HIGHER
    assert judge(Printed(value=0.77, sd=0.0, resolve=0.3), equal).status is Status.AGREES


def test_what_is_missing_leaves_it_open():
    paper = Printed(value=1.0, resolve=1.0)
    for found, detail in [
        (ours([1.0, None, 1.0]), "1 of 3 seeds never got there"),
        (ours([]), "no number to compare"),
        (ours([1.0]), "no error bar"),
        (computed(math.nan), "no number to compare"),
    ]:
        outcome = judge(paper, found)
        assert (outcome.status, outcome.detail) == (Status.CANNOT_TELL, detail)
        assert side_of(found, 0.0).status is Status.CANNOT_TELL


def test_a_computed_number_agrees_to_the_rounding_of_the_printed_one():
    paper = Printed(value=1.25, rounding=0.005, sd=0.0, resolve=0.1)
    assert judge(paper, computed(1.2549)).status is Status.AGREES
    assert judge(paper, computed(1.2551)).status is Status.HIGHER
    assert judge(paper, computed(1.2551)).p_value == 0.0


@pytest.mark.parametrize("above", [True, False])
def test_a_side_is_taken_by_the_whole_interval(above):
    half, sign = T4 / math.sqrt(5), 1 if above else -1
    for shift, expected in [
        (half + A_BIT, Status.AGREES),
        (half - A_BIT, Status.CANNOT_TELL),
        (-half + A_BIT, Status.CANNOT_TELL),
        (-half - A_BIT, Status.DIFFERS),
    ]:
        assert side_of(five(7 + sign * shift), 7.0, above=above).status is expected


def test_the_p_value_is_1_percent_at_the_threshold():
    paper = Printed(value=50.0, rounding=0.5, sd=0.0)
    half = T4 / math.sqrt(5)
    outcome = judge(paper, five(50.5 + half), unit="%")
    assert outcome.p_value == pytest.approx(0.01, rel=1e-6)
    assert judge(paper, five(50.4), unit="%").p_value == 1.0


def test_a_row_survives_its_file():
    row = Row(
        item="toy.table-1",
        quantity="a/b",
        kind=RowKind.CELL,
        paper=1.0,
        measured=math.inf,
        stderr=0.1,
        recipe="literal",
        status=Status.CANNOT_TELL,
        alone=Status.HIGHER,
        why="so",
    )
    again = from_document(to_document(row))
    assert again == replace(row, measured=None)
    assert (again.key, again.by_itself) == ("table-1/a/b/literal", Status.HIGHER)
