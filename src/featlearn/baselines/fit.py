r"""Fitting of a family of linear models to a sample, to its optimum, for every baseline.

    minimise  sum_i w_i l(f(x_i), y_i) + lam |theta|^2,      f(x) = f0(x) + theta . phi(x)

Squared loss is solved in closed form (`ridge`), any other convex loss by `convex`, in the cheapest
of three forms (`forms`). The regulariser is `lam`, or it is chosen on held-out points: it is the
one of the grid with the least mean validation loss (or error), and the largest of those if several
are equal. The grid is in units of the mean of K(x, x), so that scaling the features changes
nothing.

Coefficients are fitted to `batch` alone. If held-out points are drawn in addition to the samples
that the network trains on, the baseline has an advantage; `split` takes them from these samples.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from jaxtyping import Float

from featlearn._check import require, require_one_of, require_positive
from featlearn.baselines.convex import values_of
from featlearn.baselines.family import Family, Numbers, features, gram, offset, outputs_of
from featlearn.baselines.forms import (
    FORMS,
    Labelled,
    Solution,
    cheapest_form,
    convex_path,
    squared_path,
)
from featlearn.distributions import Batch
from featlearn.training import Loss
from featlearn.training import loss as loss_named
from featlearn.training.losses import SQUARED

GRID = tuple(10.0**power for power in range(0, -9, -1))
"""Regularisers to choose from, in units of the mean of K(x, x): 1, 0.1, …, 1e-8."""


@dataclass(frozen=True, kw_only=True)
class Score:
    """The mean loss and the error rate of a predictor on a sample."""

    loss: float
    error: float
    """Share of points with y f(x) <= 0."""


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """One regulariser with the scores of its solution, and whether the solver converged."""

    lam: float
    train: Score
    validation: Score | None
    converged: bool
    status: str
    """What the solver did, in a sentence."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Predictor:
    """A fitted baseline, which is called on points; its fields say how it was fitted."""

    family: Family
    form: str
    coefficients: Float[np.ndarray, " _"]
    """c of f0 + K(x, points) c, or theta."""
    points: Float[np.ndarray, "samples inputs"] | None
    """The sample, in the kernel form; None where the features are at hand and theta is kept."""
    chosen: Candidate
    path: tuple[Candidate, ...]
    """Every regulariser tried, from the largest."""

    @property
    def lam(self) -> float:
        """The regulariser that was given or chosen."""
        return self.chosen.lam

    def __repr__(self) -> str:
        return f"Predictor({self.family.name}, {self.form} form, lam={self.lam:.4g})"

    def __call__(self, x: Float[Numbers, "others inputs"]) -> Float[np.ndarray, " others"]:
        """Return the outputs f(x), computed in slices of the rows of x."""
        if self.points is None:
            return offset(self.family, x) + outputs_of(self.family, self.coefficients, x)
        return offset(self.family, x) + _by_kernel(self.family, self.points, self.coefficients, x)

    def score(self, batch: Batch, *, loss: str | Loss = "squared") -> Score:
        """Return the mean loss and the error rate on `batch`."""
        return _score(self(batch.x), batch, loss_named(loss))


def split(batch: Batch, share: float = 0.2) -> tuple[Batch, Batch]:
    """Divide a sample into its first points, for fitting, and its last ones, for validation.

    The last part has the fraction `share` of the points, so that both together are one sample
    budget.

    Example:
        >>> import jax.numpy as jnp
        >>> fitted, held_out = split(Batch(x=jnp.zeros((10, 3)), y=jnp.ones(10)))
        >>> len(fitted.y), len(held_out.y)
        (8, 2)
    """
    n = len(batch.y)
    m = n - round(share * n)
    require(0 < m < n, "split(share)", "at least one point on each side", f"{share} of {n}")
    require(batch.weight is None, "split(batch)", "points of equal weight", "a population")
    return Batch(x=batch.x[:m], y=batch.y[:m]), Batch(x=batch.x[m:], y=batch.y[m:])


