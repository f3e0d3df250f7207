r"""Compare how neurons become features in several papers, on common axes.

    share_j(t) = ||part of w_j along its feature||^2 / ||w_j||^2        in [0, 1], for every neuron
    t / T                       time over the T at which the paper's theorem has features

A paper joins by giving the `SignalHistory` of one of its runs (`Reproduction.story`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float

from featlearn._check import require
from featlearn.figures.record import Axis, Figure, Mark, Panel, Series

REACH = 3.0
"""The time axis ends at so many times T."""
FEW = 15
"""With fewer records than this, each is marked: between them nothing was looked at."""


@dataclass(frozen=True, kw_only=True)
class SignalHistory:
    """The signal share of every neuron at the recorded steps of one run."""

    feature: str
    """What the signal is, in words: "w along ±μ of its own label"."""
    clock: str
    """What T is, in words: "one step"."""
    unit: float
    """T in steps of the run."""
    steps: Float[np.ndarray, " steps"]
    share: Float[np.ndarray, "_ neurons"]

    def __post_init__(self) -> None:
        require(self.unit > 0, "SignalHistory(unit)", "a positive number of steps", self.unit)
        require(
            len(self.steps) == len(self.share),
            "SignalHistory(steps, share)",
            "a row of shares a step",
            f"{len(self.share)} rows, {len(self.steps)} steps",
        )


def to_document(story: SignalHistory) -> dict[str, Any]:
    """Return the history as JSON, with four digits, which are more than a drawing shows."""
    return {
        "feature": story.feature,
        "clock": story.clock,
        "unit": story.unit,
        "steps": [float(step) for step in story.steps],
        "share": [[round(float(v), 4) for v in row] for row in story.share],
    }


def from_document(document: dict[str, Any]) -> SignalHistory:
    """Return the history from which `to_document` made the document."""
    arrays = {name: np.array(document[name], dtype=float) for name in ("steps", "share")}
    return SignalHistory(**{**document, **arrays})


def compare(stories: Mapping[str, SignalHistory], command: str = "") -> Figure:
    """Return a figure with one panel per paper on the same axes: thin lines are neurons, the thick
    one is their median.
    """
    told = "; ".join(
        f"{name}: {story.feature}, T = {story.clock}" for name, story in stories.items()
    )
    return Figure(
        id="stories",
        title="How neurons become features, on common axes",
        caption="Share of every neuron’s squared norm that lies along its feature (thin), and the "
        "median (thick), for one seed; a neuron that is 0 has none. Time in units of each paper’s "
        f"own T. {told}.",
        panels=tuple(_panel(name, story) for name, story in stories.items()),
        command=command,
    )


def _panel(name: str, story: SignalHistory) -> Panel:
    time = story.steps / story.unit
    seen = slice(0, int(np.searchsorted(time, REACH)) + 1)  # to the first record beyond the axis
    x, share = time[seen], story.share[seen]
    joined = _joined(x, share)
    median = np.median(share, axis=1)
    looks = Series(name="records", x=x, y=median, role="signal", kind="points")
    return Panel(
        x=Axis(label="time t/T", limits=(0.0, REACH)),
        y=Axis(label="signal share of a neuron", limits=(0.0, 1.0)),
        series=(
            Series(name="every neuron", x=joined[0], y=joined[1], role="neuron"),
            Series(name="median", x=x, y=median, role="signal"),
            *((looks,) if len(x) < FEW else ()),
        ),
        marks=(Mark(label="T", at=1.0),),
        title=name,
    )


def _joined(
    x: Float[np.ndarray, " steps"], share: Float[np.ndarray, "steps neurons"]
) -> tuple[Float[np.ndarray, " points"], Float[np.ndarray, " points"]]:
    """Return all neurons as one polyline, with a gap between two neurons.

    Example:
        >>> _joined(np.array([0.0, 1.0]), np.array([[0.1, 0.2], [0.3, 0.4]]))[1]
        array([0.1, 0.3, nan, 0.2, 0.4])
    """
    gap = np.full((1, share.shape[1]), np.nan)
    along = np.repeat(x[:, None], share.shape[1], axis=1)
    return np.vstack([along, gap]).T.ravel()[:-1], np.vstack([share, gap]).T.ravel()[:-1]
