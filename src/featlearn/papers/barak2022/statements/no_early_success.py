r"""No early successes: solving a parity is no random search.

A search that tries one set of bits after another has a memoryless time: of the runs a share
1 - 2^-q is done by q times the median. Claimed (from 10^6 runs): none is. Here runs of one small
parity; the share at a quarter of the median is at most `most`, far below the 16 % of such a search.
"""

from dataclasses import dataclass

import numpy as np

from featlearn._check import require
from featlearn._streams import generator
from featlearn.experiments.lab import Lab
from featlearn.papers.barak2022.texts import TEXTS
from featlearn.papers.barak2022.trials import geometric_share, solve_times
from featlearn.theory import (
    Control,
    Evidence,
    FittedConstant,
    Kind,
    Statement,
    high_probability,
)

LOOK = 10
"""Steps between two looks at a run."""


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """A small parity, and how often it is learned."""

    d: int = 10
    """Input dimension (n)."""
    k: int = 3
    """Bits."""
    width: int = 16
    """Neurons."""
    eta: float = 0.2
    """Step size."""
    batch: int = 16
    """Fresh points per step."""
    steps: int = 600
    """Steps at most."""
    trials: int = 500
    """Runs a seed."""
    early: float = 0.25
    """A success is early before this share of the median time."""

    def __post_init__(self) -> None:
        require(self.d <= 14, "d", "at most 14", self.d)
        require(0 < self.early < 1, "early", "a share of the median", self.early)


def searched(times: np.ndarray) -> np.ndarray:
    """Times of a memoryless search with the same median: what the claim excludes."""
    median = float(np.median(times))
    rng = generator(len(times), "memoryless search")
    return rng.exponential(median / np.log(2), len(times))


def statement(early: float | None = None, search: bool = False) -> Statement[Sizes]:
    """The claim; another share of the median in the place of the configuration's.

    With `search` the times are those of a random search.
    """

    def evidence(config: Sizes, lab: Lab) -> Evidence:
        names = ("d", "k", "width", "eta", "batch", "steps", "trials")
        chosen = {name: getattr(config, name) for name in names}
        times = np.concatenate(lab.each_seed(solve_times, every=LOOK, **chosen))
        done = np.where(np.isfinite(times), times, np.inf)
        done = searched(done) if search else done
        median = float(np.median(done))
        share = config.early if early is None else early
        late = int((done > share * median).sum())
        parts = (
            high_probability(
                f"later than {share:g} of the median", late, len(done), 0.99, of="runs"
            ),
            high_probability(
                "solved at all", int(np.isfinite(times).sum()), len(times), 0.95, of="runs"
            ),
        )
        return Evidence(
            parts=parts,
            constants={
                "median": FittedConstant(value=median),
                "earliest over the median": FittedConstant(value=float(done.min() / median)),
                "early share of a memoryless law": FittedConstant(value=geometric_share(share)),
            },
        )

    return Statement(
        id="barak2022.no-early-success",
        title="No early successes: solving a parity is no random search",
        kind=Kind.HIGH_PROBABILITY,
        config=Sizes(),
        evidence=evidence,
        text=TEXTS["no-early-success"],
        control=Control("a random search of the same median", lambda: statement(search=True)),
        seeds=2,
        place="Experiments, no early successes",
        references=("barak2022",),
    )


STATEMENT = statement()
