"""When something first happened."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from featlearn.measurements import crossing, first_step


@given(holds=arrays(bool, st.tuples(st.integers(1, 5), st.integers(1, 8))))
def test_the_first_step_is_that_of_a_plain_loop_and_nan_if_there_is_none(holds):
    steps = np.cumsum(np.arange(holds.shape[1]) + 1)
    expected = [
        next((float(t) for t, yes in zip(steps, row, strict=True) if yes), np.nan) for row in holds
    ]
    np.testing.assert_array_equal(first_step(holds, steps), expected)


def test_a_crossing_is_where_the_last_of_the_conditions_is_met():
    at = np.array([0, 10, 20])
    rising = np.array([[0.0, 0.4, 1.0], [1.0, 1.0, 1.0], [0.0, 0.0, 0.1]])
    falling = np.array([[4.0, 2.0, 1.0], [0.0, 5.0, 5.0], [0.0, 0.0, 0.0]])
    # Seed 0: rising meets .5 at 10 + 10/6, falling meets 1.5 at 15. Seed 1: at once. Seed 2: never.
    found = crossing(at, [(rising, 0.5, ">="), (falling, 1.5, "<=")])
    np.testing.assert_allclose(found, [15.0, 0.0, np.nan])
    alone = crossing(at, [(rising, 0.5, ">=")])
    np.testing.assert_allclose(alone, [10 + 10 / 6, 0.0, np.nan])


def test_a_level_that_is_met_exactly_is_met_there():
    np.testing.assert_array_equal(
        crossing(np.array([0, 4]), [(np.array([[0.0, 1.0]]), 1.0, ">=")]), [4.0]
    )


def test_a_jump_from_infinity_is_told_at_the_record():
    values = np.array([[np.inf, 1.0]])
    np.testing.assert_array_equal(crossing(np.array([0, 4]), [(values, 2.0, "<=")]), [4.0])
