"""Baselines on cases solved by hand: kernels at known angles, ridge in numbers, ties."""

import math

import jax.numpy as jnp
import numpy as np
import pytest
from scipy.stats import multivariate_normal

from featlearn._check import InputError
from featlearn.baselines import (
    Family,
    cosine_features,
    exact_ntk,
    features,
    fit,
    gram,
    linear,
    polynomial,
    random_features,
    rbf,
    split,
)
from featlearn.baselines.arc_cosine import arc_cosine
from featlearn.baselines.bisection import bisected
from featlearn.baselines.convex import minorant, smoothed_hinge
from featlearn.baselines.fit import GRID, Candidate, Score, choice
from featlearn.baselines.forms import cheapest_form, kernel_factor
from featlearn.baselines.gaussian_pairs import both_above, pair_expectations
from featlearn.baselines.ridge import Shifted, shifted_solutions
from featlearn.distributions import Batch
from featlearn.networks import (
    QUADRATIC,
    RELU,
    TRUNCATED,
    BalancedSigns,
    Constant,
    Gaussian,
    Params,
    Signs,
    Ternary,
    TwoLayer,
    Uniform,
)
from featlearn.training import LOSSES


@pytest.mark.parametrize(
    ("order", "same", "right", "opposite"),
    [(0, 1.0, 0.5, 0.0), (1, 6.0, 6 / math.pi, 0.0), (2, 3 * 36.0, 36 / 2, 0.0)],
)
def test_arc_cosine_kernels_at_known_angles(order, same, right, opposite):
    # Lengths 2 and 3: J_0 = pi, pi/2, 0; J_1 = pi, 1, 0; J_2 = 3 pi, pi/2, 0.
    x = jnp.array([[2.0, 0.0], [0.0, 0.0]])
    z = jnp.array([[3.0, 0.0], [0.0, 3.0], [-3.0, 0.0]])
    found = arc_cosine(order, x, z)
    np.testing.assert_allclose(found[0], [same, right, opposite], rtol=1e-5, atol=1e-5)
    assert found[1].tolist() == [0.0, 0.0, 0.0]  # the origin is at no angle
    with pytest.raises(InputError):
        arc_cosine(3, x, z)


@pytest.mark.parametrize("least", [2, 3, 30, 31, 97, 1000])
def test_bisection_finds_the_least_number_that_is_enough(least):
    asked = []

    def enough(n: int) -> bool:
        asked.append(n)
        return n >= least

    found = bisected(enough, low=1, start=30, high=1000, near=0.0)
    assert found == least
    assert len(asked) <= 16
    assert max(asked) <= 1000
    near = bisected(enough, low=1, start=30, high=1000, near=0.1)
    assert least <= near <= max(least * 1.1, least + 1)
    assert math.isnan(bisected(lambda n: n > 1000, low=1, start=30, high=1000, near=0.1))


def test_kernels_in_numbers():
    x, z = np.array([[1.0, 2.0]]), np.array([[3.0, -1.0]])
    assert gram(linear(2), x, z)[0, 0] == 1.0
    assert gram(linear(2, intercept=True), x, z)[0, 0] == 2.0
    assert gram(polynomial(1), x, z)[0, 0] == 2.0
    assert gram(polynomial(3, offset=0.0), x, 2 * z)[0, 0] == 8.0
    assert gram(rbf(0.25), x, z)[0, 0] == pytest.approx(math.exp(-13 / 4))
    for wrong in (lambda: polynomial(0), lambda: polynomial(2, offset=-1.0), lambda: rbf(0.0)):
        with pytest.raises(InputError):
            wrong()


def test_random_cosines_have_frequencies_and_phases_of_their_own(key):
    family = cosine_features(1, 20_000, sd=3.0, key=key)
    at_zero, at_one = features(family, np.array([[0.0], [1.0]]))
    # sqrt(2/N) cos b with b uniform on a whole turn: mean 0, mean square 1/N.
    size = math.sqrt(2 / 20_000)
    assert abs(at_zero).max() == pytest.approx(size, rel=1e-6)
    assert abs(np.mean(at_zero)) < 5 * size / math.sqrt(2 * 20_000)
    assert np.sum(at_zero**2) == pytest.approx(1.0, abs=5 * math.sqrt(0.5 / 20_000))
    assert np.sum(at_zero * at_one) == pytest.approx(math.exp(-4.5), abs=5 / math.sqrt(20_000))
    assert cosine_features(1, 1, sd=1.0, key=key).dimension == 1


