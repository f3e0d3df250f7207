"""Every fit is an optimum: against scikit-learn, between forms, and by its own gradient."""

import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC, LinearSVC

from featlearn.baselines import (
    Candidate,
    Score,
    convex,
    features,
    finite_ntk,
    fit,
    gram,
    linear,
    polynomial,
    random_features,
    rbf,
    ridge,
    split,
)
from featlearn.baselines.fit import choice
from featlearn.baselines.forms import cheapest_form
from featlearn.baselines.ridge import shifted_solutions
from featlearn.distributions import Batch, Parity
from featlearn.networks import Gaussian, Signs, TwoLayer
from featlearn.training import LOSSES, loss


@pytest.fixture
def batch(key):
    return Parity(d=5, noise="gaussian", signal="gaussian").sample(40, key=key)


@pytest.fixture
def other(key):
    points = Parity(d=5, noise="gaussian", signal="gaussian")
    return points.sample(60, key=jax.random.fold_in(key, 1))


def network_at(key, width=12):
    network = TwoLayer(d=5, width=width, w=Gaussian(sd=0.6), a=Signs(size=1.0), scaling="sqrt")
    return network, network.init(key=key)


def test_ridge_is_kernel_ridge_of_scikit_learn(batch, other):
    lam, n = 0.01, len(batch.y)
    x, y = np.asarray(batch.x, float), np.asarray(batch.y, float)
    theirs = KernelRidge(kernel="rbf", gamma=0.2, alpha=2 * lam * n).fit(x, y)
    ours = fit(rbf(0.2), batch, lam=lam)
    np.testing.assert_allclose(ours(other.x), theirs.predict(np.asarray(other.x, float)), rtol=1e-8)
    assert ours.form == "kernel"
    assert ours.chosen.converged


@pytest.mark.parametrize("name", ["squared", "hinge", "logistic", "doubled-logistic"])
def test_the_three_forms_have_one_optimum(name, batch, other, key):
    network, params = network_at(key, width=4)
    for family in (finite_ntk(network, params), random_features(network, params)):
        fits = {
            form: fit(family, batch, loss=name, lam=0.02, form=form, tolerance=1e-7)
            for form in ("kernel", "features", "operator")
        }
        reference = fits["features"](other.x)
        for form, found in fits.items():
            # A gap of g allows |theta - theta*| <= sqrt(g / lam); measured differences are less.
            allowed = 1e-6 if name == "squared" and form == "kernel" else 3e-3
            np.testing.assert_allclose(found(other.x), reference, atol=allowed, err_msg=form)


def test_the_linearised_fit_adds_to_the_network(batch, key):
    network, params = network_at(key)
    heavy = fit(finite_ntk(network, params), batch, lam=1e9)
    np.testing.assert_allclose(
        heavy(batch.x), network.forward(params, batch.x), rtol=1e-4, atol=1e-5
    )
    light = fit(finite_ntk(network, params), batch, lam=1e-9)
    np.testing.assert_allclose(light(batch.x), batch.y, atol=1e-3)  # 72 parameters, 40 points


def test_logistic_regression_is_that_of_scikit_learn(batch, other):
    lam, n = 0.01, len(batch.y)
    x, y = np.asarray(batch.x, float), np.asarray(batch.y, float)
    theirs = LogisticRegression(C=1 / (2 * lam * n), fit_intercept=False, tol=1e-10).fit(x, y)
    ours = fit(linear(5), batch, loss="logistic", lam=lam, tolerance=1e-12)
    np.testing.assert_allclose(ours.coefficients, theirs.coef_[0], rtol=1e-4, atol=1e-5)


def test_hinge_on_features_is_the_linear_svm_of_scikit_learn(batch):
    lam, n = 0.01, len(batch.y)
    x, y = np.asarray(batch.x, float), np.asarray(batch.y, float)
    theirs = LinearSVC(
        loss="hinge", C=1 / (2 * lam * n), fit_intercept=False, tol=1e-8, max_iter=10**6
    ).fit(x, y)
    ours = fit(linear(5), batch, loss="hinge", lam=lam, tolerance=1e-8)

    def P(theta):
        return np.mean(np.maximum(1 - y * (x @ theta), 0)) + lam * theta @ theta

    assert ours.chosen.converged
    assert P(ours.coefficients) == pytest.approx(P(theirs.coef_[0]), abs=2e-8)
    np.testing.assert_allclose(ours.coefficients, theirs.coef_[0], atol=2e-3)


