r"""The law of points whose label is any function of k bits among d, with its truth.

    d   inputs      k   relevant bits      A   their coordinates      Q   (d, d) orthonormal rows

In the coordinates u = Q x all entries are independent with mean 0 and variance 1, and

    y = h(u_A) + N(0, label_sd^2)           "regression"
    y = sign h(u_A), flipped with `flips`   "classification"

The fields `signal` and `noise` say whether the k entries u_A, and the others, are Boolean or
Gaussian, as in `Parity`. If both are Boolean and Q = I, x is uniform on the cube {-1,1}^d. The
target h, such as a parity, a staircase or a majority, is a formula, a dictionary of supports, a
truth table or a function of bits (`featlearn.distributions.target`).

Expansion, degree, leap and so on describe the mean label E[y | u_A]. It is h itself in a
regression and (1 - 2 flips) sign h in a classification.
"""

import dataclasses
import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jaxtyping import Float, Key

from featlearn._check import require, require_one_of
from featlearn._record import record
from featlearn.distributions.batch import Batch
from featlearn.distributions.bits import every_sign, signs
from featlearn.distributions.parity import ENUMERABLE, LAWS, NAMED, require_basis
from featlearn.distributions.staircase import climb, leap, reached
from featlearn.distributions.symmetries import MOST_BITS as MOST_TIED
from featlearn.distributions.symmetries import Ties, floor, ties
from featlearn.distributions.target import Support, Target, name_of, target_of

TASKS = ("regression", "classification")


