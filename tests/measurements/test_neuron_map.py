"""Directions have length one, and distances on the map are 1 - cosine where a plane has room."""

import numpy as np
import pytest

from featlearn.measurements.neuron_map import cosine_map, directions


def test_rows_of_any_size_become_unit_vectors_and_zeros_stay():
    rows = np.array([[3.0, 4.0], [-3e200, 4e200], [3e-200, 0.0], [0.0, 0.0]])
    expected = [[0.6, 0.8], [-0.6, 0.8], [1.0, 0.0], [0.0, 0.0]]
    np.testing.assert_allclose(directions(rows), expected, atol=1e-15)


def test_three_orthogonal_rows_lie_at_the_corners_of_a_triangle_with_sides_of_one():
    points = cosine_map(np.diag([1.0, 20.0, 0.3]))
    for i, j in ((0, 1), (0, 2), (1, 2)):
        assert np.linalg.norm(points[i] - points[j]) == pytest.approx(1, abs=0.01)


def test_opposite_directions_lie_opposite_on_the_map_and_equal_ones_together(rng):
    v = rng.normal(size=8)
    points = cosine_map(np.stack([v, 2 * v, -v, -3 * v]))
    near, far = np.linalg.norm(points[0] - points[1]), np.linalg.norm(points[0] - points[2])
    assert near < 0.05
    assert far == pytest.approx(2, rel=0.1)
