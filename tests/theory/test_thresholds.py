"""Judges from both sides of their thresholds, and the numbers they tell, from printed tables."""

import math

import numpy as np
import pytest

from featlearn.results.statistics import exceeds
from featlearn.theory import (
    Verdict,
    bound,
    every_algorithm,
    exact_bound,
    exponent,
    hidden_constant,
    high_probability,
    identity,
    mean_identity,
    same_mean,
    sampled_identity,
)
from featlearn.theory.estimates import log_log_slope, spread, trend
from featlearn.theory.events import Event, judged, judged_each
from featlearn.theory.hypotheses import Hypothesis, window
from featlearn.theory.strength import bound_strength, detectable
from featlearn.theory.verdict import Grade

HOLDS, FAILS, UNDECIDED = Verdict.HOLDS, Verdict.FAILS, Verdict.UNDECIDED
T95, T975, T999 = 2.1318468, 2.7764451, 7.1731822
"""Student's t with four degrees of freedom, from a printed table; with five T999 is 5.893."""
Z999, Z90 = 3.0902323, 1.2815516
D90 = 10.2356404
"""In standard errors of five seeds; a test below integrates."""
A_BIT = 1e-6


def five(mean: float, stderr: float = 1.0) -> np.ndarray:
    """Five values with that mean and that standard error, n - 1 in it."""
    half = stderr * math.sqrt(10.0)
    return mean + np.array([-half, 0.0, 0.0, 0.0, half])


@pytest.mark.parametrize(("side", "sign"), [("<=", 1), (">=", -1)])
@pytest.mark.parametrize(
    ("shift", "verdict"),
    [
        (-T999 - A_BIT, HOLDS),
        (-T999 + A_BIT, UNDECIDED),
        (T999 - A_BIT, UNDECIDED),
        (T999 + A_BIT, FAILS),
    ],
)
def test_a_bound_is_decided_at_the_999th_of_a_thousand_of_students_t(side, sign, shift, verdict):
    part = bound("x", five(20.0 + sign * shift), 20.0, side=side).part
    assert part.verdict is verdict
    assert part.stderr == pytest.approx(1.0)
    assert part.ci == pytest.approx((20 + sign * shift - T999, 20 + sign * shift + T999))


@pytest.mark.parametrize(("side", "sign"), [("<=", 1), (">=", -1)])
def test_the_p_value_of_a_bound_is_one_sided(side, sign):
    beyond = bound("x", five(20.0 + sign * T999), 20.0, side=side).part
    inside = bound("x", five(20.0 - sign * T975), 20.0, side=side).part
    assert beyond.p_value == pytest.approx(0.001, rel=1e-5)
    assert inside.p_value == pytest.approx(0.975, rel=1e-5)


@pytest.mark.parametrize(("side", "sign"), [("<=", 1), (">=", -1)])
def test_a_bound_excludes_what_lies_beyond_the_end_of_the_interval_that_faces_it(side, sign):
    strength = bound("x", five(10.0), 10.0 + sign * 10.0, side=side).part.strength
    below = "below" if side == "<=" else "above"
    assert strength.excluded == f"bounds {below} {10 + sign * T999:.4g}"


def test_what_a_bound_would_notice_is_told_relative_to_it():
    wide, narrow = (bound("x", five(1.0, se), 20.0).part.strength for se in (2.0, 0.02))
    assert wide.detectable == pytest.approx(D90 * 2 / 20, rel=1e-6)
    assert wide.weak == "only an excess of 1 times the bound would be noticed"
    assert narrow.detectable == pytest.approx(D90 / 1000, rel=1e-6)
    assert narrow.weak == ""


def test_d90_of_few_seeds_is_that_of_the_noncentral_t():
    # (z + D90)/sqrt(v/4) > t_.999, v a chi-square with 4 degrees, of density v exp(-v/2)/4.
    v = np.linspace(0, 80, 20001)[1:]
    above = np.array([math.erfc((T999 * math.sqrt(x / 4) - D90) / math.sqrt(2)) / 2 for x in v])
    assert np.trapezoid(above * v * np.exp(-v / 2) / 4, v) == pytest.approx(0.9, abs=1e-5)
    assert detectable(3.0, 4) == pytest.approx(3 * D90, rel=1e-7)


