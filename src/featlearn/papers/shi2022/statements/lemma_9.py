r"""Lemmas 9 and 10 (36 and 37): the initial weights are in typical positions, by exact laws.

    P(max of N |Gaussians| > sqrt(2 log(N/delta))) = 1 - (1 - 2 Phi(-t))^N <= delta
    P(chi²_n outside [n/2, 3n/2]) <= 2 exp(-c n),     n = D - k

N is 1 for a bias, D for a neuron, m or Dm for all of them (lemma 10). The paper does not print c.
Chernoff's bound gives (1/2)(x - 1 - log x) at x = 3/2, which is .0473 (at x = 1/2 it is larger);
no larger c would do for all n, since the tail of chi² has that rate.

Appendix F: q = M^T w has covariance rho = M^T M, and D mu/sqrt d <= 1/16 keeps its eigenvalues
within 1 ± 1/16 (Gershgorin). So |q_S|² lies between 15/16 and 17/16 of a chi², whose ends are then
8/15 and 24/17: c_F = .0334. The largest |q_l| of dependent Gaussians is no larger (Sidak). The
proof puts ||rho_S||_F² in the place of E|q_S|² = tr rho_S = |S|; both lie in [3/4, 5/4]|S|.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from scipy.stats import chi2, norm

from featlearn._check import require
from featlearn._streams import generator
from featlearn.experiments.lab import Lab
from featlearn.papers.shi2022.texts import TEXTS
from featlearn.theory import (
    Control,
    Evidence,
    FittedConstant,
    Kind,
    Reading,
    Statement,
    exact_bound,
)

ENDS = {"c": (1 / 2, 3 / 2), "c_F": (8 / 15, 24 / 17)}
"""Between which multiples of n a chi² is asked to lie."""


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """The numbers at which the laws are evaluated."""

    most_variables: float = 1e8
    """The largest N."""
    least_delta: float = 1e-9
    """The least delta."""
    most_patterns: int = 4000
    """The largest D - k."""
    dictionary: int = 60
    """Patterns of the incoherent dictionaries whose spectrum is computed."""

    def __post_init__(self) -> None:
        require(self.most_variables >= 10, "most-variables", "at least 10", self.most_variables)
        require(0 < self.least_delta < 1, "least-delta", "between 0 and 1", self.least_delta)
        require(self.most_patterns >= 100, "most-patterns", "at least 100", self.most_patterns)
        require(self.dictionary >= 2, "dictionary", "at least 2", self.dictionary)


def chance_of_a_large_one(
    N: Float[np.ndarray, " cases"], delta: Float[np.ndarray, " cases"], factor: float = 2.0
) -> Float[np.ndarray, " cases"]:
    """P(one of N |Gaussians| is above sqrt(factor log(N/delta)))."""
    tail = 2 * norm.sf(np.sqrt(factor * np.log(N / delta)))
    return -np.expm1(N * np.log1p(-tail))


def log_chance_outside(
    n: Float[np.ndarray, " cases"], ends: tuple[float, float]
) -> Float[np.ndarray, " cases"]:
    """log P(chi²_n/n outside an interval)."""
    low, high = ends
    return np.logaddexp(chi2.logcdf(low * n, n), chi2.logsf(high * n, n))


def dictionaries(D: int, seed: int) -> list[Float[np.ndarray, "dictionary dictionary"]]:
    """Matrices rho with |rho_ij| = 1/(16 D) beside a diagonal of ones: signs equal, and random."""
    signs = np.sign(generator(seed, "lemma-9 signs").normal(size=(D, D)))
    symmetric = np.triu(signs, 1) + np.triu(signs, 1).T
    return [np.eye(D) + (S - np.diag(np.diag(S))) / (16 * D) for S in (np.ones((D, D)), symmetric)]


Chance = Callable[
    [Float[np.ndarray, " cases"], Float[np.ndarray, " cases"]], Float[np.ndarray, " cases"]
]


def statement(
    chance: Chance = chance_of_a_large_one, c: float = 0.047, c_F: float = 0.033
) -> Statement[Sizes]:
    """The lemmas with the constants of the run; another `chance` is another claim."""

    def evidence(sizes: Sizes, lab: Lab) -> Evidence:
        count = np.unique(np.geomspace(1, sizes.most_variables, 60).round())
        share = np.concatenate([np.geomspace(sizes.least_delta, 0.1, 40), np.linspace(0.1, 0.99)])
        N, delta = (each.ravel() for each in np.meshgrid(count, share))
        large = chance(N, delta) / delta
        several = N >= 2
        parts = [
            exact_bound("P(one of N is large) over delta", float(large.max()), 1.0),
            exact_bound(
                "P(one of N >= 2 is large) over delta/2, as the proof has it",
                float(2 * large[several].max()),
                1.0,
            ).under(Reading.PROOF),
        ]
        constants = {}
        n = np.arange(1.0, sizes.most_patterns + 1)
        for symbol, value in (("c", c), ("c_F", c_F)):
            log_P = log_chance_outside(n, ENDS[symbol])
            informative = 2 * np.exp(-value * n) < 1
            ratio = np.exp(log_P - np.log(2) + value * n)[informative]
            name = f"P(|q_-A|² not typical) over 2 exp(-{symbol} (D-k)), {symbol} = {value:g}"
            parts.append(exact_bound(name, float(ratio.max()), 1.0, why=f"for D - k to {n[-1]:g}"))
            best = float(((np.log(2) - log_P) / n)[informative].min())
            constants[f"largest {symbol} that these D - k allow"] = FittedConstant(
                name=symbol, value=best
            )
        spectra = [
            np.linalg.eigvalsh(rho)
            for seed in lab.seeds
            for rho in dictionaries(sizes.dictionary, seed)
        ]
        off = max(float(np.abs(each - 1).max()) for each in spectra)
        parts.append(exact_bound("|eigenvalue of rho - 1|", off, 1 / 16))
        return Evidence(parts=tuple(parts), constants=constants)

    return Statement(
        id="shi2022.lemma-9",
        title="The initial weights are in typical positions",
        kind=Kind.BOUND,
        config=Sizes(),
        evidence=evidence,
        text=TEXTS["lemma-9"],
        control=Control(
            "the 2 before the logarithm is lost",
            lambda: statement(lambda N, delta: chance_of_a_large_one(N, delta, factor=1.0)),
        ),
        seeds=1,
        place="Lemmas 9 and 10, appendix B.2; lemmas 36 and 37, appendix F.5",
        references=("shi2022",),
    )


STATEMENT = statement()
