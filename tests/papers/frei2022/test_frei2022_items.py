"""The items of Frei et al. at toy size: what rows and figures say, and that they can differ."""

from dataclasses import replace

import numpy as np
import pytest

from featlearn.experiments.lab import Lab
from featlearn.papers.frei2022.items import (
    amplification,
    figure_1,
    figure_2,
    first_step,
    second_look,
)
from featlearn.papers.frei2022.setting import (
    BOTH,
    CLUSTERS,
    HIGH,
    LOW,
    MORE,
    PLANE,
    XorClusters,
)
from featlearn.reproduction.item import Context

FULL, QUICK = Context(size="full", lab=Lab()), Context(size="quick", lab=Lab())
TOY = XorClusters(d=60, samples=80, width=20, test=50)


def smaller(named, **changes):
    return replace(named, config=replace(named.config, **changes))


def test_figure_1_counts_every_point_and_draws_both_sides(monkeypatch):
    monkeypatch.setattr(figure_1, "PLANE", smaller(PLANE, samples=300, width=40, steps=60, test=50))
    outcome = figure_1.reproduce(QUICK)
    assert [row.status for row in outcome.rows] == ["agrees", "agrees", "no claim"]
    assert [row.measured for row in outcome.rows[:2]] == [100, 100]
    panel = outcome.figures[0].panels[0]
    assert panel.raster is not None
    # Blue, the low end, is the side of +1: at mu_1 = (1, 0) the field is negative.
    column, row = np.abs(panel.raster.x - 1).argmin(), np.abs(panel.raster.y).argmin()
    assert panel.raster.z[row, column] < 0 < panel.raster.z[column, row]
    assert {series.name for series in panel.series} == {"label +1", "label −1"}
    assert "outside the scope of theorem 1" in outcome.notes[0]


def test_figure_1_says_where_it_differs(monkeypatch):
    """After one step of a large start nothing is learned yet."""
    one = smaller(PLANE, samples=300, width=40, steps=1, omega=10.0, eta=1e-6, test=50)
    monkeypatch.setattr(figure_1, "PLANE", one)
    outcome = figure_1.reproduce(QUICK)
    assert [row.status for row in outcome.rows[:2]] == ["differs", "differs"]


def test_figure_2_has_two_panels_with_a_ceiling_each(monkeypatch):
    monkeypatch.setattr(
        figure_2, "LOW", smaller(LOW, d=4, samples=40, width=20, steps=30, records=6, test=200)
    )
    monkeypatch.setattr(
        figure_2, "HIGH", smaller(HIGH, d=60, samples=20, width=20, steps=30, records=6, test=200)
    )
    outcome = figure_2.reproduce(FULL)
    assert [row.quantity[:6] for row in outcome.rows] == ["n >> d"] * 2 + ["d >> n"] * 2
    assert outcome.rows[0].recipe == "n=40, d=4, 30 steps"
    # Thirty steps overfit nothing: the rows must say so.
    assert [row.status for row in outcome.rows[:3:2]] == ["differs", "differs"]
    for panel in outcome.figures[0].panels:
        assert [series.name for series in panel.series] == ["training", "validation"]
        assert [mark.label for mark in panel.marks] == ["ceiling"]
        assert panel.x.scale == "log"


def test_correlations_are_those_with_the_centres_of_ones_own_label(monkeypatch):
    monkeypatch.setattr(amplification, "CLUSTERS", replace(CLUSTERS, config=TOY))
    outcome = amplification.reproduce(QUICK)
    assert [row.status for row in outcome.rows][1:] == ["agrees", "agrees"]
    panels = outcome.figures[0].panels
    assert [panel.title for panel in panels] == ["t = 0", "t = 1", "t = 3"]
    for panel in panels:
        assert sum(series.y.sum() for series in panel.series) == pytest.approx(1)
        assert panel.marks[0].at == pytest.approx(60**-0.5)
    near = [sum(s.y[abs(s.x) < 0.4].sum() for s in panel.series) for panel in panels]
    assert near[0] > 0.9 > 0.3 > near[1]


@pytest.mark.slow
def test_the_first_step_takes_the_slope_from_minus_one_half_to_zero(monkeypatch):
    monkeypatch.setattr(first_step, "CLUSTERS", replace(CLUSTERS, config=TOY))
    monkeypatch.setattr(first_step, "DIMENSIONS", {"quick": (50, 800)})
    before, after = first_step.reproduce(QUICK).rows
    assert before.measured == pytest.approx(-0.5, abs=0.06)
    assert after.measured == pytest.approx(0.0, abs=0.06)
    assert (before.paper, after.paper) == (-0.5, 0.0)


def test_slopes_are_those_of_a_power():
    d = np.array([10.0, 100.0, 1000.0])
    assert first_step.slopes(d, np.stack([d**-0.5, 3 * d**2], axis=1)) == pytest.approx([-0.5, 2])


@pytest.mark.slow
def test_the_second_look_speaks_for_the_paper_only_where_it_spoke(monkeypatch):
    chosen = {
        "cube noise": replace(CLUSTERS, config=replace(TOY, noise="cube")),
        "both layers trained": BOTH,
        "eight clusters": MORE,
    }
    small = {
        name: replace(named, config=replace(TOY, **_own(named))) for name, named in chosen.items()
    }
    monkeypatch.setattr(second_look, "variants", lambda: small)
    rows = second_look.reproduce(QUICK).rows
    assert len(rows) == 9
    outcomes = {row.recipe: row.status for row in rows}
    assert outcomes["both layers trained"] == outcomes["eight clusters"] == "no claim"
    assert {row.status for row in rows if row.recipe == "cube noise"} <= {"agrees", "differs"}


def _own(named):
    config = named.config
    return {"noise": config.noise, "trained": config.trained, "k": config.k}
