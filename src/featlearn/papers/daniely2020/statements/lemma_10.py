r"""Lemma 10: after the first step an explicit second layer u* separates with margin 1.

    7 <= k <= c d^(1/10),  q >= C k^7 log((k+1)/delta): with probability 1 - delta over the start
    there is u* with  y(x) sum_i u*_i relu6(w_i^(1).x + b_i^(1)) >= 1 for all x,
    ||u*|| <= B k^5/sqrt q,  ||u*||_0 = B~ q/k^2.5,  and relu6(…) <= 1 wherever u*_i != 0.

I_r are the neurons that imitate psi_r within 1/(5k) (lemma 9 with eps = 1/(10k)), and J_r those of
them with sum_A w = 0, which have exactly no weight outside A; then

    u*_i = - (-1)^((k-r)/2) 2 v_r |r| / (b |J_r|)    for i in J_r,

and the margin over all x is the least over the 2^k patterns of x_A, evaluated exactly. The printed
weights are wrong in sign and size (see `separator`): that step of the proof needs no size, and
FAILS in the reading *proof*. Without the factor 2 the proof leaves a margin of .57, not 1. The
claim itself does not suffer, since B is hidden. c and C are hidden too; the proof's C = 2 * 1120^2
asks for 10^13 neurons at k = 7, while 2 * 10^5 have all the psi_r. Daniely & Malach (2020), section
4.1.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from featlearn._check import require
from featlearn.experiments.lab import Lab
from featlearn.papers.daniely2020.neurons import Neurons, draw
from featlearn.papers.daniely2020.scope import large_enough
from featlearn.papers.daniely2020.separator import (
    imitating,
    levels,
    patterns,
    printed_weights,
    psi,
    right_weights,
    slopes,
)
from featlearn.papers.daniely2020.texts import TEXTS
from featlearn.theory import (
    Claim,
    Control,
    Evidence,
    FittedConstant,
    Hypothesis,
    Kind,
    Reading,
    Statement,
    bound,
    identity,
    reported,
)

Weights = Callable[[int], Float[np.ndarray, " levels"]]
PROOF = 2 * 1120**2
"""C in q >= C k^7 log((k+1)/delta), as the proof has it."""
DELTA = 0.05
RELEVANT = (3, 5, 7, 9, 11)
"""Numbers of bits for which the sum of the psi_r is compared with the label."""


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Where the separator is built; every seed is a network."""

    d: int = 1_000_000
    """Input dimension."""
    k: int = 7
    """Number of relevant bits."""
    width: int = 400_000
    """Number of neurons, twins counted; u* uses the first half (the paper's q)."""

    def __post_init__(self) -> None:
        require(self.k % 2 == 1 and self.k <= 11, "k", "an odd number up to 11", self.k)
        require(self.d > self.k, "d", f"more than k = {self.k}", self.d)
        require(self.width >= 2, "width", "at least 2 neurons", self.width)


@dataclass(frozen=True, kw_only=True)
class Separator:
    """u* on the neurons it uses, and what it makes of them."""

    u: Float[np.ndarray, " used"]
    features: Float[np.ndarray, "used patterns"]
    missing: int
    """How many psi_r no neuron imitates."""
    margin: float


def separator(neurons: Neurons, weights: Weights = right_weights) -> Separator:
    """Build u* on neurons with sum_A w = 0 and evaluate its margin over all patterns of x_A."""
    k, b = neurons.k, neurons.b
    slope, outside = slopes(neurons)
    assert not outside.any()
    u, z = np.zeros(len(neurons.a)), patterns(k).sum(axis=1)
    missing = 0
    for r, weight in zip(levels(k), weights(k), strict=True):
        start, stop = imitating(slope, z, int(r), b=b, tolerance=1 / (5 * k), largest=neurons.d / k)
        members = (start <= neurons.a) & (neurons.a <= stop) & (u == 0)
        missing += not members.any()
        u[members] = 2 * weight * abs(r) / (b * max(1, members.sum()))
    features = np.clip(b + neurons.a[:, None] * slope, 0, 6)[u != 0]
    label = np.prod(patterns(k), axis=1)
    margin = float(np.min(label * (u[u != 0] @ features)))
    return Separator(u=u[u != 0], features=features, missing=missing, margin=margin)