def test_hinge_on_a_kernel_is_the_svm_of_scikit_learn(key):
    # SVC has an intercept. On a sample that is symmetric under x -> -x, y -> -y with an odd kernel
    # the optimal one is 0, and the two problems are the same.
    half = Parity(d=4, k=1, noise="gaussian", signal="gaussian").sample(20, key=key)
    batch = Batch(x=jnp.concatenate([half.x, -half.x]), y=jnp.concatenate([half.y, -half.y]))
    x, y, lam = np.asarray(batch.x, float), np.asarray(batch.y, float), 1e-3
    family = polynomial(3, offset=0.0)
    K = gram(family, x, x)
    theirs = SVC(kernel="precomputed", C=1 / (2 * lam * len(y)), tol=1e-9).fit(K, y)
    ours = fit(family, batch, loss="hinge", lam=lam, tolerance=1e-7)
    assert ours.chosen.converged
    np.testing.assert_allclose(ours(x), theirs.decision_function(K), atol=5e-3)


@pytest.mark.parametrize("name", ["squared", "logistic"])
def test_no_step_from_the_optimum_lowers_the_objective(name, batch):
    ours = fit(linear(5, intercept=True), batch, loss=name, lam=0.03, tolerance=1e-12)
    phi = jnp.asarray(features(linear(5, intercept=True), batch.x), dtype=jnp.float32)

    def P(theta):
        return jnp.mean(loss(name).value(phi @ theta, batch.y)) + 0.03 * theta @ theta

    assert jnp.abs(jax.grad(P)(jnp.asarray(ours.coefficients, jnp.float32))).max() < 1e-6


@pytest.mark.parametrize("name", ["hinge", "logistic"])
def test_the_stated_gap_bounds_the_true_one(name, batch):
    x, y, lam = np.asarray(batch.x, float), np.asarray(batch.y, float), 0.01

    def P(theta):
        with jax.enable_x64(True):
            mean = float(np.mean(LOSSES[name].value(jnp.asarray(x @ theta), jnp.asarray(y))))
        return mean + lam * float(theta @ theta)

    best = P(fit(linear(5), batch, loss=name, lam=lam, tolerance=1e-10).coefficients)
    for tolerance in (1e-1, 1e-2, 1e-3):
        rough = fit(linear(5), batch, loss=name, lam=lam, tolerance=tolerance)
        assert -1e-9 <= P(rough.coefficients) - best <= tolerance


def test_points_with_weights_are_points_repeated(batch, other):
    counts = np.resize([1, 2, 3], len(batch.y))
    weighted = Batch(x=batch.x, y=batch.y, weight=jnp.asarray(counts / counts.sum()))
    repeated = Batch(x=jnp.repeat(batch.x, counts, axis=0), y=jnp.repeat(batch.y, counts))
    for family in (rbf(0.2), linear(5)):
        for name in ("squared", "logistic"):
            one, two = (
                fit(family, b, loss=name, lam=0.05, tolerance=1e-10) for b in (weighted, repeated)
            )
            np.testing.assert_allclose(one(other.x), two(other.x), atol=1e-4)


def candidate(lam, value, error=0.5):
    score = Score(loss=value, error=error)
    return Candidate(lam=lam, train=score, validation=score, converged=True, status="")


def test_the_least_validation_loss_wins_and_of_equal_ones_the_largest_regulariser():
    path = [candidate(1.0, 0.4), candidate(0.1, 0.2), candidate(0.01, 0.2), candidate(0.001, 0.3)]
    assert choice(path, "loss") == 1
    assert choice([*path, candidate(1e-4, 0.1)], "loss") == 4
    assert choice([candidate(1.0, 0.1, 0.3), candidate(0.1, 0.2, 0.2)], "error") == 1


