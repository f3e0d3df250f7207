"""Shifted systems: conjugate gradients alone, and behind a factor, find what numpy finds."""

import numpy as np
import pytest

from featlearn.baselines import ridge


@pytest.fixture
def system(rng):
    features = rng.normal(size=(300, 40))
    return features @ features.T, rng.normal(size=300)


@pytest.mark.parametrize("large", [10, 10**6], ids=["unaided", "factor"])
def test_both_ways_solve_the_system(system, large, monkeypatch):
    A, v = system
    monkeypatch.setattr(ridge, "SMALL", 10)
    monkeypatch.setattr(ridge, "LARGE", large)
    (found,) = ridge.shifted_solutions(A, v, [0.1])
    assert found.residual <= ridge.TOLERANCE
    np.testing.assert_allclose(
        found.solution, np.linalg.solve(A + 0.1 * np.eye(300), v), rtol=1e-5, atol=1e-5
    )


def test_what_does_not_converge_unaided_gets_its_factor(system, monkeypatch):
    A, v = system
    made = []

    class Watched(ridge._Inverse):
        def __init__(self, *args):
            made.append(args)
            super().__init__(*args)

    monkeypatch.setattr(ridge, "SMALL", 10)
    monkeypatch.setattr(ridge, "LARGE", 10)
    monkeypatch.setattr(ridge, "_UNAIDED", 2)
    monkeypatch.setattr(ridge, "_Inverse", Watched)
    (found,) = ridge.shifted_solutions(A, v, [1e-3])
    assert made
    assert found.residual <= ridge.TOLERANCE
