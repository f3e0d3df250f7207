r"""Theorem 4, first clause: one large step from signs finds the k bits.

k even, n odd (our d). At a mirrored start of weights ±1 the output is 0, so that the hinge's gradient
is the correlation with the label; with weight decay that forgets the old weights, one step leaves
minus the batch's gradient. With B = Omega(n^k log(n/eps)) points its k largest entries are the k bits.

The constant of B is not printed: here B = `multiple` n^(k-1) log(n), less than n^k log(n/eps) as
soon as n > `multiple`. Judged per neuron. The second clause (width 2^k k log(k/eps), O(k^3 r^2 n/eps^2)
steps to a loss of eps) is not checked: the text of its schedule was not at hand.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from featlearn._check import require
from featlearn.experiments.run import run
from featlearn.theory import Assumption, Evidence, Kind, Statement, high_probability


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """One parity and one batch."""

    d: int = 15
    """Input dimension (n), odd."""
    k: int = 4
    """Bits, even."""
    width: int = 64
    """Neurons, half of them free."""
    multiple: float = 12.0
    """B over n^(k-1) log n."""
    at_least: float = 0.95
    """The probability per neuron that is asked for."""

    def __post_init__(self) -> None:
        require(2 <= self.k < self.d, "k", "2 <= k < d", self.k)
        require(self.width % 2 == 0, "width", "an even number", self.width)
        require(self.multiple > 0, "multiple", "a positive number", self.multiple)

    @property
    def batch(self) -> int:
        """B."""
        return math.ceil(self.multiple * self.d ** (self.k - 1) * math.log(self.d))


def one_step(d: int, k: int, width: int, batch: int) -> Any:
    """The experiment: signs, one step of the hinge, old weights forgotten."""
    from featlearn.distributions import Boolean
    from featlearn.experiments.experiment import Experiment
    from featlearn.networks import Signs, TwoLayer
    from featlearn.training import SGD, DecoupledDecay, Weights

    law = Boolean(d=d, target="*".join(f"x{i + 1}" for i in range(k)), task="classification")
    network = TwoLayer(
        d=d,
        width=width,
        w=Signs(size=1.0),
        a=Signs(size=1.0),
        scaling="one",
        pairing="mirrored",
        trained=("w",),
    )
    how = SGD(eta=1.0, batch=batch, steps=1, loss="hinge", decay=DecoupledDecay(lam=0.5))
    return Experiment(law, network, how, record=(Weights(),), at=(0, 1))


def found_bits(weights: np.ndarray, k: int) -> np.ndarray:
    """Per row of weights, whether the k largest entries are the first k."""
    largest = np.argsort(-np.abs(weights), axis=-1)[..., :k]
    return np.asarray((np.sort(largest, axis=-1) == np.arange(k)).all(axis=-1))


def statement(batch_share: float = 1.0) -> Statement:
    """The claim, with a share of the batch."""

    def evidence(config: Sizes, seeds: Sequence[int]) -> Evidence:
        batch = max(1, round(batch_share * config.batch))
        experiment = one_step(config.d, config.k, config.width, batch)
        data = run(experiment, seeds=len(seeds), first_seed=int(seeds[0])).dataset
        w = data["weights_w"].sel(step=1).values[:, : config.width // 2]
        found = found_bits(w, config.k)
        name = f"the {config.k} largest entries are the bits, B = {batch}"
        part = high_probability(name, int(found.sum()), found.size, config.at_least, of="neurons")
        return Evidence(parts=(part,))

    return Statement(
        id="barak2022.theorem-4",
        title="One large step from signs finds the k bits",
        kind=Kind.HIGH_PROBABILITY,
        config=Sizes(),
        evidence=evidence,
        assumptions=lambda config: (
            Assumption(name="k even", holds=config.k % 2 == 0, detail=f"k = {config.k}"),
            Assumption(name="n odd", holds=config.d % 2 == 1, detail=f"n = {config.d}"),
        ),
        seeds=6,
        place="Theorem 4, first clause",
        references=("barak2022",),
    )


STATEMENT = statement()
