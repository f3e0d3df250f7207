"""A figure as a record: what it refuses, and what it gives back."""

import re

import numpy as np
import pytest

from featlearn.figures.record import Axis, Figure, Frame, Panel, Series

X = np.array([0.0, 1.0, 2.0])


def series(name: str = "ours", **changes) -> Series:
    return Series(**{"name": name, "x": X, "y": X**2, **changes})


def panel(**changes) -> Panel:
    return Panel(**{"x": Axis(label="t"), "y": Axis(label="loss"), **changes})


def figure(*panels: Panel) -> Figure:
    return Figure(id="toy", title="", caption="", panels=panels)


def test_a_curve_is_laid_over_one_panel_and_the_figure_itself_stays():
    before = figure(panel(series=(series(),)), panel())
    after = before.overlay(series("mine", role="own"), panel=1)
    assert [[s.name for s in p.series] for p in after.panels] == [["ours"], ["mine"]]
    assert [len(p.series) for p in before.panels] == [1, 0]


def test_the_rows_are_all_points_of_all_panels_and_frames():
    frames = (Frame(label="0", series=(series("moving"),)),)
    rows = figure(panel(series=(series(low=X, high=X + 9),)), panel(frames=frames)).rows()
    assert [(r["panel"], r["frame"], r["series"], r["x"], r["y"]) for r in rows] == [
        ("0", "", "ours", 0, 0),
        ("0", "", "ours", 1, 1),
        ("0", "", "ours", 2, 4),
        ("1", "0", "moving", 0, 0),
        ("1", "0", "moving", 1, 1),
        ("1", "0", "moving", 2, 4),
    ]
    assert [(r["low"], r["high"]) for r in rows[:4]] == [(0, 9), (1, 10), (2, 11), (None, None)]


@pytest.mark.parametrize(
    ("stills", "shown"), [((), ["0", "2", "4"]), ((1, 4, 1), ["1", "4"])], ids=["usual", "chosen"]
)
def test_a_few_frames_stand_on_paper(stills, shown):
    frames = tuple(Frame(label=str(t), series=(series(),)) for t in range(5))
    assert [frame.label for frame in panel(frames=frames, stills=stills).on_paper] == shown


def test_one_or_two_frames_are_all_shown():
    for n in (0, 1, 2):
        frames = tuple(Frame(label=str(t), series=()) for t in range(n))
        assert len(panel(frames=frames).on_paper) == n


def test_sliders_that_disagree_are_refused():
    one = panel(frames=(Frame(label="0", series=()),))
    other = panel(frames=(Frame(label="1", series=()),))
    message = (
        "Figure(toy): expected the same frames in every panel that has any, got 2 lists of "
        "frames. One slider moves them all."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        figure(one, other)
    assert figure(one, panel(), one).frames == ("0",)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"y": X[:2]}, "Series(x, y, low, high): expected equally many points, got [3, 2]."),
        ({"low": X}, "Series(low, high): expected both or none, got one."),
    ],
)
def test_a_series_that_cannot_be_drawn_is_refused(changes, message):
    # Under pytest jaxtyping notices unequal shapes first; other runs have only our own check.
    with pytest.raises(Exception, match=rf"{re.escape(message)}|Type-check"):
        series(**changes)


def test_an_unknown_role_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match=r"^Series\(role\): expected one of 'plain', 'own', "):
        series(role="sginal")
