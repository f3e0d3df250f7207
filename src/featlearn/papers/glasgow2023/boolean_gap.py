r"""How far Boolean noise is from Gaussian noise: in the input of a neuron, and in training.

    w   a neuron on the sphere      xi   random signs      g   normal      s   samples to 95 %

    law       sup_x |P(w.xi <= x) - P(w.g <= x)|, its law exact;  at most C_BE ||w||_3^3/||w||^3
    training  log s (Boolean) - log s (Gaussian), each a mean over seeds; 0 between two simulators

Lemma B.4 bounds the first by 200 C_BE/sqrt d plus terms of a perturbation, which is above 1 up to d
= 10^4; theorem B.5 for this very w by about 0.9/sqrt d. Both are odd moments' bounds: the law of
w.xi is even, its first correction is -2 sum w_i^4/4!, of order 1/d.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float
from scipy.stats import norm

from featlearn._streams import generator
from featlearn.distributions.rademacher import interval_probability
from featlearn.figures.record import Axis, Panel, Series
from featlearn.figures.seeds import over_seeds
from featlearn.measurements import reaching
from featlearn.papers.glasgow2023.kernel_samples import LEVEL
from featlearn.papers.glasgow2023.xor import XOR
from featlearn.reproduction.item import Context
from featlearn.reproduction.rows import cell, conclusion, measured
from featlearn.results.ledger import Ours, Printed, Row, side_of
from featlearn.results.statistics import standard_error, student

C_BE = 0.56
"""Shevtsova's constant of theorem B.5."""
POINTS = 61
FORMS: dict[str, dict[str, Any]] = {
    "boolean": {"noise": "boolean"},
    "gaussian": {"noise": "gaussian", "simulation": "gram"},
    "gaussian, plain": {"noise": "gaussian", "simulation": "plain"},
}
LARGEST_PLAIN = 1024
"""Two simulators of one law are compared up to here: d² normal numbers a step are slow to draw."""


@dataclass(frozen=True, kw_only=True)
class Gap:
    """The two kinds of gap against d, and the bounds on the first."""

    d: tuple[int, ...]
    law: Float[np.ndarray, "sizes seeds"]
    berry_esseen: Float[np.ndarray, "sizes seeds"]
    """C_BE ||w||_3^3/||w||^3."""
    samples: dict[str, Float[np.ndarray, "sizes seeds"]]
    """Samples to 95 % of every form; NaN where a run never got there, or was not made."""

    @property
    def lemma(self) -> Float[np.ndarray, " sizes"]:
        """200 C_BE/sqrt d, lemma B.4 without a perturbation."""
        return 200 * C_BE / np.sqrt(np.array(self.d, float))

    def training(self, form: str) -> tuple[np.ndarray, np.ndarray]:
        """log s less that of Gaussian noise without d, with its standard error, at every d."""
        ours, base = np.log(self.samples[form]), np.log(self.samples["gaussian"])
        n = ours.shape[1]
        error = np.sqrt((ours.var(axis=1, ddof=1) + base.var(axis=1, ddof=1)) / n)
        return ours.mean(axis=1) - base.mean(axis=1), error


def distance(w: Float[np.ndarray, " inputs"]) -> float:
    """The largest difference of the two laws, looked at in 61 points from 0 to 3 sd.

    Example:
        >>> round(distance(np.ones(1)), 1)
        0.3
    """
    size = float(np.linalg.norm(w))
    x = size * np.linspace(0, 3, POINTS)[1:]
    inside = interval_probability(w, np.zeros(len(x)), x)
    return float(np.abs(inside - (norm.cdf(x / size) - 0.5)).max())


def measure(context: Context, sizes: dict[str, Any], fields: dict[str, Any]) -> Gap:
    """Both gaps at every d; trainings are stored."""
    seeds, laws, bounds = sizes["seeds"], [], []
    found: dict[str, list[list[float]]] = {form: [] for form in FORMS}
    for d in sizes["d"]:
        neurons = [generator(seed, f"neuron of {d}").normal(size=d) for seed in range(seeds)]
        laws.append([distance(w) for w in neurons])
        bounds.append([C_BE * np.sum(np.abs(w) ** 3) / np.linalg.norm(w) ** 3 for w in neurons])
        for form, changes in FORMS.items():
            if form == "gaussian, plain" and d > LARGEST_PLAIN:
                found[form].append([math.nan] * seeds)
            else:
                found[form].append(_samples(context, d, seeds, {**fields, **changes}))
    return Gap(
        d=tuple(sizes["d"]),
        law=np.array(laws),
        berry_esseen=np.array(bounds),
        samples={form: np.array(values) for form, values in found.items()},
    )


