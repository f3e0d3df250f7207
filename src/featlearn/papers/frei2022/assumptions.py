r"""Assumptions A1 to A7 (Frei et al. 2022, section 2), each with the largest C that it allows.

    A1  d >= C max(log^2(n/delta), log(m/delta))      A5  m >= C log(1/delta)
    A2  sigma^2 <= 1/(C^2 d)                          A6  omega^2 <= 1/(C^2 m d)
    A3  n >= C log(m/delta)                           A7  1/(2 sqrt C) <= alpha <= 1/sqrt C
    A4  flips <= 1/C

"For C > 1 sufficiently large": the paper names no C. A7 has two sides and so gives a *window*,
C in [1/(4 alpha^2), 1/alpha^2]; the others give upper limits. There is a C exactly where each limit
reaches max(1, 1/(4 alpha^2)), and that least C makes the strongest claims, so the checks use it.
The exponents in A1 and A6 are unreadable in the scan: 2 in A1 by appendix D, and C^2 m d in A6 as
the least for which the proof's omega sqrt(md) <= alpha/3 follows from A6 and A7 (C >= 36).
"""

import math

from featlearn.papers.frei2022.setting import XorClusters
from featlearn.theory import Assumption

ALL = ("A1", "A2", "A3", "A4", "A5", "A6", "A7", "T", "network")
"""Every assumption of theorem 1, and what section 2 says of training and network."""
ROUNDING = 1e-9


def largest_constants(config: XorClusters) -> dict[str, float]:
    """The largest C that A1, …, A6 allow, each for itself."""
    n, m, d, delta = config.samples, config.width, config.d, config.delta
    rate = config.flip_rate
    return {
        "A1": d / max(math.log(n / delta) ** 2, math.log(m / delta)),
        "A2": 1 / (config.noise_sd * math.sqrt(d)),
        "A3": n / math.log(m / delta),
        "A4": 1 / rate if rate > 0 else math.inf,
        "A5": m / math.log(1 / delta),
        "A6": 1 / (config.start_sd * math.sqrt(m * d)),
    }


def window(eta: float) -> tuple[float, float]:
    """The C that A7 allows: [1/(4 alpha^2), 1/alpha^2].

    Example:
        >>> window(0.125)
        (16.0, 64.0)
    """
    return 1 / (4 * eta**2), 1 / eta**2


def least_constant(config: XorClusters) -> float:
    """The least C >= 1 that A7 allows, with which a claim is strongest."""
    return max(1.0, window(config.eta)[0])


def in_scope(config: XorClusters) -> bool:
    """Whether some C meets A1 to A7."""
    return all(each.holds for each in assumptions(config) if each.name.startswith("A"))


def assumptions(config: XorClusters, needs: tuple[str, ...] = ALL) -> tuple[Assumption, ...]:
    """Every assumption with its largest C; those that a statement does not need cannot fail it."""
    low, high = window(config.eta)
    least = least_constant(config)
    whole = abs(1 / (4 * config.eta) - round(1 / (4 * config.eta))) < 1e-6
    last = 1 + round(1 / (4 * config.eta))
    small = config.start_sd * math.sqrt(config.width * config.d)
    found = [
        (name, limit >= least * (1 - ROUNDING), f"C <= {limit:.4g}, needs C >= {least:.4g}")
        for name, limit in largest_constants(config).items()
    ]
    found.append(("A7", high > 1, f"C in [{low:.4g}, {high:.4g}]"))
    found.append(
        (
            "T",
            whole and config.total_steps == last,
            f"T = 1 + 1/(4 alpha) = {1 + 1 / (4 * config.eta):.4g}, trained {config.total_steps}",
        )
    )
    paper = config.k == 2 and config.trained == "first"
    found.append(
        (
            "network",
            paper,
            f"{2 * config.k} clusters, {config.trained} layer trained; omega sqrt(md) = "
            f"{small:.3g} (the proofs ask alpha/3 = {config.eta / 3:.3g} in lemma 14 and "
            f"e^-2/4096 = {math.exp(-2) / 4096:.2g} in proposition 2)",
        )
    )
    return tuple(
        Assumption(name=name, holds=holds, detail=detail)
        if name in needs
        else Assumption(name=name, holds=True, detail=f"not needed here: {detail}")
        for name, holds, detail in found
    )