@pytest.mark.parametrize("r", [-0.9, 0.0, 0.6])
@pytest.mark.parametrize(
    ("h", "k"), [(0.0, 0.0), (0.7, -0.3), (-1.2, -0.4), (0.0, 1.0), (2.0, 0.5)]
)
def test_the_chance_of_two_exceedances_is_that_of_scipy(h, k, r):
    found = both_above(*(np.array([v]) for v in (h, k, r)))[0]
    exact = multivariate_normal(cov=[[1, r], [r, 1]]).cdf([-h, -k])
    assert found == pytest.approx(exact, abs=1e-6)


def integrated(s, slope, mean, sd, other, r):
    """E s(z) s(z') and E s'(z) s'(z') on a fine grid of u and w."""
    t = np.linspace(-7, 7, 1401)
    p = np.exp(-(t**2) / 2)
    p /= p.sum()
    z = mean + sd * t[:, None] + 0 * t
    z2 = mean + other * (r * t[:, None] + math.sqrt(1 - r**2) * t)
    weight = p[:, None] * p
    return np.sum(weight * s(z) * s(z2)), np.sum(weight * slope(z) * slope(z2))


@pytest.mark.parametrize(
    ("mean", "sd", "other", "r"), [(0.3, 0.8, 1.5, 0.4), (-0.5, 1.0, 0.6, -0.7)]
)
def test_pair_expectations_are_the_integrals(mean, sd, other, r):
    one, two = np.array([sd**2]), np.array([other**2])
    cov = np.array([[r * sd * other]])
    clip = (lambda z: np.clip(z, 0, 1), lambda z: ((z > 0) & (z < 1)) * 1.0)
    relu = (lambda z: np.maximum(z, 0), lambda z: (z > 0) * 1.0)
    square = (lambda z: z**2, lambda z: 2 * z)
    for activation, functions in ((TRUNCATED, clip), (RELU, relu), (QUADRATIC, square)):
        found = pair_expectations(activation, mean, one, two, cov)
        exact = integrated(*functions, mean, sd, other, r)
        # The grid cuts a step within .01 of its place: .004 of a slope of at most 1.
        assert float(found[0][0, 0]) == pytest.approx(exact[0], rel=2e-3, abs=2e-3)
        assert float(found[1][0, 0]) == pytest.approx(exact[1], rel=1e-2, abs=5e-3)


@pytest.mark.parametrize(
    ("law", "square"),
    [
        (Gaussian(sd=0.5), 0.25),
        (Signs(size=0.5), 0.25),
        (BalancedSigns(size=0.5), 0.25),
        (Uniform(bound=3.0), 3.0),
        (Constant(value=-2.0), 4.0),
        (Ternary(), 2 / 3),
    ],
    ids=lambda v: type(v).__name__,
)
@pytest.mark.parametrize(("scaling", "count"), [("mean-field", 1.0), ("sqrt", 1.0), ("one", 7.0)])
def test_each_part_of_a_network_adds_its_term_to_the_kernel(law, square, scaling, count):
    # One point of length 2, w of sd 1: E s^2 = 4/2, E s'^2 = 1/2.
    x = jnp.array([[2.0, 0.0]])

    def kernel(*trained):
        network = TwoLayer(
            d=2, width=7, w=Gaussian(sd=1.0), a=law, scaling=scaling, trained=trained
        )
        return float(exact_ntk(network).kernel(x, x)[0, 0])

    assert kernel("a") == pytest.approx(count * 2.0, rel=1e-5)
    assert kernel("w") == pytest.approx(count * square * 4 / 2, rel=1e-5)
    assert kernel("w", "a") == pytest.approx(count * (2 + 2 * square), rel=1e-5)


