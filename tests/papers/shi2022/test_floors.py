"""The floors of fixed features: what the paper prints, and the average over its class."""

from featlearn.papers.shi2022.floors import average_floor, printed_floor


def test_the_printed_floor_is_the_weaker_one_at_table_1():
    assert printed_floor(0.5, 600, 1.0, 5) < 0 < average_floor(0.5, 600, 300.0, 5, 100)
    assert printed_floor(0.5, 600, 0.92, 5) > 0
