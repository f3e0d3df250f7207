"""Samples to an accuracy and phase times: the arithmetic on cases with a known answer."""

import math
import sys

import numpy as np
import pytest

from featlearn.baselines import fit, gram
from featlearn.baselines.bisection import bisected
from featlearn.measurements import reaching
from featlearn.papers.glasgow2023.items import phase_times, sample_complexity
from featlearn.papers.glasgow2023.kernel_samples import RIDGE, family, kernel_samples
from featlearn.theory.growth import GrowthCurve

D = (32, 64, 128, 256)


def curve(of_d, name="sgd m/d=1", noise=(0.99, 1.0, 1.01)):
    n = np.array([[of_d(d) * f for f in noise] for d in D], float)
    return GrowthCurve(name=name, d=D, values=n)


def test_an_accuracy_that_is_never_reached_has_no_crossing():
    curves = np.array([[0.5, 0.6, 0.94], [0.96, 1.0, 1.0]])
    np.testing.assert_array_equal(reaching(np.arange(3.0), curves, 0.95), [math.nan, 0.0])


@pytest.mark.parametrize("answer", [7, 30, 31, 999])
def test_bisection_finds_the_least_number(answer):
    found = bisected(lambda n: n >= answer, low=2, start=30, high=1000, near=1e-4)
    assert found == answer
    assert math.isnan(bisected(lambda n: False, low=2, start=30, high=1000, near=0.1))


def test_a_power_law_has_its_exponent_and_a_logarithm_its_coefficients():
    square = curve(lambda d: 0.5 * d**2, "ntk")
    assert square.exponent[0] == pytest.approx(2.0)
    assert square.local[0] == pytest.approx(2.0)
    logarithmic = curve(lambda d: d * (5 + 8 * math.log(d)))
    a, b = logarithmic.linear_log
    assert (a.mean(), b.mean()) == (pytest.approx(5.0), pytest.approx(8.0))
    assert 1.0 < logarithmic.exponent[0] < 1.3


def test_rows_agree_where_they_should_and_differ_where_they_should():
    good = sample_complexity.exponent_row(curve(lambda d: 20 * d**1.05), 1.0, "quick")
    assert (good.status, good.quantity) == ("agrees", "exponent sgd m/d=1")
    assert good.half is not None
    bad = sample_complexity.exponent_row(curve(lambda d: d**1.6), 1.0, "quick")
    assert bad.status == "higher"
    assert (
        sample_complexity.exponent_row(curve(lambda d: d**1.6, "ntk"), 2.0, "quick").status
        == "lower"
    )
    lost = sample_complexity.exponent_row(curve(lambda d: math.nan), 1.0, "quick")
    assert (lost.status, lost.measured) == ("cannot tell", None)


def test_the_figure_has_every_learner_and_the_floor():
    kernels = [curve(lambda d: d**2, name) for name in ("ntk", "finite ntk", "rf")]
    panel = sample_complexity.figure([curve(lambda d: 20 * d)], kernels).panels[0]
    assert [s.role for s in panel.series] == [
        "network",
        "ntk",
        "kernel",
        "random-features",
        "floor",
    ]
    floor = panel.series[-1]
    assert floor.y[0] == pytest.approx(32 / math.log(32) ** 2)


def test_the_regulariser_of_a_kernel_does_not_grow_with_the_sample(monkeypatch):
    asked = []

    def watched(kernel, batch, **options):
        asked.append((len(batch.y), *options["grid"]))
        return fit(kernel, batch, **options)

    monkeypatch.setattr(sys.modules["featlearn.baselines.least_samples"], "fit", watched)
    kernel_samples("ntk", 8, 0)
    assert len({n for n, _ in asked}) > 1
    assert [n * lam for n, lam in asked] == pytest.approx([RIDGE] * len(asked))


def test_the_ntk_needs_about_half_of_d_squared_samples():
    found = [kernel_samples("ntk", 10, seed) for seed in range(2)]
    assert 20 < np.mean(found) < 120


@pytest.mark.parametrize("name", ["ntk", "finite ntk", "rf"])
def test_every_kernel_is_symmetric_and_positive(name):
    x = np.random.default_rng(0).choice([-1.0, 1.0], (6, 8))
    K = gram(family(name, 8, 0), x, x)
    assert np.allclose(K, K.T)
    assert np.linalg.eigvalsh(K).min() > 0


def test_a_straight_line_in_log_d_is_recognised():
    ends = np.array([[6.0 * math.log(d) + 10 + s for s in (-1, 0, 1)] for d in D])
    slope, at, r2 = phase_times.line(np.log(D), ends)
    assert slope.mean() == pytest.approx(6.0)
    assert at.mean() == pytest.approx(10.0)
    assert r2 == pytest.approx(1.0)


def test_runs_whose_phase_never_ended_are_drawn_as_missing():
    ends = np.array([[10.0, 12.0], [math.nan, math.nan]])
    series = phase_times._series(np.array([1.0, 2.0]), ends)
    assert series.y[0] == 11.0
    assert math.isnan(series.y[1])
