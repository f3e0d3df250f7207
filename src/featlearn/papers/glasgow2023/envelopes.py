r"""The envelopes of phase 1: definitions C.7 to C.10 and C.13, with constants that a run satisfies.

    B_t^2 = (log(d)^3 theta^2/d) (1 + 2 eta tau1 (1 + 1/log d))^t     above every ||w_sig||^2
    Q^2   = log(d)^2 theta^2/d                                        for ||w_opp||, ||w_perp||_inf
    zeta  = 1/log d             tau1 = 1/sqrt(2 pi)
    T_1a, T_1b   last t with (theta^2/d)(1 + 2 eta tau1 (1 + 1/log d))^t <= theta^2 zeta^2, theta^2

The paper has zeta = log(d)^-c and theta = log(d)^-C with C much larger than c, both large, and ends
phase 1a when B_t itself reaches theta zeta: T_1a = (log d - (2c + 3) log log d)/(2 eta tau1), which
is negative until log d > (2c + 3) log log d, d = 3.3e5 for c = 1. Hence the working T_1a leaves the
log(d)^3 out. Its Q_t^2 has a factor (1 + 500 eta/log d)^t, without which the claim is stronger; its
phase 1b ends at theta^2 zeta^-600, ours at theta^2.
"""

import functools
import math
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

from featlearn._check import require
from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.hypotheses import PAPERS, large_d, log_power, of_lemma_c_1
from featlearn.papers.glasgow2023.watched import XorRun, watch
from featlearn.papers.glasgow2023.xor import Xor
from featlearn.theory import Hypothesis, Reading

TAU1 = 1 / math.sqrt(2 * math.pi)
"""Rate of phase 1."""


@dataclass(frozen=True, kw_only=True)
class Phase1(XorRun):
    """A run that is looked at neuron by neuron until T_1b."""

    d: int = 128
    width: int = 200
    eta: float = 0.1

    def __post_init__(self) -> None:
        require(self.d >= 16, "d", "at least 16", self.d)
        self.training()

    @property
    def zeta(self) -> float:
        """1/log d."""
        return 1 / math.log(self.d)

    @property
    def rate(self) -> float:
        """Growth of B_t^2 in a step: 1 + 2 eta tau1 (1 + 1/log d)."""
        return 1 + 2 * self.eta * TAU1 * (1 + 1 / math.log(self.d))

    @property
    def T_1a(self) -> int:
        """The end of phase 1a without the log(d)^3."""
        return max(1, int((math.log(self.d) + 2 * math.log(self.zeta)) / math.log(self.rate)))

    @property
    def T_1b(self) -> int:
        """The end of phase 1b."""
        return int(math.log(self.d) / math.log(self.rate))

    def B2(self, t: Float[np.ndarray, " steps"]) -> Float[np.ndarray, " steps"]:
        """B_t^2, as printed for phase 1a."""
        return math.log(self.d) ** 3 * self.theta**2 / self.d * self.rate**t

    def training(self) -> Xor:
        """The experiment, weights kept."""
        return self.xor(steps=self.T_1b, keep_weights=True)


def hypotheses(config: Phase1) -> list[Hypothesis]:
    """The paper's phase 1a must last, and those of lemma C.1.

    T_1a > 0 says that log d > (2c + 3) log log d, which bounds c; and in the proof the strong
    neurons wait for C_S log(800 C_BE)/(eta tau1) steps first, C_S about exp(100 C_WS^8).
    """
    log_d = math.log(config.d)
    log_log = math.log(log_d)
    whole = max(log_d - 5 * log_log, 1.0)  # of the order of eta tau1 T_1a at c = 1
    return [
        Hypothesis(
            name="T_1a > 0, as (log d/log log d - 3)/2 >= c",
            value=(log_d / log_log - 3) / 2,
            side=">=",
            limit=1.0,
            constant="c",
            note=f"at c = 1 phase 1a begins at d = {first_d(1.0):.2g}",
            readings=PAPERS,
        ),
        Hypothesis(
            name="C > c, C = log(1/theta)/log log d",
            value=log_power(config.theta, config.d),
            side=">=",
            limit=1.0,
            constant="c",
            readings=PAPERS,
        ),
        large_d(config.d),
        *of_lemma_c_1(config, widest=PAPERS),
        Hypothesis(
            name="T_1a is longer than the wait of definition C.13, in logarithms",
            value=math.log(whole) + 1.0,
            side=">=",
            limit=100.0,
            constant="C_{WS}",
            power=8.0,
            readings=(Reading.PROOF,),
        ),
    ]


