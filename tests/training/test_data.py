"""Data regimes: what a step sees."""

import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from featlearn._check import InputError
from featlearn.distributions import Batch, Parity
from featlearn.training import Fresh, Population, Sample
from featlearn.training.data import empty_order, fixed_points, points_at_once


def visited(sample, steps, key):
    """The places in the sample that each step sees, the shuffle drawn anew for every step."""
    points = Batch(x=jnp.arange(float(sample.samples))[:, None], y=jnp.ones(sample.samples))
    return [
        np.asarray(sample.minibatch(points, sample.order(t, key=key), t).x[:, 0], dtype=int)
        for t in range(steps)
    ]


def test_an_epoch_visits_every_point_once_and_the_next_in_another_order(key):
    seen = visited(Sample(samples=12, batch=3), 12, key)
    epochs = [np.concatenate(seen[4 * e : 4 * e + 4]) for e in range(3)]
    for epoch in epochs:
        assert sorted(epoch) == list(range(12))
    assert len({tuple(epoch) for epoch in epochs}) == 3


def test_points_left_over_sit_one_epoch_out_and_not_the_same_ones_forever(key):
    sample = Sample(samples=10, batch=4)
    assert sample.epoch == 2
    seen = visited(sample, 24, key)
    epochs = [np.concatenate(seen[2 * e : 2 * e + 2]) for e in range(12)]
    assert all(len(set(epoch)) == 8 for epoch in epochs)
    # A point sits out with probability 1/5: all twelve times has probability 4e-9.
    assert set(np.concatenate(epochs)) == set(range(10))


def test_a_sample_is_drawn_from_its_distribution_once(key):
    parity = Parity(d=5)
    fixed = fixed_points(Sample(samples=8, batch=2), parity, key=key)
    assert fixed is not None
    np.testing.assert_array_equal(fixed.x, parity.sample(8, key=key).x)
    assert fixed_points(Fresh(batch=3), parity, key=key) is None


def test_the_population_is_the_support(key):
    parity = Parity(d=4)
    fixed = fixed_points(Population(), parity, key=key)
    assert fixed is not None
    jax.tree.map(np.testing.assert_array_equal, fixed, parity.support())


@pytest.mark.parametrize(
    ("data", "length"),
    [
        (Sample(samples=8, batch=2), 8),
        (Sample(samples=8), 0),
        (Fresh(batch=2), 0),
        (Population(), 0),
    ],
    ids=str,
)
def test_a_shuffle_is_kept_only_where_there_is_one(data, length):
    assert len(empty_order(data)) == length


def test_neither_inputs_nor_layers_outgrow_the_limit():
    wide, flat = {"w": jnp.ones((500, 10)), "a": jnp.ones(500)}, {"a": jnp.ones(())}
    assert points_at_once(10**6, 10, wide, limit=2_000_000) == 1000
    assert points_at_once(10**6, 1000, flat, limit=2_000_000) == 500
    assert points_at_once(7, 10, wide, limit=2_000_000) == 7
    assert points_at_once(7, 10, wide, limit=0) == 1


class Unbounded:
    """A distribution without a finite support."""

    d = 2

    def sample(self, m, *, key):
        return Batch(x=jax.random.normal(key, (m, 2)), y=jnp.ones(m))


REFUSED = {
    "Fresh(batch): expected at least 1 point a step, got 0.": lambda key: Fresh(batch=0),
    "Sample(samples): expected at least 1 point, got 0.": lambda key: Sample(samples=0),
    "Sample(batch): expected 1 <= batch <= samples = 4, got 5.": (
        lambda key: Sample(samples=4, batch=5)
    ),
    "training without batch= or samples=: Parity.support(): expected Boolean signal and noise and "
    "d <= 20, got signal='boolean', noise='boolean', d=21. Give batch=… for fresh points each "
    "step, or samples=….": lambda key: fixed_points(Population(), Parity(d=21, k=2), key=key),
    "Population(): expected a distribution with a finite support(), got Unbounded. "
    "Train on fresh samples instead.": (
        lambda key: fixed_points(Population(), Unbounded(), key=key)
    ),
}


@pytest.mark.parametrize("sentence", REFUSED)
def test_a_wrong_argument_is_refused_in_words(sentence, key):
    with pytest.raises(InputError, match=f"^{re.escape(sentence)}$"):
        REFUSED[sentence](key)
