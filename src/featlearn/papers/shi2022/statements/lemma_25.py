r"""Lemma 25: a read-out of the features after two steps stays good while the first layer moves.

For any a~ and every point, with Delta w = w_t - w_2 and Delta b = b_t - b_2, (275):

    |l(g_t(x), y) - l(g_2(x), y)| <= ||a~||_2 sqrt(||a~||_0) max_i (|<Delta w_i, x>| + |Delta b_i|)

and |<Delta w, x>| <= ||Delta w|| ||x||. The lemma drops ||x||, whose mean square is 1: right
at every point where all rates are 1/2, as here, and for the mean loss, which theorem 26 needs. At
other points it is not: with all rates p_o and every pattern there ||x|| is sqrt((1 - p_o)/p_o).

The a~ that are tried: Gaussian, sparse, and the worst for the bound, +-1 as the features move at
the point at which they move most.
"""

from collections.abc import Callable
from dataclasses import dataclass

import jax
import numpy as np
from jaxtyping import Float

from featlearn._streams import generator
from featlearn.experiments.lab import Lab
from featlearn.papers.shi2022.later import Later, Sizes, later_steps
from featlearn.papers.shi2022.texts import TEXTS
from featlearn.theory import Claim, Control, Kind, Statement, bound

Vector = Float[np.ndarray, " neurons"]


@dataclass(frozen=True, kw_only=True)
class Moves:
    """What stands on the right side at one step."""

    readout: Vector
    w: Vector
    """||Delta w_i||."""
    b: Vector
    """|Delta b_i|."""


def of_the_lemma(moves: Moves) -> float:
    """||a~||_2 sqrt(||a~||_0) max_i(||Delta w_i|| + |Delta b_i|), as ||x|| = 1 here."""
    a = moves.readout
    norms = float(np.linalg.norm(a)) * float(np.sqrt(np.count_nonzero(a)))
    return norms * float((moves.w + moves.b).max())


def without_count(moves: Moves) -> float:
    """A control: without the number of neurons that are used."""
    return of_the_lemma(moves) / float(np.sqrt(np.count_nonzero(moves.readout)))


def statement(right: Callable[[Moves], float] = of_the_lemma) -> Statement[Sizes]:
    """The lemma; another `right` side is another claim."""

    def evidence(sizes: Sizes, lab: Lab) -> list[Claim]:
        worst = []
        for seed in lab.seeds:
            rng = generator(seed, "lemma-25")
            ratios = []
            for eta, lam in zip(sizes.eta, sizes.lam, strict=True):
                ratios += _ratios(later_steps(sizes, eta, lam, seed), rng, right)
            worst.append(max(ratios))
        name = "change of the hinge loss at a point over its bound"
        return [bound(name, np.array(worst), 1.0, every=True, instances=len(ratios))]

    return Statement(
        id="shi2022.lemma-25",
        title="A read-out stays good while the first layer moves",
        kind=Kind.BOUND,
        config=Sizes(),
        evidence=evidence,
        text=TEXTS["lemma-25"],
        control=Control("the bound has lost sqrt(||a~||_0)", lambda: statement(without_count)),
        seeds=3,
        place="Lemma 25, appendix B.6",
        references=("shi2022",),
    )


def _ratios(run: Later, rng: np.random.Generator, right: Callable[[Moves], float]) -> list[float]:
    """Largest change over its bound, for three read-outs at every step."""
    with jax.enable_x64(True):
        points = run.law.support()
        x, y = np.asarray(points.x, float), np.asarray(points.y, float)
    features = np.clip(np.einsum("si,tni->tsn", x, run.w) + run.b[:, None, :], 0, 1)
    found = []
    for t in range(1, len(features)):
        moved = features[t] - features[0]
        most = moved[np.abs(moved).sum(axis=1).argmax()]
        plain = rng.normal(size=moved.shape[1])
        for a in (plain, plain * (rng.random(len(plain)) < 0.2), np.sign(most)):
            losses = [np.maximum(1 - y * (each @ a), 0) for each in (features[t], features[0])]
            limit = right(Moves(readout=a, w=run.moved_w[t], b=run.moved_b[t]))
            if limit > 0:
                found.append(float(np.abs(losses[0] - losses[1]).max()) / limit)
    return found


STATEMENT = statement()