def test_d90_of_many_seeds_is_the_sum_of_two_normal_quantiles():
    assert detectable(2.0, math.inf) == pytest.approx(2 * (Z999 + Z90))
    # Among four cases: the quantile at 1 - .001/4, 3.4808.
    assert detectable(1.0, math.inf, 4) == pytest.approx(3.480756 + Z90, rel=1e-6)
    # 250 degrees are nearly infinitely many, and the noncentral t agrees with it at 150.
    assert detectable(1.0, 250) == pytest.approx(detectable(1.0, 150), rel=0.01)


@pytest.mark.parametrize("instances", [1, 7])
def test_a_claim_about_every_instance_tells_the_share_that_may_fail(instances):
    part = bound("x", np.array([0.25, 0.75]), 1.0, every=True, instances=instances).part
    n = 2 * instances
    assert part.reason == (
        f"no counterexample in {n}, worst 0.75; at most {1 - 0.05 ** (1 / n):.1%} of them fail"
    )
    assert part.p_value == 1.0
    assert part.strength.sharpness == pytest.approx(4 / 3)
    assert part.strength.weak == f"{n} instances, 59 would do"


@pytest.mark.parametrize(("side", "worst"), [("<=", 2.0), (">=", -2.0)])
def test_a_value_on_its_bound_is_no_counterexample(side, worst):
    values = np.array([worst, 0.0])
    assert bound("x", values, worst, side=side, every=True).verdict is HOLDS
    beyond = bound("x", values, worst * (1 - A_BIT), side=side, every=True).part
    assert (beyond.verdict, beyond.p_value) == (FAILS, 0.0)


@pytest.mark.parametrize(("side", "sign"), [("<=", 1), (">=", -1)])
@pytest.mark.parametrize(("over", "verdict"), [(0.5e-12, HOLDS), (2e-12, FAILS)])
@pytest.mark.parametrize("limit", [1000.0, -1000.0])
def test_rounding_is_a_millionth_of_a_millionth_of_the_limit(side, sign, over, verdict, limit):
    part = exact_bound("x", limit + sign * over * 1000, limit, side=side).part
    assert (part.verdict, part.p_value) == (verdict, float(verdict is HOLDS))


def test_a_bound_is_idle_beyond_a_factor_of_a_hundred():
    told = [bound_strength(1.0, limit, "<=", grade=Grade.COMPUTED).weak for limit in (100.0, 101.0)]
    assert told == ["", "idle: the bound could be 1e+02 times as strict"]
    assert "any times" in bound_strength(0.0, 1.0, "<=", grade=Grade.COMPUTED).weak


def test_an_identity_holds_up_to_its_tolerance_relative_to_the_larger_of_two_sizes():
    assert identity("x", 2.125, 2.0, tolerance=0.0625).verdict is HOLDS
    assert identity("x", 2.125, 2.0, tolerance=0.0625 - A_BIT).verdict is FAILS
    assert identity("x", 2.125, 2.0, tolerance=0.03125, scale=4.0).verdict is HOLDS
    assert identity("x", 2.125, 2.0, tolerance=0.03125, scale=3.9).verdict is FAILS
    assert identity("x", 0.125, 0.0, tolerance=0.125).verdict is HOLDS  # nothing to divide by
    assert identity("x", -2.0, 2.0, tolerance=1.9).verdict is FAILS


