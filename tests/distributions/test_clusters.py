"""Clusters: moments, flips and the error of appendix D's rule, against sampling and by hand."""

import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.stats import norm

from featlearn.distributions import Batch, Clusters, rotation

NOISES = ("gaussian", "ball", "cube", "laplace")


def turned(d, k, key):
    return rotation(d, key=key)[:k]


@pytest.mark.parametrize("noise", NOISES)
def test_noise_has_mean_zero_and_covariance_sigma_squared(noise, key):
    d = 12
    clusters = Clusters(d=d, sigma=0.5, noise=noise, directions=turned(d, 2, key))
    draw = clusters.draw(40_000, key=key)
    z = np.asarray(draw.x - clusters.means[draw.cluster], float)
    covariance = np.cov(z.T)
    # Five standard errors: 0.25 sqrt(kurtosis/40 000) is at most 0.25 * sqrt(5/40 000) = 0.003.
    assert np.abs(z.mean(0)).max() < 5 * 0.5 / 200
    assert np.abs(covariance - 0.25 * np.eye(d)).max() < 0.016


@pytest.mark.parametrize("noise", NOISES)
def test_each_noise_has_its_own_fourth_moment(noise, key):
    """A plausible mix-up of two laws is 1.2 or more away; five standard errors are below 0.3."""
    d = 5
    z = np.asarray(Clusters(d=d, sigma=1.0, noise=noise).draw(200_000, key=key).x[:, 4], float)
    kurtosis = {
        "gaussian": 3.0,
        "cube": 1.8,
        "laplace": 6.0,
        "ball": 3 * (d + 2) / (d + 4),
    }[noise]
    assert np.mean(z**4) == pytest.approx(kurtosis, abs=0.3 if noise == "laplace" else 0.08)


def test_the_ball_is_a_ball(key):
    d = 7
    x = Clusters(d=d, sigma=0.1, noise="ball").draw(20_000, key=key)
    radius = np.linalg.norm(x.x - Clusters(d=d, sigma=0.1).means[x.cluster], axis=1)
    assert radius.max() <= 0.1 * np.sqrt(d + 2) * (1 + 1e-5)
    # P(radius <= r R) = r^d: the median is R 2^(-1/d).
    share = np.mean(radius <= 0.1 * np.sqrt(d + 2) * 0.5 ** (1 / d))
    assert share == pytest.approx(0.5, abs=5 * 0.5 / np.sqrt(20_000))


def test_labels_are_xor_and_in_turn_for_more_directions():
    assert Clusters(d=4, sigma=0.1).mean_labels.tolist() == [1, 1, -1, -1]
    assert Clusters(d=4, sigma=0.1, k=4).mean_labels.tolist() == [1, 1, -1, -1, 1, 1, -1, -1]
    assert Clusters(d=3, sigma=0.1).means.tolist() == [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]]


def test_sample_is_draw_without_its_secrets(key):
    clusters = Clusters(d=6, sigma=0.2, flips=0.3)
    sample, draw = clusters.sample(50, key=key), clusters.draw(50, key=key)
    assert isinstance(sample, Batch)
    assert (sample.x == draw.x).all()
    assert (sample.y == draw.y).all()
    assert (draw.noisy == (draw.y != draw.clean)).all()
    assert (draw.clean == clusters.mean_labels[draw.cluster]).all()


@pytest.mark.parametrize(
    ("noise", "corruption"),
    [("gaussian", "random"), *((noise, "adversarial") for noise in NOISES)],
)
def test_labels_are_flipped_at_the_rate_asked_for(noise, corruption, key):
    rates = (0.05, 0.1, 0.2, 0.3)
    clusters = Clusters(d=12, sigma=0.1, flips=rates, noise=noise, corruption=corruption)
    draw = clusters.draw(80_000, key=key)
    for cluster, rate in enumerate(rates):
        share = float(draw.noisy[draw.cluster == cluster].mean())
        # Five standard errors of a share of some 20 000 points; the next rate is 0.05 away.
        assert share == pytest.approx(rate, abs=5 * np.sqrt(rate * (1 - rate) / 19_000))
    assert clusters.flip_rate == pytest.approx(0.1625)


