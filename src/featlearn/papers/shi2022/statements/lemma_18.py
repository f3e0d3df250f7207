r"""Lemma 18: the network after the first step, exactly.

With lambda_w = 1/(2 eta1) and lambda_a = 0 the step replaces w and moves a and b:

    w1 = eta1 a0 sum_j M_j T_j,      b1 = b0 + eta1 a0 T_b,      a1 = a0 + eta1 T_a,

T_j = E[y phi_j 1(0 < z + xi < 1)], T_b = E[y 1(…)], T_a = E[y s(z + xi)] at the initial z. The step
that training takes, on every point of the population with its probability, is compared with the
T of `first_step`, which knows nothing of points: an identity to rounding, at any eta1. How large
the T are is lemma 6, which this lemma puts together with lemmas 16 and 17 (the sizes of T_b and
T_a, which are not checked).
"""

from collections.abc import Callable
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np

from featlearn._check import require
from featlearn._streams import stream
from featlearn.distributions import mixture
from featlearn.experiments.lab import Lab
from featlearn.networks import TRUNCATED, Gaussian, TwoLayer
from featlearn.papers.shi2022.second_step import first_hypotheses
from featlearn.papers.shi2022.texts import TEXTS
from featlearn.theory import Claim, Control, Kind, Statement, identity
from featlearn.training import SGD, DecoupledDecay
from featlearn.training.pattern_step import FirstStep, first_step

TOLERANCE = 1e-9


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """A population small enough to be written down; every seed is a network."""

    dictionary: int = 12
    """Number of patterns (the paper's D)."""
    k: int = 3
    """Relevant patterns."""
    width: int = 10
    """Neurons, in mirrored pairs."""
    eta1: float = 0.01
    """Step size of the first step."""

    def __post_init__(self) -> None:
        require(2 <= self.dictionary <= 16, "dictionary", "2 to 16", self.dictionary)
        require(1 <= self.k < self.dictionary, "k", "less than dictionary", self.k)
        require(self.width >= 2 and self.width % 2 == 0, "width", "an even number", self.width)
        require(0 < self.eta1 < 1, "eta1", "between 0 and 1", self.eta1)


Predict = Callable[..., FirstStep]


def statement(predict: Predict = first_step) -> Statement[Sizes]:
    """The lemma; another `predict` is another claim."""

    def evidence(sizes: Sizes, lab: Lab) -> list[Claim]:
        compared: dict[str, list[tuple[np.ndarray, np.ndarray]]] = {}
        for seed in lab.seeds:
            for name, pair in _after_one_step(sizes, seed, predict).items():
                compared.setdefault(name, []).append(pair)
        parts = []
        for name, pairs in compared.items():
            left, right = (np.concatenate([p[i].ravel() for p in pairs]) for i in (0, 1))
            scale = float(np.abs(right).max())
            parts.append(identity(name, left, right, tolerance=TOLERANCE, scale=scale))
        return parts

    return Statement(
        id="shi2022.lemma-18",
        title="The network after the first step, exactly",
        kind=Kind.IDENTITY,
        config=Sizes(),
        evidence=evidence,
        hypotheses=lambda sizes: first_hypotheses(sizes.k, sizes.dictionary, sizes.width / 2),
        text=TEXTS["lemma-18"],
        control=Control(
            "the noise in the pre-activation is 1 % larger in the formula than in training",
            lambda: statement(lambda q, b, law, r: first_step(q, b, law, 1.01 * r)),
        ),
        seeds=3,
        place="Lemma 18, appendix B.4",
        references=("shi2022",),
    )


def _after_one_step(
    sizes: Sizes, seed: int, predict: Predict
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    law, k = mixture(d=sizes.dictionary, dictionary=sizes.dictionary, k=sizes.k), sizes.k
    smoothing, truth = k**-1.5, law.truth
    with jax.enable_x64(True):
        network = TwoLayer(
            d=sizes.dictionary,
            width=sizes.width,
            w=Gaussian(sd=1 / k),
            b=Gaussian(sd=1 / k**2),
            a=Gaussian(sd=float(truth.input_sd) ** 2 / (truth.label_covariance * k**2)),
            activation=TRUNCATED,
            scaling="one",
            pairing="mirrored",
        )
        forget = DecoupledDecay(lam={"w": 0.5 / sizes.eta1})
        step = SGD(eta=sizes.eta1, steps=1, loss="hinge", smoothing=smoothing, decay=forget).bind(
            law, network
        )
        start = network.init(key=stream(seed, "init"))
        points = step.fixed(key=stream(seed, "sample"))
        state = step.step(step.start(start, points), 0, points, key=stream(seed, "data"))
        after = jax.tree.map(lambda leaf: np.asarray(leaf, float), state.params)
        before = jax.tree.map(lambda leaf: np.asarray(jnp.asarray(leaf), float), start)
    T = predict(before.w, before.b, law, smoothing)
    moved = sizes.eta1 * before.a
    return {
        "w1 = eta1 a0 T": (after.w, moved[:, None] * T.T),
        "b1 - b0 = eta1 a0 T_b": (after.b - before.b, moved * T.T_b),
        "a1 - a0 = eta1 T_a": (after.a - before.a, sizes.eta1 * T.T_a),
    }


STATEMENT = statement()
