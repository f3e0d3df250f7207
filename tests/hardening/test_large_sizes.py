"""Long records, wide and deep sweeps: they end, in bounded memory, and their pages stay small."""

import itertools
import json
import os
import resource
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from featlearn._check import InputError
from featlearn._config import fields
from featlearn.experiments import sweep as sweeping
from featlearn.experiments.grid import MAX_POINTS, configurations, parse_over
from featlearn.experiments.run import run
from featlearn.experiments.sweep import Point
from featlearn.figures.on_page import draw
from featlearn.figures.record import Axis, Figure, Frame, Panel, Series
from featlearn.figures.thin import MOST as MOST_POINTS
from featlearn.figures.thin import thin
from featlearn.papers.glasgow2023.xor import XOR, Xor
from featlearn.report.drawn import script_json
from featlearn.reproduction.sweep import Sweep, sweep
from featlearn.results.codec import load
from featlearn.theory import Statement, identity

TINY: dict[str, Any] = {"d": 5, "width": 4, "test": 20}
MEGABYTE = 2**20


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Nothing that takes time."""

    k: int = 1
    a: bool = False
    b: bool = False
    c: bool = False
    name: str = "x"


CLAIM = Statement(
    id="my.claim",
    title="k is positive",
    config=Sizes(),
    evidence=lambda sizes, seeds: identity("k", float(sizes.k), float(sizes.k), tolerance=0.1),
    seeds=1,
)


# Long records.

LINE = Series(name="loss", x=np.arange(10_000.0), y=np.sin(np.arange(10_000.0)))


def page_size(*series: Series) -> int:
    """Bytes of a figure in the page."""
    panel = Panel(x=Axis(label="step"), y=Axis(label="loss"), series=series)
    return len(script_json(draw(Figure(id="f", title="", caption="", panels=(panel,)))))


def test_ten_thousand_records_of_many_neurons_stay_small_on_the_page():
    noisy = replace(LINE, low=LINE.y - 1, high=LINE.y + 1)
    assert page_size(*[LINE] * 100) < 4 * MEGABYTE
    assert page_size(noisy) < 6 * page_size(LINE)


def test_a_thinned_curve_keeps_peaks_gaps_and_ends():
    y = LINE.y.copy()
    y[1234], y[8765], y[4000:4003] = 50.0, -50.0, np.nan
    curve = thin(replace(LINE, y=y, low=y - 1, high=y + 1))
    assert len(curve.x) <= MOST_POINTS
    assert (curve.x[0], curve.x[-1]) == (0.0, 9999.0)
    assert (np.nanmax(curve.y), np.nanmin(curve.y)) == (50.0, -50.0)
    assert np.isnan(curve.y).any()
    places = curve.x.astype(int)
    assert (np.diff(places) > 0).all()
    np.testing.assert_array_equal(curve.y, y[places])
    np.testing.assert_array_equal(curve.low, y[places] - 1)


def test_what_is_short_or_has_no_line_is_drawn_whole():
    short = replace(LINE, x=LINE.x[:MOST_POINTS], y=LINE.y[:MOST_POINTS])
    assert thin(short) is short
    cloud = replace(LINE, kind="points")
    assert thin(cloud) is cloud


def test_frames_are_thinned_too():
    frames = (Frame(label="0", series=(LINE,)),)
    panel = Panel(x=Axis(label="x"), y=Axis(label="y"), frames=frames)
    (drawn,) = draw(Figure(id="f", title="", caption="", panels=(panel,)))
    assert len(drawn["frames"][0]["data"][0]["x"]) <= MOST_POINTS


def test_every_step_can_be_recorded(tmp_path):
    result = run(XOR, seeds=1, out=tmp_path, steps=300, records=300, **TINY)
    steps = result.dataset["step"].values
    assert len(steps) > 100
    assert (np.diff(steps) > 0).all()
    stored = sum(file.stat().st_size for file in tmp_path.rglob("*") if file.is_file())
    assert stored < len(steps) * 2000 + 100_000


@pytest.mark.slow
def test_ten_thousand_recorded_steps_fit_into_little_memory(tmp_path):
    program = f"""
from featlearn.experiments.run import run
from featlearn.experiments.sweep import Point
from featlearn.papers.glasgow2023.xor import XOR
import resource
tiny = {TINY!r}
run(XOR, seeds=1, out="store", steps=50, records=20, **tiny)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
found = run(XOR, seeds=1, out="store", steps=100_000, records=60_000, **tiny)
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(found.dataset.sizes["step"], (after - before) >> 10)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    steps, megabytes = map(int, done.stdout.split())
    assert steps >= 10_000
    assert megabytes < 400


# Wide and deep sweeps.


