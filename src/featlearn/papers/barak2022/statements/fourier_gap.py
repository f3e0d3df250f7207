r"""The population gradient of a neuron on a parity has a Fourier gap (claim 1).

For w in {±1}^n, n odd, the gradient of the correlation with the parity of k bits (k even) is
zeta_(k-1)/2 on relevant coordinates and zeta_(k+1)/2 on the others, zeta the coefficients of
majority. They are compared with enumeration, with the exact gradient of a neuron, and at large n
with the leading order of the gap, (k-3)!! sqrt(2/pi) n^(-(k-1)/2). Beyond k = n/2 the
order reverses.
"""

import itertools
from dataclasses import dataclass

import numpy as np

from featlearn._check import require
from featlearn._streams import generator
from featlearn.distributions import Boolean
from featlearn.distributions.target import corners
from featlearn.experiments.lab import Lab
from featlearn.networks import RELU
from featlearn.papers.barak2022.gaps import fourier_gap, leading_gap, majority_coefficient
from featlearn.papers.barak2022.texts import TEXTS
from featlearn.theory import (
    Control,
    Evidence,
    Kind,
    Reading,
    Statement,
    exact_bound,
    identity,
    trend,
)
from featlearn.training import neuron_gradient


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """A cube that is written down, and odd sizes up to a million."""

    listed: int = 11
    """n whose cube is written down, odd."""
    n: tuple[int, ...] = (101, 1001, 10001, 100001, 1000001)
    """Odd sizes for the leading order."""
    k: tuple[int, ...] = (2, 4, 6)
    """Even numbers of relevant bits."""

    def __post_init__(self) -> None:
        require(self.listed % 2 == 1 and self.listed <= 15, "listed", "odd, <= 15", self.listed)
        require(all(n % 2 == 1 for n in self.n), "n", "odd sizes", self.n)
        require(all(k % 2 == 0 for k in self.k), "k", "even numbers", self.k)


def enumerated(n: int) -> np.ndarray:
    """zeta_1, zeta_3, … by the sum over the cube."""
    x = corners(n)
    majority = np.sign(x.sum(axis=1))
    return np.array([np.mean(majority * np.prod(x[:, :j], axis=1)) for j in range(1, n + 1, 2)])


def neuron_errors(n: int, k: int, seed: int, higher: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """The gradient of a neuron with random signs, and zeta/2 with the signs it should have.

    `higher` is added to the orders, which is wrong unless it is 0.
    """
    w = generator(seed, "signs", k).choice([-1.0, 1.0], n)
    law = Boolean(d=n, target="*".join(f"x{i + 1}" for i in range(k)))
    found = neuron_gradient(law, RELU, w).w
    near, far = (majority_coefficient(n, order) / 2 for order in (k - 1 + higher, k + 1 + higher))
    sign = np.prod(w[:k])
    told = np.array([sign * w[i] * (near if i < k else far) for i in range(n)])
    return found, told


def statement(power: float = 0.5, order: int = 0) -> Statement[Sizes]:
    """The claim: the gap falls as n^(-power (k-1)); coefficients of higher order are another."""

    def evidence(config: Sizes, lab: Lab) -> Evidence:
        n0 = config.listed
        ours = np.array([majority_coefficient(n0, j) for j in range(1, n0 + 1, 2)])
        parts = [
            identity(
                "majority's coefficients, over the cube", ours, enumerated(n0), tolerance=1e-12
            )
        ]
        for k, seed in itertools.product(config.k, lab.seeds):
            found, told = neuron_errors(n0, k, seed, order)
            name = f"gradient of a neuron, k = {k}, seed {seed}"
            parts.append(identity(name, found, told, tolerance=1e-10, scale=1e-6))
        shown = []
        for k in config.k:
            n = np.array(config.n, float)
            gaps = np.array([fourier_gap(m, k) for m in config.n])
            lead = np.array([leading_gap(m, k) for m in config.n]) * n ** ((0.5 - power) * (k - 1))
            name = f"gap over its leading order, k = {k}, n = {config.n[-1]}"
            leading = identity(name, gaps[-1] / lead[-1], 1.0, tolerance=1e-3)
            parts.append(leading.under(Reading.RUN))
            shown.append(
                trend(f"gap, k = {k}", "n", n, gaps[:, None], lead, relation="=", logarithmic=True)
            )
        turned = max(k for k in range(2, n0, 2) if k > n0 / 2)
        reverse = exact_bound(f"gap at k = {turned} > n/2", fourier_gap(n0, turned), 0.0)
        parts.append(reverse.under(Reading.RUN))
        return Evidence(parts=tuple(parts), trends=tuple(shown))

    return Statement(
        id="barak2022.fourier-gap",
        title="The population gradient of a neuron on a parity has a Fourier gap",
        kind=Kind.IDENTITY,
        config=Sizes(),
        evidence=evidence,
        text=TEXTS["fourier-gap"],
        control=Control("coefficients of two orders more", lambda: statement(order=2)),
        seeds=2,
        place="Fourier gap of majority",
        references=("barak2022",),
    )


STATEMENT = statement()
