"""The flow without dimension: against its own equations by differences, limits and symmetries."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from featlearn._check import InputError
from featlearn.distributions import Boolean, target_of
from featlearn.distributions.symmetries import ties
from featlearn.distributions.target import corners
from featlearn.networks import RELU, RELU6, Gaussian, TwoLayer, Uniform, activation
from featlearn.training.flow import Neurons, mean_output, neurons_of, solve_flow, spread_evenly
from featlearn.training.noise_average import averages

SIGMOID = activation(jax.nn.sigmoid)


def some_neurons(rng, n, k):
    return Neurons(
        a=rng.uniform(-1, 1, n),
        u=rng.normal(size=(n, k)) / 3,
        s=rng.uniform(0.2, 1, n),
        b=rng.normal(size=n) / 3,
        weight=np.full(n, 1 / n),
    )


@pytest.mark.parametrize("act", [RELU, RELU6, SIGMOID], ids=["relu", "relu6", "sigmoid"])
def test_the_flow_goes_down_the_gradient_of_the_error(act, rng):
    """n times minus the gradient of E (h - f)^2/2 in every place, by central differences."""
    h, n = target_of("x1 + 0.5*x1*x2"), 3
    start = some_neurons(rng, n, 2)

    def half_error(parts):
        a, u, s, b = parts
        f = mean_output(act, a, u, s, b, start.weight)
        return np.mean((h.table - f) ** 2) / 2

    dt = 1e-5
    path = solve_flow(h, act, start, [0.0, dt], tolerance=1e-10)
    for number, name in enumerate(("a", "u", "s", "b")):
        moved = (getattr(path, name)[1] - getattr(path, name)[0]) / dt
        slope = np.zeros_like(moved)
        for place in np.ndindex(moved.shape):
            ends = []
            for sign in (1, -1):
                parts = [np.array(getattr(start, each)) for each in ("a", "u", "s", "b")]
                parts[number][place] += sign * 1e-5
                ends.append(half_error(parts))
            slope[place] = -n * (ends[0] - ends[1]) / 2e-5
        # Differences of step 1e-5 in time and place: errors of 1e-5 and 1e-8.
        np.testing.assert_allclose(moved, slope, atol=1e-4)


def test_averages_over_noise_are_integrals(rng):
    g = np.linspace(-8, 8, 40_001)
    p = np.exp(-(g**2) / 2)
    p /= p.sum()
    c, sigma = rng.normal(size=5), np.array([0.0, 0.3, 1.0, 2.0, 0.7])
    for act in (RELU, RELU6, SIGMOID):
        with jax.enable_x64(True):
            z = jnp.asarray(c[:, None] + sigma[:, None] * g)
            value, slope = np.asarray(act.value(z)), np.asarray(act.derivative(z))
            found = averages(act, jnp.asarray(c), jnp.asarray(sigma))
        for ours, theirs in zip(found, (value @ p, slope @ p, slope @ (p * g)), strict=True):
            np.testing.assert_allclose(ours, theirs, atol=3e-4)


def test_a_staircase_climbs_as_powers_of_two():
    """|u_k| = Theta(t^(2^(k-1))): the exponents 1, 2, 4, at times where the next order is 1e-3."""
    times = np.geomspace(3e-3, 3e-2, 4)
    path = solve_flow(
        target_of("x1 + x1*x2 + x1*x2*x3"),
        SIGMOID,
        spread_evenly(3, b=-0.5, neurons=12),
        times,
        trained=("w",),
        tolerance=1e-11,
        smallest=1e-18,
    )
    slopes = np.diff(np.log(path.found), axis=0) / np.diff(np.log(times))[:, None]
    np.testing.assert_allclose(slopes, np.tile([1.0, 2.0, 4.0], (3, 1)), atol=4e-3)


def test_outside_the_staircase_nothing_ever_moves():
    path = solve_flow(
        target_of("x1 + x1*x2*x3"), SIGMOID, spread_evenly(3, b=-0.5), [0.0, 30.0], trained=("w",)
    )
    assert np.abs(path.u[-1, :, 1:]).max() < 1e-12  # rounding of sums that cancel
    assert path.error[-1] >= 1 - 1e-9


def test_a_projected_flow_keeps_the_tie_and_its_floor():
    h = target_of("x1 + x2 + x1*x3 + x2*x4")
    path = solve_flow(
        h,
        SIGMOID,
        spread_evenly(4, b=-0.5, neurons=24),
        [0.0, 100.0, 400.0],
        trained=("w", "a"),
        projection=ties(h).projection(4),
    )
    np.testing.assert_allclose(path.u[-1, :, 0], path.u[-1, :, 1], atol=1e-9)
    assert np.all(path.error >= 1.0)
    residual = h.table - path.output[-1]
    z = corners(4)
    untouched = (z[:, 0] - z[:, 1]) * (z[:, 2] - z[:, 3]) / 2
    assert np.mean(residual * untouched) == pytest.approx(1.0, abs=1e-9)


def test_an_even_spread_is_the_limit_of_many_neurons(rng):
    h = target_of("x1 + x1*x2")
    many = Neurons(
        a=np.linspace(-1, 1, 4001),
        u=np.zeros((4001, 2)),
        s=np.full(4001, 0.5),
        b=np.full(4001, -0.5),
        weight=np.full(4001, 1 / 4001),
    )
    few = spread_evenly(2, s=0.5, b=-0.5, neurons=16)
    ends = [solve_flow(h, SIGMOID, each, [5.0]).output[0] for each in (many, few)]
    # The grid of 4001 has its ends at full weight: an error of 1/4000.
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-3)


def test_a_network_is_seen_by_its_bits_and_its_length(key):
    law = Boolean(d=20, target="x1*x2", relevant=(3, 11))
    net = TwoLayer(d=20, width=5, w=Gaussian(sd=1.0), a=Uniform(bound=1.0), scaling="mean-field")
    params = net.init(key=key)
    seen = neurons_of(law, params)
    np.testing.assert_allclose(seen.u, np.asarray(params.w)[:, [3, 11]], rtol=1e-6)
    limit = seen.at_infinity()
    assert np.all(limit.u == 0)
    np.testing.assert_allclose(limit.s, np.linalg.norm(params.w, axis=1), rtol=1e-5)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"times": [1.0, 0.5]}, "solve_flow: expected ascending times from 0 on, got "),
        ({"start": spread_evenly(3)}, "solve_flow: expected u of 2 bits, got 3."),
        ({"trained": ("c",)}, "solve_flow(trained): expected one of 'w', 'a', 'b', got 'c'."),
    ],
)
def test_what_cannot_be_followed_is_refused(changes, message):
    given = {"target": target_of("x1*x2"), "start": spread_evenly(2), "times": [1.0]} | changes
    with pytest.raises(InputError) as error:
        solve_flow(activation=SIGMOID, **given)
    assert str(error.value).startswith(message)