@pytest.mark.slow
def test_a_wide_sweep_holds_no_more_than_it_works_on(tmp_path, monkeypatch):
    """Locks, which are open files, are given up as the points are written."""
    open_files = []
    written = sweeping._ended

    def counting(*words):
        open_files.append(len(list(Path("/proc/self/fd").iterdir())))
        return written(*words)

    if not Path("/proc/self/fd").is_dir():
        pytest.skip("needs /proc")
    monkeypatch.setattr(sweeping, "_ended", counting)
    shares: list[float] = []
    result = sweep(CLAIM, over={"k": range(1, 101)}, out=tmp_path, watch=shares.append)
    assert result.counts == {"computed": 100, "read": 0, "adopted": 0, "failed": 0}
    assert max(open_files) - open_files[0] <= 8
    assert shares == sorted(shares)
    assert result.path is not None
    assert len(load(result.path / "value" / "data.npz")["points"]) == 100
    assert len(result.csv().splitlines()) == 101
    assert sweep(CLAIM, over={"k": range(1, 101)}, out=tmp_path).counts["read"] == 100


@pytest.mark.slow
def test_two_thousand_points_fit_into_little_memory(tmp_path):
    """One program is compiled for all; what grows is the table alone."""
    over = f"eta=0.001..1:{{}} --steps 4 --records 2 --seeds 1 --out {tmp_path}/"
    words = "sweep glasgow2023.xor --d 5 --width 4 --test 20 --json --over"
    peaks = []
    for points in (20, 2000):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        command = [sys.executable, "-m", "featlearn.cli.main", *words.split()]
        done = subprocess.run(
            [*command, *f"{over.format(points)}{points}".split()],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "JAX_COMPILATION_CACHE_DIR": str(tmp_path / "xla")},
        )
        assert done.returncode == 0, done.stderr
        rows = json.loads(done.stdout)["rows"]
        assert [row["status"] for row in rows] == ["computed"] * points
        peaks.append(max(before, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
    assert (peaks[1] - peaks[0]) >> 10 < 200


def test_a_sweep_over_all_knobs_at_once_is_a_row_a_combination(tmp_path):
    over: dict[str, Any] = {
        "k": [1, 2],
        "a": [False, True],
        "b": [False, True],
        "c": [False, True],
        "name": ["x"],
    }
    result = sweep(CLAIM, over=over, out=tmp_path)
    assert result.counts["computed"] == 16
    assert len({point.hash for point in result.points}) == 16
    with pytest.raises(InputError, match=r"^figure: expected one or two swept fields, got 5"):
        result.figure()


def test_every_field_of_an_experiment_can_be_an_axis():
    own = fields(Xor())
    points = configurations(Xor(), {name: [value] for name, value in own.items()}, "xor")
    assert len(points) == 1
    assert points[0][1] == Xor()


def swept(**over: list[Any]) -> Sweep:
    """The rows of a sweep, made up."""
    made = itertools.product(*over.values())
    points = tuple(
        Point(
            identity="my.own",
            hash=str(place),
            config=dict(zip(over, values, strict=True)),
            status="computed",
            values={"summary": {"loss": [float(place)]}},
        )
        for place, values in enumerate(made)
    )
    grid = {name: tuple(values) for name, values in over.items()}
    path = Path("x.json")
    return Sweep(
        identity="my.own", grid=grid, seeds=(0,), points=points, of_statement=False, path=path
    )


def test_the_figure_of_a_deep_sweep_has_a_curve_a_combination():
    panel = swept(eta=[0.1, 0.2], turned=[False, True], noise=["b", "a"]).figure().panels[0]
    assert [series.y.tolist() for series in panel.series] == [[0, 4], [1, 5], [2, 6], [3, 7]]
    assert panel.series[1].name == "turned = False, noise = a"


def test_texts_and_nothing_at_all_can_stand_along_the_axis():
    panel = swept(noise=["b", "a"], eta=[0.1]).figure().panels[0]
    assert [text for _, text in panel.x.ticks] == ["b", "a"]
    assert panel.series[0].x.tolist() == [0.0, 1.0]
    panel = swept(batch=[5, None]).figure().panels[0]
    assert [text for _, text in panel.x.ticks] == ["5", ""]


def test_a_grid_beyond_all_bounds_is_refused_before_it_is_made():
    over = {name: list(range(1, 11)) for name in ("d", "width", "steps", "records", "test", "eta")}
    with pytest.raises(InputError) as told:
        configurations(Xor(), over, "glasgow2023.xor")
    assert str(told.value) == (
        f"glasgow2023.xor: expected at most {MAX_POINTS} points, got 1000000. "
        "Sweep fewer values at once."
    )
    with pytest.raises(InputError, match=f"expected at most {MAX_POINTS} values, got 1000000000"):
        parse_over(["eta=0.1..1:1000000000"], [Xor()])