def test_a_bias_adds_one_to_the_product_and_its_variance_to_the_preactivation():
    def network(b, *trained):
        return TwoLayer(
            d=1,
            width=5,
            w=Gaussian(sd=1.0),
            a=Constant(value=1.0),
            b=b,
            scaling="sqrt",
            activation=QUADRATIC,
            trained=trained,
        )

    x = jnp.array([[1.0]])
    # z ~ N(0, 1 + 3): E z^4 = 3 16, E (2z)^2 = 16.
    wide = Gaussian(sd=math.sqrt(3.0))
    found = [float(exact_ntk(network(wide, part)).kernel(x, x)[0, 0]) for part in "awb"]
    assert found == pytest.approx([48.0, 16.0, 16.0])
    # z ~ N(2, 1): E z^4 = 16 + 24 + 3, E (2z)^2 = 20.
    shifted = [
        float(exact_ntk(network(Constant(value=2.0), part)).kernel(x, 3 * x)[0, 0]) for part in "wb"
    ]
    # E 4 z z' with z' = 2 + 3 u: 4 (4 + 3) = 28, times x.x' = 3 for w.
    assert shifted == pytest.approx([84.0, 28.0])


def test_random_features_are_scaled_as_the_second_layer_of_the_tangent_kernel():
    params = Params(w=jnp.array([[1.0], [2.0], [-1.0], [0.5]]), a=jnp.ones(4))
    for scaling, factor in (("mean-field", 0.5), ("sqrt", 0.5), ("one", 1.0)):
        network = TwoLayer(d=1, width=4, w=Gaussian(sd=1.0), a=Gaussian(sd=1.0), scaling=scaling)
        phi = features(random_features(network, params), np.array([[2.0]]))
        np.testing.assert_allclose(phi, factor * np.array([[2.0, 4.0, 0.0, 1.0]]))


def test_ridge_in_numbers():
    # One feature, points 1 and 2 with labels 1 and 0: minimise the mean of (theta x - y)^2/2
    # + lam theta^2: theta (5/2 + 2 lam) = 1/2.
    batch = Batch(x=jnp.array([[1.0], [2.0]]), y=jnp.array([1.0, 0.0]))
    for form in ("kernel", "features", "operator"):
        found = fit(linear(1), batch, lam=0.25, form=form, tolerance=1e-10)
        np.testing.assert_allclose(found(jnp.array([[3.0]])), [0.5], rtol=1e-4)
        # f = 1/6, 1/3: losses 25/72 and 4/72.
        assert found.chosen.train.loss == pytest.approx((25 + 4) / 72 / 2, rel=1e-3)
    weighted = Batch(x=batch.x, y=batch.y, weight=jnp.array([0.75, 0.25]))
    for form in ("kernel", "features"):
        # theta (3/4 + 1 + 2 lam) = 3/4
        found = fit(linear(1), weighted, lam=0.125, form=form)
        np.testing.assert_allclose(found(jnp.array([[4.0]])), [1.5], rtol=1e-6)


def test_an_output_of_zero_is_an_error_of_a_baseline():
    batch = Batch(x=jnp.array([[1.0], [0.0]]), y=jnp.array([1.0, -1.0]))
    # theta (1/2 + 2 lam) = 1/2: f = 2/3 and 0.
    score = fit(linear(1), batch, lam=0.125).score(batch)
    assert score.error == 0.5
    assert score.loss == pytest.approx((1 / 18 + 1 / 2) / 2)


def test_of_equal_validation_losses_the_largest_regulariser_is_chosen():
    def candidate(lam, loss, error):
        score = Score(loss=loss, error=error)
        return Candidate(lam=lam, train=score, validation=score, converged=True, status="")

    path = [candidate(1.0, 0.5, 0.2), candidate(0.1, 0.3, 0.1), candidate(0.01, 0.3, 0.2)]
    assert choice(path, "loss") == 1
    assert choice(path, "error") == 1
    path = [candidate(0.01, 0.3, 0.0), candidate(0.1, 0.3 * (1 + 0.9e-9), 0.0), path[0]]
    assert choice(path, "loss") == 1
    path[1] = candidate(0.1, 0.3 * (1 + 1.1e-9), 0.0)
    assert choice(path, "loss") == 0


def test_the_grid_has_nine_powers_of_ten_in_units_of_the_kernel():
    assert pytest.approx([10.0**-p for p in range(9)]) == GRID
    x = jnp.arange(1.0, 11.0)[:, None]
    batch = Batch(x=x, y=jnp.ones(10))
    found = fit(linear(1), batch, validation=batch, grid=(0.1, 1.0))
    # The mean of x^2 over 1, …, 10 is 38.5; the largest first.
    assert [each.lam for each in found.path] == pytest.approx([38.5, 3.85])
    many = Batch(x=jnp.ones((600, 1)).at[::3].set(2.0), y=jnp.ones(600))
    # Every third of 600 points: 200 of them, all 2.
    assert fit(linear(1), many, validation=batch, grid=(1.0,)).lam == pytest.approx(4.0)


