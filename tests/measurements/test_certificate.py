"""The certificate of a test error: closed forms, a bound that is one, and the even part of f."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from featlearn.distributions import Clusters
from featlearn.measurements import (
    ClusterTest,
    certificate,
    certified_exponents,
    expected_margins,
    expected_relu,
    lipschitz,
    log10_certificate,
)
from featlearn.networks import Gaussian, Params, TwoLayer

D = 6
NETWORK = TwoLayer(d=D, width=4, w=Gaussian(sd=1.0), a=Gaussian(sd=1.0), scaling="one")


def linear(w):
    """relu(w.x) - relu(-w.x) = w.x."""
    return Params(w=jnp.stack([w, -w]), a=jnp.array([1.0, -1.0]))


@pytest.mark.parametrize(("mean", "sd"), [(0.0, 1.0), (2.0, 0.5), (-1.0, 3.0), (-4.0, 1.0)])
def test_the_mean_of_a_relu_is_its_integral(mean, sd):
    found = float(expected_relu(jnp.array([[mean]]), jnp.array([sd]))[0, 0])
    exact = quad(lambda z: z * norm.pdf(z, mean, sd), 0, mean + 12 * sd)[0]
    assert found == pytest.approx(exact, rel=1e-4, abs=1e-7)  # float32


def test_expected_margins_are_those_of_many_points(key):
    law = Clusters(d=D, sigma=0.7)
    params = NETWORK.init(key=key)
    draw = law.draw(200_000, key=key)
    f = np.asarray(NETWORK.forward(params, draw.x) * draw.clean)
    found = np.asarray(expected_margins(params, law.means, law.mean_labels, law.sigma))
    for cluster in range(4):
        seen = f[np.asarray(draw.cluster) == cluster]
        assert abs(seen.mean() - found[cluster]) < 5 * seen.std() / np.sqrt(len(seen))


def test_of_a_linear_classifier_the_certificate_is_above_the_true_error():
    w, mean, sigma = jnp.array([3.0, 1.0, 0, 0, 0, 0]), jnp.eye(1, D), 0.8
    params = linear(w)
    margin = expected_margins(params, mean, jnp.ones(1), sigma)
    assert float(margin[0]) == pytest.approx(3.0, rel=1e-5)
    assert float(lipschitz(params)) == pytest.approx(2 * np.sqrt(10), rel=1e-5)
    bound = np.exp(-float(certified_exponents(margin, lipschitz(params), sigma)[0]))
    assert norm.cdf(-3 / (sigma * np.sqrt(10))) < bound < 1


def test_the_certificate_is_above_what_is_sampled_and_far_below_what_a_sample_shows(key):
    law = Clusters(d=D, sigma=0.02)
    w = 5 * jnp.concatenate([law.means[:2], law.means[2:]])
    params = Params(w=w, a=jnp.array([1.0, 1.0, -1.0, -1.0]))
    seen = ClusterTest(samples=500, law=law, network=NETWORK).measure(params, key=key)
    assert float(seen["test_accuracy"]) == 1
    assert float(seen["log10_certificate"]) < -40
    wrong = Params(w=w, a=-params.a)
    seen = ClusterTest(samples=500, law=law, network=NETWORK).measure(wrong, key=key)
    assert float(seen["test_accuracy"]) == 0
    assert float(seen["log10_certificate"]) == 0
    assert seen["cluster_accuracy"].tolist() == [0, 0, 0, 0]


def test_many_neurons_are_bounded_not_solved_and_the_bound_is_no_smaller(key, monkeypatch):
    w = jax.random.normal(key, (40, 50))
    params = Params(w=w, a=jnp.ones(40))
    exact = float(lipschitz(params))
    assert exact == pytest.approx(np.sqrt(40) * np.linalg.norm(np.asarray(w), 2), rel=1e-4)
    monkeypatch.setattr(certificate, "EXACT", 10)
    assert exact <= float(lipschitz(params)) * (1 + 1e-5) <= exact * 40 ** (1 / 8)


def test_a_linear_network_has_no_even_part_and_an_absolute_value_nothing_else(key):
    law, w = Clusters(d=D, sigma=0.3), jnp.arange(1.0, D + 1)
    measure = ClusterTest(samples=200, law=law, network=NETWORK).measure
    assert float(measure(linear(w), key=key)["even_share"]) < 1e-10
    absolute = Params(w=jnp.stack([w, -w]), a=jnp.ones(2))
    assert float(measure(absolute, key=key)["even_share"]) == pytest.approx(1)


def test_a_certificate_of_ten_to_the_minus_thousand_does_not_underflow():
    exponents = jnp.full(4, 1000 * np.log(10))
    assert float(log10_certificate(exponents)) == pytest.approx(-1000, rel=1e-5)
    one_missed = jnp.array([0.0, 1e4, 1e4, 1e4])
    assert float(log10_certificate(one_missed)) == pytest.approx(np.log10(0.25), rel=1e-5)


def test_the_bound_on_the_largest_eigenvalue_is_one_and_is_near(rng):
    """Against LAPACK in float64: from above, by rounding and m^(1/1024) at most."""
    w = rng.normal(size=(300, 400))
    w[:, 0] *= 5
    products = (w @ w.T).astype(np.float32)
    exact = np.linalg.eigvalsh(products.astype(float))[-1]
    found = float(certificate.largest_eigenvalue_bound(jnp.asarray(products)))
    assert exact <= found <= 300 ** (1 / 1024) * (1 + 2 * certificate.ROUNDING) * exact


def test_with_equal_eigenvalues_the_bound_is_as_large_as_it_may_be():
    found = float(certificate.largest_eigenvalue_bound(2 * jnp.eye(1024), squarings=1))
    assert found == pytest.approx(2 * 1024**0.25, rel=2 * certificate.ROUNDING)
