r"""Symmetries of a target h that make weights of every neuron equal, and the error they imply.

    g   a signed permutation: (g z)_i = e_i z_{p(i)},  e_i = ±1         h(g z) = h(z) for all z

    h(g z) = sum_S c_S e_S chi_{p(S)}(z),     so g is a symmetry where   c_{p(S)} = c_S prod_S e_i.

Let u be the weights of a neuron on the k bits. A gradient flow that starts at u = 0 and treats all
bits alike keeps every neuron's u as symmetric as h: u_{p(i)} = e_i u_i at all times. Bits that some
symmetry exchanges are *tied*: their weights are equal up to a sign. A bit that some symmetry sends
to its negative is *silent*: u_i = -u_i = 0. The network f is then a function of the signed sums of
tied bits, and its error is at least E Var(h | those sums), for any activation.
Weights on bits outside the largest merged staircase stay at 0 as well (`staircase.reached`).
"""

import functools
import operator
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from featlearn._check import require
from featlearn.distributions.staircase import reached
from featlearn.distributions.target import Target, corners
from featlearn.distributions.target import target_of as target_of

MOST_BITS = 12
"""Symmetries are searched for up to here."""


@dataclass(frozen=True, kw_only=True)
class Ties:
    """The bits whose weights are equal up to a sign in every neuron, and those with weight 0."""

    groups: tuple[tuple[tuple[int, int], ...], ...]
    """Bits with their signs: u_i times its sign is the same in a group."""
    silent: tuple[int, ...]
    """Bits with u_i = 0 for ever."""

    @property
    def tied(self) -> bool:
        """Whether some group contains at least two bits."""
        return any(len(group) > 1 for group in self.groups)

    def projection(self, k: int) -> Float[np.ndarray, "k k"]:
        """Return the projection of the weights u on the vectors that the symmetries allow."""
        P = np.zeros((k, k))
        for group in self.groups:
            for i, e in group:
                for j, f in group:
                    P[i - 1, j - 1] = e * f / len(group)
        return P


def ties(target: Target) -> Ties:
    """Return the groups of bits that symmetries of the target tie together, and the silent bits.

    Example:
        >>> ties(target_of("x1 + x2 + x1*x3 + x2*x4")).groups
        (((1, 1), (2, 1)), ((3, 1), (4, 1)))
        >>> ties(target_of("x1 + x1*x2*x3")).silent
        (2, 3)
    """
    k = target.k
    require(k <= MOST_BITS, "ties", f"at most {MOST_BITS} bits", k)
    silent = [i for i in range(1, k + 1) if symmetric(target, i, i, -1)]
    groups: list[list[tuple[int, int]]] = []
    for i in range(1, k + 1):
        if i in silent:
            continue
        for group in groups:
            sign = next((e for e in (1, -1) if symmetric(target, group[0][0], i, e)), 0)
            if sign:
                group.append((i, sign))
                break
        else:
            groups.append([(i, 1)])
    return Ties(groups=tuple(map(tuple, groups)), silent=tuple(silent))


def floor(target: Target, *, staircase: bool = True) -> float:
    """Return a lower bound of the squared error of the flow from u = 0.

    It is E Var(h | signed sums over the tied groups of bits).

    Args:
        target: h.
        staircase: also leave out the bits that no merged staircase reaches; else ties alone.

    Example:
        >>> floor(target_of("x1 + x2 + x1*x3 + x2*x4")), floor(target_of("x1 + x1*x2*x3"))
        (1.0, 1.0)
    """
    found, z = ties(target), corners(target.k)
    climbed = reached(target.supports) if staircase else range(1, target.k + 1)
    sums = [
        z[:, [i - 1 for i, _ in group]] @ np.array([float(sign) for _, sign in group])
        for group in found.groups
        if all(i in climbed for i, _ in group)
    ]
    return conditional_variance(target.table, sums)


def conditional_variance(
    values: Float[np.ndarray, " corners"], given: Iterable[Float[np.ndarray, " corners"]]
) -> float:
    """Return E Var(values | given), where all corners of the cube are equally likely."""
    columns = [np.zeros(len(values)), *given]
    _, place = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)
    place = place.ravel()
    count = np.bincount(place)
    means = np.bincount(place, values) / count
    return float(np.mean((values - means[place]) ** 2))


def symmetric(target: Target, i: int, j: int, sign: int) -> bool:
    """Return whether the target has a symmetry that sends z_i to sign times z_j."""
    k, c = target.k, target.coefficients
    order = [i, *(m for m in range(1, k + 1) if m != i)]
    complete: list[list[tuple[int, ...]]] = [[] for _ in order]
    for S in target.supports:
        complete[max(order.index(m) for m in S)].append(S)

    def search(place: int, image: dict[int, int], equations: "_Signs") -> bool:
        if place == k:
            return True
        for to in (j,) if place == 0 else range(1, k + 1):
            if to in image.values():
                continue
            extended = {**image, order[place]: to}
            system: _Signs | None = equations
            for S in complete[place]:
                other = c.get(tuple(sorted(extended[m] for m in S)), 0.0)
                if not np.isclose(abs(other), abs(c[S]), rtol=1e-9, atol=0.0):
                    system = None
                    break
                system = system and system.add(_mask(S), other * c[S] < 0)
                if system is None:
                    break
            if system is not None and search(place + 1, extended, system):
                return True
        return False

    first = _Signs({}).add(1 << i, sign < 0)
    assert first is not None
    return search(0, {}, first)


def _mask(S: Iterable[int]) -> int:
    return functools.reduce(operator.xor, (1 << m for m in S), 0)


class _Signs:
    """A system of linear equations over the field of two elements, for the signs of a symmetry.

    Its unknowns say which of the signs e_i are negative.
    """

    def __init__(self, rows: dict[int, tuple[int, bool]]) -> None:
        self.rows = rows
        """Leading place -> mask and right-hand side."""

    def add(self, mask: int, odd: bool) -> "_Signs | None":
        """Return the system with one more equation, or None if this contradicts the others."""
        while mask:
            lead = mask.bit_length()
            if lead not in self.rows:
                return _Signs({**self.rows, lead: (mask, odd)})
            other, parity = self.rows[lead]
            mask, odd = mask ^ other, odd ^ parity
        return None if odd else self