def test_an_identity_tells_its_worst_case():
    part = identity("x", np.array([1.0, 3.5, 5.0]), np.array([1.0, 3.0, 4.9]), tolerance=0.01).part
    assert (part.measured, part.predicted, part.p_value) == (3.5, 3.0, 0.0)
    assert part.reason == "largest relative deviation 0.17 in 3 cases, allowed 0.01"
    assert part.strength.weak == ""
    assert identity("x", 1.0, 1.0, tolerance=0.011).part.strength.weak
    lost = identity("x", np.array([math.nan, 2.0]), 1.0, tolerance=0.1).part
    assert lost.verdict is FAILS
    assert math.isnan(lost.measured or 0.0)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(
    ("off", "verdict"),
    [
        (0.2 - 0.01 * T95 - A_BIT, HOLDS),
        (0.2 - 0.01 * T95 + A_BIT, UNDECIDED),
        (0.2 + 0.01 * T999 - A_BIT, UNDECIDED),
        (0.2 + 0.01 * T999 + A_BIT, FAILS),
    ],
)
def test_a_sampled_identity_is_decided_by_two_intervals(sign, off, verdict):
    # The prediction is 5, so the errors relative to it are .01 and the deviations `off`.
    values = five(5 * (1 + sign * off), 0.05)
    part = mean_identity("x", values, 5.0, resolve=0.2).part
    assert part.verdict is verdict
    assert part.ci == pytest.approx(
        (5 * (1 + sign * off) - 0.05 * T975, 5 * (1 + sign * off) + 0.05 * T975)
    )
    assert part.strength.excluded == f"deviations above {off + 0.01 * T95:.2g}"


def test_many_cases_share_the_level_at_which_one_is_rejected():
    # Four cases: 1 - .001/4 of the normal law is at 3.4808, one case at 3.0902.
    def judged_at(off: float):
        mean = np.array([1.0, 1.0, 1.0, 1.0 + 0.1 + off])
        return sampled_identity("x", mean, 0.01, 1.0, resolve=0.1).part

    assert judged_at(0.01 * 3.4807).verdict is UNDECIDED
    assert judged_at(0.01 * 3.4809).verdict is FAILS
    assert judged_at(0.01 * 3.480756).p_value == pytest.approx(0.001, rel=1e-3)
    assert judged_at(-0.2).p_value == 1.0


def test_a_deviation_below_the_scale_means_nothing():
    assert sampled_identity("x", 0.4, 0.001, 0.0, resolve=0.1, scale=5.0).verdict is HOLDS
    assert sampled_identity("x", 0.6, 0.001, 0.0, resolve=0.1, scale=5.0).verdict is FAILS


def test_a_coarse_identity_says_so():
    # resolve + (z_.999 + z_.90) stderr against a tenth
    error = (0.1 - 0.05) / (Z999 + Z90)
    fine, coarse = (
        sampled_identity("x", 1.0, error * (1 + shift), 1.0, resolve=0.05).part.strength
        for shift in (-A_BIT, A_BIT)
    )
    assert fine.weak == ""
    assert coarse.weak == "only a deviation of 0.1 would be noticed"


def test_two_means_are_compared_with_welchs_freedom():
    first, second = five(10.0, 0.3), np.array([10.0 - 0.4, 10.0 + 0.4])
    # errors .3 with 4 and .4 with 1 degree: .5 in all, freedom .0625/(.0081/4 + .0256/1) = 2.2624.
    part = same_mean("x", first, second, resolve=1.0).part
    assert part.stderr == pytest.approx(0.5)
    assert part.ci == pytest.approx((10 - 0.5 * 3.8594, 10 + 0.5 * 3.8594), rel=1e-3)
    few = same_mean("x", first, second[:1], resolve=1.0).part
    assert (few.verdict, few.predicted) == (UNDECIDED, 9.6)
    assert few.measured == pytest.approx(10.0)
    two = same_mean("x", np.array([1.0, 1.0]), np.array([1.0, 1.0]), resolve=0.1).part
    assert two.verdict is HOLDS


SIZES = np.array([1.0, math.e**2, math.e**4])
"""Their logarithms are 0, 2, 4: u = -2, 0, 2, and u.u = 8."""


