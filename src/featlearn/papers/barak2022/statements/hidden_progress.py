r"""Progress is hidden: weights on the bits grow while loss and accuracy are flat.

At the last look before the accuracy on held-out points first reaches 55 %, the mean weight on
relevant bits (root mean square over neurons) over that on the others has grown since
the start. No number is claimed, so any growth counts.
"""

from dataclasses import dataclass

import numpy as np
import xarray as xr

from featlearn._check import require
from featlearn.experiments.lab import Lab
from featlearn.papers.barak2022.parity import PARITY
from featlearn.papers.barak2022.texts import TEXTS
from featlearn.theory import Control, Evidence, Kind, Statement, bound, trend


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """The parity that is watched."""

    d: int = 30
    """Input dimension (n)."""
    k: int = 3
    """Bits."""
    width: int = 100
    """Neurons."""
    eta: float = 0.1
    """Step size."""
    batch: int = 32
    """Fresh points per step."""
    steps: int = 6000
    """Steps."""
    flat: float = 0.55
    """Accuracy that still counts as chance."""

    def __post_init__(self) -> None:
        require(0.5 < self.flat < 1, "flat", "between 1/2 and 1", self.flat)


def progress(data: xr.Dataset, flat: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Relevant over other weights at every look; the last flat look of each seed; accuracy."""
    on_bit = data["on_bit"].mean("direction").transpose("seed", "step").values
    others = data["on_others"].transpose("seed", "step").values
    accuracy = data["test_accuracy"].transpose("seed", "step").values
    ratio = on_bit / others
    last = np.array([max(int(np.argmax(row >= flat)) - 1, 0) for row in accuracy])
    return ratio, last, accuracy


def statement(factor: float = 1.0, flips: float = 0.0) -> Statement[Sizes]:
    """The claim: the ratio has grown by this factor while nothing shows.

    `flips` is the share of training labels that are flipped; near 1/2 nothing is learned.
    """

    def evidence(config: Sizes, lab: Lab) -> Evidence:
        data = lab.run(
            PARITY,
            d=config.d,
            k=config.k,
            width=config.width,
            eta=config.eta,
            batch=config.batch,
            steps=config.steps,
            records=200,
            flips=flips,
        ).dataset
        ratio, last, accuracy = progress(data, config.flat)
        grown = ratio[np.arange(len(last)), last] / ratio[:, 0]
        parts = (
            bound("growth of relevant over other weights, flat", grown, factor, side=">="),
            bound("accuracy at the end", accuracy[:, -1], 0.95, side=">="),
        )
        steps = data["step"].values.astype(float)
        shown = (
            trend("relevant over other weights", "step", steps, ratio.T),
            trend("accuracy", "step", steps, accuracy.T),
        )
        return Evidence(parts=parts, trends=shown)

    return Statement(
        id="barak2022.hidden-progress",
        title="Weights on the bits grow while loss and accuracy are flat",
        kind=Kind.BOUND,
        config=Sizes(),
        evidence=evidence,
        text=TEXTS["hidden-progress"],
        control=Control(
            "all but .1 % of the training labels are fair coins", lambda: statement(flips=0.4995)
        ),
        seeds=8,
        place="Hidden progress measures",
        references=("barak2022",),
    )


STATEMENT = statement()
