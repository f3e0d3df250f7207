"""The nearest setting in scope: against settings that are known to be nearest."""

import math
from dataclasses import dataclass

import pytest

import featlearn as fl
from featlearn._check import require
from featlearn.theory import Role, Unknown
from featlearn.theory.hypotheses import Hypothesis
from featlearn.theory.scope import nearest_setting, scopes

RUN, PRINTED = fl.Reading.RUN, fl.Reading.PRINTED


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """A configuration."""

    d: int = 100
    """Inputs."""
    m: int = 100
    """Samples."""
    theta: float = 0.5
    """A threshold."""
    name: str = "x"
    """Not a number."""

    def __post_init__(self):
        require(self.theta <= 1, "theta", "at most 1", self.theta)


def near(hypotheses, config=None, constants=()):
    statement = fl.Statement(
        id="my.claim",
        config=Sizes(),
        evidence=lambda config, lab: [],
        hypotheses=hypotheses,
        text=fl.Text(printed="x", constants=tuple(constants)),
    )
    return nearest_setting(statement, config or Sizes(), RUN)


def at_least(name, value, limit, **more):
    return Hypothesis(name=name, value=value, side=">=", limit=limit, **more)


def test_a_setting_in_scope_stays():
    assert near(lambda c: [at_least("m >= d", c.m, c.d)]) == {}


def test_the_field_that_counts_most_is_changed():
    """m >= d/theta^2: theta moves its right side twice as fast as d or m do."""
    found = near(lambda c: [at_least("m >= d/theta^2", c.m, c.d / c.theta**2)])
    assert found == {"theta": 1.0}


def test_a_field_stops_where_the_configuration_refuses_it():
    found = near(lambda c: [at_least("m >= 8 d/theta^2", c.m, 8 * c.d / c.theta**2)])
    assert found is not None
    changed = Sizes(**found)
    assert changed.m >= 8 * changed.d / changed.theta**2
    distance = sum(
        abs(math.log(getattr(changed, name) / getattr(Sizes(), name)))
        for name in ("d", "m", "theta")
    )
    assert distance == pytest.approx(math.log(2) + math.log(8), rel=0.02)  # theta first, then 8


def test_logarithms_bend_and_are_followed():
    found = near(lambda c: [at_least("m >= 50 log(d)^2 d^.5", c.m, 50 * math.log(c.d) ** 2)])
    assert found is not None
    changed = Sizes(**found)
    assert changed.m >= 50 * math.log(changed.d) ** 2
    assert changed.m <= 1.05 * 50 * math.log(changed.d) ** 2


def test_two_hypotheses_are_met_together():
    found = near(
        lambda c: [at_least("d >= 10^6", c.d, 1e6), at_least("m >= d^2", c.m, float(c.d) ** 2)]
    )
    assert found == {"d": 1_000_000, "m": 1_000_000_000_000}


def test_a_constant_without_a_number_is_chosen_along():
    """C <= m/d and C >= 16/d: some C serves both once m >= 16."""
    free = Unknown(symbol="C", role=Role.HYPOTHESIS, weaker="up")

    def both(c):
        return [
            at_least("m >= C d", c.m, c.d, constant="C"),
            at_least("C >= 1600/d", c.d, 1600.0, constant="C", power=-1),
        ]

    found = near(both, constants=[free])
    assert found is not None
    assert Sizes(**found).m >= 1600 * 0.999


def test_hypotheses_that_contradict_each_other_have_no_setting():
    assert near(lambda c: [at_least("d >= 2 d", c.d, 2.0 * c.d)]) is None
    assert near(lambda c: [Hypothesis.condition("another network", False)]) is None


def test_every_reading_with_numbers_of_its_own_is_told():
    constant = Unknown(symbol="C", role=Role.HYPOTHESIS, weaker="up", proof=4.0, run=1.0)
    statement = fl.Statement(
        id="my.claim",
        config=Sizes(),
        evidence=lambda config, lab: [],
        hypotheses=lambda c: [at_least("m >= C d", c.m, c.d, constant="C")],
        text=fl.Text(printed="x", constants=(constant,)),
    )
    printed, proof, run = scopes(statement, Sizes())
    assert [each.met for each in (printed, proof, run)] == [True, False, True]
    assert proof.factor == 4.0
    assert proof.nearest in ({"d": 25}, {"m": 400})
