"""The rule of figures 20 and 21: planted groups are found, and numbers are those of the vectors."""

import numpy as np
import pytest

from featlearn.measurements.opposite_groups import (
    between_centres,
    cosines_of,
    nearest_to_centre,
    opposite_groups,
    to_centre,
)


@pytest.fixture
def planted(rng):
    """100 filters: 10 near +u, 10 near -u but looser, the rest noise."""
    u = rng.normal(size=60)
    u *= 60**0.5 / np.linalg.norm(u)
    w = rng.normal(size=(100, 60))
    w[:10] = u + 0.5 * rng.normal(size=(10, 60))
    w[10:20] = -u + 0.8 * rng.normal(size=(10, 60))
    return w


def test_planted_groups_are_found_whole(planted):
    found = opposite_groups(cosines_of(planted))
    assert found.green.tolist() == list(range(10))
    assert found.red.tolist() == list(range(10, 20))


def test_the_numbers_are_those_of_the_vectors_themselves(planted):
    G = cosines_of(planted)
    found = opposite_groups(G)
    unit = planted / np.linalg.norm(planted, axis=1, keepdims=True)
    green, red = (unit[each].mean(axis=0) for each in (found.green, found.red))

    def cosine(a, b):
        return a @ b / np.linalg.norm(a) / np.linalg.norm(b)

    each = [cosine(unit[i], green) for i in found.green]
    np.testing.assert_allclose(to_centre(G, found.green), each)
    assert between_centres(G, found) == pytest.approx(cosine(green, red))
    assert nearest_to_centre(G, found.green) == found.green[int(np.argmax(each))]


def test_it_does_not_matter_how_long_the_filters_are_nor_which_end_is_which(planted, rng):
    found = opposite_groups(cosines_of(planted))
    turned = opposite_groups(cosines_of(-planted * rng.uniform(1, 9, size=(100, 1))))
    assert (turned.green.tolist(), turned.red.tolist()) == (
        found.green.tolist(),
        found.red.tolist(),
    )


def test_a_filter_of_zeros_has_no_direction():
    G = cosines_of(np.array([[1.0, 0], [0, 0], [-2, 0]]))
    np.testing.assert_array_equal(G, [[1, 0, -1], [0, 0, 0], [-1, 0, 1]])
