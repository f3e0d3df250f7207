"""The exact shortcuts of full-batch descent: the span of the data, and the plane."""

import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from featlearn._streams import stream
from featlearn.distributions import Batch, Clusters
from featlearn.networks import BalancedSigns, Gaussian, Params, TwoLayer
from featlearn.training import (
    Adam,
    DecoupledDecay,
    Descent,
    Fresh,
    GramDescent,
    Momentum,
    Plain,
    PlanarDescent,
    Sample,
    gradient,
    loss,
    simulate,
)
from featlearn.training.loop import advance
from featlearn.training.planar import circle, planar_gradient, running_sum
from featlearn.training.simulation import fastest

STEPS = 30


def descent(d=40, n=12, width=9, trained=("w",), biases=False, **changes):
    network = TwoLayer(
        d=d,
        width=width,
        w=Gaussian(sd=0.3),
        a=BalancedSigns(size=width**-0.5),
        b=Gaussian(sd=0.1) if biases else None,
        scaling="one",
        trained=trained,
    )
    fields = {
        "law": Clusters(d=d, sigma=0.3, flips=0.1),
        "network": network,
        "loss": loss("logistic"),
        "data": Sample(samples=n),
        "steps": STEPS,
        "rule": Plain(eta=0.3),
    }
    return Descent(**{**fields, **changes})


def trained_by(dynamics, network):
    """The parameters after all steps."""
    fixed = dynamics.fixed(key=stream(0, "sample"))
    state = dynamics.start(network.init(key=stream(0, "init")), fixed)
    state = advance(dynamics, state, 0, STEPS, fixed, stream(0, "data-0"))
    return dynamics.params(state, fixed)


def largest_difference(one, other):
    both = zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True)
    return max(float(jnp.abs(u - v).max()) for u, v in both)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"trained": ("w", "a", "b"), "biases": True, "rule": Momentum(eta=0.3, beta=0.5)},
        {"class_weights": (0.4, 1.6), "smoothing": 0.2, "schedule": "linear"},
        {"trained": ("w", "a"), "kept": {"a": 0.9}},
    ],
    ids=["plain", "momentum and biases", "weights, smoothing, schedule", "decay of a"],
)
def test_descent_in_the_span_is_the_same_descent(changes):
    """In float64, thirty steps: a wrong factor anywhere would show in the first digit."""
    with jax.enable_x64(True):
        plain = descent(**changes)
        ours = trained_by(GramDescent(descent=plain), plain.network)
        theirs = trained_by(plain, plain.network)
        moved = largest_difference(theirs, plain.network.init(key=stream(0, "init")))
        assert moved > 0.01
        assert largest_difference(ours, theirs) < 1e-12


@pytest.mark.parametrize(
    "changes",
    [{}, {"trained": ("w", "a")}, {"rule": Adam(eta=0.3)}, {"class_weights": (0.5, 1.5)}],
    ids=["first layer", "both layers", "adam", "class weights"],
)
def test_descent_in_the_plane_is_the_same_descent(changes):
    with jax.enable_x64(True):
        plain = descent(d=2, n=200, width=31, **changes)
        ours = trained_by(PlanarDescent(descent=plain), plain.network)
        theirs = trained_by(plain, plain.network)
        assert largest_difference(ours, theirs) < 1e-11


def test_single_precision_agrees_to_its_rounding():
    """Measured 2e-7 to 2e-6; a wrong factor would be 1e-2."""
    for plain, other in (
        (descent(), GramDescent),
        (descent(d=2, n=200, width=31), PlanarDescent),
    ):
        ours = trained_by(other(descent=plain), plain.network)
        assert largest_difference(ours, trained_by(plain, plain.network)) < 2e-5


def test_arcs_that_run_over_the_end_and_dead_neurons_are_right(rng):
    """Neurons all around the circle, on its seam, and one that is 0."""
    with jax.enable_x64(True):
        angle = np.linspace(-np.pi, np.pi, 25)
        w = np.concatenate([np.stack([np.cos(angle), np.sin(angle)], 1), np.zeros((1, 2))])
        params = Params(w=jnp.asarray(w), a=jnp.asarray(rng.normal(size=26)))
        x, y = rng.normal(size=(60, 2)), np.sign(rng.normal(size=60))
        points = Batch(x=jnp.asarray(x), y=jnp.asarray(y))
        network = TwoLayer(
            d=2,
            width=26,
            w=Gaussian(sd=1.0),
            a=Gaussian(sd=1.0),
            trained=("w", "a"),
            scaling="mean-field",
        )
        ours = planar_gradient(network, loss("logistic"), params, circle(points))
        theirs = gradient(network, loss("logistic"), params, points)
        assert largest_difference(ours, theirs) < 1e-13


def test_running_sums_are_cumulative_sums(rng):
    with jax.enable_x64(True):
        for rows in (1, 2, 9, 50):
            values = rng.normal(size=(rows, 2))
            assert np.allclose(running_sum(jnp.asarray(values)), values.cumsum(0), atol=1e-13)


@pytest.mark.parametrize(
    ("phase", "expected"),
    [
        (descent(d=2, n=500), "planar"),
        (descent(d=2, n=500, biases=True, steps=10_000), "plain"),
        (descent(d=1000, n=100, width=400, steps=1000), "gram"),
        (descent(d=20, n=400, width=400, steps=1000), "plain"),
        (descent(d=2200, n=1000, width=100, steps=3), "plain"),
        (descent(d=1000, n=100, width=400, steps=1000, data=Fresh(batch=100)), "plain"),
        (descent(d=1000, n=100, width=400, steps=1000, rule=Adam(eta=0.3)), "plain"),
    ],
)
def test_the_least_work_is_chosen(phase, expected):
    assert fastest(phase) == expected
    kind = {"plain": Descent, "gram": GramDescent, "planar": PlanarDescent}[expected]
    assert isinstance(simulate(phase), kind)


def test_what_leaves_the_span_or_the_plane_is_refused():
    message = (
        "GramDescent(descent): expected full-batch descent of two layers on a sample, plain or "
        "with momentum, w not decayed, got Fresh data, Plain rule. Use simulation='plain'."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        GramDescent(descent=descent(data=Fresh(batch=3)))
    with pytest.raises(ValueError, match="w not decayed, got Sample data, Plain rule"):
        GramDescent(descent=descent(decay=DecoupledDecay(lam={"w": 0.1})))
    with pytest.raises(ValueError, match="without biases, d = 2, got d = 40, Sample data"):
        simulate(descent(), "planar")
    with pytest.raises(ValueError, match="expected one of 'auto', 'plain', 'gram', 'planar'"):
        simulate(descent(), "fast")
