"""Training in numbers: averages on kinks, sizes at which a form is chosen, losses of classes."""

import math
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

from featlearn._check import InputError
from featlearn.distributions import Boolean, Clusters, GaussianParity
from featlearn.learners.classification import OnLabelled, balance, cross_entropy
from featlearn.networks import RELU, RELU6, TRUNCATED, Gaussian, Params, TwoLayer
from featlearn.training import (
    Adam,
    Descent,
    Fresh,
    Momentum,
    Plain,
    Sample,
    log_spaced,
    loss,
    turned_sample,
    wishart,
)
from featlearn.training.engine import limit_threads, share_threads
from featlearn.training.flow import Neurons, mean_output, neurons_of, spread_evenly
from featlearn.training.loop import _next_chunk
from featlearn.training.noise_average import averages, gauss_hermite
from featlearn.training.recording import steps_of
from featlearn.training.shuffle import LARGEST, rounds, shuffled
from featlearn.training.simulation import fastest, free_of_d
from featlearn.training.turned_sample import (
    TurnedSample,
    coordinates,
    fits,
    on_turned_sample,
)
from featlearn.training.wishart import WishartDescent, in_coordinates


@pytest.mark.parametrize(
    ("activation", "c", "value", "slope"),
    [
        (RELU, [-1.0, 0.0, 2.0], [0, 0, 2], [0, 0.5, 1]),
        (RELU6, [0.0, 6.0, 7.0], [0, 6, 6], [0.5, 0.5, 0]),
        (TRUNCATED, [0.0, 0.5, 1.0], [0, 0.5, 1], [0.5, 1, 0.5]),
    ],
)
def test_without_noise_a_kink_counts_one_half(activation, c, value, slope):
    found = averages(activation, jnp.array(c), jnp.zeros(3))
    assert found.value.tolist() == value
    assert found.slope.tolist() == slope
    assert found.along.tolist() == [0, 0, 0]


def test_averages_of_a_relu_in_numbers():
    found = averages(RELU, jnp.array([2.0]), jnp.array([2.0]))
    phi, Phi = 0.2419707245, 0.8413447461
    assert [float(v[0]) for v in found] == pytest.approx([2 * Phi + 2 * phi, Phi, phi], rel=1e-6)
    at, weights = gauss_hermite(5)
    assert [float(at**n @ weights) for n in (0, 2, 4)] == pytest.approx([1, 1, 3])


def test_the_neurons_of_the_flow_in_numbers():
    even = spread_evenly(2, bound=3.0, s=0.5, b=0.25, neurons=6)
    assert even.weight.sum() == pytest.approx(1.0)
    assert (even.weight @ even.a**2, even.weight @ even.a) == pytest.approx((3.0, 0.0))
    assert (set(even.s), set(even.b), even.u.shape) == ({0.5}, {0.25}, (6, 2))
    law = Boolean(d=4, target="x1*x2", relevant=(3, 0))
    params = Params(w=jnp.array([[1.0, 3.0, 4.0, 2.0]]), a=jnp.ones(1), b=jnp.array([7.0]))
    found = neurons_of(law, params)
    np.testing.assert_allclose(found.u, [[2, 1]])
    assert (found.s[0], found.b[0], found.weight[0]) == pytest.approx((5.0, 7.0, 1.0))
    far = found.at_infinity()
    assert (far.s[0], np.abs(far.u).max()) == pytest.approx((math.sqrt(30), 0.0))


def test_the_mean_output_at_every_corner():
    # Two neurons of weights 1/4 and 3/4, no noise: f = sum rho a relu(u.z + b).
    one = Neurons(
        a=np.array([8.0, 4.0]),
        u=np.array([[1.0, 0.0], [0.0, -2.0]]),
        s=np.zeros(2),
        b=np.array([0.0, 1.0]),
        weight=np.array([0.25, 0.75]),
    )
    found = mean_output(RELU, one.a, one.u, one.s, one.b, one.weight)
    # Corners (-,-), (+,-), (-,+), (+,+): 2 relu(z1) + 3 relu(1 - 2 z2).
    np.testing.assert_allclose(found, [9.0, 11.0, 0.0, 2.0], atol=1e-9)


def test_the_losses_of_classes_in_numbers(key):
    logits = jnp.log(jnp.array([[0.5, 0.25, 0.25], [0.1, 0.8, 0.1]]))
    labels = jnp.array([0, 2])
    assert float(cross_entropy(logits, labels)) == pytest.approx((math.log(2) + math.log(10)) / 2)
    mean = np.array([0.3, 0.525, 0.175])
    r1 = float(mean @ np.log(mean))
    r2 = (1.5 * math.log(2) - 0.8 * math.log(0.8) + 0.2 * math.log(10)) / 2
    assert float(balance(logits, 0.5)) == pytest.approx(r1 + 0.5 * r2, rel=1e-5)

    class Fixed:
        def init(self, *, key):
            return ()

        def logits(self, params, x):
            return x

    seen = OnLabelled(name="t", network=Fixed(), x=logits, labels=labels).measure((), key=key)
    assert float(seen["t_accuracy"]) == 0.5


