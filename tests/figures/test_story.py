"""The stories of papers on common axes, and how a story is kept."""

import json

import numpy as np
import pytest

from featlearn._check import InputError
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
    every, median = compare({"one": STORY}).panels[0].series
    assert median.x.tolist() == [0.0, 1.0, 2.0]
    assert median.x.max() <= REACH
    assert median.y.tolist() == [0.1, 0.5, 0.9]
    assert every.y[:3].tolist() == [0.0, 0.5, 1.0]


def test_neurons_are_lifted_apart_and_no_point_counts_as_missing():
    every, _ = compare({"one": STORY}).panels[0].series
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
