"""Both renderers show what the record says: the same series, marks, bands and missing points."""

import json
from typing import Any

import matplotlib as mpl
import numpy as np
import plotly.graph_objects as go
import pytest
from matplotlib.text import Text

from featlearn.figures import on_page, on_paper
from featlearn.figures.record import Axis, Figure, Frame, Mark, Panel, Raster, Series
from featlearn.figures.style import COLUMN, DARK, LIGHT, PAGE, PAGE_THEME

NAN = np.nan
X = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
Y = np.array([1.0, 2.0, NAN, 4.0, NAN, 6.0])
"""Two points that are joined, a lonely one between gaps, and a last one that is lonely too."""

LINE = Series(name="w_{sig}", x=X, y=Y, low=Y - 0.5, high=Y + 0.5, role="signal")
STEPS = Series(name="floor", x=X, y=X, low=X - 1, high=X + 1, role="floor", kind="steps")
POINTS = Series(name="runs", x=X, y=X + 1, low=X, high=X + 2, role="ntk", kind="points")
BARS = Series(name="share", x=X, y=X, role="plain", kind="bars")
MARKS = (
    Mark(label="phase 1", at=1.0, until=3.0, role="phase-1"),
    Mark(label="chance", at=0.5, axis="y", role="floor"),
)
GRID = Raster(x=X, y=X[:2], z=np.arange(12.0).reshape(2, 6) - 5, role="signed")


def panel(**changes) -> Panel:
    return Panel(**{"x": Axis(label="step t"), "y": Axis(label="norm"), **changes})


def figure(*panels: Panel) -> Figure:
    return Figure(id="toy", title="A toy", caption="All kinds.", panels=panels)


MOVING = panel(
    frames=tuple(
        Frame(
            label=f"step {t}",
            series=(Series(name="a", x=X * t, y=X, role="positive", kind="points"),),
            reach=float(t),
        )
        for t in (1, 2, 3, 4, 5)
    ),
    equal=True,
)
ALL = figure(
    panel(series=(LINE, STEPS), marks=MARKS, title="lines"),
    panel(series=(POINTS, BARS), x=Axis(label="x", ticks=((1.0, "one"), (2.0, "two")))),
    panel(raster=GRID),
    MOVING,
)


Points = tuple[list[Any], list[Any]]


def axes_on_paper(*panels: Panel, width: str = "column") -> list[Any]:
    return list(on_paper.draw(figure(*panels), width).axes)


def paper_series(axes) -> dict[str, Points]:
    """Legend text -> points, of the lines and bars on a pair of axes."""
    handles, labels = axes.get_legend_handles_labels()
    found = {}
    for handle, label in zip(handles, labels, strict=True):
        if hasattr(handle, "get_xdata"):
            found[label] = (list(handle.get_xdata()), list(handle.get_ydata()))
        else:
            found[label] = (
                [bar.get_x() + bar.get_width() / 2 for bar in handle],
                [bar.get_height() for bar in handle],
            )
    return found


def page_series(drawing) -> dict[str, Points]:
    """Group -> points, of the traces that a legend names."""
    return {
        trace["legendgroup"]: (trace["x"], trace["y"])
        for trace in drawing["data"]
        if trace.get("showlegend")
    }


def test_both_show_the_same_points_under_the_same_names():
    sheet, drawings = on_paper.draw(ALL, "page"), on_page.draw(ALL)
    for place, shown in ((0, (LINE, STEPS)), (1, (POINTS, BARS))):
        on_sheet, on_screen = paper_series(sheet.axes[place]), page_series(drawings[place])
        assert list(on_screen) == [each.name for each in shown]
        for each, points in zip(shown, on_sheet.values(), strict=True):
            np.testing.assert_allclose(points[0], each.x)
            np.testing.assert_allclose(points[1], each.y)
            np.testing.assert_allclose(np.array(on_screen[each.name][0], float), each.x)
            np.testing.assert_allclose(np.array(on_screen[each.name][1], float), each.y)


