r"""Lemma D.4: what phase 1 leaves is signal-heavy (Glasgow 2023, appendix D).

If the conclusion of lemma C.1 holds, with L = log(d)^c,

    E||a w|| <= 1,   E||w_perp + w_opp||^2 <= 4 theta^2,   for every mu at least 0.1 of the neurons
    have w_sig.mu > 0 and ||w_sig|| >= L theta,   |a| <= ||w|| and E||w||^2 <= E a^2 + small,

then the network is (zeta, H)-signal-heavy for zeta = L^(-1/2) and H = -log(zeta)/20, with
gamma~_max <= sqrt 2 (printed 1, which has lost the sqrt 2 of w.mu). H > 1 needs zeta < exp(-20),
that is log(d)^c > exp(40): no run has it, and d enters the lemma in no other way. So the networks
are built: L is what zeta demands, a tenth of the neurons at each mu are as short as they may be,
and the others spend all that is allowed on spoiling it: as long outside S as they can be, nearly
all of the mass at one mu, or at random. Judged is the smallest zeta of definition 4.2 over
L^(-1/2).

The power 1/2 is reconstructed: the scan has log^(-c/2), and with log^(-c) the lemma is false. What
a real run has at T1 stands among the assumptions of lemma 4.4.
"""

import math
from dataclasses import dataclass

import numpy as np

from featlearn._check import require
from featlearn._streams import generator
from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.hypotheses import signal_heavy
from featlearn.papers.glasgow2023.population import LABELS, MU, REFERENCES, Net
from featlearn.papers.glasgow2023.texts import TEXTS
from featlearn.theory import Control, Evidence, Hypothesis, Kind, Reading, Statement, bound

TRIES = ("outside S", "one centre", "at random")
"""How the networks try to spoil it."""


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Networks that meet the conclusion of lemma C.1 and no more."""

    d: int = 12
    """Input dimension of the networks; the lemma does not depend on it."""
    width: int = 200
    """Number of neurons, a multiple of 40."""
    H: float = 1.05
    """H = -log(zeta)/20, above 1."""

    def __post_init__(self) -> None:
        require(self.d >= 3, "d", "at least 3", self.d)
        require(self.width % 40 == 0, "width", "a multiple of 40", self.width)
        require(self.H > 1, "H", "above 1", self.H)

    @property
    def zeta(self) -> float:
        """exp(-20H)."""
        return math.exp(-20 * self.H)


def network(sizes: Sizes, power: float, how: str, seed: int) -> Net:
    """A network after phase 1, L = zeta^(-1/power), spoilt in one of three ways."""
    rng, p, zeta = generator(seed, f"lemma-D.4 {how}"), sizes.width, sizes.zeta
    L, theta = zeta ** (-1 / power), zeta ** (1 / power + 1)
    tenth, mu = p // 10, np.arange(p) % 4
    w, rest = np.zeros((p, sizes.d)), slice(4 * (p // 10), p)
    w[:, :2] = MU[mu] / math.sqrt(2) * L * theta
    others = rng.normal(size=(p - 4 * tenth, sizes.d - 2))
    others *= theta / np.linalg.norm(others, axis=1, keepdims=True)
    w[rest, 2:] = others * math.sqrt(4 * p / len(others))  # E||w_perp||^2 = 4 theta^2
    w[rest, :2] = 0
    if how == "outside S":  # just too short to be heavy
        length = np.exp(6 * sizes.H) / zeta * np.linalg.norm(w[rest], axis=1) * (1 - 1e-9)
        w[rest, :2] = MU[mu[rest]] / math.sqrt(2) * length[:, None]
    elif how == "one centre":
        w[rest, :2] = MU[0] / math.sqrt(2) * math.sqrt(p / len(others)) * (1 - 1e-6)
        mu = np.where(np.arange(p) >= 4 * tenth, 0, mu)
    else:
        length = rng.normal(size=(len(others), 1)) * L * theta
        w[rest, :2] = MU[mu[rest]] / math.sqrt(2) * length
    a = LABELS[mu] * np.linalg.norm(w, axis=1)
    return Net(w=w, a=a)


def ratios(net: Net, sizes: Sizes) -> tuple[float, float, float]:
    """Smallest zeta over the claimed one, gamma~_max, and E||a w||, which is at most 1."""
    S = net.heavy(sizes.zeta, sizes.H)
    return net.zeta(sizes.H) / sizes.zeta, float(net.heavy_margin(S).max()), net.mean_aw


def hypotheses(sizes: Sizes) -> list[Hypothesis]:
    """H > 1; d enters by log(d)^c alone, and the networks have the one that zeta demands."""
    return signal_heavy(sizes.zeta, sizes.H)


def statement(power: float = 0.5, largest: float = math.sqrt(2)) -> Statement[Sizes]:
    """The lemma: zeta = L^-power and gamma~_max <= `largest`."""

    def evidence(sizes: Sizes, lab: Lab) -> Evidence:
        found = np.array(
            [
                [ratios(network(sizes, power, how, seed), sizes) for how in TRIES]
                for seed in lab.seeds
            ]
        )
        parts = [
            bound(f"smallest zeta over L^(-1/2), {how}", found[:, i, 0], 1.0, every=True)
            for i, how in enumerate(TRIES)
        ]
        margins = found[:, :, 1].max(axis=1)
        printed = bound("gamma~_max, as printed", margins, 1.0, every=True)
        mended = bound("gamma~_max", margins, largest, every=True)
        parts.append(printed.noted("nearly all mass at one centre").under(Reading.PRINTED))
        parts.append(mended.under(Reading.CORRECTED, Reading.RUN))
        return Evidence(parts=tuple(parts))

    return Statement(
        id="glasgow2023.lemma-D.4",
        title="What phase 1 leaves is signal-heavy",
        kind=Kind.BOUND,
        config=Sizes(),
        evidence=evidence,
        hypotheses=hypotheses,
        text=TEXTS["lemma-D.4"],
        control=Control(
            "zeta = (log d)^-c in the place of (log d)^(-c/2)", lambda: statement(power=1.0)
        ),
        seeds=60,
        place="Definition D.2 and lemma D.4, appendix D",
        references=REFERENCES,
    )


STATEMENT = statement()