def fit(
    family: Family,
    batch: Batch,
    *,
    loss: str | Loss = "squared",
    lam: float | None = None,
    validation: Batch | None = None,
    grid: Sequence[float] = GRID,
    criterion: str = "loss",
    form: str | None = None,
    tolerance: float = 1e-5,
) -> Predictor:
    """Return the member of `family` that minimises the regularised loss on `batch`.

    Args:
        family: what may be fitted, such as `exact_ntk(network)`.
        batch: the sample, or a population with its probabilities.
        loss: a convex loss, by name or as a record.
        lam: the regulariser itself; or None, and `validation` decides.
        validation: held-out points on which the regulariser is chosen; without them and without
            `lam` it is chosen on a fifth of the batch (`split`), and all of it is fitted then.
        grid: what it is chosen from, in units of the mean of K(x, x).
        criterion: "loss" or "error" on the held-out points.
        form: "kernel", "features" or "operator"; None is the cheapest.
        tolerance: certified distance of the objective from its minimum. Squared loss is a linear
            system instead, solved to a relative residual of 1e-7.

    Example:
        >>> import jax
        >>> from featlearn.baselines import polynomial
        >>> from featlearn.distributions import Parity
        >>> parity = Parity(d=6)
        >>> batch, other = (parity.sample(200, key=jax.random.key(s)) for s in (0, 1))
        >>> fit(polynomial(2), batch, validation=other).score(other).error
        0.0
    """
    require_one_of(criterion, ("loss", "error"), "fit(criterion)")
    for name, given in (("batch", batch), ("validation", validation)):
        fits = isinstance(given, Batch) or (given is None and name == "validation")
        hint = "Write fl.Batch(x=…, y=…)."
        require(fits, f"fit({name})", "a Batch of points", type(given).__name__, hint)
    require(
        lam is None or validation is None,
        "fit(lam, validation)",
        "a regulariser, or held-out points to choose one by",
        "both",
    )
    require_positive(tolerance, "fit(tolerance)")
    if lam is None and validation is None:
        fitted, held_out = split(batch)
        how: dict[str, Any] = {"loss": loss, "form": form, "tolerance": tolerance}
        chosen = fit(family, fitted, validation=held_out, grid=grid, criterion=criterion, **how)
        whole = fit(family, batch, lam=chosen.lam, **how)
        return replace(whole, path=chosen.path)
    form = cheapest_form(family, len(batch.y)) if form is None else form
    require_one_of(form, FORMS, "fit(form)")
    if lam is None:
        require(min(grid, default=0) > 0, "fit(grid)", "positive regularisers", tuple(grid))
        unit = _mean_diagonal(family, batch.x)
        lams = [unit * step for step in sorted(grid, reverse=True)]
    else:
        require_positive(lam, "fit(lam)")
        lams = [lam]

    of = loss_named(loss)
    sample = Labelled(
        x=np.asarray(batch.x, np.float64),
        y=np.asarray(batch.y, np.float64),
        offset=offset(family, batch.x),
        weight=_weights(batch),
    )
    solve = squared_path if of == SQUARED else convex_path
    solutions = solve(family, form, sample, lams, tolerance, of)
    points = sample.x if form == "kernel" else None
    path = _judged(family, points, solutions, batch, validation, of)
    best = choice(path, criterion)
    coefficients = solutions[best].coefficients
    if points is not None and family.features is not None and family.apply is None:
        coefficients, points = _theta(family, points, coefficients), None
    return Predictor(
        family=family,
        form=form,
        coefficients=coefficients,
        points=points,
        chosen=path[best],
        path=tuple(path),
    )


def choice(path: Sequence[Candidate], criterion: str) -> int:
    """Return the index of the candidate with the least validation loss or error.

    If several are equal, it is the one with the largest regulariser; without validation it is 0.
    """
    if path[0].validation is None:
        return 0
    values = [getattr(each.validation, criterion) for each in path]
    least = min(values)
    ties = [i for i, value in enumerate(values) if value <= least * (1 + 1e-9)]
    return max(ties, key=lambda i: path[i].lam)


def _judged(
    family: Family,
    points: Float[np.ndarray, "samples inputs"] | None,
    solutions: Sequence[Solution],
    batch: Batch,
    validation: Batch | None,
    of: Loss,
) -> list[Candidate]:
    scores: list[Score | None] = [None] * len(solutions)
    if validation is not None:
        table = np.stack([each.coefficients for each in solutions], axis=1)
        start = offset(family, validation.x)[:, None]
        if points is None:
            columns = [outputs_of(family, column, validation.x) for column in table.T]
            outputs = start + np.stack(columns, axis=1)
        else:
            outputs = start + _by_kernel(family, points, table, validation.x)
        scores = [_score(column, validation, of) for column in outputs.T]
    return [
        Candidate(
            lam=each.lam,
            train=_score(each.outputs, batch, of),
            validation=score,
            converged=each.converged,
            status=each.status,
        )
        for each, score in zip(solutions, scores, strict=True)
    ]


def _by_kernel(
    family: Family,
    points: Float[np.ndarray, "samples inputs"],
    c: np.ndarray,
    x: Numbers,
    rows: int = 4096,
) -> np.ndarray:
    """Return K(x, points) c, where K is computed for slices of the rows of x."""
    parts = [gram(family, x[i : i + rows], points) @ c for i in range(0, len(x), rows)]
    return np.concatenate(parts)


def _theta(
    family: Family,
    points: Float[np.ndarray, "samples inputs"],
    c: Float[np.ndarray, " samples"],
    rows: int = 1024,
) -> Float[np.ndarray, " N"]:
    """Return theta = phi(points)^T c, with which f(x) needs phi(x) but no kernel."""
    parts = range(0, len(points), rows)
    return sum(features(family, points[i : i + rows]).T @ c[i : i + rows] for i in parts)


def _mean_diagonal(family: Family, x: Numbers, most: int = 256) -> float:
    """Return the mean of K(x, x) over at most `most` points of the sample, evenly spaced."""
    some = np.asarray(x)[:: max(1, -(-len(x) // most))]
    return float(np.mean(np.diag(gram(family, some, some))))


def _weights(batch: Batch) -> Float[np.ndarray, " samples"]:
    n = len(batch.y)
    return np.full(n, 1 / n) if batch.weight is None else np.asarray(batch.weight, np.float64)


def _score(f: Float[np.ndarray, " samples"], batch: Batch, of: Loss) -> Score:
    y, w = np.asarray(batch.y, np.float64), _weights(batch)
    return Score(loss=float(w @ values_of(of, f, y)[0]), error=float(w @ (y * f <= 0)))