def test_log_spaced_steps_in_numbers():
    assert log_spaced(0, 2) == (0,)
    assert log_spaced(7, 4) == (0, 1, 3, 7)
    assert log_spaced(1000, 2) == (0, 1000)
    assert steps_of([5, 1, 5], 9) == (1, 5)
    assert steps_of(4, 7) == (0, 1, 3, 7)
    for wrong in ((-1, 3), (5, 1)):
        with pytest.raises(InputError):
            log_spaced(*wrong)


def test_a_chunk_is_what_fits_its_time_and_grows_fourfold_at_most():
    assert _next_chunk(10, 1.0, 10, 0.5) == 5
    assert _next_chunk(10, 0.01, 10, 0.5) == 40
    assert _next_chunk(10, 0.01, 20, 0.5) == 80
    assert _next_chunk(10, 100.0, 10, 0.5) == 1
    assert _next_chunk(10, 0.0, 1, 0.5) == 40


def test_a_shuffle_has_bits_enough(key):
    # low bits 10, 16, 20: 3 low/(32 - low), rounded up.
    assert [rounds(n) for n in (2, 1024, 1025, 65_536, 2**20)] == [1, 2, 2, 3, 5]
    assert LARGEST == 2**28
    for wrong in (0, LARGEST + 1):
        with pytest.raises(InputError):
            shuffled(wrong, key=key)


def descent(d: int, *, width: int = 4, rule=None, data=None, steps: int = 1, law=None) -> Descent:
    network = TwoLayer(d=d, width=width, w=Gaussian(sd=1.0), a=Gaussian(sd=1.0), scaling="one")
    how = Descent(
        loss=loss("logistic"),
        data=data or Fresh(batch=5),
        steps=steps,
        rule=rule or Plain(eta=0.1),
    )
    return how.bind(law or Clusters(d=d, sigma=0.5), network)


def test_a_form_without_d_is_taken_from_four_times_its_coordinates_on():
    # k + p = 6 coordinates for fresh points, k + n + p = 16 for a sample of 10.
    assert [free_of_d(descent(d)) for d in (23, 24)] == [False, True]
    assert not free_of_d(descent(24, rule=Momentum(eta=0.1)))
    sample = Sample(samples=10)
    assert coordinates(descent(99, data=sample)) == 16
    assert [free_of_d(descent(d, data=sample)) for d in (63, 64)] == [False, True]
    assert [fits(descent(d, data=sample)) for d in (15, 16)] == [False, True]
    assert not fits(descent(99, data=sample, rule=Adam(eta=0.1)))
    assert not fits(descent(99))


def test_the_span_of_fresh_points_needs_two_dimensions_a_neuron():
    # k + 2 p = 10.
    assert isinstance(in_coordinates(descent(10)), WishartDescent)
    with pytest.raises(InputError, match="d >= k \\+ 2 width = 10"):
        in_coordinates(descent(9))
    gaussian = in_coordinates(descent(20, law=GaussianParity(d=20, k=2, sigma_r=2.0)))
    # The noise keeps its sigma, 2 sqrt(2/20), in the k + p coordinates.
    assert gaussian.inside.d == 6
    inside: Any = gaussian.inside
    assert float(inside.sigma) == pytest.approx(2 * math.sqrt(0.1))
    assert (gaussian.d, gaussian.network.d) == (20, 6)


def test_what_lies_outside_the_span_has_the_degrees_of_freedom_that_are_left(monkeypatch, key):
    asked = []

    def watched(p, freedom, *, key):
        asked.append((p, freedom))
        return jnp.eye(p)

    monkeypatch.setattr(wishart, "bartlett", watched)
    monkeypatch.setattr(turned_sample, "bartlett", watched)
    fresh = in_coordinates(descent(50))
    start = fresh.network.init(key=key)
    assert start.w.shape == (4, 6)
    assert asked.pop() == (4, 48)  # d - k, of the four neurons at the start
    fresh.step(fresh.start(start, None), 0, None, key=key)
    assert asked.pop() == (4, 44)  # d - k - p, of what a step adds
    on_sample = on_turned_sample(descent(50, data=Sample(samples=10)))
    assert isinstance(on_sample.law, TurnedSample)
    points = on_sample.law.sample(10, key=key)
    assert points.x.shape == (10, 16)
    assert asked.pop() == (10, 48)  # d - k, of ten points
    assert isinstance(on_sample.network, TwoLayer)
    on_sample.network.init(key=key)
    assert asked == [(4, 38)]  # d - k - n, of the neurons outside the span of the sample
    np.testing.assert_allclose(points.x[:, 2:12], 0.5 * np.eye(10))


def test_the_span_is_chosen_where_it_is_less_work():
    # n = 10, p = 4, T = 100: plain 100 2 10 d 4 = 8000 d; in the span 100 d + 40 d + 40 000,
    # times 4/3. They meet at d = 53 333.3/(8000 - 186.7) = 6.826.
    def chosen(d):
        return fastest(descent(d, data=Sample(samples=10), steps=100))

    assert [chosen(d) for d in (6, 7)] == ["plain", "gram"]


def test_threads_are_shared_evenly_and_everyone_has_one():
    limit_threads(6)
    try:
        assert [share_threads(n) for n in (0, 1, 2, 4, 7)] == [6, 6, 3, 1, 1]
    finally:
        limit_threads(None)
