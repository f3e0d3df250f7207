"""Hypotheses and constants that several statements share."""

from dataclasses import replace

from featlearn.theory.text import Role, Unknown

HIGH_PROBABILITY = Unknown(symbol=r"d^{-\omega(1)}", role=Role.PROBABILITY, weaker="up", run=r"1/d")
"""The chance of a failure; 1/d is the largest that could be meant."""
POPULATION = Unknown(
    symbol=r"d^{-\omega(1)}",
    role=Role.PROBABILITY,
    weaker="up",
    run=r"\text{the population gradient}",
)
SMALL_RATE = Unknown(symbol="o(1)", role=Role.CONCLUSION, weaker="up", run=r"10 \zeta H")
"""What rates of phase 2 may be off by."""
SAMPLED = replace(
    POPULATION, run=r"\text{the population gradient, and } 1/d \text{ for sampled steps}"
)
SAMPLED_RATE = replace(SMALL_RATE, run=r"10 \zeta H \text{, and } 0.1 \text{ for sampled steps}")
C_OF_ZETA = Unknown(
    symbol="c",
    role=Role.HYPOTHESIS,
    weaker="up",
    proof=4.0,
    line=r"proof of lemma C.14: $\zeta = (\log d)^{-c} = o(\log^{-4} d)$",
    run=1.0,
)
C_OF_THETA = Unknown(
    symbol="C",
    role=Role.HYPOTHESIS,
    weaker="up",
    run=r"\log(1/\theta) / \log\log d",
)
LARGE_D = Unknown(symbol="d_0", role=Role.SIZE, weaker="up", run=128.0)
WELL_SPREAD = Unknown(
    symbol="C_{WS}",
    role=Role.SIZE,
    weaker="up",
    proof=4.0,
    line="definition C.7: the largest constant of lemmas B.2 to B.4; B.3 needs 4",
    run=0.0,
)
"""Strong neurons wait about exp(100 C_WS^8)/eta steps; in the run they do not wait."""

PHASE_1 = (
    r"\theta = (\log d)^{-C}",
    r"\zeta = (\log d)^{-c}",
    "c is large, C is large in terms of c, d is large",
    r"m \geq d / \theta^2",
    r"1 / \theta \leq p \leq d^C",
    r"\eta \leq \theta",
)
SIGNAL_HEAVY = (
    "the network is signal-heavy (definition 4.2)",
    r"H > 1",
    r"\zeta \leq e^{-10 H}",
)
STEP_OF_PHASE_2 = (*SIGNAL_HEAVY, r"\eta \leq \zeta^3")
