"""The setting of Xu et al.: units, digits, and the law of the plain simulation."""

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

from featlearn._check import InputError
from featlearn._streams import stream
from featlearn.experiments.run import run
from featlearn.papers.xu2023.setting import (
    CLUSTERS,
    SMALL_STEPS,
    AssumptionsMet,
    GrokkingClusters,
)
from featlearn.papers.xu2023.watched import observe, watch

SMALL = GrokkingClusters(
    d=300, samples=12, width=8, steps=6, simulation="plain", test=50, records=9, flips=0.2
)


def descended(x, y, w, a, alpha, steps):
    """Section 2 of the paper as it stands, in float64: the weights after every step."""
    found = [w]
    for _ in range(steps):
        z = x @ w.T
        g = 1 / (1 + np.exp(y * (np.maximum(z, 0) @ a)))
        w = w + alpha / len(y) * ((g * y)[:, None] * (z > 0) * a).T @ x
        found.append(w)
    return found


def trained(config, seed=3):
    """What our loop makes of a setting: the sample, the start and the last weights."""
    experiment = config.experiment()
    params = experiment.plan.init(stream(seed, "init"))
    draw = experiment.law.draw(config.samples, key=stream(seed, "sample"))
    phase, fixed = experiment.phases[0], experiment.phases[0].fixed(key=stream(seed, "sample"))
    state = phase.start(params, fixed)
    for t in range(config.total_steps):
        state = phase.step(state, t, fixed, key=stream(seed, "data-0"))
    return draw, params, phase.params(state, fixed)


@pytest.mark.parametrize("eta", [1e-12, 1e-16, 1e-3, 1e-31])
@pytest.mark.parametrize("simulation", ["plain", "gram"])
def test_it_is_the_descent_of_the_paper_in_other_units(eta, simulation):
    config = GrokkingClusters(
        d=300,
        samples=12,
        width=8,
        steps=6,
        simulation=simulation,
        flips=0.2,
        eta=eta,
        omega=eta * 1e-4,
    )
    draw, start, end = trained(config)
    x = np.asarray(draw.x, float) * config.norm
    w = np.asarray(start.w, float) * (config.unit / config.norm)
    a = np.sign(np.asarray(start.a, float)) / np.sqrt(config.width)
    last = descended(x, np.asarray(draw.y, float), w, a, eta, config.total_steps)[-1]
    ours = np.asarray(end.w, float) * (config.unit / config.norm)
    # float32 against float64; a point whose side rounding decides would miss by a whole step.
    np.testing.assert_allclose(ours, last, rtol=2e-4, atol=2e-5 * np.abs(last).max())


def test_both_layers_take_the_step_of_the_paper():
    config = GrokkingClusters(
        d=40, samples=10, width=6, steps=1, trained="both", eta=0.02, omega=0.1, simulation="plain"
    )
    draw, start, end = trained(config)
    x, y = np.asarray(draw.x, float) * config.norm, np.asarray(draw.y, float)
    root = np.sqrt(config.norm)
    w, a = np.asarray(start.w, float) / root, np.asarray(start.a, float) / root
    assert np.abs(a) == pytest.approx(1 / np.sqrt(6), rel=1e-5)
    z = x @ w.T
    g = y / (1 + np.exp(y * (np.maximum(z, 0) @ a)))
    moved = a + config.eta / len(y) * (np.maximum(z, 0).T @ g)
    assert np.asarray(end.a, float) / root == pytest.approx(moved, rel=1e-4)
    turned = w + config.eta / len(y) * (g[:, None] * (z > 0) * a).T @ x
    assert np.asarray(end.w, float) / root == pytest.approx(turned, rel=1e-3, abs=1e-6)


def test_tiny_steps_lose_no_digit():
    """The same run with alpha and omega 1e19 times smaller is the same in its own units."""
    shared: dict[str, Any] = {"d": 3000, "samples": 12, "width": 8, "steps": 6}
    large, small = (
        trained(GrokkingClusters(**shared, eta=eta, omega=1e-3 * eta))[2].w
        for eta in (1e-12, 1e-31)
    )
    # Rounding of the units themselves; a lost digit would show as 1e-6 or more.
    np.testing.assert_allclose(large, small, rtol=5e-7, atol=1e-7 * float(jnp.abs(large).max()))