def test_the_adversary_flips_those_that_lean_to_the_next_centre(key):
    clusters = Clusters(d=5, sigma=0.1, flips=0.1, corruption="adversarial")
    draw = clusters.draw(5000, key=key)
    z = draw.x - clusters.means[draw.cluster]
    for direction in (0, 1):
        mine = np.asarray(draw.cluster // 2 == direction)
        lean = np.asarray(z[mine, 1 - direction])
        noisy = np.asarray(draw.noisy[mine])
        assert lean[noisy].min() > lean[~noisy].max()
        assert lean[noisy].min() == pytest.approx(0.1 * norm.ppf(0.9), abs=0.01)


def test_of_three_directions_the_adversary_looks_at_the_one_that_follows(key):
    clusters = Clusters(d=5, k=3, sigma=0.1, flips=0.1, corruption="adversarial")
    draw = clusters.draw(3000, key=key)
    z = draw.x - clusters.means[draw.cluster]
    for direction in range(3):
        mine = np.asarray(draw.cluster // 2 == direction)
        lean, noisy = np.asarray(z[mine, (direction + 1) % 3]), np.asarray(draw.noisy[mine])
        assert lean[noisy].min() > lean[~noisy].max()


@pytest.mark.parametrize(("k", "sigma"), [(2, 0.3), (2, 1.5), (4, 0.7)])
def test_the_error_of_the_rule_is_what_sampling_gives(sigma, k, key):
    n = 400_000
    clusters = Clusters(d=k, sigma=sigma, k=k, flips=0.15, directions=turned(k, k, key))
    draw = clusters.draw(n, key=key)
    told = clusters.classify(draw.x)
    for labels, predicted in ((draw.clean, clusters.classifier_error), (draw.y, clusters.floor)):
        error = float((labels * told <= 0).mean())
        # Power: at sigma = 0.3, k = 2, leaving out Phi(q) would move p by 1 %, twelve of these.
        assert error == pytest.approx(predicted, abs=5 * np.sqrt(predicted * (1 - predicted) / n))


def test_two_directions_are_the_closed_case_of_many():
    """The integral for even k, written for k = 2, is the closed form."""
    from scipy.integrate import quad

    sigma = 0.6
    away = lambda s: norm.cdf((s - 1) / sigma) - norm.cdf((-s - 1) / sigma)  # noqa: E731
    integral = quad(lambda s: away(s) * 2 * norm.pdf(s / sigma) / sigma, 0, 12 * sigma)[0]
    assert Clusters(d=2, sigma=sigma).classifier_error == pytest.approx(integral, rel=1e-8)


def test_the_rule_is_the_sign_of_the_likelihood_ratio(rng):
    sigma, x = 0.5, rng.normal(size=(5000, 2))
    clusters = Clusters(d=2, sigma=sigma)
    density = np.stack([norm.pdf((x - mu) / sigma).prod(1) for mu in np.asarray(clusters.means)])
    ratio = np.log(density[:2].sum(0)) - np.log(density[2:].sum(0))
    assert (np.sign(ratio) == np.sign(clusters.classify(jnp.asarray(x)))).all()


def test_second_moment_is_what_sampling_gives(key):
    clusters = Clusters(d=30, sigma=0.2)
    squares = (clusters.draw(20_000, key=key).x ** 2).sum(1)
    assert float(squares.mean()) == pytest.approx(clusters.second_moment, rel=0.02)


def test_equal_shapes_share_one_program(key):
    draws = jax.jit(lambda clusters, key: clusters.sample(10, key=key))
    draws(Clusters(d=3, sigma=0.1, flips=0.1), key)
    draws(Clusters(d=3, sigma=0.2, flips=0.3), key)
    assert draws._cache_size() == 1  # type: ignore[attr-defined]


def skewed(m, d, key):
    return jax.random.normal(key, (m, d)) * jnp.linspace(0.5, 2.0, d)


def fair_signs(m, d, key):
    return jnp.sign(jax.random.normal(key, (m, d)))


def test_a_noise_of_ones_own_is_taken(key):
    z = Clusters(d=4, sigma=0.5, noise=fair_signs).draw(10, key=key).x[:, 2:]
    assert (jnp.abs(z) == 0.5).all()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"d": 1}, "Clusters(k): expected 2 <= k <= d, got k=2, d=1."),
        ({"sigma": 0.0}, "Clusters(sigma): expected a positive number, got 0.0."),
        (
            {"flips": 0.5},
            "Clusters(flips): expected probabilities from 0 to below 1/2, got 0.5. "
            "From 1/2 on the labels carry no trace of the clean ones.",
        ),
        (
            {"flips": (0.1, 0.1)},
            "Clusters(flips): expected one number, or 4: one a cluster, got 2.",
        ),
        (
            {"noise": "cauchy"},
            "Clusters(noise): expected one of 'gaussian', 'ball', 'cube', 'laplace', got 'cauchy'.",
        ),
        (
            {"noise": skewed},
            "Clusters(noise): expected mean 0 and covariance I, "
            "got means up to 0.018, variances 0.25 to 4.1.",
        ),
        (
            {"directions": jnp.array([[1.0, 0, 0], [0.6, 0.8, 0]])},
            "Clusters(directions): expected 2 orthonormal rows of length 3, got rows whose "
            "products differ from 0 and 1 by 0.6. Orthonormalise them by a QR factorisation.",
        ),
        (
            {"directions": jnp.eye(2)},
            "Clusters(directions): expected 2 orthonormal rows of length 3, "
            "got an array of shape (2, 2).",
        ),
        (
            {"noise": fair_signs, "corruption": "adversarial"},
            "Clusters(corruption): expected 'random' for a noise of your own, got adversarial.",
        ),
    ],
)
def test_bad_input_is_told_in_a_sentence(fields, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        Clusters(**{"d": 3, "sigma": 0.1, **fields})


def test_a_truth_that_has_no_closed_form_is_refused():
    with pytest.raises(ValueError, match="expected Gaussian noise, got cube"):
        _ = Clusters(d=3, sigma=0.1, noise="cube").classifier_error
    with pytest.raises(ValueError, match="expected random flips, got adversarial"):
        _ = Clusters(d=3, sigma=0.1, flips=0.1, corruption="adversarial").floor


def test_the_rule_s_error_is_known_for_an_even_number_of_directions():
    with pytest.raises(ValueError, match="expected an even k, got 3"):
        _ = Clusters(d=3, k=3, sigma=0.1).classifier_error
