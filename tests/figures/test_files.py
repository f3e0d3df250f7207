"""Figures on disk: what is written can be drawn again, and read by others."""

import csv
import json

import numpy as np

from featlearn.figures.files import from_document, to_document, write
from featlearn.figures.record import Axis, Figure, Frame, Mark, Panel, Raster, Series

X = np.array([0.0, 1.0, 2.0])
MISSING = np.array([1.0, np.nan, 1 / 3])
FIGURE = Figure(
    id="toy",
    title="A toy",
    caption="All parts.",
    command="featlearn reproduce toy",
    panels=(
        Panel(
            x=Axis(label="t", limits=(0.0, 2.0), ticks=((1.0, "one"),)),
            y=Axis(label="y", scale="log"),
            series=(Series(name="a, b", x=X, y=MISSING, low=X, high=X + 1, role="own"),),
            marks=(Mark(label="m", at=1.0, until=2.0),),
            title="left",
        ),
        Panel(
            x=Axis(label="t"),
            y=Axis(label="y"),
            raster=Raster(x=X, y=X[:2], z=np.eye(3)[:2], role="verdicts", labels=("no", "yes")),
            frames=(Frame(label="0", series=(Series(name="f", x=X, y=X),), reach=1.5),),
            stills=(0,),
            equal=True,
        ),
    ),
)


def test_what_is_written_can_be_read_again():
    document = json.loads(json.dumps(to_document(FIGURE), allow_nan=False))
    again = from_document(document)
    assert to_document(again) == document
    assert again.panels[0].x == FIGURE.panels[0].x
    assert again.panels[0].marks == FIGURE.panels[0].marks
    np.testing.assert_allclose(again.panels[0].series[0].y, MISSING, rtol=1e-7)
    assert again.panels[1].raster is not None
    np.testing.assert_array_equal(again.panels[1].raster.z, np.eye(3)[:2])
    assert again.frames == ("0",)


def test_files_for_print_and_the_numbers_behind_them(tmp_path):
    written = write(FIGURE, tmp_path / "deep" / "figures")
    names = ["toy.pdf", "toy.svg", "toy-page.pdf", "toy-page.svg", "toy.csv"]
    assert [file.name for file in written] == names
    assert written[0].read_bytes().startswith(b"%PDF")
    rows = list(csv.DictReader(written[-1].read_text().splitlines()))
    assert [row["panel"] for row in rows] == ["left"] * 3 + ["1"] * 3
    assert rows[0] == {
        "panel": "left",
        "frame": "",
        "series": "a, b",
        "x": "0",
        "y": "1",
        "low": "0",
        "high": "1",
    }
    assert [row["y"] for row in rows[:3]] == ["1", "", "0.333333333"]