@pytest.mark.parametrize(("samples", "C"), [(2000, 1.0), (2000, 150.0)])
def test_what_the_assumptions_ask_for_can_be_built(samples, C):
    config = AssumptionsMet(samples=samples, C=C)
    setting, experiment = config.setting(), config.experiment()
    assert setting.d > 1e16
    assert experiment.network.d == 2 + samples + 200
    # What float32 holds without losing digits.
    sizes = (experiment.network.w.law.sd, experiment.network.a.size, experiment.law.inside.sigma)
    assert all(1e-37 < size < 1e37 for size in sizes)


@pytest.mark.slow
def test_lengths_in_1e15_dimensions_are_chi_squares():
    """| ||x||^2 - p - ||mu||^2 |/sqrt p: its largest of 200 points, each N(0, 2) nearly."""
    lengths = np.array(
        [observe(seed=s, **vars(AssumptionsMet(samples=200).setting()))["length"] for s in range(8)]
    )
    # The largest of 200 |N(0, 2)| is 4.1 on average with standard deviation .5.
    assert abs(lengths.mean() - 4.1) < 5 * 0.5 / np.sqrt(8)


@pytest.mark.slow
def test_without_d_it_has_the_law_of_the_plain_simulation():
    config: dict[str, Any] = {
        "d": 200,
        "samples": 10,
        "width": 8,
        "steps": 4,
        "flips": 0.1,
        "signal": 1.5,
    }
    found = {}
    for how in ("plain", "gram"):
        runs = [
            watch(GrokkingClusters(**config, simulation=how, test=200), seed) for seed in range(150)
        ]
        found[how] = np.array(
            [
                [
                    *run.expected[-1],
                    run.test_error[-1].mean(),
                    run.margins[-1].min() if run.flipped.any() else run.margins[-1, 0],
                    np.abs(run.projection[-1]).mean(),
                    run.cosine,
                    run.even_share[1],
                ]
                for run in runs
            ]
        )
    error = np.sqrt(sum(each.var(axis=0) / len(each) for each in found.values()))
    z = (found["plain"].mean(axis=0) - found["gram"].mean(axis=0)) / error
    # Nine comparisons; a sample of lengths wrong by 3 % would move the cosine by 8 errors.
    assert np.abs(z).max() < 4.5


def test_every_label_is_fitted_after_one_step_and_flips_too():
    found = run(CLUSTERS, seeds=2, width=200, steps=20, test=400)
    after = found.dataset.sel(step=slice(1, None))
    assert (after["train_accuracy"] == 1).all()
    assert (after["flipped_margin"] > 0).all()
    assert (abs(found.dataset["test_accuracy"].sel(step=1) - 0.5) < 0.1).all()
    assert (found.dataset["test_accuracy"].isel(step=-1) > 0.9).all()


def test_the_named_experiments_are_the_papers():
    left, right = CLUSTERS.config, SMALL_STEPS.config
    assert (left.d, left.samples, left.width) == (40_000, 200, 1000)
    assert (left.eta, right.eta, left.omega, left.flips) == (1e-12, 1e-16, 1e-15, 0.05)
    assert left.norm == pytest.approx(2.5 * np.sqrt(200))
    assert GrokkingClusters(samples=200).total_steps == 14


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"flips": 0.5}, "flips: expected a probability from 0 to below 1/2, got 0.5."),
        ({"width": 1}, "width: expected at least 2 neurons, got 1."),
        ({"eta": 0.0}, "eta: expected a positive number, got 0.0."),
    ],
)
def test_what_cannot_be_is_refused(fields, sentence):
    with pytest.raises(InputError) as caught:
        GrokkingClusters(**fields)
    assert str(caught.value) == sentence


def test_a_width_below_A6_is_refused():
    with pytest.raises(InputError, match=r"at least C n\^.02 = 170 \(A6\), got 100"):
        AssumptionsMet(samples=500, C=150, width=100)


def test_float32_and_float64_take_the_same_side_of_every_point():
    """One run in the span, by our loop in float32 and by the text of the paper in float64."""
    config = AssumptionsMet(samples=60, width=40).setting()
    draw, start, end = trained(config)
    x, y = np.asarray(draw.x, float), np.asarray(draw.y, float)
    scale = config.eta * config.norm**2
    a = np.sign(np.asarray(start.a, float)) / np.sqrt(config.width)
    last = descended(x, y, np.asarray(start.w, float), a * scale, 1 / scale, config.total_steps)[-1]
    assert np.array_equal(np.asarray(jnp.asarray(x, jnp.float32) @ end.w.T) > 0, x @ last.T > 0)
    np.testing.assert_allclose(np.asarray(end.w), last, rtol=1e-3, atol=1e-5 * np.abs(last).max())
    assert jnp.zeros(1).dtype == jnp.float32
