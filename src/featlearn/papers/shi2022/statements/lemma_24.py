r"""Lemma 24: after the second step the first layer moves little, whatever happens.

With tau = t - 2 steps of eta and lambda in (0, 1), the proof has, (257), (265) and (270),

    |a_t| <= eta tau + |a_2|,     |b_t - b_2| <= eta² tau² + tau |a_2|,
    ||w_t - w_2|| <= 2 tau eta lambda ||w_2|| + eta² tau² + tau |a_2|,

with the sizes of a_2, w_2 and b_2 of lemma 23 put in. (The print has a term of lambda for b, which
is not regularised.) Its recursion gives a little more: eta² tau²/2 and eta tau |a_2| in the last
two. Every neuron at every step of population gradient descent is compared with these.
"""

import numpy as np
from jaxtyping import Float

from featlearn.experiments.lab import Lab
from featlearn.papers.shi2022.later import Later, Sizes, later_steps
from featlearn.papers.shi2022.texts import TEXTS
from featlearn.theory import Claim, Control, Kind, Reading, Statement, bound

Limits = dict[str, Float[np.ndarray, "steps neurons"]]


def limits(run: Later, decay: float = 1.0, *, sharper: bool = False) -> Limits:
    """The three bounds of the proof, or of its recursion; `decay` multiplies the term of lambda."""
    t, eta, a2 = run.elapsed, run.eta, np.abs(run.a[0])
    square, late = (0.5, eta) if sharper else (1.0, 1.0)
    drift = square * eta**2 * t**2 + late * t * a2
    shrunk = decay * 2 * t * eta * run.lam * np.linalg.norm(run.w[0], axis=1)
    return {"|a_t|": eta * t + a2, "||w_t - w_2||": shrunk + drift, "|b_t - b_2|": drift}


def statement(decay: float = 1.0) -> Statement[Sizes]:
    """The lemma; another `decay` is another bound of w."""

    def evidence(sizes: Sizes, lab: Lab) -> list[Claim]:
        worst: dict[tuple[str, str], list[float]] = {}
        for seed in lab.seeds:
            found: dict[tuple[str, str], float] = {}
            for eta, lam in zip(sizes.eta, sizes.lam, strict=True):
                run = later_steps(sizes, eta, lam, seed)
                sides = {
                    "|a_t|": np.abs(run.a),
                    "||w_t - w_2||": run.moved_w,
                    "|b_t - b_2|": run.moved_b,
                }
                for whose in ("proof", "recursion"):
                    claimed = limits(run, decay, sharper=whose == "recursion")
                    for name, side in sides.items():
                        ratio = float((side[1:] / claimed[name][1:]).max())
                        found[whose, name] = max(found.get((whose, name), 0.0), ratio)
            for key, value in found.items():
                worst.setdefault(key, []).append(value)
        parts = []
        for (whose, name), values in worst.items():
            title = f"{name} over the bound of the {whose}"
            part = bound(title, np.array(values), 1.0, every=True, instances=sizes.width)
            parts.append(part.under(Reading.RUN) if whose == "recursion" else part)
        return parts

    return Statement(
        id="shi2022.lemma-24",
        title="After the second step the first layer moves little",
        kind=Kind.BOUND,
        config=Sizes(),
        evidence=evidence,
        text=TEXTS["lemma-24"],
        control=Control(
            "the bound of w has no term for its weight decay", lambda: statement(decay=0.0)
        ),
        seeds=3,
        place="Lemma 24, appendix B.6",
        references=("shi2022",),
    )


STATEMENT = statement()
