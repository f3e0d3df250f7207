r"""Lemma 13: after the first step the network moves slowly, every neuron at every t.

    eta, lambda in [0, 1/2]:    |a^(t)| <= 6 eta t + k/sqrt d,
    ||w^(t) - w^(1)|| <= 6 eta^2 t^2 + eta t k/sqrt d + 2 eta t lambda d/k,
    |b^(t) - b^(1)|  <= 6 eta^2 t^2 + eta t k/sqrt d.

The text lost a "+" and has one t too many in the second line; this is its proof's last line. As
printed, the bound is of second order in eta, while the first step is of first order: it FAILS where
eta is small (t = 2, eta = 0.0002). The proof uses only ||x|| = 1 and |relu6| <= 6, so that it holds
for gradients of any distribution, the fresh batches of the run among them. Daniely & Malach (2020),
section 4.2 and appendix A.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from jaxtyping import Float

from featlearn.experiments.lab import Lab
from featlearn.papers.daniely2020.drift import (
    Drift,
    Sizes,
    bias_bound,
    first_layer_as_printed,
    first_layer_bound,
    second_layer_bound,
    slower,
    trajectories,
)
from featlearn.papers.daniely2020.texts import TEXTS
from featlearn.theory import Claim, Control, Hypothesis, Kind, Reading, Statement, bound

Limit = Callable[[Drift, int, int], Float[np.ndarray, " steps"]]
LIMITS: dict[str, Limit] = {
    "a": second_layer_bound,
    "w": first_layer_bound,
    "b": bias_bound,
}
SMALL_ETA, FEW = 0.0002, 5
"""The step size and the steps of the printed bound."""


def moved(drift: Drift, part: str) -> Float[np.ndarray, "seeds steps neurons"]:
    """|a^(t)|, ||w^(t) - w^(1)|| or |b^(t) - b^(1)|."""
    values = drift.data[f"weights_{part}"].values.astype(float)
    if part == "a":
        return np.abs(values)
    gone = values - values[:, :1]
    return np.linalg.norm(gone, axis=3) if part == "w" else np.abs(gone)


def as_printed(sizes: Sizes, lab: Lab) -> list[Claim]:
    """The printed bound on the weights, in a few steps of a small size."""
    parts = []
    for drift in trajectories(replace(sizes, eta=(SMALL_ETA,), steps=FEW), lab):
        allowed = first_layer_as_printed(drift, sizes.d, sizes.k)[None, :, None]
        share = (moved(drift, "w") / allowed).max(axis=(1, 2))
        name = f"as printed: share of the bound on w, eta={drift.eta}, lambda={drift.lam}"
        parts.append(bound(name, share, 1.0, every=True).under(Reading.PRINTED))
    return parts


def hypotheses(sizes: Sizes) -> list[Hypothesis]:
    """eta, lambda <= 1/2."""
    return [
        Hypothesis(name="eta <= 1/2", value=max(sizes.eta), side="<=", limit=0.5),
        Hypothesis(name="lambda <= 1/2", value=max(sizes.lam), side="<=", limit=0.5),
    ]


def too_slow() -> dict[str, Limit]:
    """A control: the bounds with a hundredth of the step size."""
    return {part: _slowed(limit) for part, limit in LIMITS.items()}


def _slowed(limit: Limit) -> Limit:
    return lambda drift, d, k: limit(slower(drift, 100), d, k)


def statement(limits: dict[str, Limit] | None = None) -> Statement[Sizes]:
    """The lemma; other `limits` are other claims."""

    def evidence(sizes: Sizes, lab: Lab) -> list[Claim]:
        parts = []
        for drift in trajectories(sizes, lab):
            for part, limit in (limits or LIMITS).items():
                allowed = limit(drift, sizes.d, sizes.k)[None, :, None]
                share = (moved(drift, part) / allowed).max(axis=(1, 2))
                name = f"largest share of the bound on {part}, eta={drift.eta}, lambda={drift.lam}"
                claim = bound(name, share, 1.0, every=True)
                parts.append(claim.under(Reading.CORRECTED) if part == "w" else claim)
        return [*parts, *as_printed(sizes, lab)]

    return Statement(
        id="daniely2020.lemma-13",
        title="After the first step the network moves slowly",
        kind=Kind.BOUND,
        config=Sizes(),
        evidence=evidence,
        hypotheses=hypotheses,
        text=TEXTS["lemma-13"],
        control=Control("a hundred times the step size", lambda: statement(too_slow())),
        seeds=3,
        place="Lemma 13, section 4.2",
        references=("daniely2020",),
    )


STATEMENT = statement()
