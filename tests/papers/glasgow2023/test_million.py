"""The study of a million dimensions: its arithmetic on numbers made by hand, and a toy of it."""

import math
from dataclasses import replace

import numpy as np
import pytest

from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023 import boolean_gap, floor
from featlearn.papers.glasgow2023.items import million
from featlearn.papers.glasgow2023.items.million import Decades
from featlearn.papers.glasgow2023.xor import Xor
from featlearn.reproduction.item import Context
from featlearn.results.statistics import mean_interval
from featlearn.theory.growth import power_of_log

QUICK = Context(size="quick", lab=Lab())
D = (100, 10_000)


def decades(q):
    """Samples that grow with the power q of log d, T1 with the first; one run never got there."""
    log = np.log(np.array(D, float))
    return Decades(
        ratio=0.25,
        d=D,
        samples=tuple(np.array([0.99, 1.01, math.nan]) * each for each in (log / log[0]) ** q * 30),
        T1=tuple(np.array([49.0, 50.0, 51.0]) * each for each in log / log[0]),
        ended=(np.array([60.0, 61.0, math.nan]),) * 2,
    )


def gap(law=0.3):
    """Laws that fall like 1/d, and trainings without any gap."""
    d = np.array([128, 512])
    samples = np.array([[99.0, 100.0, 101.0], [436.0, 440.0, 444.0]])
    return boolean_gap.Gap(
        d=(128, 512),
        law=law * np.stack([1 / d] * 3, axis=1),
        berry_esseen=0.9 / np.sqrt(np.stack([d] * 3, axis=1)),
        samples={form: samples * (1 + 0.1 * (form == "boolean")) for form in boolean_gap.FORMS},
    )


@pytest.mark.parametrize("q", [1.0, 1.8])
def test_the_power_of_the_log_is_found_with_an_interval_around_it(q):
    found, error, ci = power_of_log(D, decades(q).samples)
    assert ci is not None
    assert found == pytest.approx(q)
    # Two seeds an end, at ±1 %: error 0.01 of the samples at both ends, over log 2.
    assert error == pytest.approx(math.sqrt(2) * 0.01 / math.log(2), rel=1e-3)
    assert ci[0] < q < ci[1]
    assert ci[1] - q > 3 * error


def test_ends_that_nobody_reached_have_no_power():
    nobody = np.full(2, math.nan)
    assert math.isnan(power_of_log(D, (np.ones(2), nobody))[0])
    assert power_of_log(D, (np.ones(2), np.full(1, 2.0)))[2] is None
    assert math.isnan(mean_interval(nobody)[0])


def test_rows_say_how_many_runs_never_got_there():
    rows = {row.quantity: row for row in million.rows(QUICK, [decades(1.8)])}
    samples = rows["power of log d in samples/d, 1e+02 to 1e+04"]
    assert samples.measured == pytest.approx(1.8)
    assert samples.why.endswith("1 of 3 seeds never got there")
    assert rows["T1 at d = 1e+04"].measured == pytest.approx(100)
    share = rows["share of runs whose phase 1 ends by the letter, d = 1e+04"]
    assert share.measured == pytest.approx(2 / 3)


def test_an_error_below_the_floor_would_differ():
    above, below = (
        floor.rows(QUICK, {1000: np.full(3, error)}, "x")[0].status for error in (0.4, 0.02)
    )
    assert (above, below) == ("agrees", "differs")


def test_laws_further_apart_than_berry_esseen_would_differ():
    near, far = (boolean_gap.rows(QUICK, gap(law), "x") for law in (0.3, 300.0))
    assert [row.status for row in near] == ["agrees", "agrees", "no claim", "agrees"]
    assert far[0].status == "differs"
    assert near[1].measured == pytest.approx(-1)
    assert near[2].measured == pytest.approx(math.log(1.1))


def test_two_simulators_that_disagree_would_differ():
    apart = gap()
    apart.samples["gaussian, plain"][:] *= 2
    assert boolean_gap.rows(QUICK, apart, "x")[3].status == "higher"


def test_the_two_simulators_are_compared_where_both_were_run():
    large = replace(gap(), d=(512, 4096))
    large.samples["gaussian, plain"][1] = math.nan
    row = boolean_gap.rows(QUICK, large, "x")[3]
    assert (row.quantity[-7:], row.status) == ("d = 512", "agrees")


def test_signs_are_nearer_to_normals_than_berry_esseen_allows(rng):
    # A law that is even has no term of order 1/sqrt d: at d = 400 a tenth of the bound.
    w = rng.normal(size=400)
    bound = boolean_gap.C_BE * np.sum(np.abs(w) ** 3) / np.linalg.norm(w) ** 3
    assert 0 < boolean_gap.distance(w) < 0.1 * bound


def test_the_figure_has_the_proved_bounds_beside_what_was_measured():
    drawn = million.figure([decades(1.8)], {1000: np.array([0.4, 0.5])}, gap())
    names = [series.name for panel in drawn.panels for series in panel.series]
    assert len(drawn.panels) == 4
    for name in ("1/log² d (proposition F.1)", "3 % (proposition F.1)", "200 C_{BE}/√d (B.4)"):
        assert name in names


@pytest.mark.slow
def test_a_toy_of_the_study_runs(monkeypatch):
    monkeypatch.setattr(million, "WIDTH", 4)
    monkeypatch.setattr(million, "STEPS", {1.0: 0.1})
    monkeypatch.setattr(million, "LEAST", 3)
    toy = {"seeds": {30: 2}, "ratios": (1.0,), "floor": {30: 2}}
    monkeypatch.setitem(million.SIZES, "quick", {**toy, "gap": {"d": (30,), "seeds": 2}})
    found = million.reproduce(QUICK)
    assert {row.item for row in found.rows} == {"glasgow2023.million"}
    assert len(found.figures[0].panels) == 4


@pytest.mark.parametrize(
    ("size", "steps"),
    [
        ({}, 200),
        ({"d": 100}, 200),
        ({"d": 10**6}, 484),
        ({"d": 10**6, "eta": 0.1}, 967),
        ({"d": 10**6, "steps": 30}, 30),
    ],
)
def test_the_number_of_steps_follows_the_theorem(size, steps):
    assert Xor(**size).total_steps == steps
