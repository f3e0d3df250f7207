"""The best model of bounded norm: by hand, by a grid, by another solver, and its certificate."""

import re

import numpy as np
import pytest
from scipy.optimize import minimize

from featlearn.baselines import best_bounded, kernel_factor, rbf


def problem(rng, n=80, N=2):
    phi = rng.uniform(-1, 1, size=(n, N))
    return phi, np.where(rng.uniform(size=n) < 0.2, -1, 1) * np.sign(phi @ np.ones(N) + 0.1)


def hinge(phi, y, theta):
    return np.mean(np.maximum(1 - y * (phi @ theta), 0))


@pytest.mark.parametrize("bound", [0.3, 1.0, 5.0])
def test_two_features_against_a_fine_grid_of_the_disc(bound, rng):
    phi, y = problem(rng)
    angles, radii = np.linspace(0, 2 * np.pi, 1500), bound * np.linspace(0, 1, 60)
    ring = np.stack([np.cos(angles), np.sin(angles)])
    grid = min(
        np.mean(np.maximum(1 - y[:, None] * (phi @ (r * ring)), 0), axis=0).min() for r in radii
    )
    best = best_bounded(phi, y, bound=bound)
    assert best.converged
    assert best.norm <= bound * (1 + 1e-12)
    assert best.value == pytest.approx(hinge(phi, y, best.theta))
    # The grid is feasible, so it lies above the floor; its mesh leaves at most 0.02 B.
    assert best.floor <= grid
    assert best.value <= grid + 1e-4
    assert grid - best.value <= 0.02 * bound


def test_many_features_against_a_general_solver(rng):
    phi, y = problem(rng, n=60, N=8)
    # hinge as a linear programme with slack t: minimise mean(t) over the ball.
    start = np.concatenate([np.zeros(8), np.ones(60)])
    rows = np.concatenate([y[:, None] * phi, np.eye(60)], axis=1)
    found = minimize(
        lambda v: np.mean(v[8:]),
        start,
        jac=lambda v: np.concatenate([np.zeros(8), np.full(60, 1 / 60)]),
        method="SLSQP",
        bounds=[(None, None)] * 8 + [(0, None)] * 60,
        constraints=[
            {"type": "ineq", "fun": lambda v: rows @ v - 1, "jac": lambda v: rows},
            {
                "type": "ineq",
                "fun": lambda v: 1.5**2 - v[:8] @ v[:8],
                "jac": lambda v: np.concatenate([-2 * v[:8], np.zeros(60)]),
            },
        ],
        options={"maxiter": 500, "ftol": 1e-10},
    )
    assert found.success
    best = best_bounded(phi, y, bound=1.5, tolerance=1e-5)
    assert best.value == pytest.approx(found.fun, abs=2e-5)
    assert best.floor <= found.fun + 1e-7


def test_a_bound_that_does_not_bind_gives_the_unbounded_optimum():
    best = best_bounded(np.array([[1.0], [-2.0]]), np.array([1.0, -1.0]), bound=100.0)
    assert best.converged
    assert best.value <= 1e-4


def test_features_that_know_nothing_leave_the_loss_at_one():
    phi = np.array([[1.0], [1.0], [-1.0], [-1.0]])
    best = best_bounded(phi, np.array([1.0, -1.0, 1.0, -1.0]), bound=3.0)
    assert best.converged
    assert best.value == pytest.approx(1.0, abs=1e-4)
    assert best.floor >= 1 - 1e-4


@pytest.mark.parametrize("loss", ["logistic", "squared"])
def test_smooth_losses_meet_the_conditions_of_an_optimum_on_the_sphere(loss, rng):
    phi, y = problem(rng, N=5)
    best = best_bounded(phi, y, bound=0.5, loss=loss, tolerance=1e-8)
    f = phi @ best.theta
    slope = f - y if loss == "squared" else -y / (1 + np.exp(y * f))
    g = phi.T @ slope / len(y)
    assert best.converged
    assert best.norm == pytest.approx(0.5, rel=1e-4)
    assert -g @ best.theta == pytest.approx(np.linalg.norm(g) * best.norm, rel=1e-5)


def test_weights_are_probabilities(rng):
    phi, y = problem(rng, n=30)
    counts = np.resize([1, 2], 30)
    one = best_bounded(phi, y, bound=1.0, weight=counts / counts.sum())
    two = best_bounded(np.repeat(phi, counts, axis=0), np.repeat(y, counts), bound=1.0)
    assert one.value == pytest.approx(two.value, abs=2e-4)


def test_a_bounded_norm_in_a_kernel_space_by_the_rows_of_its_factor(rng):
    x = rng.normal(size=(25, 3))
    y = np.sign(x[:, 0] * x[:, 1])
    L = kernel_factor(rbf(0.5), x)
    values = [best_bounded(L, y, bound=B).value for B in (0.5, 2.0, 8.0, 100.0)]
    assert values == sorted(values, reverse=True)
    assert values[0] > 0.5
    assert values[-1] < 1e-3


def test_a_tolerance_out_of_reach_is_told(rng):
    phi, y = problem(rng)
    best = best_bounded(phi, y, bound=1.0, tolerance=1e-15)
    assert not best.converged
    assert re.search(r"asked for was 1e-15: the solver gave up\.$", best.status)