def grown(power: float, error: float) -> np.ndarray:
    """Means x^power, each with the relative standard error `error` of five seeds."""
    return SIZES[:, None] ** power * five(1.0, error)


@pytest.mark.parametrize(("side", "sign"), [("<=", 1), (">=", -1)])
def test_a_hidden_constant_is_judged_by_the_power_of_its_ratio(side, sign):
    # The slope's error is sqrt(2 (2 e)^2)/8 = e/sqrt 8.
    slope_error = 0.004 / math.sqrt(8)
    for power, verdict in [
        (0.1 - T975 * slope_error - A_BIT, HOLDS),
        (0.1 - T975 * slope_error + A_BIT, UNDECIDED),
        (0.1 + T999 * slope_error - A_BIT, UNDECIDED),
        (0.1 + T999 * slope_error + A_BIT, FAILS),
    ]:
        values = grown(sign * power + 1.0, 0.004)
        part = hidden_constant("x", SIZES, values, SIZES, side=side).part
        assert part.verdict is verdict
        assert (part.measured, part.stderr) == pytest.approx((power, slope_error))
        assert part.ci == pytest.approx((power - T975 * slope_error, power + T975 * slope_error))
        assert part.strength.detectable == pytest.approx(0.1 + D90 * slope_error, rel=1e-6)
    assert part.p_value == pytest.approx(0.001, rel=1e-2)


def test_the_constant_is_the_largest_mean_ratio_with_its_interval():
    values = np.stack([five(3.0, 0.1), five(2.0, 0.1), five(2.5, 0.1)]) * 7
    part = hidden_constant("x", SIZES, values, np.full(3, 7.0)).part
    assert part.constant is not None
    assert part.constant.value == pytest.approx(3.0)
    assert part.constant.ci == pytest.approx((3 - 0.1 * T975, 3 + 0.1 * T975))
    least = hidden_constant("x", SIZES, values, np.full(3, 7.0), side=">=").part
    assert least.constant is not None
    assert least.constant.value == pytest.approx(2.0)


def test_what_is_not_positive_has_no_power():
    falling = np.stack([five(1.0), five(0.0, 0.1), five(1.0)])
    assert hidden_constant("x", SIZES, falling, np.ones(3)).verdict is UNDECIDED
    never = hidden_constant("x", SIZES, -np.abs(falling), np.ones(3)).part
    assert (never.verdict, never.reason, never.p_value) == (HOLDS, "no value is positive", 1.0)
    assert hidden_constant("x", SIZES, -falling, np.ones(3), side=">=").verdict is UNDECIDED
    one = hidden_constant("x", SIZES, falling[:, :1], np.ones(3)).part
    assert one.reason == "needs two sizes and two seeds"


@pytest.mark.parametrize("reach", [9.9, 10.0])
def test_a_decade_of_sizes_is_enough(reach, rng):
    sizes = np.array([3.0, 3.0 * reach])
    values = np.ones((2, 5)) * (1 + 1e-3 * rng.standard_normal((2, 5)))
    for part in (
        hidden_constant("x", sizes, values, np.ones(2)).part,
        exponent("x", sizes, values, 0.0).part,
    ):
        weak = f"sizes over a factor {reach:.3g}, a decade would do"
        assert part.strength.weak == (weak if reach < 10 else "")


@pytest.mark.parametrize("sign", [1, -1])
def test_an_exponent_is_judged_by_one_slope_a_seed(sign):
    for off, verdict in [
        (0.1 - T975 * 0.01 - A_BIT, HOLDS),
        (0.1 - T975 * 0.01 + A_BIT, UNDECIDED),
        (0.1 + T999 * 0.01 - A_BIT, UNDECIDED),
        (0.1 + T999 * 0.01 + A_BIT, FAILS),
    ]:
        slopes = five(2.0 + sign * off, 0.01)
        part = exponent("x", SIZES[::-1], SIZES[::-1, None] ** slopes, 2.0).part
        assert part.verdict is verdict
        assert (part.measured, part.stderr) == pytest.approx((2 + sign * off, 0.01))
        assert part.ci == pytest.approx((slopes.mean() - T975 * 0.01, slopes.mean() + T975 * 0.01))
        assert part.strength.detectable == pytest.approx(0.1 + D90 / 100, rel=1e-6)
    assert part.p_value == pytest.approx(0.002, rel=1e-3)  # two-sided
    assert part.reason.endswith(f"; local powers {2 + sign * off:.2f}, {2 + sign * off:.2f}")


