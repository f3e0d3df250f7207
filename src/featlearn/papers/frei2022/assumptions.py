r"""Assumptions A1 to A7 (Frei et al. 2022, section 2), and what the proofs ask for beyond them.

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

from featlearn._choices import Side
from featlearn.papers.frei2022.setting import XorClusters
from featlearn.papers.frei2022.texts import PROOF_C0
from featlearn.theory import Hypothesis, Reading

ALL = ("A1", "A2", "A3", "A4", "A5", "A6", "A7", "T", "network")
"""Every assumption of theorem 1, and what section 2 says of training and network."""
ROUNDING = 1e-9
LEAST_C1, LEAST_C2 = 2.0, 4.0
"""No smaller C_1 and C_2 can be: lemma 5 has C_1 > 2, and by lemma 6 an edge of n/C_2 points fits
into a cluster of n/4."""


def largest_constants(config: XorClusters) -> dict[str, float]:
    """The largest C that A1, …, A6 allow, each for itself."""
    return {
        each.name.split(":")[0]: each.allowed[1]
        for each in hypotheses(config, ("A1", "A2", "A3", "A4", "A5", "A6"))
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
    least = least_constant(config) * (1 - ROUNDING)
    return window(config.eta)[1] > 1 and min(largest_constants(config).values()) >= least


def hypotheses(config: XorClusters, needs: tuple[str, ...] = ALL) -> list[Hypothesis]:
    """The assumptions that a statement needs; all that name C are solved for it together."""
    n, m, d, delta, alpha = (
        config.samples,
        config.width,
        config.d,
        config.delta,
        config.eta,
    )
    logs = max(math.log(n / delta) ** 2, math.log(m / delta))
    sized: dict[str, list[Hypothesis]] = {
        "A1": [
            Hypothesis(
                name="A1: d >= C max(log^2(n/delta), log(m/delta))",
                value=d,
                side=">=",
                limit=logs,
                constant="C",
            )
        ],
        "A2": [
            Hypothesis(
                name="A2: sigma sqrt d <= 1/C",
                value=config.noise_sd * math.sqrt(d),
                side="<=",
                limit=1.0,
                constant="C",
                power=-1,
            )
        ],
        "A3": [
            Hypothesis(
                name="A3: n >= C log(m/delta)",
                value=n,
                side=">=",
                limit=math.log(m / delta),
                constant="C",
            )
        ],
        "A4": [
            Hypothesis(
                name="A4: flips <= 1/C",
                value=config.flip_rate,
                side="<=",
                limit=1.0,
                constant="C",
                power=-1,
            )
        ],
        "A5": [
            Hypothesis(
                name="A5: m >= C log(1/delta)",
                value=m,
                side=">=",
                limit=math.log(1 / delta),
                constant="C",
            )
        ],
        "A6": [
            Hypothesis(
                name="A6: omega sqrt(md) <= 1/C",
                value=start_norm(config),
                side="<=",
                limit=1.0,
                constant="C",
                power=-1,
            )
        ],
        "A7": [
            Hypothesis(
                name="A7: alpha <= 1/sqrt C",
                value=alpha,
                side="<=",
                limit=1.0,
                constant="C",
                power=-0.5,
            ),
            Hypothesis(
                name="A7: alpha >= 1/(2 sqrt C)",
                value=alpha,
                side=">=",
                limit=0.5,
                constant="C",
                power=-0.5,
            ),
            Hypothesis(name="C > 1", value=1.0, side="<=", limit=1.0, constant="C"),
        ],
        "T": [
            Hypothesis.condition(
                "T = 1 + 1/(4 alpha), rounded",
                _stops_at_T(config),
                f"1 + 1/(4 alpha) = {1 + 1 / (4 * alpha):.4g}, trained {config.total_steps}",
            )
        ],
        "network": [
            Hypothesis.condition(
                "four clusters, first layer trained",
                config.k == 2 and config.trained == "first",
                f"{2 * config.k} clusters, {config.trained} layer trained",
            )
        ],
    }
    return [each for name in needs for each in sized[name]]


def start_norm(config: XorClusters) -> float:
    """omega sqrt(md)."""
    return config.start_sd * math.sqrt(config.width * config.d)


def _stops_at_T(config: XorClusters) -> bool:
    """Trained for 1 + 1/(4 alpha) steps, up to half a step where that is no whole number."""
    return abs(config.total_steps - 1 - 1 / (4 * config.eta)) <= 0.5


def of_proof(name: str, value: float, side: Side, limit: float, note: str = "") -> Hypothesis:
    """What a proof asks for with a number of its own; only the reading *proof* does."""
    assert side in ("<=", ">=")
    return Hypothesis(
        name=name,
        value=value,
        side="<=" if side == "<=" else ">=",
        limit=limit,
        note=note,
        readings=(Reading.PROOF,),
    )


def norms_at_start(config: XorClusters) -> list[Hypothesis]:
    """Lemma 3's proof: t = sqrt(8 log(4m/delta)/d) <= 1/2."""
    least = 32 * math.log(4 * config.width / config.delta)
    return [of_proof("lemma 3: d >= 32 log(4m/delta)", config.d, ">=", least)]


