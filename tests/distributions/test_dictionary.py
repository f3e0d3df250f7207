"""Laws of patterns against enumeration, against samples, and against the paper's numbers."""

import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from featlearn.distributions import (
    Patterns,
    coherence,
    incoherent,
    independent,
    mixture,
    parity_counts,
    rotation,
)

SIGMAS = 5

draw = jax.jit(lambda law, m, key: law.sample(m, key=key), static_argnums=1)


def small(**changes) -> Patterns:
    """A law small enough to be enumerated, with two components of different rates."""
    return mixture(**{"d": 8, "dictionary": 8, "k": 3, "p_o": 0.3, **changes})


LAWS = {
    "mixture": small(),
    "mixture, p_o = 1/2": small(p_o=0.5),
    "unbalanced": small().with_negative_share(0.8),
    "interval": independent(d=8, dictionary=8, k=4, p_a=2 / 3, p_o=0.4, positive=(2, 3, 4)),
    "no structure": independent(d=8, dictionary=8, k=3),
    "one relevant": independent(d=8, dictionary=8, k=1, p_a=0.3),
}


@pytest.fixture(params=list(LAWS.values()), ids=list(LAWS))
def law(request) -> Patterns:
    return request.param


def test_every_closed_form_is_the_sum_over_all_points(law):
    with jax.enable_x64(True):
        points = law.support()
        p, y = np.asarray(points.weight, float), np.asarray(points.y, float)
        x = np.asarray(points.x, float)
    truth = law.truth
    phi = x * truth.input_sd + truth.mean_bits
    assert p.sum() == pytest.approx(1, abs=1e-12)
    np.testing.assert_allclose(phi, np.rint(phi), atol=1e-12)
    np.testing.assert_allclose(p @ phi, truth.mean_bits, atol=1e-12)
    np.testing.assert_allclose((phi * p[:, None]).T @ phi - np.outer(p @ phi, p @ phi),
                               truth.covariance, atol=1e-12)  # fmt: skip
    assert p @ (x**2).sum(1) == pytest.approx(1, abs=1e-12)
    assert p[y > 0].sum() == pytest.approx(truth.positive_share, abs=1e-12)
    gammas = (p * y) @ phi - (p @ y) * (p @ phi)
    np.testing.assert_allclose(gammas[: law.k], truth.label_covariance, atol=1e-12)
    rates = [(p * (y == v)) @ phi[:, 0] / p[y == v].sum() for v in (1, -1)]
    assert (rates[0] - rates[1]) / 2 == pytest.approx(truth.label_contrast, abs=1e-12)
    count = np.rint(phi[:, : law.k].sum(1))
    thresholds = [p @ (np.where(count >= t, 1, -1) == y) for t in range(law.k + 2)]
    assert max(*thresholds, *(1 - np.array(thresholds))) == pytest.approx(truth.monotone_plateau)


def test_a2_holds_exactly_where_the_background_is_independent(law):
    points = law.support()
    phi = np.asarray(points.x) * law.truth.input_sd + law.truth.mean_bits > 0.5
    p = np.asarray(points.weight, float)
    codes = phi[:, : law.k + 2] @ 2 ** np.arange(law.k + 2)
    joint = np.bincount(codes, p, 2 ** (law.k + 2)).reshape(4, -1)
    factorised = np.multiply.outer(joint.sum(1), joint.sum(0))
    one, other = joint.sum(1)[1::2].sum(), joint.sum(1)[2:].sum()
    pair = np.outer([1 - other, other], [1 - one, one]).ravel()
    factors = np.allclose(joint, factorised, atol=1e-6) and np.allclose(
        joint.sum(1), pair, atol=1e-6
    )
    assert law.truth.background_independent == factors


def test_samples_follow_the_law(law, key):
    m = 200_000
    drawn = draw(law, m, key)
    with jax.enable_x64(True):
        points = law.support()
    phi = np.rint(np.asarray(drawn.x) * law.truth.input_sd + law.truth.mean_bits).astype(int)
    cells = phi @ 2 ** np.arange(law.dictionary)
    all_phi = np.rint(np.asarray(points.x) * law.truth.input_sd + law.truth.mean_bits).astype(int)
    expected = np.zeros(2**law.dictionary)
    expected[all_phi @ 2 ** np.arange(law.dictionary)] = m * np.asarray(points.weight, float)
    seen = np.bincount(cells, minlength=2**law.dictionary)
    assert seen[expected == 0].sum() == 0
    cut = expected > 0
    chi2 = ((seen - expected)[cut] ** 2 / expected[cut]).sum()
    # Power: a shift of any bit's rate by 0.01 adds about m * 0.01^2 / 0.25 = 80 to a statistic
    # whose standard deviation is at most 23.
    assert chi2 < cut.sum() + SIGMAS * np.sqrt(2 * cut.sum())
    count = phi[:, : law.k].sum(1)
    assert np.array_equal(np.asarray(drawn.y) > 0, np.isin(count, law.positive))


