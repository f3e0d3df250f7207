"""Parity against its own truth: moments, labels, support, centres, in every basis and law."""

import itertools
import math
import re
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from scipy import stats

from featlearn._check import InputError
from featlearn.distributions import Parity, rotation

LAWS = list(itertools.product(("boolean", "gaussian"), repeat=2))


def basis_of(d, rotated, key):
    return rotation(d, key=key) if rotated else None


@pytest.mark.parametrize("rotated", [False, True])
@pytest.mark.parametrize(("signal", "noise"), LAWS)
def test_inputs_have_mean_zero_and_the_identity_as_covariance(signal, noise, rotated, key):
    d, m = 6, 40_000
    basis = basis_of(d, rotated, key)
    x = np.asarray(Parity(d=d, signal=signal, noise=noise, basis=basis).sample(m, key=key).x)
    # Standard errors: 0.005 for a mean and a covariance, 0.007 for the variance of a Gaussian.
    # Power: a noise of variance 0.9 misses by 14, two dependent coordinates by 200.
    assert np.abs(x.mean(axis=0)).max() < 5 / np.sqrt(m)
    assert np.abs(x.T @ x / m - np.eye(d)).max() < 5 * np.sqrt(2 / m)


@pytest.mark.parametrize("rotated", [False, True])
@pytest.mark.parametrize(("signal", "noise"), LAWS)
def test_signal_and_noise_follow_their_own_laws(signal, noise, rotated, key):
    d, k, m = 5, 2, 20_000
    basis = basis_of(d, rotated, key)
    parity = Parity(d=d, k=k, signal=signal, noise=noise, basis=basis)
    x = np.asarray(parity.sample(m, key=key).x)
    u = x if basis is None else x @ np.asarray(basis).T
    for law, part in ((signal, u[:, :k]), (noise, u[:, k:])):
        if law == "boolean":
            # float32 products of unit rows: errors of a few 1e-7.
            np.testing.assert_allclose(np.abs(part), 1.0, atol=1e-5)
        else:
            # Kolmogorov-Smirnov at 1e-5. Power: a standard deviation of 1.05 in place of 1 has a
            # distance of 0.012, 2.9/sqrt(60 000), and p = 1e-7; signs one of 0.34.
            assert stats.kstest(part.ravel(), "norm").pvalue > 1e-5


@pytest.mark.parametrize("rotated", [False, True])
@pytest.mark.parametrize(("k", "sign"), [(1, 1), (2, 1), (2, -1), (3, -1), (4, 1)])
@pytest.mark.parametrize(("signal", "noise"), LAWS)
def test_a_label_is_the_sign_of_the_product_of_k_coordinates(signal, noise, k, sign, rotated, key):
    d, m = 7, 500
    basis = basis_of(d, rotated, key)
    parity = Parity(d=d, k=k, sign=sign, signal=signal, noise=noise, basis=basis)
    batch = parity.sample(m, key=key)
    u = np.asarray(batch.x if basis is None else batch.x @ basis.T)[:, :k]
    # Where a Gaussian coordinate is as small as the rounding of the rotation, its sign is lost.
    clear = np.abs(u).min(axis=1) > 1e-5
    y = np.asarray(batch.y)
    np.testing.assert_array_equal(y[clear], sign * np.sign(np.prod(u, axis=1))[clear])
    np.testing.assert_array_equal(np.asarray(parity.label(batch.x))[clear], y[clear])
    assert clear.mean() > 0.99


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_labels_are_balanced_and_no_smaller_set_of_coordinates_tells_them(k, key):
    d, m = 5, 40_000
    batch = Parity(d=d, k=k, sign=1).sample(m, key=key)
    x, y = np.asarray(batch.x), np.asarray(batch.y)
    # Standard error 0.005. Power: the one set that tells has a mean of exactly 1.
    for size in range(d + 1):
        for chosen in itertools.combinations(range(d), size):
            correlation = float((y * np.prod(x[:, chosen], axis=1)).mean())
            if chosen == tuple(range(k)):
                assert correlation == 1.0
            else:
                assert abs(correlation) < 5 / np.sqrt(m)


@pytest.mark.parametrize("rotated", [False, True])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_support_is_the_rotated_cube_with_equal_weights(k, rotated, key):
    d = 4
    basis = basis_of(d, rotated, key)
    support = Parity(d=d, k=k, basis=basis).support()
    Q = np.eye(d) if basis is None else np.asarray(basis)
    cube = np.array(list(itertools.product((-1.0, 1.0), repeat=d)))
    expected = sorted((*np.round(u @ Q, 4), -np.prod(u[:k])) for u in cube)
    got = sorted(
        (*np.round(x, 4), y)
        for x, y in zip(np.asarray(support.x), np.asarray(support.y), strict=True)
    )
    # Rounded to 1e-4 for the sake of sorting; float32 leaves 1e-6.
    np.testing.assert_allclose(got, expected, atol=2e-4)
    assert support.weight is not None
    np.testing.assert_array_equal(support.weight, 2.0**-d)


