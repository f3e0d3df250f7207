"""Figures of sweeps: what stands at their axes."""

import pytest

from featlearn.experiments.sweep import Point
from featlearn.figures.sweep import MOST_TICKS, curves


def axis(values):
    points = [Point(identity="my.x", hash=None, config={"d": d}, status="computed") for d in values]
    return curves(points, x="d", quantity="loss").panels[0].x


def test_a_few_swept_values_stand_at_a_logarithmic_axis():
    found = axis([50, 100, 200, 400, 800])
    assert found.scale == "log"
    assert [label for _, label in found.ticks] == ["50", "100", "200", "400", "800"]
    assert [label for _, label in axis([0.01, 0.1, 1.0]).ticks] == ["0.01", "0.1", "1"]


@pytest.mark.parametrize("values", [[2**i for i in range(MOST_TICKS + 1)], [10, 20, 30], [0, 50]])
def test_many_values_and_linear_axes_have_the_ticks_of_matplotlib(values):
    assert axis(values).ticks == ()