@pytest.mark.parametrize(
    ("n", "share", "kept"), [(10, 0.2, 8), (2, 0.5, 1), (7, 0.2, 6), (9, 0.9, 1)]
)
def test_a_split_leaves_the_last_points_aside(n, share, kept):
    batch = Batch(x=jnp.arange(float(n))[:, None], y=jnp.ones(n))
    fitted, aside = split(batch, share)
    assert (len(fitted.y), len(aside.y)) == (kept, n - kept)
    assert fitted.x[:, 0].tolist() == list(range(kept))
    assert aside.x[0, 0] == kept


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_a_split_without_points_on_a_side_is_refused(share):
    with pytest.raises(InputError, match="at least one point on each side"):
        split(Batch(x=jnp.zeros((4, 1)), y=jnp.ones(4)), share)


def test_the_cheapest_form_from_both_sides_of_its_limits(monkeypatch):
    def family(N):
        return Family(name="x", kernel=lambda x, z: x, dimension=N, features=lambda x: x)

    monkeypatch.setattr("featlearn.baselines.forms.LARGEST", 100)
    monkeypatch.setattr("featlearn.baselines.forms.FORMED", 3000)
    told = {
        (n, N): cheapest_form(family(N), n)
        for n, N in ((50, 50), (51, 50), (100, 200), (101, 200), (60, 50), (61, 50), (30, 10))
    }
    assert told == {
        (50, 50): "kernel",
        (51, 50): "features",
        (100, 200): "kernel",
        (101, 200): "operator",
        (60, 50): "features",  # 3000 entries
        (61, 50): "operator",
        (30, 10): "features",
    }
    monkeypatch.setattr("featlearn.baselines.forms.FORMED", 10**9)
    assert cheapest_form(family(100), 101) == "features"
    assert cheapest_form(family(101), 102) == "operator"
    kernel = Family(name="k", kernel=lambda x, z: x)
    assert cheapest_form(kernel, 100) == "kernel"
    with pytest.raises(InputError, match="at most 100 points"):
        cheapest_form(kernel, 101)


def test_the_smoothed_hinge_on_both_of_its_seams():
    h, one = smoothed_hinge(0.5), jnp.ones(5)
    f = jnp.array([1.5, 1.0, 0.75, 0.5, 0.0])
    np.testing.assert_allclose(h.value(f, one), [0, 0, 0.0625, 0.25, 0.75])
    np.testing.assert_allclose(h.derivative(f, one), [0, 0, -0.5, -1, -1])
    np.testing.assert_allclose(h.derivative(-f, -one), [0, 0, 0.5, 1, 1])


def test_a_line_under_the_hinge_never_exceeds_it():
    y, f = np.array([1.0, 1.0, -1.0]), np.array([0.75, -1.0, 2.0])
    below, slope = minorant(LOSSES["hinge"], smoothed_hinge(0.5), f, y)
    np.testing.assert_allclose(slope, [-0.5, -1.0, 1.0])
    np.testing.assert_allclose(below, [0.125, 2.0, 3.0])  # alpha (1 - y f)
    smooth, own = minorant(LOSSES["squared"], LOSSES["squared"], f, y)
    np.testing.assert_allclose(smooth, [0.03125, 2.0, 4.5])
    np.testing.assert_allclose(own, [-0.25, -2.0, 3.0])


def test_a_factor_of_a_kernel_has_its_products_up_to_a_jitter():
    x = np.array([[1.0], [1.0], [3.0]])
    L = kernel_factor(linear(1), x)
    K = np.outer(x, x)
    np.testing.assert_allclose(L @ L.T - K, 1e-10 * np.mean([1, 1, 9]) * np.eye(3), atol=1e-13)


def test_a_solution_is_found_up_to_its_tolerance():
    def shifted(residual):
        return Shifted(shift=1.0, solution=np.ones(1), residual=residual, iterations=0)

    assert shifted(1e-7).found
    assert not shifted(1.01e-7).found
    two, five = shifted_solutions(np.diag([1.0, 3.0]), np.array([6.0, 8.0]), [1.0, 5.0])
    np.testing.assert_allclose(two.solution, [3.0, 2.0])
    np.testing.assert_allclose(five.solution, [1.0, 1.0])
    assert (two.shift, five.shift) == (1.0, 5.0)