def statement(weights: Weights = right_weights) -> Statement[Sizes]:
    """The lemma; other `weights` of the psi_r are another separator."""

    def evidence(sizes: Sizes, lab: Lab) -> Evidence:
        built = []
        for seed in lab.seeds:
            neurons = draw(sizes.d, sizes.k, sizes.width // 2, seed)
            built.append(separator(neurons.where(neurons.balanced), weights))
        q, k = sizes.width / 2, sizes.k
        largest = np.array([each.features.max(initial=0.0) for each in built])
        parts = [
            *(_equality(each, weights) for each in RELEVANT),
            bound(
                "psi_r that no neuron imitates",
                np.array([float(each.missing) for each in built]),
                0.0,
                every=True,
            ),
            bound(
                "margin over all patterns of x_A",
                np.array([each.margin for each in built]),
                1.0,
                side=">=",
                every=True,
            ),
            bound("largest feature that u* uses", largest, 1.0, every=True),
            _by_the_proof(sizes),
        ]
        norm = float(np.mean([np.linalg.norm(each.u) for each in built]))
        used = float(np.mean([len(each.u) for each in built]))
        constants = {
            "B = ||u*|| sqrt(q)/k^5": FittedConstant(value=norm * math.sqrt(q) / k**5),
            "B~ = ||u*||_0 k^2.5/q": FittedConstant(value=used * k**2.5 / q),
        }
        mended = [each.under(Reading.CORRECTED, Reading.RUN) for each in parts]
        step = [_equality(each, printed_weights).under(Reading.PROOF) for each in RELEVANT]
        return Evidence(parts=(*mended, *step), constants=constants)

    return Statement(
        id="daniely2020.lemma-10",
        title="After the first step an explicit second layer separates with margin 1",
        kind=Kind.BOUND,
        config=Sizes(),
        evidence=evidence,
        hypotheses=hypotheses,
        text=TEXTS["lemma-10"],
        control=Control("the printed weights", lambda: statement(printed_weights)),
        seeds=3,
        place="Lemma 10, section 4.1",
        references=("daniely2020",),
    )


def hypotheses(sizes: Sizes) -> list[Hypothesis]:
    """The sizes; the step of the proof that is judged needs none, so q is not asked there."""
    return [
        *large_enough(sizes.d, sizes.k),
        Hypothesis(
            name="k <= c d^(1/10)", value=sizes.k, side="<=", limit=sizes.d**0.1, constant="c"
        ),
        Hypothesis(
            name="q >= C k^7 log((k+1)/delta)",
            value=sizes.width / 2,
            side=">=",
            limit=sizes.k**7 * math.log((sizes.k + 1) / DELTA),
            constant="C",
            note=f"delta = {DELTA}",
            readings=(Reading.PRINTED, Reading.CORRECTED, Reading.RUN),
        ),
    ]


def _equality(k: int, weights: Weights) -> Claim:
    """The sum of the weighted psi_r is the label, at every value of sum_A u."""
    z = levels(k).astype(float)
    total = np.sum([v * psi(int(r), z) for v, r in zip(weights(k), levels(k), strict=True)], axis=0)
    label = (-1.0) ** ((k - levels(k)) // 2)
    return identity(f"the weighted psi_r sum to the label, k={k}", total, label, tolerance=1e-12)


def _by_the_proof(sizes: Sizes) -> Claim:
    needed = PROOF * sizes.k**7 * math.log((sizes.k + 1) / DELTA)
    return reported(
        f"neurons q by the proof's constant (delta = {DELTA})",
        sizes.width / 2,
        needed,
        relation=">=",
        reason="the constant of the proof; the separator above exists with far fewer",
    )


def printed(sizes: Sizes, seed: int = 0) -> float:
    """The margin of the printed u*."""
    neurons = draw(sizes.d, sizes.k, sizes.width // 2, seed)
    return separator(neurons.where(neurons.balanced), printed_weights).margin


STATEMENT = statement()
