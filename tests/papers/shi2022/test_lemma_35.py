"""Lemma 35 as printed: a counterexample to its hypothesis, and the norm of its network."""

import math

import numpy as np
import pytest

from featlearn.distributions import mixture

K, D = 5, 1100
COHERENCE = 1 / (K * (D - K) - K + 1)


def centred_count(s, sign):
    """<w, x> + u with equal backgrounds: all of them there (+1) or none (-1)."""
    return s + COHERENCE * ((K - 1) * (s - K / 2) + sign * K * (D - K) / 2)


def test_the_printed_hypothesis_is_met():
    relevant = mixture(d=K, dictionary=K, k=K).truth.covariance
    variance = D / 4 + COHERENCE * ((D - K) * (D - K - 1) / 4 + relevant.sum() - np.trace(relevant))
    density = 1.0  # the share of backgrounds that are there is 0 or 1
    for sd in (math.sqrt(variance), math.sqrt(D / 4)):
        assert K * COHERENCE * density * D / sd <= 1 / 16
    # Without the lost sigma~ it is missed.
    assert K * COHERENCE * density * D > 1 / 16


def test_two_counts_of_opposite_labels_have_the_same_projection():
    for s in range(K):
        assert centred_count(s, +1) == pytest.approx(centred_count(s + 1, -1), abs=1e-12)
    counts = mixture(d=K, dictionary=K, k=K).truth.counts
    errors = sum(min(counts[s], counts[s + 1]) / 2 for s in range(K))
    assert errors == pytest.approx(0.234, abs=1e-3)


def network(mu, shift, slope):
    """Biases and coefficients of the tents of lemma 35, in units of 8k."""
    ends = np.arange(K + 1)[:, None] - mu + shift + np.array([-0.5, 0.0, 0.5])
    return ends.ravel(), np.tile(slope * np.array([1.0, -2.0, 1.0]), K + 1) * 8 * K


@pytest.mark.parametrize(("shift", "slope", "limit"), [(0.25, 8.0, 128), (0.125, 4.0, 64)])
def test_the_network_of_the_proof_has_128k_and_a_smaller_shift_has_64k(shift, slope, limit):
    ends, a = network(K / 2, shift, slope)
    assert np.abs(ends).min() >= 1 / 8
    assert np.abs(a).max() == limit * K
    y = np.where(np.arange(K + 1) % 2 == 1, 1.0, -1.0)
    for error in (-0.125, 0.0, 0.125):
        z = np.arange(K + 1) - K / 2 + error
        g = np.repeat(y, 3) * a / (8 * K) * np.maximum(z[:, None] - ends, 0)
        assert (y * g.sum(axis=1) >= 1 - 1e-12).all()


def test_at_half_of_k_the_first_network_has_a_bias_that_is_too_small():
    assert np.abs(network(K / 2, 0.0, 4.0)[0]).min() < 1 / 8