def test_a_missing_point_is_a_gap_with_a_cross_on_the_axis():
    (axes,) = axes_on_paper(panel(series=(LINE,)))
    (drawing,) = on_page.draw(figure(panel(series=(LINE,))))
    crosses = [line for line in axes.lines if line.get_gid() == on_paper.ABSENT]
    assert [list(line.get_xdata()) for line in crosses] == [[3.0, 5.0]]
    assert [note["x"] for note in drawing["layout"]["annotations"] if note["text"] == "×"] == [3, 5]
    line = next(trace for trace in drawing["data"] if trace.get("showlegend"))
    assert line["y"] == [1, 2, None, 4, None, 6]
    assert "connectgaps" not in line


def test_a_lonely_point_between_gaps_has_a_marker():
    (axes,) = axes_on_paper(panel(series=(LINE,)))
    assert list(axes.lines[0].get_markevery()) == [3, 5]
    line = next(
        t for t in on_page.draw(figure(panel(series=(LINE,))))[0]["data"] if t["showlegend"]
    )
    assert line["marker"]["size"] == [0, 0, 0, 7, 0, 7]


def test_no_band_reaches_across_a_missing_point():
    band = on_page.draw(figure(panel(series=(LINE,))))[0]["data"][0]
    assert band["fill"] == "toself"
    pieces: list[list[tuple[float, float]]] = [[]]
    for point in zip(band["x"], band["y"], strict=True):
        pieces.append([]) if point == (None, None) else pieces[-1].append(point)
    assert [sorted({x for x, _ in piece}) for piece in pieces] == [[1, 2], [4], [6]]
    assert pieces[0] == [(1, 1.5), (2, 2.5), (2, 1.5), (1, 0.5), (1, 1.5)]
    (axes,) = axes_on_paper(panel(series=(LINE,)))
    (fill,) = axes.collections
    # a stretch of a single point encloses no area, and matplotlib keeps it as such
    spans = [sorted({float(x) for x in path.vertices[:, 0]}) for path in fill.get_paths()]
    assert all(3.0 not in span and 5.0 not in span for span in spans)
    assert [1.0, 2.0] in spans


def test_a_band_of_stairs_has_corners_where_its_line_has():
    band = on_page.draw(figure(panel(series=(STEPS,))))[0]["data"][0]
    half = len(band["x"]) // 2
    upper = list(zip(band["x"][:half], band["y"][:half], strict=True))
    assert upper[:4] == [(1, 2), (2, 2), (2, 3), (3, 3)]


def test_marks_stand_where_the_record_says():
    (axes,) = axes_on_paper(panel(series=(STEPS,), marks=MARKS))
    (drawing,) = on_page.draw(figure(panel(series=(STEPS,), marks=MARKS)))
    span, line = drawing["layout"]["shapes"]
    assert (span["type"], span["x0"], span["x1"], span["yref"]) == ("rect", 1, 3, "y domain")
    assert (line["type"], line["y0"], line["y1"], line["xref"]) == ("line", 0.5, 0.5, "x domain")
    assert [note["text"] for note in drawing["layout"]["annotations"]] == ["phase 1", "chance"]
    assert [text.get_text() for text in axes.texts] == ["phase 1", "chance"]
    assert [(p.get_x(), p.get_width()) for p in axes.patches] == [(1.0, 2.0)]


def test_on_a_logarithmic_axis_labels_and_limits_are_where_plotly_wants_them():
    axis = Axis(label="samples", scale="log", limits=(10.0, 1000.0))
    mark = Mark(label="here", at=100.0)
    (drawing,) = on_page.draw(figure(panel(x=axis, series=(POINTS,), marks=(mark,))))
    assert drawing["layout"]["xaxis"]["range"] == [1, 3]
    assert drawing["layout"]["annotations"][0]["x"] == pytest.approx(2)
    assert drawing["layout"]["shapes"][0]["x0"] == 100
    axes = on_paper.draw(figure(panel(x=axis, series=(POINTS,), marks=(mark,)))).axes[0]
    assert (axes.get_xscale(), axes.get_xlim()) == ("log", (10, 1000))


