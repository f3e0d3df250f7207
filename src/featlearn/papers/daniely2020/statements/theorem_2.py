r"""Theorem 2: gradient descent learns the parity.

    eta_1 = 1, lambda_1 = 1/2, then eta = k^2/(T sqrt q), lambda <= k/d;  7 <= k <= O(d^(1/10)),
    q >= Omega(k^7 log(k/delta)): with probability 1 - delta, for some t <= T,
    P[sign g^(t)(x) != y] <= O( k^10/q + k^8/sqrt q + q k/sqrt d + k^2 sqrt q/T ).

No size that a machine can hold is in scope: the proof's constant asks for q = 2 * 1120^2 k^7
log((k+1)/delta), 10^13 neurons at k = 7, and k^8/sqrt q <= 1 alone for q >= 3 * 10^13. It is
measured all the same, with the paper's own schedule, in two ways: all neurons, with large fresh
batches for the population after the first step (their relative error is told); and the good neurons
alone, with population gradients at every step (`grouped`). Daniely & Malach (2020), section 3.
"""

import math
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from featlearn._check import require
from featlearn.experiments.lab import Lab
from featlearn.papers.daniely2020.grouped import GROUPED
from featlearn.papers.daniely2020.parity import LITERAL
from featlearn.papers.daniely2020.statements.lemma_10 import DELTA
from featlearn.papers.daniely2020.texts import TEXTS
from featlearn.theory import Claim, Hypothesis, Kind, Statement, bound, reported


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """The networks that are trained; every seed is one."""

    d: int = 101
    """Input dimension."""
    k: int = 7
    """Number of relevant bits."""
    width: int = 200
    """Number of neurons, twins counted (2q)."""
    steps: int = 500
    """Steps after the first (T)."""
    batch: int = 4000
    """Fresh samples that stand for the population after the first step."""

    def __post_init__(self) -> None:
        require(self.k % 2 == 1 and self.k <= self.d, "k", f"an odd number up to {self.d}", self.k)
        require(self.width >= 2 and self.width % 2 == 0, "width", "an even number", self.width)
        require(self.steps >= 1 and self.batch >= 1, "steps and batch", "at least 1", self.steps)


def terms(sizes: Sizes) -> dict[str, float]:
    """The four terms of the bound, constants taken as 1."""
    d, k, q, T = sizes.d, sizes.k, sizes.width / 2, sizes.steps
    return {
        "k^10/q": k**10 / q,
        "k^8/sqrt q": k**8 / math.sqrt(q),
        "q k/sqrt d": q * k / math.sqrt(d),
        "k^2 sqrt q/T": k**2 * math.sqrt(q) / T,
    }


def evidence(sizes: Sizes, lab: Lab) -> list[Claim]:
    """The least error over the recorded t, against the bound with constants 1."""
    config = replace(
        LITERAL.config,
        d=sizes.d,
        k=sizes.k,
        width=sizes.width,
        steps=sizes.steps,
        batch=sizes.batch,
        records=20,
    )
    result = lab.run(replace(LITERAL, config=config))
    data = result.dataset.sel(step=result.dataset["step"] >= 1)
    error = 1 - data["test_accuracy"].max("step").values.astype(float)
    limit = sum(terms(sizes).values())
    parts = [
        bound("least error over t, fresh batches", error, limit, vacuous=limit >= 1),
        bound(
            "least error over t, good neurons, population gradients",
            exact_error(sizes, lab),
            limit,
            vacuous=limit >= 1,
        ),
    ]
    parts += [reported(name, value) for name, value in terms(sizes).items()]
    control = float(np.mean(data["gradient_error"].isel(step=-1).values))
    parts.append(
        reported(
            "relative error of the last gradient by fresh samples",
            control,
            reason=f"batches of {sizes.batch}",
        )
    )
    return parts


def exact_error(sizes: Sizes, lab: Lab) -> Float[np.ndarray, " seeds"]:
    """The same for a network of good neurons alone, without any sampling."""
    config = replace(
        GROUPED.config, records=20, d=sizes.d, k=sizes.k, width=sizes.width, steps=sizes.steps
    )
    result = lab.run(replace(GROUPED, config=config))
    return np.asarray(1 - result.dataset["test_accuracy"].max("step").values.astype(float))


def hypotheses(sizes: Sizes) -> list[Hypothesis]:
    """The sizes that it asks for, with c_n, c and C hidden."""
    k = sizes.k
    return [
        Hypothesis(name="d >= c_n", value=sizes.d, side=">=", limit=1.0, constant="c_n"),
        Hypothesis(name="k >= 7", value=k, side=">=", limit=7),
        Hypothesis(
            name="k <= c d^(1/10)",
            value=k,
            side="<=",
            limit=sizes.d**0.1,
            constant="c",
        ),
        Hypothesis(
            name="q >= C k^7 log(k/delta)",
            value=sizes.width / 2,
            side=">=",
            limit=k**7 * math.log(k / DELTA),
            constant="C",
            note=f"delta = {DELTA}",
        ),
    ]


STATEMENT = Statement(
    id="daniely2020.theorem-2",
    title="Gradient descent learns the parity",
    kind=Kind.HIDDEN_CONSTANTS,
    config=Sizes(),
    evidence=evidence,
    hypotheses=hypotheses,
    text=TEXTS["theorem-2"],
    seeds=3,
    place="Theorem 2, section 3",
    references=("daniely2020",),
)
