"""The figure of a judgement: every part a point, in units of its claim."""

import dataclasses
import math

import numpy as np
import pytest

from featlearn.figures.judged import ROLE, judged
from featlearn.figures.on_paper import save
from featlearn.theory import Judgement, Kind, Part, Reading, ReadingVerdict, Verdict, trend

HOLDS, FAILS = Verdict.HOLDS, Verdict.FAILS


def part(measured, predicted, verdict=HOLDS, relation="<=", ci=None):
    return Part(
        name="p",
        relation=relation,
        measured=measured,
        predicted=predicted,
        verdict=verdict,
        ci=ci,
    )


def judgement(*parts, trends=()):
    return Judgement(
        id="my.claim",
        kind=Kind.BOUND,
        verdict=HOLDS,
        reason="All parts hold.",
        config={},
        seeds=3,
        reading=Reading.PRINTED,
        readings=(
            ReadingVerdict(reading=Reading.PRINTED, verdict=HOLDS, reason="All parts hold."),
        ),
        parts=parts,
        constants={},
        trends=trends,
    )


def test_a_part_is_drawn_over_its_prediction_in_the_colour_of_its_verdict():
    drawn = judged(judgement(part(1.0, 2.0, ci=(0.5, 3.0)), part(6.0, 2.0, FAILS)))
    panel = drawn.panels[0]
    assert [(s.role, s.y.tolist()) for s in panel.series] == [("holds", [0.5]), ("fails", [3.0])]
    assert panel.series[0].low is not None
    assert panel.series[0].high is not None
    assert (panel.series[0].low[0], panel.series[0].high[0]) == (0.25, 1.5)
    assert [mark.at for mark in panel.marks] == [1.0]
    assert panel.x.ticks == ((1.0, "1 ≤"), (2.0, "2 ≤"))


def test_a_negative_prediction_keeps_the_ends_in_order():
    series = judged(judgement(part(-2.0, -1.0, ci=(-3.0, -1.0)))).panels[0].series[0]
    assert series.low is not None
    assert series.high is not None
    assert (series.low[0], series.y[0], series.high[0]) == (1.0, 2.0, 3.0)


def test_what_is_compared_with_zero_or_nothing_has_a_panel_of_its_own():
    drawn = judged(judgement(part(1.0, 2.0), part(-0.1, 0.0), part(3.0, None, None)))
    assert [panel.y.label for panel in drawn.panels] == ["measured / predicted", "measured"]
    assert [mark.at for mark in drawn.panels[1].marks] == [0.0]
    assert {s.role for s in drawn.panels[1].series} == {"holds", "reference"}


def test_a_part_without_a_number_is_left_out_and_still_named():
    drawn = judged(judgement(part(None, 1.0), part(math.nan, 1.0)))
    assert drawn.panels == ()
    assert "1: p; 2: p" in drawn.caption


def test_quotients_of_very_different_size_have_a_logarithmic_axis():
    assert judged(judgement(part(1.0, 1.0), part(1e-4, 1.0))).panels[0].y.scale == "log"
    assert judged(judgement(part(1.0, 1.0), part(-1e-4, 1.0))).panels[0].y.scale == "linear"


def test_a_trend_is_a_panel_with_its_claim():
    values = np.array([[1.0, 3.0], [2.0, 2.0]])
    found = trend("T", "d", [2, 4], values, [3, 3], logarithmic=True)
    panel = judged(judgement(part(1.0, 2.0), trends=(found,))).panels[0]
    assert [s.name for s in panel.series] == ["measured", "claimed: at most"]
    assert (panel.x.label, panel.x.scale, panel.series[0].y.tolist()) == ("d", "log", [2.0, 2.0])


def test_every_verdict_has_a_role_and_only_one_of_them_is_that_of_success():
    assert set(ROLE) == {*Verdict, None}
    assert [verdict for verdict, role in ROLE.items() if role == "holds"] == [HOLDS]


def test_the_worst_instance_may_lie_outside_the_interval_of_the_mean(tmp_path):
    worst = part(5.0, 1.0, ci=(1.0, 2.0))
    save(judged(judgement(worst)), tmp_path / "one.svg")
    assert (tmp_path / "one.svg").exists()


@pytest.mark.parametrize("title", ["", "A title"])
def test_the_figure_says_what_makes_it(title):
    drawn = judged(dataclasses.replace(judgement(part(1.0, 2.0)), id="my.claim"), title)
    assert (drawn.id, drawn.title) == ("claim", title or "my.claim")
    assert drawn.command == "featlearn check my.claim"