@record(numbers=("basis", "flips", "label_sd"))
class Boolean:
    """The law of points whose label is a function of k hidden bits, with its closed forms."""

    d: int
    """Input dimension."""
    target: Any
    """Formula, dictionary of supports, truth table, function of bits, or `Target`."""
    task: str = "regression"
    """Labels h, or sign h: "regression" or "classification"."""
    flips: float = 0.0
    """Probability that a label of a classification is flipped."""
    label_sd: float = 0.0
    """Standard deviation of the noise in a label of a regression."""
    signal: str = "boolean"
    """The law of the k bits: "boolean" (fair signs) or "gaussian" (their signs make the label)."""
    noise: str = "boolean"
    """The law of the other coordinates: "boolean" or "gaussian"."""
    relevant: tuple[int, ...] = ()
    """Where the k bits stand, counted from 0, in the order x1, x2, …; empty: the first k."""
    basis: Float[Array, "inputs inputs"] | None = None
    """Orthonormal rows; None is the standard basis."""

    def __post_init__(self) -> None:
        require_one_of(self.task, TASKS, "Boolean(task)")
        require_one_of(self.signal, LAWS, "Boolean(signal)")
        require_one_of(self.noise, LAWS, "Boolean(noise)")
        target = target_of(self.target, gaussian=self.signal == "gaussian")
        object.__setattr__(self, "target", target)
        told = f"d={self.d} for {target.k} bits"
        require(target.k <= self.d, "Boolean(d)", "at least as many inputs as bits", told)
        for name, task in (("flips", "classification"), ("label_sd", "regression")):
            value = getattr(self, name)
            if isinstance(value, (int, float)):
                fits = 0 <= value < (0.5 if name == "flips" else float("inf"))
                range_ = "from 0 to below 1/2" if name == "flips" else "a standard deviation >= 0"
                require(fits, f"Boolean({name})", range_, value)
                told = f"{value} for task={self.task!r}"
                meant = value == 0 or self.task == task
                require(meant, f"Boolean({name})", f"0 unless the task is {task}", told)
        if self.task == "classification" and self.signal == "boolean":
            target.sign()
        if self.relevant:
            proper = len(set(self.relevant)) == target.k == len(self.relevant)
            proper = proper and all(0 <= j < self.d for j in self.relevant)
            expected = f"{target.k} different places from 0 to {self.d - 1}"
            require(proper, "Boolean(relevant)", expected, self.relevant)
        require_basis(self.basis, self.d, "Boolean(basis)")

    @property
    def k(self) -> int:
        """The number of bits that the label depends on."""
        return int(self.target.k)

    @property
    def A(self) -> tuple[int, ...]:
        """The places of the k relevant bits in the coordinates u = Q x, in the order x1, x2, …"""
        return self.relevant or tuple(range(self.k))

    def hidden(self, *, key: Key[Array, ""]) -> "Boolean":
        """Return the law with the same target, whose bits are at k places of x drawn at random."""
        places = jax.random.permutation(key, self.d)[: self.k]
        return dataclasses.replace(self, relevant=tuple(map(int, places)))

    def sample(self, m: int, *, key: Key[Array, ""]) -> Batch:
        """Draw `m` independent points x = Q^T u with their labels.

        If signal and noise are both Boolean, the bits u are those that `Parity` draws for the same
        key.
        """
        of_signal, of_noise = jax.random.split(key)
        if self.signal == self.noise == "boolean":
            u = signs(m, self.d, key=of_noise)
        else:
            u = _draw(self.noise, m, self.d, of_noise)
            u = u.at[:, jnp.array(self.A)].set(_draw(self.signal, m, self.k, of_signal))
        y = self._clean(u)
        of_labels = jax.random.fold_in(key, 1)
        if self.task == "classification" and not _is_zero(self.flips):
            y = jnp.where(jax.random.uniform(of_labels, (m,)) < self.flips, -y, y)
        elif self.task == "regression" and not _is_zero(self.label_sd):
            y = y + self.label_sd * jax.random.normal(of_labels, (m,))
        return Batch(x=u if self.basis is None else u @ self.basis, y=y)

    def support(self) -> Batch:
        """Return every point of the law with its label and probability.

        The list exists if signal and noise are Boolean, labels have no noise, and d <= 20.
        """
        clean = _is_zero(self.flips) and _is_zero(self.label_sd)
        require(
            self.signal == self.noise == "boolean" and self.d <= ENUMERABLE and clean,
            "Boolean.support()",
            f"Boolean signal and noise, clean labels and d <= {ENUMERABLE}",
            f"signal={self.signal!r}, noise={self.noise!r}, d={self.d}"
            + ("" if clean else ", noise in labels"),
            "Sample instead.",
        )
        u = every_sign(self.d)
        x = u if self.basis is None else u @ self.basis
        return Batch(x=x, y=self._clean(u), weight=jnp.full(len(u), 1 / len(u)))

    def label(self, x: Float[Array, "samples inputs"]) -> Float[Array, " samples"]:
        """Return the label of given points x before any flip or noise."""
        return self._clean(x if self.basis is None else x @ self.basis.T)

    def bits(self, x: Float[Array, "samples inputs"]) -> Float[Array, "samples k"]:
        """Return the k relevant coordinates u_A of given points x, in the order x1, x2, …"""
        return x @ self.directions.T

    @property
    def directions(self) -> Float[Array, "k inputs"]:
        """The k relevant unit directions, which are the rows A of Q."""
        rows = jnp.eye(self.d) if self.basis is None else self.basis
        return rows[jnp.array(self.A)]

    @property
    def relevant_directions(self) -> Float[Array, "k inputs"]:
        """The orthonormal rows whose span contains all that the label depends on: `directions`."""
        return self.directions

    @property
    def labels(self) -> dict[str, tuple[str, ...]]:
        """The names of the directions, the terms of the mean label and the corners, for tables."""
        named = {"direction": tuple(f"x{i + 1}" for i in range(self.k))}
        if self.signal == "boolean" or self.task == "regression":
            named["term"] = tuple(map(name_of, self.mean_label.supports))
        if self.k <= NAMED:
            corners = ["".join("-+"[i >> j & 1] for j in range(self.k)) for i in range(2**self.k)]
            named["cluster"] = tuple(corners)
        return named

    @property
    def means(self) -> Float[Array, "clusters inputs"]:
        """The 2^k centres: Q^T u, where u is a corner z on A and 0 elsewhere.

        The corners z are in the order of `every_sign(k)`.
        """
        return every_sign(self.k) @ self.directions

    @property
    def mean_labels(self) -> Float[Array, " clusters"]:
        """The label, before any flip or noise, of each of the centres in `means`."""
        return self.label(self.means)

    @property
    def noise_sd(self) -> float | None:
        """The standard deviation 1 if the noise is Gaussian; None if it is Boolean.

        Gaussian noise has the same law in every orthonormal basis, Boolean noise has not.
        """
        return 1.0 if self.noise == "gaussian" else None

    def in_dimensions(self, d: int) -> "Boolean":
        """Return the same law in d dimensions: first the k bits, then the noise coordinates."""
        return dataclasses.replace(self, d=d, basis=None, relevant=())

    @property
    def mean_label(self) -> Target:
        """The mean label E[y | u_A] as a `Target`: h in a regression, else (1 - 2 flips) sign h."""
        if self.task == "regression":
            target: Target = self.target
            return target
        shrink = 1 - 2 * float(self.flips)
        terms = _sign_of(self.target).terms
        return Target(k=self.k, terms=tuple((S, shrink * c) for S, c in terms))

    @property
    def fourier(self) -> dict[Support, float]:
        """The Fourier (or Hermite) coefficients of the mean label, by support."""
        return self.mean_label.coefficients

    @property
    def degree(self) -> int:
        """The degree of the mean label as a polynomial."""
        return self.mean_label.degree

    @property
    def staircase(self) -> tuple[Support, ...] | None:
        """An order of the supports of the mean label in which each one adds at most one new bit.

        The value is None if there is no such order, that is if the target is no merged staircase.

        Example:
            >>> Boolean(d=9, target="x1*x2*x3 + x1 + x1*x2").staircase
            ((1,), (1, 2), (1, 2, 3))
        """
        order = climb(self.mean_label.supports)
        return tuple(S for S, _ in order) if all(added <= 1 for _, added in order) else None

    @property
    def leap(self) -> int:
        """The largest number of new bits that a support adds, in the best order of the supports.

        A leap of 1 is a merged staircase.
        """
        return leap(self.mean_label.supports)

    @property
    def reached(self) -> tuple[int, ...]:
        """The bits, counted from 1, of the largest merged staircase within the mean label."""
        return reached(self.mean_label.supports)

    @property
    def ties(self) -> Ties:
        """The bits whose weights in every neuron are equal or 0 by symmetry of the mean label."""
        return ties(self.mean_label)

    @property
    def flow_floor(self) -> float:
        """A lower bound of the squared error of gradient flow from u = 0, without the label noise.

        Here u are the weights of the neurons on the k bits, in the limit of large d.
        """
        return floor(self.mean_label)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences about the target for a report: its terms, staircase or leap, and tied bits.

        Example:
            >>> Boolean(d=9, target="x1 + x1*x2*x3").remarks[1]
            'No merged staircase: a leap of 2; at d = infinity x2, x3 are never found.'
        """
        h = self.mean_label
        listed = ", ".join(f"{name_of(S)} ({c:.3g})" for S, c in h.terms[:NAMED])
        more = f" and {len(h.terms) - NAMED} more" if len(h.terms) > NAMED else ""
        lines = [f"Terms of the label: {listed}{more}; degree {h.degree}."]
        lost = [f"x{i}" for i in range(1, self.k + 1) if i not in self.reached]
        if self.staircase is not None:
            order = ", then ".join(map(name_of, self.staircase[:NAMED]))
            lines.append(f"A merged staircase: {order}.")
        else:
            never = f"at d = infinity {', '.join(lost)} are never found"
            lines.append(f"No merged staircase: a leap of {self.leap}; {never}.")
        if self.signal == "boolean" and self.k <= MOST_TIED:
            groups = [g for g in self.ties.groups if len(g) > 1]
            alike = "; ".join(
                " = ".join(f"{'-' if e < 0 else ''}x{i}" for i, e in group) for group in groups
            )
            tied = f"tied in every neuron: {alike}; " if groups else ""
            least = f"the error stays at or above {self.flow_floor:.3g} of {h.variance:.3g}"
            left = least if self.flow_floor > 1e-9 else "no part of it is out of reach"
            lines.append(f"In the limit of large d, {tied}{left}.")
        return tuple(lines)

    def error_of_degree(self, degree: int) -> float:
        """Return the least E (y - q(x))^2 over polynomials q of degree at most `degree`."""
        return self.mean_label.error_of_degree(degree) + self.label_variance

    @property
    def label_variance(self) -> float:
        """The mean of Var(y | x), the squared error that the best function of x still has."""
        if self.task == "regression":
            return float(self.label_sd) ** 2
        return 1 - (1 - 2 * float(self.flips)) ** 2

    @property
    def bayes_error(self) -> float:
        """The least error of any classifier of the sign, which is the flip probability."""
        return float(self.flips)

    def _clean(self, u: Float[Array, "samples _"]) -> Float[Array, " samples"]:
        z = u[:, jnp.array(self.A)]
        if self.target.gaussian:
            h = self.target(z)
            return jnp.sign(h) if self.task == "classification" else h
        place = ((z > 0) * jnp.array([1 << i for i in range(self.k)])).sum(axis=1)
        values = self.target.table
        values = np.sign(values) if self.task == "classification" else values
        return jnp.asarray(values, u.dtype)[place]


@functools.lru_cache(maxsize=64)
def _sign_of(target: Target) -> Target:
    return target.sign()


def _is_zero(value: object) -> bool:
    """Return whether a value is a plain number equal to 0; a number traced by JAX is not."""
    return isinstance(value, (int, float)) and value == 0


def _draw(law: str, m: int, n: int, key: Key[Array, ""]) -> Float[Array, "{m} {n}"]:
    return signs(m, n, key=key) if law == "boolean" else jax.random.normal(key, (m, n))
