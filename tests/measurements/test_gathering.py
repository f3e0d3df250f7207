"""Clusters of directions, against cases whose number is known."""

import numpy as np
import pytest

from featlearn.measurements import gathering


def around(centres: np.ndarray, each: int, spread: float, rng: np.random.Generator) -> np.ndarray:
    """So many neurons near each centre, of all lengths."""
    noise = spread * rng.normal(size=(len(centres), each, centres.shape[1]))
    lengths = rng.uniform(0.1, 10, size=(len(centres), each, 1))
    return (lengths * (centres[:, None] + noise)).reshape(-1, centres.shape[1])


def test_random_directions_form_no_cluster(rng):
    # The largest of 1225 cosines in R^784 is about .13; a cut at .5 lies 14 sd away.
    assert gathering(rng.normal(size=(50, 784))).count == 0


@pytest.mark.parametrize("k", [1, 2, 3])
def test_opposite_pairs_are_counted(k, rng):
    centres = np.eye(100)[:k]
    found = gathering(around(np.concatenate([centres, -centres]), 9, 0.03, rng))
    assert found.count == 2 * k
    assert found.sizes == (9,) * (2 * k)
    cosines = np.abs(found.centres @ centres.T).max(axis=1)
    assert cosines.min() > 0.98


def test_length_and_order_do_not_matter(rng):
    w = around(np.array([[1.0, 0, 0], [0, 1.0, 0]]), 5, 0.05, rng)
    order = rng.permutation(10)
    found, again = gathering(w), gathering(7 * w[order])
    assert found.count == again.count == 2
    same = found.labels[order][:, None] == found.labels[order]
    np.testing.assert_array_equal(again.labels[:, None] == again.labels, same)


def test_a_group_below_a_tenth_is_no_cluster(rng):
    w = np.concatenate(
        [around(np.eye(50)[:1], 95, 0.02, rng), around(np.eye(50)[1:2], 5, 0.02, rng)]
    )
    found = gathering(w)
    assert found.sizes == (95,)
    assert (found.labels[95:] == -1).all()
    assert found.share == 0.95


def test_neurons_without_direction_are_in_none():
    assert gathering(np.zeros((4, 3))).count == 0
    assert gathering(np.array([[0.0, 0.0], [1.0, 2.0]])).labels.tolist() == [-1, 0]
