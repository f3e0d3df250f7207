"""What a verdict rests on: wider error bars make none likelier, and D90 is what it says."""

import math
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import featlearn as fl
from featlearn.theory.holm import corrected, threshold
from featlearn.theory.strength import detectable, sharpness

HOLDS, FAILS, UNDECIDED = fl.Verdict.HOLDS, fl.Verdict.FAILS, fl.Verdict.UNDECIDED
SIZES = np.array([10.0, 30.0, 100.0, 300.0])


@dataclass(frozen=True, kw_only=True)
class Nothing:
    """No size."""

    n: int = 1
    """Nothing."""


def spread(seeds):
    """Deviations of mean 0 and standard deviation 1."""
    values = np.linspace(-1, 1, seeds)
    return values / values.std(ddof=1)


def bounded(mean, error, seeds):
    return fl.bound("x", mean + error * math.sqrt(seeds) * spread(seeds), 1.0)


def equal(mean, error, seeds):
    values = mean + error * math.sqrt(seeds) * spread(seeds)
    return fl.mean_identity("x", values, 1.0, resolve=0.1)


def power(mean, error, seeds):
    """y = x^mean with slopes that scatter by `error`, as far as floating point reaches."""
    slopes = mean + min(error * math.sqrt(seeds), 40) * spread(seeds)
    return fl.exponent("x", SIZES, SIZES[:, None] ** slopes, 1.0)


def hidden(mean, error, seeds):
    """x^(mean - 1) with means that are exact and scatter by `error`, relative."""
    means = SIZES ** (mean - 1)
    noise = 1 + np.minimum(error, 0.2) * spread(seeds)
    return fl.hidden_constant("x", SIZES, means[:, None] * noise, np.ones(4))


JUDGES = {"bound": bounded, "identity": equal, "exponent": power, "hidden constant": hidden}


@pytest.mark.parametrize("judge", JUDGES)
@given(
    mean=st.floats(0.5, 1.6),
    error=st.floats(1e-4, 0.5),
    more=st.floats(1.0, 30.0),
    seeds=st.integers(2, 30),
)
def test_wider_error_bars_make_no_verdict_likelier(judge, mean, error, more, seeds):
    """At equal means what is undecided stays so; what is decided keeps its word or loses it."""
    narrow = JUDGES[judge](mean, error, seeds).verdict
    wide = JUDGES[judge](mean, error * more, seeds).verdict
    assert wide in (narrow, UNDECIDED)


@given(successes=st.integers(0, 60), trials=st.integers(1, 60), p=st.floats(0.05, 0.99))
def test_fewer_trials_at_the_same_share_make_no_verdict_likelier(successes, trials, p):
    if successes > trials:
        return
    few = fl.high_probability("e", successes, trials, p).verdict
    many = fl.high_probability("e", 4 * successes, 4 * trials, p).verdict
    assert few in (many, UNDECIDED)


@pytest.mark.parametrize("seeds", [4, 10, 40])
def test_nine_of_ten_samples_reject_a_bound_that_is_exceeded_by_d90(seeds, rng):
    shift = detectable(1 / math.sqrt(seeds), seeds - 1)
    judged = [fl.bound("x", rng.normal(shift, 1.0, seeds), 0.0).verdict for _ in range(400)]
    assert 0.85 <= judged.count(FAILS) / 400 <= 0.95


def test_nine_of_ten_samples_reject_a_probability_that_is_lower_by_d90(rng):
    for trials, p in ((40, 0.9), (200, 0.95), (59, 0.5)):
        strength = fl.high_probability("e", trials, trials, p).part.strength
        true = p * (1 - strength.detectable)
        counts = rng.binomial(trials, true, 400)
        judged = [fl.high_probability("e", int(n), trials, p).verdict for n in counts]
        assert 0.84 <= judged.count(FAILS) / 400 <= 0.96


def test_nine_of_ten_samples_reject_an_identity_that_is_off_by_d90(rng):
    seeds = 12
    strength = fl.mean_identity("x", 1 + 0.1 * spread(seeds), 1.0, resolve=0.02).part.strength
    true = 1 + strength.detectable
    judged = [
        fl.mean_identity("x", rng.normal(true, 0.1, seeds), 1.0, resolve=0.02).verdict
        for _ in range(400)
    ]
    assert 0.85 <= judged.count(FAILS) / 400 <= 0.95


