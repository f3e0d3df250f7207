"""The stories of papers on common axes, and how a story is kept."""

import json

import numpy as np
import pytest

from featlearn._check import InputError
from featlearn.figures.on_page import draw
from featlearn.figures.story import REACH, SignalHistory, compare, from_document, to_document

STORY = SignalHistory(
    feature="w along μ",
    clock="two steps",
    unit=2.0,
    steps=np.array([0.0, 2.0, 4.0, 20.0]),
    share=np.array([[0.0, 0.1, 0.2], [0.5, 0.5, 0.6], [1.0, 0.9, 0.8], [0.0, 0.0, 0.0]]),
)


def test_a_story_is_kept_whole():
    again = from_document(json.loads(json.dumps(to_document(STORY))))
    assert to_document(again) == to_document(STORY)
    np.testing.assert_array_equal(again.share, STORY.share)


def test_every_paper_has_a_panel_with_the_axes_of_the_others():
    figure = compare({"one": STORY, "other": STORY}, "featlearn reproduce")
    assert [panel.title for panel in figure.panels] == ["one", "other"]
    assert len({(panel.x, panel.y) for panel in figure.panels}) == 1
    assert "one: w along μ, T = two steps" in figure.caption


def test_time_is_in_units_of_the_paper_and_ends_where_the_axis_does():
    every, median, _ = compare({"one": STORY}).panels[0].series
    assert median.x[median.x <= REACH].tolist() == [0.0, 1.0, 2.0]
    assert (median.x > REACH).sum() == 1, "the line leads on to the first record beyond"
    assert median.y[:3].tolist() == [0.1, 0.5, 0.9]
    assert every.y[:3].tolist() == [0.0, 0.5, 1.0]


def test_neurons_are_lifted_apart_and_no_point_counts_as_missing():
    every, *_ = compare({"one": STORY}).panels[0].series
    gaps = np.isnan(every.x)
    assert gaps.sum() == STORY.share.shape[1] - 1
    np.testing.assert_array_equal(gaps, np.isnan(every.y))


def test_a_story_needs_a_unit_and_a_row_a_step():
    with pytest.raises(
        InputError, match=r"SignalHistory\(unit\): expected a positive number of steps"
    ):
        SignalHistory(feature="", clock="", unit=0.0, steps=STORY.steps, share=STORY.share)
    with pytest.raises(InputError, match="expected a row of shares a step, got 4 rows, 3 steps"):
        SignalHistory(feature="", clock="", unit=1.0, steps=STORY.steps[:3], share=STORY.share)


def test_few_records_are_marked_and_many_are_not():
    many = SignalHistory(
        feature="", clock="", unit=1.0, steps=np.linspace(0, 3, 40), share=np.ones((40, 2))
    )
    few, all_of_them = compare({"few": STORY, "many": many}).panels
    assert [each.kind for each in few.series] == ["line", "line", "points"]
    assert [each.kind for each in all_of_them.series] == ["line", "line"]


def test_the_page_shows_every_record_of_every_neuron():
    share = np.random.default_rng(0).random((100, 200))
    steps = np.linspace(0, 3, 100)
    told = SignalHistory(feature="", clock="", unit=1.0, steps=steps, share=share)
    (drawing,) = draw(compare({"many": told}))
    assert len(drawing["data"][0]["y"]) == share.size + 199