def wide_enough(config: XorClusters, C0: float) -> list[Hypothesis]:
    """Lemma 4's proof: m >= 16 C_0^2 log(32/delta)."""
    least = 16 * C0**2 * math.log(32 / config.delta)
    name = "lemma 4: m >= 16 C_0^2 log(32/delta)"
    return [of_proof(name, config.width, ">=", least, f"C_0 = {C0:.3g}")]


def good_run(config: XorClusters) -> list[Hypothesis]:
    """What the proofs of lemmas 3, 4 and 6 ask for with the C_0 of definition 7."""
    narrow = config.noise_sd * math.sqrt(config.d)
    return [
        *norms_at_start(config),
        *wide_enough(config, PROOF_C0),
        of_proof("lemma 6: sigma sqrt d <= 3/C_0", narrow, "<=", 3 / PROOF_C0, "C_0 = 5.86e+10"),
    ]


def amplified(config: XorClusters) -> list[Hypothesis]:
    """Lemma 12's proof, with the least C_1 and C_2 that can be."""
    return [
        of_proof(
            "lemma 12: sigma sqrt d <= 1/(64 C_1 C_2)",
            config.noise_sd * math.sqrt(config.d),
            "<=",
            1 / (64 * LEAST_C1 * LEAST_C2),
            "C_1 = 2, C_2 = 4, the least that can be",
        ),
        of_proof(
            "lemma 12: omega sqrt(md) <= 1/(16 C_2)",
            start_norm(config),
            "<=",
            1 / (16 * LEAST_C2),
            "C_2 = 4, the least that can be",
        ),
    ]


def persistent(config: XorClusters) -> list[Hypothesis]:
    """Lemma 13's proof: noise and flips below e^-2/256, with the least C_1 that can be."""
    small = math.exp(-2) / 256
    return [
        of_proof(
            "lemma 13: 2 C_1 sigma sqrt d <= e^-2/128",
            config.noise_sd * math.sqrt(config.d),
            "<=",
            small / LEAST_C1,
            "C_1 = 2, the least that can be",
        ),
        of_proof("lemma 13: 2 flips <= e^-2/128", config.flip_rate, "<=", small),
    ]


def slow_growth(config: XorClusters) -> list[Hypothesis]:
    """Lemma 14's proof: a start below alpha/3, and points within 1/sqrt 3 of their centres."""
    return [
        *norms_at_start(config),
        of_proof("lemma 14: omega sqrt(md) <= alpha/3", start_norm(config), "<=", config.eta / 3),
        of_proof(
            "lemma 14: C_1 sigma^2 d <= 1/3",
            config.noise_sd**2 * config.d,
            "<=",
            1 / (3 * LEAST_C1),
            "C_1 = 2",
        ),
    ]


def small_step(config: XorClusters) -> list[Hypothesis]:
    """Lemma 11's proof: alpha <= e^-2 (1 - 1/C_0)^2/6144, about 2.2e-5."""
    limit = math.exp(-2) * (1 - 1 / PROOF_C0) ** 2 / 6144
    name = "lemma 11: alpha <= e^-2 (1 - 1/C_0)^2/6144"
    return [of_proof(name, config.eta, "<=", limit)]


def small_start(config: XorClusters) -> list[Hypothesis]:
    """Appendix C: omega sqrt(md) <= e^-2/4096 and alpha <= 1/10."""
    limit = math.exp(-2) / 4096
    return [
        of_proof("appendix C: omega sqrt(md) <= e^-2/4096", start_norm(config), "<=", limit),
        of_proof("appendix C: alpha <= 1/10", config.eta, "<=", 0.1),
    ]