@pytest.mark.parametrize(
    ("value", "limit", "side", "expected"),
    [
        (0.5, 1.0, "<=", 2.0),
        (3.0, 1.0, ">=", 3.0),
        (1e-15, 1.0, "<=", 1e15),
        (0.0, 1.0, "<=", math.inf),
        (-1.0, 1.0, "<=", None),
        (0.0, 0.0, "<=", None),
    ],
)
def test_sharpness_is_claimed_over_measured(value, limit, side, expected):
    found = sharpness(value, limit, side)
    assert found == expected if expected is None else found == pytest.approx(expected)


def test_a_bound_that_rounding_decides_is_idle():
    strength = fl.exact_bound("x", 3e-10, 1.0).part.strength
    assert strength.sharp == "idle"
    assert strength.weak == "idle: the bound could be 3.3e+09 times as strict"


@pytest.mark.parametrize(("seeds", "weak"), [(58, True), (59, False)])
def test_fifty_nine_instances_without_a_counterexample_are_enough(seeds, weak):
    part = fl.bound("x", np.full(seeds, 0.9), 1.0, every=True).part
    assert part.verdict is HOLDS
    assert bool(part.strength.weak) is weak
    assert "at most 5.0% of them fail" in part.reason


def test_a_failure_has_to_survive_all_comparisons_of_its_paper():
    def checked(name, at, parts):
        claims = [fl.bound(f"p{i}", at + 0.1 * spread(10), 1.0) for i in range(parts)]
        return fl.check(
            fl.Statement(id=f"my.{name}", config=Nothing(), evidence=lambda config, lab: claims)
        )

    barely = checked("a", 1.0 + 0.1 / math.sqrt(10) * 4.5, 1)  # t = 4.5 of nine: p = .0007
    others = checked("b", 0.5, 30)
    assert barely.verdict is FAILS
    alone, among = corrected([barely]), corrected([barely, others])
    assert alone[0].verdict is FAILS
    assert among[0].verdict is UNDECIDED
    assert "among 31 comparisons of the paper" in among[0].reason
    clearly = checked("c", 2.0, 1)
    assert corrected([clearly, others])[0].verdict is FAILS


def test_a_p_value_that_is_no_number_is_no_comparison():
    claim = fl.bound("x", 2.0 + 0.1 * spread(10), 1.0)
    statement = fl.Statement(id="my.a", config=Nothing(), evidence=lambda config, lab: [claim])
    found = fl.check(statement)
    lost = replace(found, parts=(replace(found.parts[0], verdict=UNDECIDED, p_value=math.nan),))
    assert [each.verdict for each in corrected([lost, found])] == [FAILS, FAILS]


def test_holm_steps_down():
    assert threshold([0.001, 0.003, 0.004]) == 0.004  # .01/3, .01/2, .01
    assert threshold([0.004, 0.004, 0.004]) == -1
    assert threshold([]) == -1


ENDS = np.array([1.0, 10.0])
EQUAL = {
    "bound": lambda n: fl.bound("x", np.full(n, 0.1), 1.0),
    "mean identity": lambda n: fl.mean_identity("x", np.full(n, 0.1), 0.1, resolve=0.1),
    "hidden constant": lambda n: fl.hidden_constant("x", ENDS, np.full((2, n), 0.1), np.ones(2)),
    "exponent": lambda n: fl.exponent("x", ENDS, np.full((2, n), 0.1), 0.0),
}


@pytest.mark.parametrize("judge", EQUAL)
def test_a_few_equal_values_are_weak_evidence_and_59_are_not(judge):
    few, nearly, many = (EQUAL[judge](n).part for n in (3, 58, 59))
    assert {few.verdict, many.verdict} == {fl.Verdict.HOLDS}
    assert "the values of 3 seeds are equal, so that their spread is not known" in few.strength.weak
    assert "58 seeds are equal" in nearly.strength.weak
    assert "equal" not in many.strength.weak
    assert not few.strength.detectable < 0.1


def test_equal_values_at_one_size_are_weak_evidence_too():
    ratios = np.array([[1.0, 1.1, 0.9], [1.0, 1.0, 1.0]])
    part = fl.hidden_constant("x", ENDS, ratios, np.ones(2)).part
    assert "the values of 3 seeds are equal" in part.strength.weak
    ratios[1, 0] += 1e-3
    other = fl.hidden_constant("x", ENDS, ratios, np.ones(2)).part
    assert other.strength.weak == ""