def test_the_choice_is_the_best_of_the_grid_and_scale_free(batch, other):
    found = fit(polynomial(2), batch, validation=other)
    losses = [fit(polynomial(2), batch, lam=c.lam).score(other).loss for c in found.path]
    assert found.chosen.validation is not None
    assert found.chosen.validation.loss == pytest.approx(min(losses), rel=1e-6)
    assert len(found.path) == 9
    doubled = Batch(x=2 * batch.x, y=batch.y), Batch(x=2 * other.x, y=other.y)
    again = fit(linear(5), doubled[0], validation=doubled[1])
    once = fit(linear(5), batch, validation=other)
    assert again.lam == pytest.approx(4 * once.lam)
    np.testing.assert_allclose(again(doubled[1].x), once(other.x), rtol=1e-6)


def test_a_solver_that_gives_up_says_so(batch, monkeypatch):
    monkeypatch.setattr(convex, "_STEPS", {"newton": 1, "lbfgs": 1})
    found = fit(rbf(0.5), batch, loss="logistic", lam=1e-5, tolerance=1e-9)
    assert not found.chosen.converged
    assert found.chosen.status.endswith("asked for was 1e-09: raise lam.")


def test_large_systems_are_solved_as_small_ones_are(monkeypatch, rng):
    A = rng.normal(size=(60, 40))
    A, v, shifts = A @ A.T / 60, rng.normal(size=60), [1.0, 1e-3, 1e-6]
    small = shifted_solutions(A, v, shifts)
    monkeypatch.setattr(ridge, "SMALL", 10)
    for one, two in zip(small, shifted_solutions(A, v, shifts), strict=True):
        assert one.found
        assert two.found
        np.testing.assert_allclose(one.solution, two.solution, rtol=1e-5, atol=1e-6 / one.shift)


def test_the_cheapest_form_follows_from_the_sizes(key):
    network, params = network_at(key)
    assert cheapest_form(finite_ntk(network, params), 72) == "kernel"
    assert cheapest_form(finite_ntk(network, params), 73) == "features"
    wide = random_features(*network_at(key, width=30_000))
    assert cheapest_form(wide, 20_001) == "operator"
    message = (
        "fit('rbf(1)'): expected at most 20000 points for a kernel without features, got 20001. "
        "Take fewer points, or random features of the same kernel."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        cheapest_form(rbf(1.0), 20_001)


def test_a_fit_chooses_its_regulariser_on_a_fifth_of_the_sample_and_then_fits_all_of_it(batch):
    chosen = fit(polynomial(2), batch)
    fitted, held_out = split(batch)
    by_hand = fit(polynomial(2), fitted, validation=held_out)
    assert chosen.lam == by_hand.lam
    assert chosen.path == by_hand.path
    whole = fit(polynomial(2), batch, lam=by_hand.lam)
    np.testing.assert_array_equal(chosen(batch.x), whole(batch.x))


def test_a_predictor_prints_as_one_line_however_many_points_it_keeps(batch):
    assert repr(fit(rbf(1.0), batch, lam=1e-3)) == "Predictor(rbf(1), kernel form, lam=0.001)"


def test_a_regulariser_is_given_or_chosen_and_not_both(batch):
    message = "expected a regulariser, or held-out points to choose one by, got both."
    with pytest.raises(ValueError, match=f"{re.escape(message)}$"):
        fit(polynomial(2), batch, lam=1.0, validation=batch)


def test_the_hinge_loss_is_for_signs(batch):
    message = "fit(batch): labels for the hinge loss: expected -1 and 1, got [0.]."
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        fit(linear(5), Batch(x=batch.x, y=0 * batch.y), loss="hinge", lam=1.0)


def test_a_split_keeps_every_point_once(batch):
    fitted, held_out = split(batch, 0.25)
    assert len(held_out.y) == 10
    np.testing.assert_array_equal(jnp.concatenate([fitted.x, held_out.x]), batch.x)