def test_a_slider_moves_the_traces_and_on_paper_there_are_stills():
    (drawing,) = on_page.draw(figure(MOVING))
    assert [frame["name"] for frame in drawing["frames"]] == [f"step {t}" for t in (1, 2, 3, 4, 5)]
    assert drawing["data"] == drawing["frames"][0]["data"]
    assert drawing["frames"][2]["data"][0]["x"] == [3, 6, 9, 12, 15, 18]
    assert [frame["traces"] for frame in drawing["frames"]] == [[0]] * 5
    assert drawing["frames"][1]["layout"]["xaxis"] == {"range": [-2, 2]}
    assert drawing["layout"]["xaxis"]["range"] == [-1, 1]
    axes = on_paper.draw(figure(MOVING), "page").axes
    assert [each.get_title() for each in axes] == ["step 1", "step 3", "step 5"]
    assert [each.get_xlim() for each in axes] == [(-1, 1), (-3, 3), (-5, 5)]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_plotly_takes_every_drawing(theme):
    for drawing in on_page.draw(ALL, theme):
        go.Figure(json.loads(json.dumps(drawing, allow_nan=False)))


def test_colours_left_to_the_page_have_the_same_places():
    def flat(value):
        if isinstance(value, dict):
            return [leaf for each in value.values() for leaf in flat(each)]
        return (
            [leaf for each in value for leaf in flat(each)] if isinstance(value, list) else [value]
        )

    left, done = flat(on_page.draw(ALL, PAGE_THEME)), flat(on_page.draw(ALL, LIGHT))
    differing = {(a, b) for a, b in zip(left, done, strict=True) if a != b}
    assert ("@signal", LIGHT.colour("signal")) in differing
    assert ("@ground", LIGHT.ground) in differing
    assert all(str(a).startswith("@") for a, _ in differing)


def test_a_map_of_categories_has_a_colour_and_a_name_for_each():
    grid = Raster(x=X, y=X[:2], z=np.zeros((2, 6)), role="verdicts", labels=("holds", "fails"))
    (drawing,) = on_page.draw(figure(panel(raster=grid)))
    assert drawing["data"][0]["colorbar"]["ticktext"] == ["holds", "fails"]
    assert [edge for edge, _ in drawing["data"][0]["colorscale"]] == [0, 0.5, 0.5, 1]
    sheet = on_paper.draw(figure(panel(raster=grid)))
    assert [t.get_text() for t in sheet.axes[1].get_yticklabels()] == ["holds", "fails"]


@pytest.mark.parametrize(("width", "inches"), [("column", COLUMN), ("page", PAGE)])
def test_a_figure_is_as_wide_as_a_column_or_a_page(width, inches, tmp_path):
    assert on_paper.draw(ALL, width).get_figwidth() == inches
    on_paper.save(ALL, tmp_path / "toy.svg", width=width)
    head = (tmp_path / "toy.svg").read_text()[:2000]
    assert f'width="{inches * 72:g}pt"' in head


@pytest.mark.parametrize(("panels", "rows"), [(3, 1), (4, 2), (7, 3)])
def test_a_page_has_at_most_three_panels_in_a_row(panels, rows):
    sheet = on_paper.draw(figure(*[panel(series=(POINTS,))] * panels), "page")
    sheet.draw_without_rendering()
    heights = [round(axes.get_position().y0, 2) for axes in sheet.axes]
    assert len(set(heights)) == rows
    assert max(map(heights.count, heights)) <= 3


def test_no_letter_is_smaller_than_six_points():
    sheet = on_paper.draw(ALL, "page")
    sheet.canvas.draw()
    found: list[Any] = sheet.findobj(lambda artist: isinstance(artist, Text))
    texts = [text for text in found if text.get_text()]
    assert min(text.get_fontsize() for text in texts) >= 6


def test_equal_figures_are_equal_files_and_matplotlib_is_left_alone(tmp_path):
    before = dict(mpl.rcParams)
    lines = figure(ALL.panels[0])
    for name in ("one", "two"):
        on_paper.save(lines, *(tmp_path / f"{name}.{ending}" for ending in ("svg", "pdf")))
    for ending in ("svg", "pdf"):
        one, two = (tmp_path / f"{name}.{ending}" for name in ("one", "two"))
        assert one.read_bytes() == two.read_bytes()
    assert dict(mpl.rcParams) == before


def test_an_unknown_width_is_refused():
    message = r"^draw\(width\): expected one of 'column', 'page', got 'poster'\.$"
    with pytest.raises(ValueError, match=message):
        on_paper.draw(ALL, "poster")