def test_a_slope_is_that_of_least_squares(rng):
    x, y = rng.uniform(1, 9, 6), rng.uniform(1, 9, (6, 3))
    slopes = [np.polyfit(np.log(x), np.log(y[:, i]), 1)[0] for i in range(3)]
    error = np.std(slopes, ddof=1) / math.sqrt(3)
    assert log_log_slope(x, y) == pytest.approx((np.mean(slopes), error))
    assert math.isnan(log_log_slope(x, y[:, :1])[1])
    assert math.isnan(log_log_slope(x, np.where(y > 8, 0.0, y) * (y < 8))[0])


def test_the_interval_of_a_trend_leaves_out_what_is_not_finite():
    values = np.array([five(3.0), [1.0, 2.0, math.nan, math.inf, math.nan]])
    found = trend("T", "d", [2, 4], values)
    assert found.measured == pytest.approx((3.0, 1.5))
    assert found.low == pytest.approx((3 - T975, 1.5 - 12.7062047 * 0.5))
    assert found.high == pytest.approx((3 + T975, 1.5 + 12.7062047 * 0.5))
    assert trend("T", "d", [2], values[:1, :1]).low == ()


def test_the_range_of_a_constant_is_that_of_its_runs():
    found = spread([4.0, 1.0, math.nan, 2.5])
    assert (found.value, found.ci) == (2.5, (1.0, 4.0))


def test_a_p_value_without_an_error_is_a_yes_or_no():
    assert [exceeds(x, 0.0, 3) for x in (-1.0, 0.0, 1.0)] == [1.0, 0.5, 0.0]
    assert math.isnan(exceeds(math.nan, 1.0, 3))
    assert math.isnan(exceeds(1.0, math.nan, 3))


@pytest.mark.parametrize(
    ("at_least", "verdict"),
    # 47 of 50: the exact 95 % interval begins at .8345; P(<= 47) = .001 at .99683.
    [(0.8345, HOLDS), (0.8346, UNDECIDED), (0.9959, UNDECIDED), (0.9966, FAILS)],
)
def test_a_probability_is_decided_by_two_levels(at_least, verdict):
    part = high_probability("event", 47, 50, at_least).part
    below = sum(math.comb(50, k) * at_least**k * (1 - at_least) ** (50 - k) for k in range(48))
    assert part.p_value == pytest.approx(below)
    assert part.verdict is verdict
    assert part.ci == pytest.approx((0.834516, 0.987452), abs=1e-5)
    assert part.strength.excluded == "failure rates above 0.165"


@pytest.mark.parametrize(("at_least", "weak"), [(0.9834, ""), (0.9836, "10 times")])
def test_a_failure_rate_ten_times_the_claimed_one_is_weak_evidence(at_least, weak):
    told = high_probability("event", 47, 50, at_least).part.strength.weak
    assert told == (f"failure rates up to {weak} the claimed one" if weak else "")


def test_what_a_share_would_notice_is_an_exact_binomial():
    # 20 trials at .9: P(<= 13) = .0024, P(<= 12) = .0004, so 12 are rejected.
    found = high_probability("event", 20, 20, 0.9).part.strength.detectable
    p = 0.9 * (1 - found)
    below = sum(math.comb(20, k) * p**k * (1 - p) ** (20 - k) for k in range(13))
    assert below == pytest.approx(0.9)
    assert math.isnan(high_probability("event", 3, 3, 0.5).part.strength.detectable)
    assert math.isnan(high_probability("event", 3, 3, 0.0).part.strength.detectable)


