r"""Definition C.13: strong neurons, and how many there are at the start (Glasgow 2023, C.2).

A neuron is strong at the start if ||w_sig|| >= S_0. The proof of lemma C.1 needs for every mu a
share of at least 0.1 of the neurons that are strong and have w_sig.mu > 0. On the sphere
(||w_sig||/theta)^2 has the law Beta(1/2, (d - 1)/2), so that the share is exactly

    P(Beta(1/2, (d - 1)/2) >= kappa/d)/4,      S_0^2 = kappa theta^2/d.

As the scan reads, S_0 = theta/sqrt d (kappa = 1), it is 0.079 and the proof does not go through;
with theta/sqrt(2d) (kappa = 1/2) it is 0.12, and that is what is judged, exactly and on networks as
drawn. What the envelopes S_t and B_t of definition C.7 do later is lemma C.14's.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.stats import beta

from featlearn._check import require
from featlearn._streams import generator
from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.population import MU, REFERENCES
from featlearn.papers.glasgow2023.texts import TEXTS
from featlearn.theory import Control, Evidence, Kind, Reading, Statement, bound, exact_bound, trend


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Networks as drawn."""

    d: tuple[int, ...] = (32, 128, 512, 2048)
    """Input dimensions."""
    width: int = 2000
    """Number of neurons."""

    def __post_init__(self) -> None:
        require(len(self.d) > 0 and min(self.d) >= 3, "d", "dimensions of at least 3", self.d)
        require(self.width >= 1, "width", "at least 1 neuron", self.width)


def exact_share(d: int, kappa: float) -> float:
    """The share of neurons that are strong and serve a given mu.

    Example:
        >>> round(exact_share(10**6, 1.0), 4), round(exact_share(10**6, 0.5), 4)
        (0.0793, 0.1199)
    """
    return float(beta.sf(kappa / d, 0.5, (d - 1) / 2)) / 4


def drawn_share(d: int, width: int, kappa: float, seed: int) -> float:
    """The least share over the four mu in a network as drawn."""
    rng = generator(seed, f"definition-C.13 d={d}")
    w = rng.normal(size=(width, 2))
    rest = rng.chisquare(d - 2, width)  # ||w_perp||^2 before the division by ||w||
    w /= np.sqrt(np.sum(w**2, axis=1) + rest)[:, None]
    positive = rng.uniform(size=width) < 0.5
    along = w @ MU.T / math.sqrt(2)
    serves = np.where(positive[:, None], [True, True, False, False], [False, False, True, True])
    return float(((along >= math.sqrt(kappa / d)) & serves).mean(axis=0).min())


def statement(kappa: float = 0.5) -> Statement[Sizes]:
    """The share with S_0^2 = kappa theta^2/d; with kappa 1 it is too small."""

    def evidence(sizes: Sizes, lab: Lab) -> Evidence:
        exact = [exact_share(d, kappa) for d in sizes.d]
        drawn = np.array(
            [[drawn_share(d, sizes.width, kappa, seed) for seed in lab.seeds] for d in sizes.d]
        )
        mended = (Reading.CORRECTED, Reading.RUN)
        name = "least share over d, by the law"
        as_printed = min(exact_share(d, 1.0) for d in sizes.d)
        label = f"{name}, S_0 = theta/sqrt d as printed"
        parts = [
            exact_bound(label, as_printed, 0.1, side=">=").under(Reading.PRINTED),
            exact_bound(name, min(exact), 0.1, side=">=").under(*mended),
        ]
        parts += [
            bound(f"least share over mu as drawn, d={d}", row, 0.1, side=">=").under(*mended)
            for d, row in zip(sizes.d, drawn, strict=True)
        ]
        shown = trend(
            "least share over μ",
            "d",
            sizes.d,
            drawn,
            [0.1] * len(sizes.d),
            relation=">=",
            logarithmic=True,
        )
        return Evidence(parts=tuple(parts), trends=(shown,))

    return Statement(
        id="glasgow2023.definition-C.13",
        title="Strong neurons, and how many there are at the start",
        kind=Kind.BOUND,
        config=Sizes(),
        evidence=evidence,
        text=TEXTS["definition-C.13"],
        control=Control("S_0 = theta/sqrt d, as printed", lambda: statement(kappa=1.0)),
        seeds=10,
        place="Definition C.13 and the proof of lemma C.1, appendix C.2",
        references=REFERENCES,
    )


STATEMENT = statement()
