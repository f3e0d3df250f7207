r"""Lemma 4.4 (formally D.3): one step of phase 2 (Glasgow 2023).

If the network is (zeta, H)-signal-heavy with heavy set S and eta <= zeta^3, then after one step

    1.  it is (zeta(1 + 10 eta zeta H), H)-signal-heavy
    2.  gamma~_min' >= (1 + 2 eta tau (1 - o(1)) g_max) gamma~_min
    3.  gamma~_max' <= (1 + 2 eta tau (1 + o(1)) g_min) gamma~_max,         tau = sqrt(2)/4.

By the paper's constants (H > 1, zeta <= exp(-10H), eta <= zeta^3 < 1e-13) no run is in scope. The
parts measure it on a run: S is the working heavy set at T1, kept; items 2 and 3 are summed over the
steps of phase 2 (log of the growth over the sum of log(1 + 2 eta tau g)), and their o(1) is read as
0.1 (1 - exp(-2 sqrt(eta)), the part of the proof's error term that the step size makes, is 0.36 and
would let a factor 1.5 pass); item 1 is the largest growth of the smallest zeta (without exp(6H))
over stretches of phase 2.
"""

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import xarray as xr

from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.near_start import TAU
from featlearn.papers.glasgow2023.population import REFERENCES
from featlearn.papers.glasgow2023.statements.definition_4_2 import H_PAPER, Run
from featlearn.papers.glasgow2023.texts import TEXTS
from featlearn.papers.glasgow2023.watched import carried, heavy_at, phase_1_end, watch, zetas
from featlearn.theory import (
    Control,
    Evidence,
    FittedConstant,
    Hypothesis,
    Kind,
    Reading,
    Statement,
    bound,
)

STRETCH = 20
"""Steps between two looks at zeta."""
LITTLE = 0.1
"""The o(1) of items 2 and 3."""


@dataclass(frozen=True, kw_only=True)
class PhaseTwo(Run):
    """The run whose phase 2 is looked at."""

    eta: float = 0.05
    """Step size."""
    steps: int = 400
    """Steps of training."""


def hypotheses(config: PhaseTwo) -> list[Hypothesis]:
    """eta <= zeta^3, with the largest zeta that definition 4.2 allows."""
    return [
        Hypothesis(
            name="eta <= zeta^3 <= exp(-30H)",
            value=config.eta,
            side="<=",
            limit=math.exp(-30 * H_PAPER),
            readings=(Reading.PRINTED,),
        )
    ]


def heavy_at_T1(config: PhaseTwo, data: xr.Dataset) -> tuple[Hypothesis, ...]:
    """zeta <= exp(-10H) at T1 of the first seed, or at the end of its run."""
    T1 = phase_1_end(data, config.theta)[0]
    at = int(T1) if np.isfinite(T1) else config.steps
    return (
        Hypothesis(
            name="signal-heavy at T1, zeta <= exp(-10H)",
            value=float(zetas(data, 0, [at], H_PAPER)[0]),
            side="<=",
            limit=math.exp(-10 * H_PAPER),
            readings=(Reading.PRINTED,),
        ),
    )


def growths(config: PhaseTwo, data: xr.Dataset, rate: float) -> np.ndarray:
    """Per seed: items 2 and 3 as quotients of growth and rate, item 1 as growth of zeta."""
    T1, rows = phase_1_end(data, config.theta), []
    for i, start in enumerate(T1):
        if not np.isfinite(start):
            rows.append([math.nan] * 3)
            continue
        t = int(start)
        gamma = carried(data, i, heavy_at(data, i, t))[t:]
        g = data["g"].isel(seed=i).values.astype(float)[t:-1]
        low, high = gamma.min(axis=1), gamma.max(axis=1)
        of_max = np.log1p(2 * config.eta * rate * g.max(axis=1)).sum()
        of_min = np.log1p(2 * config.eta * rate * g.min(axis=1)).sum()
        looks = list(range(t, config.steps + 1, STRETCH))
        zeta = zetas(data, i, looks, 0.0)
        H = float((data["norm"].isel(seed=i, step=-1).astype(float) ** 2).mean()) / 2
        kept = zeta[1:] / (zeta[:-1] * (1 + 10 * config.eta * zeta[:-1] * H) ** STRETCH)
        grown = math.log(low[-1] / low[0]) / of_max, math.log(high[-1] / high[0]) / of_min
        rows.append([*grown, float(kept.max())])
    return np.array(rows)


def statement(rate: float = TAU, trained: Literal["both", "first"] = "both") -> Statement[PhaseTwo]:
    """The lemma; another `rate`, or one layer `trained` alone, is another claim."""

    def evidence(config: PhaseTwo, lab: Lab) -> Evidence:
        data = watch(replace(config.training(), trained=trained), lab)
        least, most, zeta = growths(config, data, rate).T
        low, high = "2. growth of gamma~_min over its rate", "3. growth of gamma~_max over its rate"
        return Evidence(
            parts=(
                bound(low, least, 1 - LITTLE, side=">="),
                bound(high, most, 1 + LITTLE),
                bound("1. growth of zeta over (1 + 10 eta zeta H)^t", zeta, 1.0),
            ),
            constants={
                "1 - o(1) of item 2": FittedConstant(value=float(np.mean(least))),
                "1 + o(1) of item 3": FittedConstant(value=float(np.mean(most))),
            },
            hypotheses=heavy_at_T1(config, data),
        )

    return Statement(
        id="glasgow2023.lemma-4.4",
        title="One step of phase 2: the weakest margin grows fastest",
        kind=Kind.BOUND,
        config=PhaseTwo(),
        evidence=evidence,
        hypotheses=hypotheses,
        text=TEXTS["lemma-4.4"],
        control=Control("the second layer is frozen", lambda: statement(trained="first")),
        seeds=5,
        place="Lemma 4.4, section 4.2; lemma D.3, appendix D",
        references=REFERENCES,
    )


STATEMENT = statement()
