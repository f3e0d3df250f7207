r"""Lemma 8: a large subnetwork with a margin decides for the whole network (section 4.2).

For any W with ||W||_F <= 1, J a set of neurons, C_f > 1, ||x|| <= 2:

    y f^J(x) >= 1/C_f   and   |J^c|/m <= 1/(16 C_f^2)    =>    y f(x) >= 1/(2 C_f).

No probability is in it. Every seed draws networks that meet the hypotheses, at random and as near
to the border as the proof allows: all of J on the side of x with just enough norm for 1/C_f, all
the rest of the norm against it. The lemma is nearly tight there (1.016 for 1).
"""

import math

import numpy as np

from featlearn._streams import generator
from featlearn.experiments.lab import Lab
from featlearn.papers.frei2022.setting import REFERENCES, XorClusters
from featlearn.papers.frei2022.texts import TEXTS
from featlearn.theory import Claim, Control, Kind, Statement, bound

MARGIN = 4.0
"""C_f."""
INPUTS, NETWORKS = 6, 100
"""Inputs of a network, and how many random ones a seed draws."""


def worst(seed: int, share: float = 16.0) -> tuple[float, float]:
    """The least 2 C_f y f(x) over networks that meet the hypotheses: at random, and by design.

    Args:
        seed: of the random ones.
        share: in |J^c|/m <= 1/(share C_f^2).
    """
    rng = generator(seed, "margins")
    m = round(16 * MARGIN**2)
    outside = int(m / (share * MARGIN**2))
    a = np.where(np.arange(m) % 2 == 0, 1, -1) / math.sqrt(m)
    J = np.arange(m) >= outside
    found = []
    for _ in range(NETWORKS):
        W, x = rng.normal(size=(m, INPUTS)), rng.normal(size=INPUTS)
        x *= 2 * rng.uniform(0.5, 1) / np.linalg.norm(x)
        # Turn every neuron of J towards the sign of its a, until the subnetwork has its margin.
        along = np.where(a > 0, 1.0, -1.0) * rng.uniform(0.5, 4)
        W[J] += (along[:, None] * x)[J]
        W[~J] *= rng.uniform(1, 20)
        W /= np.linalg.norm(W)
        each = a * np.maximum(W @ x, 0)
        if each[J].sum() >= 1 / MARGIN:
            found.append(2 * MARGIN * each.sum())
    return min(found, default=math.inf), 2 * MARGIN * _designed(a, J)


def _designed(a: np.ndarray, J: np.ndarray) -> float:
    """f(x) where J has just its margin, 1/C_f, and the rest all the other norm against it."""
    helps = J & (a > 0)
    length = 2.0
    each = 1 / (MARGIN * length * helps.sum() * abs(a[0]))
    left = math.sqrt(1 - helps.sum() * each**2)
    against = ~J
    lost = math.sqrt(against.sum()) * abs(a[0]) * left * length
    return 1 / MARGIN - lost


def statement(share: float = 16.0) -> Statement[XorClusters]:
    """The lemma; a smaller `share`, more neurons outside J, is another claim."""

    def evidence(config: XorClusters, lab: Lab) -> list[Claim]:
        found = np.array([worst(seed, share) for seed in lab.seeds])
        names = ("random networks: least 2 C_f y f(x)", "designed networks: least 2 C_f y f(x)")
        return [
            bound(name, values[np.isfinite(values)], 1.0, side=">=", every=True)
            for name, values in zip(names, found.T, strict=True)
        ]

    return Statement(
        id="frei2022.lemma-8",
        title="A large subnetwork with a margin decides for the whole network",
        kind=Kind.BOUND,
        config=XorClusters(),
        evidence=evidence,
        text=TEXTS["lemma-8"],
        control=Control("four times as many neurons outside J", lambda: statement(share=4.0)),
        seeds=20,
        place="Lemma 8, section 4.2",
        references=REFERENCES,
    )


STATEMENT = statement()
