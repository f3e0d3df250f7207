"""Tangent kernels: published values, the Jacobian, the limit of many neurons, quadrature."""

import itertools
import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.flatten_util import ravel_pytree
from scipy.stats import multivariate_normal

from featlearn.baselines import (
    arc_cosine,
    exact_ntk,
    features,
    finite_ntk,
    fit,
    gram,
    pair_expectations,
    random_features,
)
from featlearn.baselines.family import offset, outputs_of
from featlearn.baselines.gaussian_pairs import both_above
from featlearn.distributions import Parity
from featlearn.networks import (
    QUADRATIC,
    RELU,
    RELU6,
    TRUNCATED,
    Constant,
    Gaussian,
    Params,
    Signs,
    Sphere,
    Ternary,
    TwoLayer,
    Uniform,
    activation,
)

TRAINED = [parts for size in (1, 2, 3) for parts in itertools.combinations(("w", "a", "b"), size)]


class Plain:
    """The same function as a two-layer network, of a type for which nothing is written down."""

    def __init__(self, network: TwoLayer) -> None:
        self.network = network
        self.trained, self.rate = network.trained, network.rate

    def init(self, *, key):
        return self.network.init(key=key)

    def forward(self, params, x):
        return self.network.forward(params, x)


jax.tree_util.register_pytree_node(
    Plain, lambda self: ((self.network,), None), lambda _, children: Plain(*children)
)


def small(trained=("w", "a", "b"), *, scaling="sqrt", s=RELU, width=6):
    return TwoLayer(
        d=3,
        width=width,
        w=Gaussian(sd=0.8),
        a=Uniform(bound=2.0),
        b=Gaussian(sd=0.5),
        activation=s,
        scaling=scaling,
        trained=trained,
    )


# Cho & Saul (2009), equations 4-6, at the angles 0, 60, 90, 120 and 180 degrees, by hand.
S3 = np.sqrt(3)
PUBLISHED = {
    0: [np.pi, 2 * np.pi / 3, np.pi / 2, np.pi / 3, 0],
    1: [np.pi, S3 / 2 + np.pi / 3, 1.0, S3 / 2 - np.pi / 6, 0],
    2: [3 * np.pi, 3 * S3 / 4 + np.pi, np.pi / 2, -3 * S3 / 4 + np.pi / 2, 0],
}


@pytest.mark.parametrize("order", [0, 1, 2])
def test_arc_cosine_kernels_have_the_values_of_cho_and_saul(order):
    angles = np.deg2rad([0.0, 60.0, 90.0, 120.0, 180.0])
    with jax.enable_x64(True):
        x = jnp.array([[2.0, 0.0]])
        z = 1.5 * jnp.stack([jnp.cos(angles), jnp.sin(angles)], axis=1)
        got = arc_cosine(order, x, z)[0]
    # Near 180 degrees arccos has an error of the root of float64's rounding, 1e-8.
    np.testing.assert_allclose(got, 3.0**order * np.array(PUBLISHED[order]) / np.pi, atol=5e-8)


def test_the_origin_has_no_angle_and_gives_zero():
    x = jnp.array([[0.0, 0.0], [1.0, 0.0]])
    for order in (0, 1, 2):
        assert arc_cosine(order, x, x).tolist()[0] == [0, 0]


