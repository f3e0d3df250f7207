r"""Methods with fixed features hold on average N/C(d, D) of a term of degree D.

N features span a space of dimension at most N. The C(d, D) characters of degree D are orthonormal,
so sum_S |P chi_S|^2 <= N: over the places where the bits may stand, a linear method with N features
(or a kernel method with N samples) leaves on average at least

    c_S^2 (1 - N/C(d, D))

of that term's square. So a degree of D needs of the order of d^D. Here: ReLU features of random
neurons on the whole cube, and N random combinations of the characters themselves, which have
equality.
"""

import itertools
import math
from dataclasses import dataclass

import numpy as np

from featlearn._check import require
from featlearn._streams import generator
from featlearn.distributions.target import corners
from featlearn.experiments.lab import Lab
from featlearn.papers.abbe2022.texts import TEXTS
from featlearn.theory import Control, Evidence, Kind, Statement, bound, identity


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """A cube that can be written down."""

    d: int = 9
    """Input dimension."""
    degree: int = 3
    """Degree of the term."""
    features: int = 40
    """Features N."""

    def __post_init__(self) -> None:
        require(self.d <= 12, "d", "at most 12", self.d)
        require(1 <= self.degree <= self.d, "degree", "1 to d", self.degree)


def held(features: np.ndarray, d: int, degree: int) -> float:
    """The mean over all supports of that degree of |P chi_S|^2, P on the span of the features."""
    x = corners(d)
    Q = np.linalg.qr(features)[0]
    chi = np.stack(
        [np.prod(x[:, list(S)], axis=1) for S in itertools.combinations(range(d), degree)], axis=1
    ) / math.sqrt(len(x))
    return float(((Q.T @ chi) ** 2).sum() / chi.shape[1])


def statement(share: float = 1.0) -> Statement[Sizes]:
    """The claim with share N/C(d, D)."""

    def evidence(config: Sizes, lab: Lab) -> Evidence:
        d, D, N = config.d, config.degree, config.features
        x, most = corners(d), share * N / math.comb(d, D)
        relu, tight = [], []
        for seed in lab.seeds:
            rng = generator(seed, "features")
            w, b = rng.normal(size=(d, N)), rng.normal(size=N)
            relu.append(held(np.maximum(x @ w + b, 0), d, D))
            sets = list(itertools.combinations(range(d), D))
            chi = np.stack([np.prod(x[:, list(S)], axis=1) for S in sets], axis=1)
            tight.append(held(chi @ rng.normal(size=(len(sets), N)), d, D))
        held_by = bound(f"share held by {N} ReLU features", np.array(relu), most)
        attained = identity("share held by combinations", np.array(tight), most, tolerance=1e-9)
        return Evidence(parts=(held_by, attained))

    return Statement(
        id="abbe2022.linear-floor",
        title="Methods with fixed features hold N/C(d, D) of a term of degree D",
        kind=Kind.BOUND,
        config=Sizes(),
        evidence=evidence,
        text=TEXTS["linear-floor"],
        control=Control("a share 5 % lower", lambda: statement(share=0.95)),
        seeds=4,
        place="Lower bound for linear methods",
        references=("abbe2022",),
    )


STATEMENT = statement()
