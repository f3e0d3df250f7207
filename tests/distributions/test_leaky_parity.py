"""Daniely & Malach's distribution: its sampler and its population against its own truth."""

import itertools
import re

import jax
import numpy as np
import pytest

from featlearn._check import InputError
from featlearn.distributions import LeakyParity

HALVES = ("mixture", "uniform", "leaky")


@pytest.mark.parametrize("half", HALVES)
def test_the_population_has_the_stated_characters(half):
    law = LeakyParity(d=6, k=3, relevant=(1, 4, 5), half=half)
    with jax.enable_x64(True):
        points = law.support()
        u, y, p = (np.asarray(each) for each in (np.sign(points.x), points.y, points.weight))
    assert p.sum() == pytest.approx(1, abs=1e-15)
    for size in range(7):
        for subset in itertools.combinations(range(6), size):
            chi = np.prod(u[:, subset], axis=1)
            assert p @ chi == pytest.approx(law.character(subset), abs=1e-14)
            assert p @ (chi * y) == pytest.approx(law.label_character(subset), abs=1e-14)


@pytest.mark.parametrize("half", HALVES)
def test_samples_have_the_stated_marginals_and_correlations(half, key):
    law = LeakyParity(d=9, k=5, relevant=(8, 2, 0, 3, 5), half=half)
    m = 40_000
    batch = law.sample(m, key=key)
    u, y = np.asarray(batch.x) * 3, np.asarray(batch.y)
    np.testing.assert_allclose(np.abs(u), 1, rtol=1e-6)
    np.testing.assert_array_equal(np.asarray(law.label(batch.x)), y)
    # Five standard errors of a mean of m signs, 0.025: a correlation of 1/2 taken for 0 is 100.
    assert np.abs(u.mean(axis=0)).max() < 5 / np.sqrt(m)
    truth = [law.label_character([j]) for j in range(9)]
    np.testing.assert_allclose((u * y[:, None]).mean(axis=0), truth, atol=5 / np.sqrt(m))
    pairs = (u[:, [0, 0]] * u[:, [2, 1]]).mean(axis=0)
    expected = [law.character([0, 2]), law.character([0, 1])]
    np.testing.assert_allclose(pairs, expected, atol=5 / np.sqrt(m))


def test_on_the_leaky_half_every_relevant_bit_is_the_label(key):
    law = LeakyParity(d=20, k=7, half="leaky")
    batch = law.sample(500, key=key)
    assert bool((np.sign(batch.x[:, :7]) == np.asarray(batch.y)[:, None]).all())


def test_the_law_of_the_relevant_bits_is_the_marginal():
    law = LeakyParity(d=9, k=3)
    few = law.of_relevant_bits()
    with jax.enable_x64(True):
        marginal = few.support()
        whole = law.support()
        near = np.abs(np.asarray(whole.x)[:, None, :3] - np.asarray(marginal.x)[None]).max(2) < 1e-9
        found = np.asarray(whole.weight) @ near
        np.testing.assert_allclose(found, np.asarray(marginal.weight), atol=1e-15)
    assert few.size == law.size


@pytest.mark.parametrize(("k", "best"), [(3, 13 / 16), (5, 27 / 32), (1, 1.0)])
def test_the_best_threshold_is_found_by_trying_all(k, best):
    law = LeakyParity(d=max(k, 2), k=k)
    with jax.enable_x64(True):
        points = law.support()
        z = np.asarray(points.x)[:, :k].sum(axis=1)
        found = max(
            float(np.asarray(points.weight) @ (sign * np.sign(z - cut) == np.asarray(points.y)))
            for cut in np.linspace(-5, 5, 301) + 1e-3
            for sign in (1, -1)
        )
    assert law.monotone_accuracy == pytest.approx(best)
    assert found == pytest.approx(best)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"d": 3, "k": 5}, "LeakyParity(k): expected 1 <= k <= d, got k=5, d=3."),
        (
            {"d": 9, "k": 4},
            "LeakyParity(k): expected an odd number of relevant bits, got 4. "
            "With an even k the leaky half has one label only.",
        ),
        (
            {"d": 9, "k": 3, "relevant": (1, 2)},
            "LeakyParity(relevant): expected 3 different bits from 0 to 8, got (1, 2).",
        ),
        (
            {"d": 9, "k": 3, "relevant": (1, 2, 9)},
            "LeakyParity(relevant): expected 3 different bits from 0 to 8, got (1, 2, 9).",
        ),
    ],
)
def test_impossible_sizes_are_refused_in_one_sentence(fields, message):
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        LeakyParity(**fields)