@pytest.mark.parametrize(
    ("trained", "scaling"),
    [(parts, "sqrt") for parts in TRAINED] + [(TRAINED[-1], "mean-field"), (TRAINED[-1], "one")],
)
def test_the_written_kernel_is_the_product_of_jacobians(trained, scaling, key, rng):
    network = small(trained, scaling=scaling, s=RELU6)
    params, x, z = network.init(key=key), rng.normal(size=(5, 3)), rng.normal(size=(4, 3))
    family = finite_ntk(network, params)

    with jax.enable_x64(True):
        wide = jax.tree.map(lambda leaf: leaf.astype(float), params)
        slopes = [jax.jacobian(network.forward)(wide, jnp.asarray(p)) for p in (x, z)]
        rows = [
            np.concatenate([np.reshape(getattr(J, part), (len(J.a), -1)) for part in trained], 1)
            for J in slopes
        ]
    expected = network.rate * rows[0] @ rows[1].T
    np.testing.assert_allclose(gram(family, x, z), expected, rtol=1e-9, atol=1e-12)
    phi = features(family, x)
    np.testing.assert_allclose(phi @ features(family, z).T, expected, rtol=1e-9, atol=1e-12)
    theta = rng.normal(size=family.dimension)
    np.testing.assert_allclose(outputs_of(family, theta, x), phi @ theta, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("trained", [("w",), ("a", "b"), ("w", "a", "b")], ids="".join)
def test_a_network_without_a_written_kernel_has_the_same_one(trained, key, rng):
    network = small(trained)
    params, x = network.init(key=key), rng.normal(size=(5, 3))
    written, derived = finite_ntk(network, params), finite_ntk(Plain(network), params)
    np.testing.assert_allclose(gram(derived, x, x), gram(written, x, x), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(features(derived, x), features(written, x), rtol=1e-9, atol=1e-12)


def test_the_linearised_network_starts_equal_to_the_network_and_follows_it(key, rng):
    network = small(s=activation(jnp.tanh))
    params, x = network.init(key=key), rng.normal(size=(7, 3))
    family, f = finite_ntk(network, params), network.forward(params, jnp.asarray(x))
    np.testing.assert_allclose(offset(family, x), f, rtol=1e-5, atol=1e-6)

    theta, flat_of = rng.normal(size=family.dimension), ravel_pytree(params)
    misses = []
    with jax.enable_x64(True):
        flat, unravel = ravel_pytree(jax.tree.map(lambda leaf: leaf.astype(float), params))
        for h in (1e-2, 1e-3):
            there: Params = unravel(flat + h * theta)
            line = offset(family, x) + h * outputs_of(family, theta, x)
            misses.append(np.abs(network.forward(there, jnp.asarray(x)) - line).max())
    assert len(flat_of[0]) == family.dimension
    assert misses[0] / misses[1] == pytest.approx(100, rel=0.2)  # the error is of second order


@pytest.mark.parametrize(
    ("w", "b", "s", "scaling"),
    [
        (Sphere(radius=0.7), None, RELU, "mean-field"),
        (Gaussian(sd=0.6), None, RELU, "one"),
        (Gaussian(sd=0.6), Gaussian(sd=0.4), RELU, "sqrt"),
        (Gaussian(sd=0.6), Constant(value=0.3), TRUNCATED, "one"),
        (Gaussian(sd=3.0), Gaussian(sd=2.0), RELU6, "mean-field"),
        (Gaussian(sd=0.6), Constant(value=-0.2), QUADRATIC, "sqrt"),
        (Gaussian(sd=0.6), Gaussian(sd=0.4), activation(jnp.tanh), "mean-field"),
    ],
    ids=["sphere", "gaussian", "bias", "truncated", "relu6", "quadratic", "tanh"],
)
def test_the_finite_kernel_is_the_exact_one_on_average(w, b, s, scaling, key, rng):
    x = rng.normal(size=(4, 3)) * np.array([[0.3], [1.0], [1.0], [2.0]])
    x[2] = -x[1]
    network = TwoLayer(
        d=3, width=20_000, w=w, a=Uniform(bound=1.5), b=b, activation=s, scaling=scaling
    )
    exact = gram(exact_ntk(network), x, x)
    draws = np.stack(
        [gram(finite_ntk(network, network.init(key=k)), x, x) for k in jax.random.split(key, 20)]
    )
    error = draws.std(axis=0, ddof=1) / np.sqrt(len(draws))
    # Five standard errors are at most 5 % of the largest K; E[a^2] = 2.25/3 instead of its root,
    # or a factor of 2 in one of the terms, would miss by more than 10 %.
    assert (np.abs(draws.mean(axis=0) - exact) <= 5 * error + 1e-8 * exact.max()).all()
    assert (error <= 0.01 * exact.max()).all()


def test_the_finite_kernel_tends_to_the_exact_one_at_rate_one_over_root_width(key):
    x = Parity(d=20).sample(30, key=key).x
    widths, misses = np.array([64, 512, 4096]), []
    for width in widths.tolist():
        network = TwoLayer(
            d=20, width=width, w=Sphere(radius=0.5), a=Signs(size=0.5), scaling="mean-field"
        )
        exact = gram(exact_ntk(network), x, x)
        draws = [
            gram(finite_ntk(network, network.init(key=k)), x, x) - exact
            for k in jax.random.split(jax.random.fold_in(key, width), 6)
        ]
        misses.append(np.sqrt(np.mean(np.square(draws))))
    slope = np.polyfit(np.log(widths), np.log(misses), 1)[0]
    # A wrong constant in K would leave a miss that no width removes, and flatten the slope to 0.
    assert slope == pytest.approx(-0.5, abs=0.1)


@pytest.mark.parametrize("trained", [("w",), ("a",), ("w", "a")], ids="".join)
def test_the_hinge_formula_is_the_arc_cosine_one_where_both_apply(trained, rng):
    # A bias of variance nearly 0 sends the same kernel through Owen's T instead of arccos.
    x = rng.normal(size=(6, 4))
    x[1] = 2 * x[0]
    plain = TwoLayer(
        d=4, width=9, w=Gaussian(sd=0.7), a=Signs(size=2.0), trained=trained, scaling="mean-field"
    )
    other = TwoLayer(**{**vars(plain), "b": Constant(value=0.0)})
    np.testing.assert_allclose(
        gram(exact_ntk(other), x, x), gram(exact_ntk(plain), x, x), rtol=1e-6, atol=1e-7
    )


def test_the_pair_of_thresholds_is_the_bivariate_normal_distribution(rng):
    a, b, r = rng.normal(size=40), rng.normal(size=40), rng.uniform(-0.99, 0.99, size=40)
    a[:3], b[1:4] = 0.0, 0.0
    for h, k, c in zip(a, b, r, strict=True):
        law = multivariate_normal(mean=[0, 0], cov=[[1, c], [c, 1]])
        got = both_above(np.array([h]), np.array([k]), np.array([c]))[0]
        assert got == pytest.approx(law.cdf([-h, -k]), abs=1e-5)


def test_hinges_agree_with_adaptive_integration(rng):
    # E s(z) s(z') = E_u [ s(m + sd u) E s(m + sd' (r u + q w)) ]: the inner mean is a closed form
    # of the network's own activation, the outer one a fine trapezium.
    u = np.linspace(-9, 9, 40_001)
    density = np.exp(-(u**2) / 2) / np.sqrt(2 * np.pi) * (u[1] - u[0])
    for s in (RELU, RELU6, TRUNCATED):
        mean, v, v2, r = 0.3, 1.7, 2.5, rng.uniform(-0.9, 0.9)
        with jax.enable_x64(True):
            z = jnp.asarray(mean + np.sqrt(v) * u)
            inner, slope = s.smoothed(
                jnp.asarray(mean + np.sqrt(v2) * r * u), float(np.sqrt(v2 * (1 - r**2)))
            )
            expected = (
                np.sum(density * s.value(z) * inner),
                np.sum(density * s.derivative(z) * slope),
            )
        got = pair_expectations(
            s, mean, np.array([v]), np.array([v2]), np.array([[r * np.sqrt(v * v2)]])
        )
        assert got[0][0, 0] == pytest.approx(float(expected[0]), abs=1e-6)
        assert got[1][0, 0] == pytest.approx(float(expected[1]), abs=1e-3)  # steps on a trapezium


def test_quadrature_is_exact_for_a_polynomial():
    # E z^2 z'^2 = v v' + 2 c^2 and E 2z 2z' = 4c for centred Gaussians.
    v, v2, c = np.array([1.5]), np.array([0.5]), np.array([[0.6]])
    values, slopes = pair_expectations(QUADRATIC, 0.0, v, v2, c)
    np.testing.assert_allclose([values[0, 0], slopes[0, 0]], [0.75 + 0.72, 2.4], rtol=1e-12)


def test_a_law_without_a_closed_form_is_refused_with_a_way_out():
    network = TwoLayer(d=3, width=4, w=Ternary(), a=Signs(size=1.0), scaling="mean-field")
    message = (
        "exact_ntk(network): the law of w: expected Gaussian or Sphere, got Ternary. "
        "Take `finite_ntk` at a large width instead."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        exact_ntk(network)


def test_random_features_are_the_tangent_kernel_of_the_second_layer(key, rng):
    network = small(("a",))
    params, x = network.init(key=key), rng.normal(size=(5, 3))
    np.testing.assert_allclose(
        gram(random_features(network, params), x, x),
        gram(finite_ntk(network, params), x, x),
        rtol=1e-12,
    )


def test_ridge_on_the_ntk_needs_about_half_d_squared_samples_for_xor():
    # Measured: 90 % at 0.5 d^2 and 97 % at 0.7 d^2 for d = 16, 94 % at 0.5 d^2 for d = 64.
    d = 24
    network = TwoLayer(
        d=d, width=100, w=Sphere(radius=0.3), a=Signs(size=0.3), scaling="mean-field"
    )
    parity = Parity(d=d)
    test = parity.sample(4000, key=jax.random.key(9))
    errors = [
        fit(exact_ntk(network), parity.sample(n, key=jax.random.key(n)), lam=1e-6).score(test).error
        for n in (d * d // 8, d * d)
    ]
    assert errors[0] > 0.2
    assert errors[1] < 0.05