def test_the_four_centres_of_xor_come_in_glasgows_order(key):
    for basis in (None, rotation(5, key=key)):
        parity = Parity(d=5, basis=basis)
        q1, q2 = np.asarray(parity.directions)
        expected = [q1 - q2, q2 - q1, q1 + q2, -q1 - q2]
        np.testing.assert_allclose(parity.means, expected, atol=1e-6)
        np.testing.assert_array_equal(parity.mean_labels, [1.0, 1.0, -1.0, -1.0])
        # mu has norm sqrt 2, to float32.
        np.testing.assert_allclose(np.linalg.norm(parity.means, axis=1), math.sqrt(2), rtol=1e-6)


@pytest.mark.parametrize("rotated", [False, True])
@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_a_centre_is_the_mean_of_the_points_with_its_signs(k, rotated, key):
    d = 5
    parity = Parity(d=d, k=k, basis=basis_of(d, rotated, key))
    points = parity.support()
    u = np.round(np.asarray(points.x @ parity.directions.T))
    assert parity.means.shape == (2**k, d)
    for mean, label in zip(parity.means, parity.mean_labels, strict=True):
        cluster = (u == np.round(np.asarray(parity.directions @ mean))).all(axis=1)
        assert cluster.sum() == 2 ** (d - k)
        # Means of up to 16 numbers of size 1 in float32.
        np.testing.assert_allclose(np.asarray(points.x)[cluster].mean(axis=0), mean, atol=1e-6)
        assert set(np.asarray(points.y)[cluster].tolist()) == {float(label)}


def test_the_labels_own_rule_has_no_error():
    support = Parity(d=6, k=3).support()
    wrong = np.asarray(Parity(d=6, k=3).label(support.x) != support.y).mean()
    assert wrong == Parity(d=6, k=3).bayes_error == 0.0


@pytest.mark.parametrize("d", [1, 2, 5, 60])
def test_a_rotation_is_orthonormal(d, key):
    Q = np.asarray(rotation(d, key=key))
    # QR in float32: rows are orthonormal to some eps; 1e-4 is what Parity itself accepts.
    np.testing.assert_allclose(Q @ Q.T, np.eye(d), atol=1e-5)


def test_rotations_are_uniform_over_the_group(key):
    from jax import random, vmap

    d, m = 3, 10_000
    Q = np.asarray(vmap(lambda each: rotation(d, key=each))(random.split(key, m)))
    # Haar: entries have mean 0, E Q_ij^2 = 1/d, and in three dimensions are uniform on [-1, 1];
    # half of all matrices are reflections; the trace has mean 0 and variance 1 (characters).
    # Standard errors 0.0058 (mean), 0.003 (square), 0.01 (trace, determinant). Power: without
    # the signs of R's diagonal LAPACK returns Q_11 <= 0 always and a mean of -0.5: 87 of them.
    assert np.abs(Q.mean(axis=0)).max() < 5 * np.sqrt(1 / d / m)
    assert np.abs((Q**2).mean(axis=0) - 1 / d).max() < 5 * np.sqrt(4 / 45 / m)
    assert (
        min(stats.kstest(Q[:, i, j], "uniform", (-1, 2)).pvalue for i, j in np.ndindex(d, d)) > 1e-6
    )
    trace = np.trace(Q, axis1=1, axis2=2)
    assert abs(trace.mean()) < 5 / np.sqrt(m)
    assert abs((trace**2).mean() - 1) < 5 * np.sqrt(2 / m)
    assert abs(np.sign(np.linalg.det(Q)).mean()) < 5 / np.sqrt(m)


REFUSED: dict[str, dict[str, Any]] = {
    "Parity(k): expected 1 <= k <= d, got k=5, d=3.": {"d": 3, "k": 5},
    "Parity(k): expected 1 <= k <= d, got k=0, d=3.": {"d": 3, "k": 0},
    "Parity(sign): expected 1 or -1, got 0.": {"d": 3, "sign": 0},
    "Parity(signal): expected one of 'boolean', 'gaussian', got 'cubic'.": {
        "d": 3,
        "signal": "cubic",
    },
    "Parity(noise): expected one of 'boolean', 'gaussian', got 'laplace'.": {
        "d": 3,
        "noise": "laplace",
    },
    "Parity(basis): expected 3 orthonormal rows of length 3, got an array of shape (2, 2).": {
        "d": 3,
        "basis": np.eye(2),
    },
    "Parity(basis): expected 2 orthonormal rows, got rows whose products differ from 0 and 1 by 3. "
    "Take `rotation(d, key=...)` or orthonormalise by a QR factorisation.": {
        "d": 2,
        "basis": 2 * np.eye(2),
    },
}


@pytest.mark.parametrize("sentence", REFUSED)
def test_a_wrong_argument_is_refused_in_words(sentence):
    arguments = dict(REFUSED[sentence])
    if "basis" in arguments:
        arguments["basis"] = jnp.asarray(arguments["basis"])
    with pytest.raises(InputError, match=f"^{re.escape(sentence)}$"):
        Parity(**arguments)


@pytest.mark.parametrize(
    ("parity", "got"),
    [
        (Parity(d=21), "signal='boolean', noise='boolean', d=21"),
        (Parity(d=3, noise="gaussian"), "signal='boolean', noise='gaussian', d=3"),
    ],
)
def test_a_support_that_cannot_be_written_down_is_refused(parity, got):
    sentence = (
        f"Parity.support(): expected Boolean signal and noise and d <= 20, got {got}. "
        "Sample instead."
    )
    with pytest.raises(InputError, match=f"^{re.escape(sentence)}$"):
        parity.support()
