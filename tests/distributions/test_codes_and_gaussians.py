"""Hidden codes and Gaussian clusters against what their definitions say."""

import numpy as np
import pytest
from scipy.stats import norm

from featlearn.distributions import GaussianParity, random_codes


def test_codes_have_the_mean_the_variance_and_the_covariance_they_claim(key):
    law = random_codes(d=30, dictionary=20, k=8, per_label=5, key=key)
    m = 200_000
    drawn = law.sample(m, key=key)
    x, y = np.asarray(drawn.x, float), np.asarray(drawn.y, float)
    assert np.abs(x[:, 20:]).max() == 0
    # Five standard errors of a mean of m entries of size at most 1/sigma~.
    slack = 5 / float(law.input_sd) / np.sqrt(m)
    assert np.abs(x.mean(0)).max() < slack
    assert (x**2).sum(1).mean() == pytest.approx(1, abs=0.01)
    covariance = (y @ x / m)[:8] * float(law.input_sd)
    np.testing.assert_allclose(covariance, law.label_covariance, atol=slack * 3)
    centres = np.unique(np.round(x[:, :8], 4), axis=0)
    np.testing.assert_allclose(
        centres, np.unique(np.round(np.asarray(law.means)[:, :8], 4), axis=0), atol=2e-4
    )


def test_gaussian_parity_has_its_bayes_error_and_its_noise(key):
    law = GaussianParity(d=20, k=3, sigma_r=2.0)
    m = 200_000
    drawn = law.sample(m, key=key)
    x, y = np.asarray(drawn.x), np.asarray(drawn.y)
    wrong = np.prod(np.sign(x[:, :3]), axis=1) != y
    p = law.bayes_error
    # Power: with sigma_r in place of sigma_r sqrt(k/d) the error would be .35 instead of .25.
    assert wrong.mean() == pytest.approx(p, abs=5 * np.sqrt(p * (1 - p) / m))
    q = norm.sf(1 / law.sigma)
    assert p == pytest.approx(3 * q * (1 - q) ** 2 + q**3)
    assert x[:, 5].std() == pytest.approx(2 * np.sqrt(3 / 20), rel=0.01)


def test_the_centres_are_the_corners_with_their_parity():
    law = GaussianParity(d=6, k=4)
    assert law.means.shape == (16, 6)
    assert np.array_equal(np.prod(np.asarray(law.means)[:, :4], axis=1), law.mean_labels)