def test_table_1_has_the_constants_of_the_paper():
    truth = mixture(d=500, dictionary=100, k=5).truth
    assert (truth.label_covariance, truth.input_sd) == (0.25, 5.0)
    assert truth.monotone_plateau == 27 / 32
    assert truth.balanced
    assert truth.correlated
    assert truth.background_independent


@pytest.mark.parametrize("p_o", [0.1, 0.3, 0.49])
def test_gamma_and_total_variance_of_the_mixture(p_o):
    truth = mixture(d=50, dictionary=40, k=5, p_o=p_o).truth
    assert truth.label_covariance == pytest.approx((1 - p_o) / 2)
    assert truth.background_rate == pytest.approx(p_o)
    assert truth.input_sd**2 == pytest.approx(5 / 4 + 35 * p_o * (1 - p_o))
    assert not truth.background_independent, "the paper says that A2 can be verified"


def test_table_2_is_unbalanced_and_trivial_without_structure():
    interval = tuple(range(20, 31))
    truth = independent(d=500, dictionary=100, k=30, p_a=2 / 3, positive=interval).truth
    assert truth.positive_share == pytest.approx(0.585, abs=5e-4)
    assert truth.label_covariance == pytest.approx(0.0680, abs=5e-5)
    assert truth.monotone_plateau == pytest.approx(1)
    plain = independent(d=500, dictionary=100, k=30, positive=interval).truth
    assert 1 - plain.positive_share == pytest.approx(0.951, abs=5e-4)
    assert plain.unstructured
    assert not truth.unstructured


def test_the_share_of_a_class_can_be_set_and_the_law_given_the_class_stays():
    before, after = small(), small().with_negative_share(0.9)
    assert after.truth.positive_share == pytest.approx(0.1)
    assert after.truth.label_contrast == pytest.approx(before.truth.label_contrast)
    share = after.truth.positive_share
    weights = after.truth.class_weights
    assert weights == pytest.approx((1 / (2 * (1 - share)), 1 / (2 * share)))


def test_a_rotated_dictionary_gives_rotated_points(key):
    plain = small(d=10)
    M = rotation(10, key=key)[:, :8]
    turned = small(d=10, matrix=M)
    x = draw(plain, 50, key).x[:, :8] @ M.T
    np.testing.assert_allclose(draw(turned, 50, key).x, x, atol=1e-5)
    np.testing.assert_allclose(turned.direction, M[:, :3].sum(1), atol=1e-6)
    assert turned.truth.input_sd == pytest.approx(plain.truth.input_sd, rel=1e-5)


def test_incoherent_patterns_and_noise_have_unit_total_variance(key):
    M = incoherent(30, 40, key=key)
    law = mixture(d=30, dictionary=40, k=5, p_o=0.3, matrix=M, sigma=0.2)
    m = 100_000
    squares = np.asarray((draw(law, m, key).x ** 2).sum(1), float)
    # Power: leaving out the noise, 30 * 0.04 of a total of about 9.7, would miss by 12 %, and the
    # covariances of the background by 4 %; the standard error is below 0.2 %.
    assert squares.mean() == pytest.approx(1, abs=SIGMAS * squares.std() / np.sqrt(m))
    gram = np.abs(np.asarray(M.T @ M) - np.eye(40)).max()
    assert coherence(M) == pytest.approx(np.sqrt(30) * gram, rel=1e-3)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: small(k=9), "Patterns(k): expected 1 <= k <= D, got k=9, D=8."),
        (
            lambda: small(d=7),
            "Patterns(d): expected D <= d, for D orthonormal patterns in d dimensions, got d=7, "
            "D=8. Take an incoherent matrix for an overcomplete dictionary.",
        ),
        (
            lambda: small(positive=(4,)),
            "Patterns(positive): expected different counts from 0 to k = 3, got (4,).",
        ),
        (lambda: small(p_o=0.6), "p-o: expected 0 < p_o <= 1/2, got 0.6."),
        (lambda: small(p_o=0.0), "p-o: expected a positive number, got 0.0."),
        (
            lambda: small().with_negative_share(1.0),
            "negative: expected a share of class -1 between 0 and 1, got 1.0.",
        ),
        (
            lambda: small(d=20, dictionary=20).support(),
            "Patterns.support(): expected no noise and D <= 16, got sigma=0.0, D=20. "
            "Sample instead.",
        ),
    ],
)
def test_bad_laws_are_refused_in_one_sentence(make, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        make()


def test_parity_counts_are_the_odd_ones():
    assert parity_counts(5) == (1, 3, 5)
    y = mixture(d=5, dictionary=5, k=4).label_of(jnp.arange(5))
    assert y.tolist() == [-1, 1, -1, 1, -1]
