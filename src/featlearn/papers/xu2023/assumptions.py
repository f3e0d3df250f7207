r"""Assumptions A1 to A6 (section 3), the C that each allows, and the n that the proofs need.

    A1  ||mu||^2 >= C n^.51 sqrt p        A4  alpha <= 1/(C n p)
    A2  p >= C n^2 ||mu||^2               A5  omega n m^1.5 p <= alpha ||mu||^2
    A3  eta <= 1/C                      A6  m >= C n^.02

"Given a large enough universal constant C": none is named, but the proofs ask for more than they
say. Every epsilon is below 10^-3/4 (section 4), n^epsilon is 1.002 at n = 10 000, and so most
inequalities of the proofs wait for an n with thousands of digits. `thresholds` computes where each
begins, as log10 n at the largest epsilon, which is the most favourable; all are found in the text
by the number of their line.
"""

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from featlearn.papers.xu2023.setting import GrokkingClusters
from featlearn.theory import Hypothesis, Reading

EPSILON = 1e-3 / 4
"""Section 4: epsilon is in (0, 10^-3/4)."""
PROOF_C = 150.0
"""Line A.23 says "for C >= 150"; A.26 needs 360."""
NEEDED = ("A1", "A2", "A3", "A4", "A5", "A6")


@dataclass(frozen=True, kw_only=True)
class Threshold:
    """Where a line of the proofs begins to say something."""

    log10_n: float
    line: str
    """Where it stands, and what it asks."""


def largest_constants(config: GrokkingClusters) -> dict[str, float]:
    """The largest C that each assumption allows; A5 has none, and the factor by which it is met.

    Example:
        >>> figures = largest_constants(GrokkingClusters())
        >>> [f"{name} {value:.2g}" for name, value in figures.items()]
        ['A1 0.42', 'A2 0.0008', 'A3 20', 'A4 1.2e+05', 'A5 4.9e-06', 'A6 9e+02']
    """
    n, p, m = config.samples, config.d, config.width
    square = config.norm**2
    return {
        "A1": square / (n**0.51 * math.sqrt(p)),
        "A2": p / (n**2 * square),
        "A3": 1 / config.flips if config.flips else math.inf,
        "A4": 1 / (config.eta * n * p),
        "A5": config.eta * square / (config.omega * n * m**1.5 * p),
        "A6": m / n**0.02,
    }


def window(config: GrokkingClusters, C: float) -> tuple[float, float]:
    """The times of clause iii: [C n^.01, sqrt n]; empty if the first is larger.

    Example:
        >>> [round(end, 2) for end in window(GrokkingClusters(samples=27_600), 150)]
        [166.15, 166.13]
    """
    return C * config.samples**0.01, math.sqrt(config.samples)


def hypotheses(config: GrokkingClusters, needs: tuple[str, ...] = NEEDED) -> tuple[Hypothesis, ...]:
    """Those of A1 to A6 that a statement needs, all with the same C.

    Example:
        >>> figures = hypotheses(GrokkingClusters())
        >>> [each.name[:2] for each in figures if not each.met(1.0)]
        ['A1', 'A2', 'A5']
    """
    n, p, m = config.samples, config.d, config.width
    square = config.norm**2
    every = {
        "A1": Hypothesis(
            name="A1: |mu|^2 >= C n^.51 sqrt p",
            value=square,
            side=">=",
            limit=n**0.51 * math.sqrt(p),
            constant="C",
        ),
        "A2": Hypothesis(
            name="A2: p >= C n^2 |mu|^2",
            value=p,
            side=">=",
            limit=n**2 * square,
            constant="C",
        ),
        "A3": Hypothesis(
            name="A3: eta <= 1/C",
            value=config.flips,
            side="<=",
            limit=1.0,
            constant="C",
            power=-1,
        ),
        "A4": Hypothesis(
            name="A4: alpha <= 1/(C n p)",
            value=config.eta,
            side="<=",
            limit=1 / (n * p),
            constant="C",
            power=-1,
        ),
        "A5": Hypothesis(
            name="A5: omega n m^1.5 p <= alpha |mu|^2",
            value=config.omega * n * m**1.5 * p,
            side="<=",
            limit=config.eta * square,
        ),
        "A6": Hypothesis(name="A6: m >= C n^.02", value=m, side=">=", limit=n**0.02, constant="C"),
    }
    return tuple(every[name] for name in needs)


