r"""Remark 4.3: what training the second layer is good for (Glasgow 2023, section 4).

If the second layer were not trained, all |a| = 1, then in phase 2 the neurons in S would grow

    ||w_sig'|| - ||w_sig|| = eta tau |a| g_mu                 linearly, tau = sqrt(2)/4,

and those outside at up to the same rate, so that the paper's tools would not keep their mass small.
Trained together, ||w_sig|| and |a| feed each other and the ratio of the masses is kept.

Measured from T1 on, with S the working heavy set at T1: the growth of the neurons in S over eta
tau times the sum of g_mu must be 1; outside S norms grow by at most 1 in that unit (with g_max),
on average; and with both layers trained E[1(w not in S)||w||^2]/gamma~_min must not grow. What
that ratio does with the second layer frozen is a constant: the remark claims no more than that it
might grow.
"""

import math
from dataclasses import replace
from typing import Literal

import numpy as np
import xarray as xr

from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.near_start import TAU
from featlearn.papers.glasgow2023.population import REFERENCES
from featlearn.papers.glasgow2023.statements.lemma_4_4 import PhaseTwo, heavy_at_T1
from featlearn.papers.glasgow2023.texts import TEXTS
from featlearn.papers.glasgow2023.watched import carried, heavy_at, phase_1_end, watch
from featlearn.theory import (
    Control,
    Evidence,
    FittedConstant,
    Kind,
    Statement,
    bound,
    mean_identity,
)


def frozen_growth(data: xr.Dataset, i: int, t: int, eta: float, rate: float) -> tuple[float, float]:
    """Growth in S over eta rate |a| sum g_mu, and the mean growth outside over that of g_max."""
    one, S = data.isel(seed=i), heavy_at(data, i, t)
    pull = one["g"].values.astype(float)[t:-1].sum(axis=0)
    a, u1, u2 = (one[name].values.astype(float)[t] for name in ("a", "along_mu1", "along_mu2"))
    mu = np.where(a >= 0, np.where(u1 > 0, 0, 1), np.where(u2 > 0, 2, 3))
    signal, norm = (one[name].values.astype(float) for name in ("signal", "norm"))
    grown = (signal[-1] - signal[t]) / (eta * rate * np.abs(a) * pull[mu])
    outside = (norm[-1] - norm[t]) / (eta * rate * np.abs(a) * pull.max())
    return float(grown[S].mean()), float(outside[~S].mean()) if (~S).any() else 0.0


def mass_ratio(data: xr.Dataset, i: int, t: int) -> float:
    """E[1(w not in S)||w||^2]/gamma~_min at the end over the same at T1."""
    S = heavy_at(data, i, t)
    square = data["norm"].isel(seed=i).values.astype(float) ** 2
    outside = (square * ~S).mean(axis=1) / carried(data, i, S).min(axis=1)
    return float(outside[-1] / outside[t])


def statement(
    rate: float = TAU, trained: Literal["both", "first"] = "first"
) -> Statement[PhaseTwo]:
    """The remark; another `rate`, or both layers `trained`, is another claim."""

    def evidence(config: PhaseTwo, lab: Lab) -> Evidence:
        plain = config.training()
        other = replace(plain, trained=trained, second=1.0)
        both, frozen = (watch(c, lab) for c in (plain, other))
        T1, T2 = (phase_1_end(data, config.theta) for data in (both, frozen))
        known = [i for i in range(len(lab.seeds)) if math.isfinite(T1[i]) and math.isfinite(T2[i])]
        kept = np.array([mass_ratio(both, i, int(T1[i])) for i in known])
        lost = np.array([mass_ratio(frozen, i, int(T2[i])) for i in known])
        grown = [frozen_growth(frozen, i, int(T2[i]), config.eta, rate) for i in known]
        inside, outside = np.array(grown).T
        return Evidence(
            parts=(
                mean_identity("|a| = 1: growth in S over its rate", inside, 1.0, resolve=0.02),
                bound("|a| = 1: mean growth outside S, over its rate", outside, 1.0),
                bound("both layers: mass outside over gamma~_min, end/T1", kept, 1.0),
            ),
            constants={
                "mass ratio, both layers": FittedConstant(value=float(kept.mean())),
                "mass ratio, first layer only": FittedConstant(value=float(lost.mean())),
            },
            hypotheses=heavy_at_T1(config, both),
        )

    return Statement(
        id="glasgow2023.remark-4.3",
        title="What training the second layer is good for",
        kind=Kind.BOUND,
        config=PhaseTwo(),
        evidence=evidence,
        text=TEXTS["remark-4.3"],
        control=Control("the second layer is trained", lambda: statement(trained="both")),
        seeds=5,
        place="Remark 4.3, section 4.2",
        references=REFERENCES,
    )


STATEMENT = statement()
