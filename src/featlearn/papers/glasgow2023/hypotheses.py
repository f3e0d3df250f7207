r"""Hypotheses that several statements share, as inequalities with the paper's constants.

theta = (log d)^-C and zeta = (log d)^-c turn conditions on theta and on the length of phase 1a into
conditions on C and c: C = log(1/theta)/log log d is what a run has.
"""

import math

from featlearn.papers.glasgow2023.watched import XorRun
from featlearn.theory import Hypothesis, Reading

H_BUILT = 1.01
"""H of the networks that are built to be signal-heavy."""
PAPERS = (Reading.PRINTED, Reading.PROOF)
"""The readings with the paper's numbers."""


def log_power(theta: float, d: float) -> float:
    """The C of theta = (log d)^-C.

    Example:
        >>> round(log_power(0.1, 32), 2)
        1.85
    """
    return -math.log(theta) / math.log(math.log(max(d, 3)))


def of_lemma_c_1(config: XorRun, widest: tuple[Reading, ...] = ()) -> list[Hypothesis]:
    """Minibatch, width and step size of lemma C.1.

    p <= d^C is log p/log d <= C = log(1/theta)/log log d, asked by the readings `widest`.
    """
    d, theta = config.d, config.theta
    C = log_power(theta, d)
    return [
        Hypothesis(
            name="m >= d/theta^2", value=config.batch_ratio * d, side=">=", limit=d / theta**2
        ),
        Hypothesis(name="p >= 1/theta", value=config.width, side=">=", limit=1 / theta),
        Hypothesis(
            name="p <= d^C, as log p/log d <= C",
            value=math.log(config.width) / math.log(d),
            side="<=",
            limit=C,
            readings=widest,
        ),
        Hypothesis(name="eta <= theta", value=config.eta, side="<=", limit=theta),
    ]


def large_d(d: float) -> Hypothesis:
    """d is large enough, which the paper's reader cannot know."""
    return Hypothesis(
        name="d >= d_0", value=d, side=">=", limit=1.0, constant="d_0", readings=(Reading.PRINTED,)
    )


def signal_heavy(zeta: float, H: float, *, where: str = "") -> list[Hypothesis]:
    """H > 1 and zeta <= exp(-10H), of a network that is known to be signal-heavy with them."""
    return [
        Hypothesis(name=f"H > 1{where}", value=H, side=">=", limit=1.0),
        Hypothesis(
            name=f"zeta <= exp(-10H){where}", value=zeta, side="<=", limit=math.exp(-10 * H)
        ),
    ]


def built_heavy(config: object) -> list[Hypothesis]:
    """Those of the networks of `population.heavy_networks`, which meet definition 4.2."""
    return signal_heavy(math.exp(-10 * H_BUILT) / 2, H_BUILT)


def built_step(config: object) -> list[Hypothesis]:
    """Signal-heavy by the letter, and a step of the largest size that lemma D.3 allows."""
    zeta = math.exp(-10 * H_BUILT) / 2
    step = Hypothesis(name="eta <= zeta^3", value=zeta**3, side="<=", limit=zeta**3)
    return [*built_heavy(config), step]