@pytest.mark.parametrize(
    ("freedom", "deviate"),
    [(math.inf, 3.0902), (4, 7.1732), (1, 318.309)],
)
def test_a_claim_about_every_algorithm_fails_beyond_student_s_limit(freedom, deviate):
    def judged(measured):
        return every_algorithm("loss", measured, 1e-3, 0.5, "SGD", freedom=freedom).part

    below, above = judged(0.5 - 1.0001 * deviate * 1e-3), judged(0.5 - 0.9999 * deviate * 1e-3)
    assert (below.verdict, above.verdict) == (FAILS, UNDECIDED)
    assert below.p_value == pytest.approx(1e-3, rel=2e-3)
    assert above.strength.excluded == "floors above 0.5"


@pytest.mark.parametrize(("side", "worse"), [("<=", 1), (">=", -1)])
def test_an_event_happens_on_its_limit_and_the_worst_run_is_told(side, worse):
    runs = [
        Event(name="x", measured=2.0 + worse * gap, limit=2.0, side=side) for gap in (-1, 0, 0.5)
    ]
    assert [event.happened for event in runs] == [True, True, False]
    claim = judged("x", runs, 0.5)
    assert claim.measured == pytest.approx(2 / 3)
    assert claim.reason.endswith(f"worst: {2 + worse * 0.5:.4g} {side} 2")


def test_events_that_must_hold_at_once_are_counted_at_once():
    def run(first: bool, second: bool) -> list[Event]:
        return [
            Event(name="a", measured=float(not first), limit=0.5),
            Event(name="b", measured=float(not second), limit=0.5),
        ]

    together, a, b = judged_each([run(True, False), run(False, True), run(True, True)], 0.5)
    shares = (together.measured, a.measured, b.measured)
    assert shares == pytest.approx((1 / 3, 2 / 3, 2 / 3))
    (alone,) = judged_each([run(True, True)[:1]], 0.5)
    assert alone.name == "a"


@pytest.mark.parametrize(
    ("side", "power", "allowed"),
    [(">=", 2.0, (0.0, 2.0)), (">=", -2.0, (0.5, math.inf)), ("<=", 2.0, (2.0, math.inf))],
)
def test_a_hypothesis_allows_the_constants_with_which_it_is_met(side, power, allowed):
    h = Hypothesis(name="h", value=8.0, side=side, limit=2.0, constant="C", power=power)
    assert h.allowed == pytest.approx(allowed)
    end = allowed[0] or allowed[1]
    assert h.factor(end) == pytest.approx(1.0)
    inside, outside = (end * 1.01, end / 1.01) if allowed[0] else (end / 1.01, end * 1.01)
    assert (h.met(inside), h.met(outside)) == (True, False)
    assert h.factor(outside) == pytest.approx(1.01**2)


def test_a_hypothesis_is_missed_by_a_factor_or_altogether():
    below = Hypothesis(name="h", value=6.0, side="<=", limit=2.0)
    assert (below.factor(), below.met(), below.allowed) == (3.0, False, (math.inf, 0.0))
    assert Hypothesis(name="h", value=2.0, side="<=", limit=2.0).allowed == (0.0, math.inf)
    assert Hypothesis(name="h", value=1.0, side="<=", limit=0.0).factor() == math.inf
    assert Hypothesis(name="h", value=0.0, side="<=", limit=1.0).factor() == 0.0
    assert Hypothesis(name="h", value=-1.0, side=">=", limit=-2.0).factor() == 0.0
    rounding = Hypothesis(name="h", value=2.0 * (1 + 0.9e-9), side="<=", limit=2.0)
    assert rounding.met()
    assert not Hypothesis(name="h", value=2.0 * (1 + 1.1e-9), side="<=", limit=2.0).met()
    nothing = Hypothesis(name="h", value=0.0, side=">=", limit=1.0, constant="C")
    assert nothing.allowed == (math.inf, 0.0)
    assert window((below,), "C") == (0.0, math.inf)
