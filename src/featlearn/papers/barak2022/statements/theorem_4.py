r"""Theorem 4, first clause: one large step from signs finds the k bits.

k even, n odd (our d). At a mirrored start of weights ±1 the output is 0, so that the hinge's
gradient is the correlation with the label; with weight decay that forgets the old weights, one step
leaves minus the batch's gradient. With B = Omega(n^k log(n/eps)) points and
n = Omega(k^4 log(nk/eps)) its k largest entries are the k bits.

No constants were at hand: here B = `multiple` n^k log(n/eps), and n is far below k^4 log(nk/eps).
Judged per neuron. The second clause (width 2^k k log(k/eps), O(k^3 r^2 n/eps^2) steps to a loss of
eps) is not checked: the text of its schedule was not at hand.
"""

import math
from dataclasses import dataclass

import numpy as np

import featlearn as fl
from featlearn._check import require
from featlearn.experiments.lab import Lab
from featlearn.papers.barak2022.texts import TEXTS
from featlearn.theory import Control, Evidence, Hypothesis, Kind, Statement, high_probability


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """One parity and one batch."""

    d: tuple[int, ...] = (51, 15)
    """Input dimensions (n), odd."""
    k: tuple[int, ...] = (2, 4)
    """Bits of each, even."""
    width: int = 64
    """Neurons, half of them free."""
    multiple: float = 1.0
    """B over n^k log(n/eps)."""
    eps: float = 0.05
    """The probability of a failure, per neuron, that is allowed."""

    def __post_init__(self) -> None:
        require(len(self.d) == len(self.k), "k", "one for every d", self.k)
        require(all(2 <= k < d for d, k in zip(self.d, self.k, strict=True)), "k", "< d", self.k)
        require(self.width % 2 == 0, "width", "an even number", self.width)
        require(self.multiple > 0, "multiple", "a positive number", self.multiple)

    def batch(self, d: int, k: int) -> int:
        """B."""
        return math.ceil(self.multiple * d**k * math.log(d / self.eps))


def one_step(d: int, k: int, width: int, batch: int) -> "fl.Experiment":
    """The experiment: signs, one step of the hinge, old weights forgotten."""
    law = fl.Boolean(d=d, target="*".join(f"x{i + 1}" for i in range(k)), task="classification")
    network = fl.TwoLayer(
        d=d,
        width=width,
        w=fl.Signs(size=1.0),
        a=fl.Signs(size=1.0),
        scaling="one",
        pairing="mirrored",
        trained=("w",),
    )
    how = fl.SGD(eta=1.0, batch=batch, steps=1, loss="hinge", decay=fl.DecoupledDecay(lam=0.5))
    return fl.Experiment(law, network, how, record=(fl.Weights(),), at=(0, 1))


def found_bits(weights: np.ndarray, k: int) -> np.ndarray:
    """Per row of weights, whether the k largest entries are the first k."""
    largest = np.argsort(-np.abs(weights), axis=-1)[..., :k]
    return np.asarray((np.sort(largest, axis=-1) == np.arange(k)).all(axis=-1))


def hypotheses(config: Sizes) -> list[Hypothesis]:
    """At the pair of d and k at which each is hardest."""
    pairs = list(zip(config.d, config.k, strict=True))
    shares = [d / (k**4 * math.log(d * k / config.eps)) for d, k in pairs]
    d, k = pairs[shares.index(min(shares))]
    return [
        Hypothesis.condition("k even", all(k % 2 == 0 for k in config.k)),
        Hypothesis.condition("n odd", all(d % 2 == 1 for d in config.d)),
        Hypothesis(
            name="n >= c_n k^4 log(nk/eps)",
            value=d,
            side=">=",
            limit=k**4 * math.log(d * k / config.eps),
            constant="c_n",
        ),
        Hypothesis(
            name="B >= C_B n^k log(n/eps)",
            value=config.batch(d, k),
            side=">=",
            limit=d**k * math.log(d / config.eps),
            constant="C_B",
        ),
    ]


def statement(batch_share: float = 1.0) -> Statement[Sizes]:
    """The claim, with a share of the batch."""

    def evidence(config: Sizes, lab: Lab) -> Evidence:
        parts = []
        for d, k in zip(config.d, config.k, strict=True):
            batch = max(1, round(batch_share * config.batch(d, k)))
            experiment = one_step(d, k, config.width, batch)
            data = lab.run(experiment).dataset
            w = data["weights_w"].sel(step=1).values[:, : config.width // 2]
            found, surely = found_bits(w, k), 1 - config.eps
            name = f"n = {d}: the {k} largest entries are the bits, B = {batch}"
            parts.append(high_probability(name, int(found.sum()), found.size, surely, of="neurons"))
        return Evidence(parts=tuple(parts))

    return Statement(
        id="barak2022.theorem-4",
        title="One large step from signs finds the k bits",
        kind=Kind.HIGH_PROBABILITY,
        config=Sizes(),
        evidence=evidence,
        hypotheses=hypotheses,
        text=TEXTS["theorem-4"],
        control=Control(
            "a hundredth of the batch", lambda: statement(batch_share=0.01 * batch_share)
        ),
        seeds=6,
        place="Theorem 4, first clause",
        references=("barak2022",),
    )


STATEMENT = statement()