def first_d(c: float) -> float:
    """The d from which on log d > (2c + 3) log log d.

    Example:
        >>> f"{first_d(1.0):.2g}"
        '3.3e+05'
    """
    u = 2 * math.e  # log d, to the right of the maximum of log log d/log d
    for _ in range(200):
        u = max(math.e, (2 * c + 3) * math.log(u))
    return math.exp(u)


@dataclass(frozen=True, kw_only=True)
class Paths:
    """Every neuron of a seed over the steps, in float64."""

    config: Phase1
    w: Float[np.ndarray, "steps neurons inputs"]
    a: Float[np.ndarray, "steps neurons"]

    @property
    def t(self) -> Float[np.ndarray, " steps"]:
        """The steps."""
        return np.arange(len(self.w), dtype=float)

    @functools.cached_property
    def along(self) -> Float[np.ndarray, "2 steps neurons"]:
        """Signed coordinates of w on the unit vectors of its signal and its opposite direction."""
        on1, on2 = ((self.w[..., 0] + s * self.w[..., 1]) / math.sqrt(2) for s in (-1, 1))
        first = self.a >= 0
        return np.stack([np.where(first, on1, on2), np.where(first, on2, on1)])

    @property
    def strong(self) -> Bool[np.ndarray, "steps neurons"]:
        """Definition C.13 with S_t^2 = B_t^2/log(d)^4 of lemma C.14; strong at 0: theta^2/(2d).

        After T_1a the paper lets S_t^2 grow by 1 + eta tau1/10 a step only.
        """
        c, signal = self.config, self.along[0]
        first = c.B2(np.minimum(self.t, c.T_1a)) / math.log(c.d) ** 4
        least = first * (1 + c.eta * TAU1 / 10) ** np.maximum(self.t - c.T_1a, 0)
        grown = (signal**2 >= least[:, None]) & (signal * signal[0] > 0)
        return grown & self.strong_at_0

    @property
    def strong_at_0(self) -> Bool[np.ndarray, " neurons"]:
        """||w_sig||^2 >= theta^2/(2d) at the start."""
        return self.along[0, 0] ** 2 >= self.config.theta**2 / (2 * self.config.d)

    @functools.cached_property
    def controlled(self) -> dict[str, Bool[np.ndarray, "steps neurons"]]:
        """The clauses C1 to C5 of definition C.9."""
        c, t = self.config, self.t[:, None]
        B2, zeta = c.B2(self.t)[:, None], c.zeta
        Q2 = math.log(c.d) ** 2 * c.theta**2 / c.d
        rest = self.w[..., 2:]
        size, norm = np.abs(self.a), np.linalg.norm(self.w, axis=-1)
        moved = np.linalg.norm(rest - rest[0], axis=-1)
        return {
            "C1": self.along[0] ** 2 <= B2,
            "C2": self.along[1] ** 2 <= Q2 + c.theta * B2,
            "C3": (np.abs(size / c.theta - 1) <= t * c.eta * zeta + 1e-6)
            & (size <= norm * (1 + 1e-6)),
            "C4": moved <= c.theta * zeta**0.25 * c.eta * t,
            "C5": np.abs(rest).max(axis=-1) ** 2 <= Q2 + c.theta * B2,
        }

    @functools.cached_property
    def weakly(self) -> dict[str, Bool[np.ndarray, "steps neurons"]]:
        """The clauses W1 to W4 of definition C.10; W5's zeta^300 is asymptotic only."""
        c, B2 = self.config, self.config.B2(self.t)[:, None]
        square = np.sum(self.w**2, axis=-1)
        return {
            "W1": self.along[0] ** 2 <= B2,
            "W2": self.along[1] ** 2 <= 4 * c.theta**2 * c.zeta,
            "W3": (self.a**2 <= square * (1 + 1e-6))
            & (self.a**2 >= square - math.sqrt(c.zeta) * c.theta**2),
            "W4": np.sum(self.w[..., 2:] ** 2, axis=-1) <= 3 * c.theta**2,
        }


def paths(config: Phase1, lab: Lab, *, frozen: bool = False) -> list[Paths]:
    """One for each seed; `frozen`: of runs whose first layer is not trained."""
    data = watch(config.training(), lab, frozen=frozen)
    w, a = (data[name].values.astype(float) for name in ("weights_w", "weights_a"))
    return [Paths(config=config, w=w[i], a=a[i]) for i in range(len(lab.seeds))]
