r"""Lemma 12: the second layer is small after the first step, for every neuron.

    eta_1 = 1, lambda_1 = 1/2, mirrored start:     |a^(1)| = |E[y s(w.x + b)]| <= k / sqrt d.

The proof gives more: at most sum_A |w_j| / sqrt d (s is 1-Lipschitz and k is odd). Evaluated
exactly on every neuron. With the printed start f is not 0 and the step is another one
(`initialisation`). Daniely & Malach (2020), section 4.2.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from featlearn._check import require
from featlearn.experiments.lab import Lab
from featlearn.papers.daniely2020.neurons import Neurons, draw
from featlearn.papers.daniely2020.texts import TEXTS
from featlearn.theory import Claim, Control, Kind, Statement, bound

ROUNDING = 1e-15
Limit = Callable[[Neurons], Float[np.ndarray, " neurons"]]


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Where the lemma is checked, on every neuron."""

    d: tuple[int, ...] = (101, 301, 1001, 1_000_000)
    """Input dimensions."""
    k: tuple[int, ...] = (3, 5, 7, 11)
    """Numbers of relevant bits, one for each d."""
    neurons: int = 5000
    """Neurons drawn a seed."""

    def __post_init__(self) -> None:
        require(len(self.d) == len(self.k), "k", f"{len(self.d)} values, one for each d", self.k)
        require(all(k % 2 for k in self.k), "k", "odd numbers", self.k)
        enough = all(d > k for d, k in zip(self.d, self.k, strict=True))
        require(enough, "d", "more than k", self.d)
        require(self.neurons >= 1, "neurons", "at least 1", self.neurons)


def printed(neurons: Neurons) -> Float[np.ndarray, " neurons"]:
    """k / sqrt d."""
    return np.full(len(neurons.a), neurons.k / np.sqrt(neurons.d))


def sharper(neurons: Neurons) -> Float[np.ndarray, " neurons"]:
    """sum_A |w_j| / sqrt d."""
    return np.abs(neurons.on_A).sum(axis=1) / np.sqrt(neurons.d)


def largest_share(neurons: Neurons, limit: Float[np.ndarray, " neurons"]) -> float:
    """The largest |a^(1)|/limit; where the limit is 0, so must |a^(1)| be, up to rounding."""
    size = np.maximum(np.abs(neurons.mixture.output) - ROUNDING, 0.0)
    share = np.divide(size, limit, out=np.where(size > 0, np.inf, 0.0), where=limit > 0)
    return float(share.max())


def too_fast(neurons: Neurons) -> Float[np.ndarray, " neurons"]:
    """A control: k / d."""
    return np.full(len(neurons.a), neurons.k / neurons.d)


def statement(limits: dict[str, Limit] | None = None) -> Statement[Sizes]:
    """The lemma; other `limits` are other claims."""
    claims = limits or {"k/sqrt d": printed, "sum_A |w|/sqrt d": sharper}

    def evidence(sizes: Sizes, lab: Lab) -> list[Claim]:
        parts = []
        for d, k in zip(sizes.d, sizes.k, strict=True):
            drawn = [draw(d, k, sizes.neurons, seed) for seed in lab.seeds]
            for name, limit in claims.items():
                part = bound(
                    f"largest |a| over {name}, all neurons, d={d}, k={k}",
                    np.array([largest_share(n, limit(n)) for n in drawn]),
                    1.0,
                    every=True,
                    instances=sizes.neurons,
                )
                parts.append(part)
        return parts

    return Statement(
        id="daniely2020.lemma-12",
        title="After the first step no second-layer weight exceeds k/sqrt(d)",
        kind=Kind.BOUND,
        config=Sizes(),
        evidence=evidence,
        text=TEXTS["lemma-12"],
        control=Control("the rate k/d", lambda: statement({"k/d": too_fast})),
        seeds=5,
        place="Lemma 12, section 4.2",
        references=("daniely2020",),
    )


STATEMENT = statement()
