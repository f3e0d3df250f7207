"""Every initialisation against the law in its name."""

import numpy as np
import pytest
from scipy import stats

from featlearn.networks import BalancedSigns, Constant, Gaussian, Signs, Sphere, Ternary, Uniform

ROWS, COLUMNS = 4_000, 3


def drawn(law, key):
    return np.asarray(law.draw((ROWS, COLUMNS), key=key))


def test_sphere_rows_have_the_radius_and_no_preferred_direction(key):
    w = drawn(Sphere(radius=0.3), key)
    # float32 normalisation.
    np.testing.assert_allclose(np.linalg.norm(w, axis=1), 0.3, rtol=1e-5)
    # Archimedes: in three dimensions every coordinate is uniform on [-radius, radius]. At 1e-6;
    # power: a normalised cube has a distance of 0.05 from uniform, p = 1e-9.
    assert min(stats.kstest(w[:, i], "uniform", (-0.3, 0.6)).pvalue for i in range(3)) > 1e-6


@pytest.mark.parametrize(
    ("law", "distribution"),
    [
        (Gaussian(sd=0.5), stats.norm(scale=0.5)),
        (Uniform(bound=2.0), stats.uniform(-2, 4)),
    ],
    ids=lambda each: type(each).__name__,
)
def test_continuous_entries_follow_their_law(law, distribution, key):
    # 12 000 entries, at 1e-6 (a distance of 0.025). Power: a scale wrong by a fifth has 0.05.
    assert stats.kstest(drawn(law, key).ravel(), distribution.cdf).pvalue > 1e-6


@pytest.mark.parametrize(
    ("law", "values"),
    [(Ternary(), [-1.0, 0.0, 1.0]), (Signs(size=0.25), [-0.25, 0.25])],
    ids=lambda each: type(each).__name__,
)
def test_discrete_entries_are_uniform_over_their_values(law, values, key):
    found, counts = np.unique(drawn(law, key), return_counts=True)
    np.testing.assert_array_equal(found, values)
    # At 1e-6 of 12 000 draws. Power: a bias of 0.03 in one value has a chi-square of over 40.
    assert stats.chisquare(counts).pvalue > 1e-6


@pytest.mark.parametrize("law", [Ternary(), Signs(size=1.0), Gaussian(sd=1.0)], ids=str)
def test_entries_are_independent_of_each_other(law, key):
    w = drawn(law, key)
    # Standard error 1/sqrt(4000) = 0.016. Power: a row repeated is a correlation of 1.
    correlation = np.corrcoef(np.concatenate([w[1:], w[:-1]], axis=1).T)
    assert np.abs(correlation - np.eye(2 * COLUMNS)).max() < 5 / np.sqrt(ROWS - 1)


@pytest.mark.parametrize(
    ("n", "expected"),
    [(1, [0]), (2, [1, -1]), (4, [1, 1, -1, -1]), (5, [1, 1, 0, -1, -1])],
)
def test_balanced_signs_are_half_and_half_by_row(n, expected, key):
    law = BalancedSigns(size=2.0)
    np.testing.assert_array_equal(law.draw((n,), key=key), 2.0 * np.array(expected))
    rows = np.asarray(law.draw((n, 3), key=key))
    np.testing.assert_array_equal(rows, 2.0 * np.array(expected)[:, None] * np.ones(3))


def test_a_constant_is_the_same_everywhere(key):
    np.testing.assert_array_equal(
        Constant(value=0.125).draw((2, 3), key=key), np.full((2, 3), 0.125)
    )