def _samples(context: Context, d: int, seeds: int, fields: dict[str, Any]) -> list[float]:
    result = context.lab.run(XOR, seeds=seeds, d=d, **fields)
    at = result.dataset["step"].values * float(result.config.batch_size)
    return reaching(at, result.dataset["test_accuracy"].values, LEVEL).tolist()


def panel(gap: Gap) -> Panel:
    """Every gap against d, with the two bounds."""
    d = np.array(gap.d, float)
    law = gap.law
    series = [over_seeds("law of w·ξ, exact", d, law.T, role="signal")]
    for form, name, role in (
        ("boolean", "samples to 95 %, Boolean", "network"),
        ("gaussian, plain", "samples to 95 %, plain Gaussian", "reference"),
    ):
        off, error = gap.training(form)
        size, seeds = np.abs(off), gap.samples[form].shape[1]
        high = size + student(0.975, 2 * (seeds - 1)) * error
        series.append(Series(name=name, x=d, y=size, low=size, high=high, role=role, kind="points"))
    bounds = (
        Series(
            name="C_{BE}‖w‖_{3}^{3}/‖w‖^{3}", x=d, y=gap.berry_esseen.mean(axis=1), role="paper"
        ),
        Series(name="200 C_{BE}/√d (B.4)", x=d, y=gap.lemma, role="floor"),
    )
    return Panel(
        x=Axis(label="input dimension d", scale="log", ticks=tuple((v, f"{v:g}") for v in d)),
        y=Axis(label="Boolean less Gaussian", scale="log", limits=(1e-5, 1e5)),
        series=(*series, *bounds),
        title="Boolean against Gaussian noise",
    )


def slope(gap: Gap) -> tuple[float, float]:
    """The power of d with which the gap of the laws falls, with its standard error over neurons."""
    if len(gap.d) < 2:
        return math.nan, math.nan
    u = np.log(gap.d) - np.mean(np.log(gap.d))
    each = (u @ np.log(gap.law)) / (u @ u)
    return float(each.mean()), standard_error(each)


def rows(context: Context, gap: Gap, item: str) -> list[Row]:
    """Boolean against Gaussian noise: the law of a neuron's input, and training."""
    d, n = gap.d[-1], gap.law.shape[1]
    law, most = float(gap.law[-1].max()), float(gap.berry_esseen[-1].min())
    fall = _ours(*slope(gap), n)
    listed = [
        conclusion(
            context,
            item,
            f"largest gap of the laws of w·ξ, d = {d}",
            law,
            f"at most {most:.3g}",
            law <= most,
            recipe="exact",
            why=f"theorem B.5 allows {most:.2g} for these {n} neurons, lemma B.4 "
            f"{gap.lemma[-1]:.3g}",
        ),
        conclusion(
            context,
            item,
            "power of d of that gap",
            fall,
            "at most -0.5",
            side_of(fall, -0.5, above=False),
            recipe="exact",
            why="the law is even, so that the term of order 1/√d is not there",
        ),
    ]
    compared = max((i for i, d in enumerate(gap.d) if d <= LARGEST_PLAIN), default=-1)
    for form, at in (("boolean", -1), ("gaussian, plain", compared)):
        # Both forms have n seeds of their own, and the error of a difference is known from both.
        apart, error = gap.training(form)
        off = _ours(float(apart[at]), float(error[at]), 2 * n - 1)
        name = f"log samples to 95 %, {form} less Gaussian without d, d = {gap.d[at]}"
        if form == "boolean":
            why = "the paper says nothing of the size of this difference"
            listed.append(measured(context, item, name, off, recipe="m/d = 1", why=why))
        else:
            why = "the two simulators have one law"
            same = Printed(value=0.0, sd=0.0, resolve=0.25)
            listed.append(cell(context, item, name, off, same, recipe="m/d = 1", why=why))
    return listed


def _ours(mean: float, stderr: float, seeds: int) -> Ours:
    known = math.isfinite(mean)
    return Ours(
        mean=mean if known else None,
        stderr=stderr if math.isfinite(stderr) else None,
        seeds=seeds,
    )
