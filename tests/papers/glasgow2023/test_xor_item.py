"""The item `xor`: its numbers against growth that is exact, its figures against the arrays."""

import math

import numpy as np
import pytest
import xarray as xr

from featlearn.experiments.run import Estimate
from featlearn.papers.glasgow2023 import figures
from featlearn.papers.glasgow2023.items import xor
from featlearn.papers.glasgow2023.xor import Xor

CONFIG = Xor(d=200, theta=0.3, eta=0.2, steps=60)
RATE = math.log1p(2 * CONFIG.eta * figures.TAU1)
STEPS = np.arange(0, 61, 2)


@pytest.fixture
def exact() -> xr.Dataset:
    """Three seeds in which E||w_sig||^2 = theta^2/d (1 + 2 eta tau1)^t; only two neurons each."""
    seeds = 3
    signal = CONFIG.theta / math.sqrt(CONFIG.d) * np.exp(RATE * STEPS / 2)
    share = np.array([0.5, 1.5])  # the mean square of both is that of one
    parts = np.sqrt(share)[None, None] * signal[None, :, None] * np.ones((seeds, 1, 1))
    small, flat = np.full(parts.shape, 0.01), np.ones((seeds, len(STEPS)))
    along = np.stack([parts[..., 0], 0 * parts[..., 1]], axis=-1)
    per_neuron = ("seed", "step", "neuron")
    return xr.Dataset(
        {
            "signal": (per_neuron, parts),
            "opposite": (per_neuron, small),
            "orthogonal": (per_neuron, small),
            "along_mu1": (per_neuron, along),
            "along_mu2": (per_neuron, along[..., ::-1]),
            "a": (per_neuron, np.broadcast_to([1.0, -1.0], parts.shape)),
            "gamma": (("seed", "step", "cluster"), np.arange(4.0) * flat[..., None]),
            "test_loss": (("seed", "step"), flat * np.array([[1.0], [2.0], [6.0]])),
            "test_accuracy": (("seed", "step"), flat),
        },
        {"seed": np.arange(seeds), "step": STEPS},
    )


def every(value: float, seeds: int = 3) -> Estimate:
    return Estimate(values=(value,) * seeds)


def summary(**changes: Estimate) -> dict[str, Estimate]:
    usual = {"phase_1_end": every(34.0), "phase_2_end": every(80.0)}
    last = {"test_loss": every(0.01), "test_accuracy": every(1.0)}
    return {**usual, **last, **changes}


def outcomes(dataset: xr.Dataset, told: dict[str, Estimate]) -> dict[str, str]:
    rows = xor.rows(dataset, told, CONFIG, "quick")
    return {f"{row.quantity}/{row.recipe}": row.status for row in rows}


def test_the_rate_of_an_exact_exponential_is_found(exact):
    assert xor.growth_rate(exact, CONFIG.theta).mean == pytest.approx(RATE, rel=1e-9)


def test_the_mean_square_reaches_theta_when_it_has_grown_d_times(exact):
    time = math.log(CONFIG.d) / RATE
    first = next(float(t) for t in STEPS if t >= time)
    assert xor.reaches_theta(exact, CONFIG.theta).values == (first,) * 3


def test_the_paper_agrees_with_itself(exact):
    assert outcomes(exact, summary()) == {
        "phase_1_rate/mean square": "agrees",
        "phase_1_end/mean square": "agrees",
        "phase_1_end/a tenth at every centre": "agrees",
        "phase_2_end/constant of log(d)/η": "no claim",
        "test_loss/Θ(1) read as 1": "agrees",
        "test_accuracy/from the loss": "agrees",
    }


def test_what_contradicts_the_paper_differs(exact):
    start = exact["signal"].isel(step=0)
    slow = exact.assign(signal=start * (exact["signal"] / start) ** 0.8)
    wrong = summary(phase_1_end=every(45.0), test_loss=every(0.3), test_accuracy=every(0.8))
    told = outcomes(slow, wrong)
    assert told.pop("phase_2_end/constant of log(d)/η") == "no claim"
    assert list(told.values()) == ["lower", "higher", "higher", "differs", "differs"]


def test_seeds_that_never_got_there_are_counted_and_decide_nothing(exact):
    told = summary(phase_1_end=Estimate(values=(34.0, None, 34.0)))
    row = xor.rows(exact, told, CONFIG, "quick")[2]
    assert (row.status, row.measured, row.seeds) == ("cannot tell", 34.0, 3)
    assert row.why.endswith("; 1 of 3 seeds never got there")


def test_phases_are_shaded_and_one_that_never_ends_says_so():
    told = {
        ends: [(m.label, m.at, m.until) for m in figures.phases(ends, 200.0)]
        for ends in [(40.0, 80.0), (40.0, None), (None, None), (40.0, 30.0)]
    }
    assert told == {
        (40.0, 80.0): [("1: find", 0, 40), ("2: tune", 40, 80)],
        (40.0, None): [("1: find", 0, 40), ("2: tune (not over)", 40, 200)],
        (None, None): [("1: find (not over)", 0, 200)],
        (40.0, 30.0): [("1: find", 0, 40)],
    }


def test_loss_and_accuracy_are_means_with_the_range_over_seeds(exact):
    loss, accuracy = figures.learning(exact).panels
    drawn = loss.series[0]
    assert drawn.low is not None
    assert drawn.high is not None
    assert (drawn.y[0], drawn.low[0], drawn.high[0]) == (3.0, 1.0, 6.0)
    assert accuracy.series[0].y.tolist() == [1.0] * len(STEPS)


def test_the_prediction_lies_on_neurons_that_grow_as_the_paper_says(exact):
    signal, opposite, _, predicted = figures.parts(exact, CONFIG).panels[0].series
    assert [s.role for s in (signal, opposite, predicted)] == ["signal", "opposite", "paper"]
    n = len(predicted.x)
    assert 10 < n <= len(STEPS)
    np.testing.assert_allclose(predicted.y, signal.y[:n], rtol=1e-9)


def test_every_neuron_of_a_seed_is_in_the_plane_on_the_side_of_its_sign(exact):
    panel = figures.plane(exact, (34.0,)).panels[0]
    assert [frame.label for frame in panel.on_paper] == ["step 0", "step 34", "step 60"]
    for frame in panel.frames:
        positive, negative = frame.series
        assert [s.role for s in frame.series] == ["positive", "negative"]
        assert len(positive.x) + len(negative.x) == 2
        assert positive.y.tolist() == [0.0]
        assert negative.x.tolist() == [0.0]
        assert frame.reach is not None
        assert frame.reach > max(positive.x.max(), negative.y.max())


def test_the_four_margins_are_told_apart(exact):
    series = figures.margins(exact).panels[0].series
    assert [(s.role, s.y[0]) for s in series] == [
        ("+mu1", 0),
        ("-mu1", 1),
        ("+mu2", 2),
        ("-mu2", 3),
    ]