def begun(samples: int, names: Sequence[str]) -> tuple[Hypothesis, ...]:
    """That n is as large as these lines of the proof need it, as log10 n."""
    found = thresholds()
    return tuple(
        Hypothesis(
            name=f"log10 n, {name}",
            value=math.log10(samples),
            side=">=",
            limit=found[name].log10_n,
            note=found[name].line,
            readings=(Reading.PROOF,),
        )
        for name in names
    )


def good_run(samples: int) -> Hypothesis:
    """That there are good runs (definition 4.5); what is run here is told in the statement."""
    found = thresholds()["counts"]
    return Hypothesis(
        name="log10 n, a good run",
        value=math.log10(samples),
        side=">=",
        limit=found.log10_n,
        note=found.line,
        readings=(Reading.PRINTED, Reading.CORRECTED, Reading.PROOF),
    )


@functools.cache
def thresholds(epsilon: float = EPSILON, C: float = PROOF_C) -> dict[str, Threshold]:
    """What the proofs need of n, as log10 n.

    Example:
        >>> found = thresholds()
        >>> round(found["margin"].log10_n), round(found["window"].log10_n, 2)
        (1161, 4.44)
    """

    def power(base: float, exponent: float) -> float:
        """log10 of the n with n^exponent = base."""
        return math.log10(base) / exponent

    return {
        "window": Threshold(
            log10_n=power(C, 0.49),
            line=f"C n^.01 <= sqrt n with C = {C:g}: the window of clause iii is not empty",
        ),
        "margin": Threshold(
            log10_n=power(800, 10 * epsilon),
            line="A.71: 20/n^(20 eps) <= 1/(40 n^(10 eps)), that is n^(10 eps) >= 800",
        ),
        "counts": Threshold(
            log10_n=_first(lambda u: 2 * math.sqrt(u) - math.exp(-u)) / epsilon / math.log(10),
            line="B3 and B4 exclude each other while 2 sqrt(eps log n) < n^-eps: no sample is good",
        ),
        "aligned": Threshold(
            log10_n=power(4, 10 * epsilon),
            line="D2: m n^(-10 eps) neurons of each sign for nu and as many others for -nu are at "
            "most m: n^(10 eps) >= 4",
        ),
        "most aligned": Threshold(
            log10_n=power(10, 20 * epsilon),
            line="D3: 1 - 10 n^(-20 eps) > 0; below, the share is negative and D3 says nothing",
        ),
        "one step": Threshold(
            log10_n=power(2, epsilon),
            line="clause ii: n^-eps <= 1/2; below, it allows errors from .25 to .75 and more",
        ),
        "one step, proof": Threshold(
            log10_n=_first(
                lambda u: (
                    math.exp(-epsilon * u) / 8
                    - 10 * math.sqrt(u) * math.exp(-0.01 * u) * (1 / (3 * C) + 1.5 / math.sqrt(C))
                ),
                begin=1.0,
            )
            / math.log(10),
            line=f"A.91: 1/(8 n^eps) > C_n/(3 C n^.01) + 3 C_n/(2 sqrt C n^.01), C = {C:g}",
        ),
        "counts, probability": Threshold(
            log10_n=power(8, epsilon),
            line="A.10: 1 - 8 exp(-2 t^2) with t^2 = (eps/2) log n is positive: n^eps > 8",
        ),
        "imbalance, probability": Threshold(
            log10_n=power(4 / math.sqrt(2 * math.pi), epsilon),
            line="A.11: 1 - 4/(sqrt(2 pi) n^eps) - 12/sqrt n is positive",
        ),
        "cosines": Threshold(
            log10_n=_first(lambda u: C * math.exp(0.51 * u) - 10 * math.sqrt(u), begin=0.5)
            / math.log(10),
            line=f"corollary 4.2: 10 sqrt(log n) <= C n^.51, C = {C:g}",
        ),
    }


def least_constants() -> dict[str, float]:
    """The C that lines of the proofs ask for, as printed there.

    A.23: (1/5 - 5/C) n >= n/6. A.26: (1/8 - 5 eta) n >= n/9 with eta <= 1/C; none is given there.
    """
    return {
        "A.15 and A.16": 8.0,
        "D2": 16.0,
        "A.23": 5 / (1 / 5 - 1 / 6),
        "A.26": 5 / (1 / 8 - 1 / 9),
    }


def _first(gain: Callable[[float], float], begin: float = 1e-9) -> float:
    """The last u from which on `gain` is positive, by doubling and halves."""
    high = max(1.0, begin)
    while gain(high) <= 0:
        high *= 2
    low = begin
    if gain(low) > 0 and all(gain(low + (high - low) * i / 64) > 0 for i in range(65)):
        return low
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if gain(middle) > 0 else (middle, high)
    return high
