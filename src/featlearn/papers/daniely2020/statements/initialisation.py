r"""The start: "from the symmetric initialization we have g^(0) = 0" (proof of lemma 12).

    printed    w_{q+i} = -w_i,  b_{q+i} = -b_i,  a_{q+i} = -a_i:  a pair gives a clip(s, -6, 6)
    mirrored   w_{q+i} =  w_i,  b_{q+i} =  b_i,  a_{q+i} = -a_i:  a pair gives 0

Every later formula uses l' = -y, that is f = 0; so the mirrored start is what the proofs are about,
and the default here. The claim as printed FAILS. Also measured: what a first step on a large fresh
batch finds from either start, as the median cosine between w^(1) and sum_A e_j over neurons with
sum_A w = 0. Daniely & Malach (2020), section 2.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import jax.numpy as jnp
import numpy as np

from featlearn._check import require
from featlearn._streams import stream
from featlearn.experiments.lab import Lab
from featlearn.measurements import relevant_parts
from featlearn.papers.daniely2020.parity import PARITY
from featlearn.papers.daniely2020.texts import TEXTS
from featlearn.theory import Claim, Control, Kind, Reading, Statement, identity, reported
from featlearn.training.loop import advance

POINTS = 2000
Pairing = Literal["mirrored", "negated"]
STARTS: dict[str, Pairing] = {"mirrored": "mirrored", "printed": "negated"}
SPEAKS_FOR = {"mirrored": "CORRECTED", "printed": "PRINTED"}
"""The reading that each start is of."""


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """The networks that are started both ways."""

    d: int = 301
    """Input dimension."""
    k: int = 5
    """Number of relevant bits."""
    width: int = 200
    """Number of neurons, twins counted."""
    batch: int = 50_000
    """Fresh samples of the first step."""

    def __post_init__(self) -> None:
        require(self.k % 2 == 1 and self.k <= self.d, "k", f"an odd number up to {self.d}", self.k)
        require(self.width >= 2 and self.width % 2 == 0, "width", "an even number", self.width)
        require(self.batch >= 1, "batch", "at least 1", self.batch)


def both(sizes: Sizes, pairing: Pairing, seed: int) -> tuple[float, float]:
    """rms f at the start, and the median cosine after a sampled first step."""
    config = replace(
        PARITY.config,
        d=sizes.d,
        k=sizes.k,
        width=sizes.width,
        pairing=pairing,
        first="sampled",
        first_batch=sizes.batch,
    )
    network, law = config.network(), config.distribution()
    params = network.init(key=stream(seed, "init"))
    points = law.sample(POINTS, key=stream(seed, "test"))
    rms = float(jnp.sqrt(jnp.mean(network.forward(params, points.x) ** 2)))
    first = config.experiment().phases[0]
    state = advance(first, first.start(params, None), 0, 1, None, stream(seed, "data-0"))
    cos = np.asarray(relevant_parts(first.params(state, None).w, law.A).cos)
    balanced = np.asarray(params.w[:, jnp.array(law.A)].sum(axis=1) == 0)
    return rms, float(np.median(cos[balanced])) if balanced.any() else float("nan")


def negated() -> dict[str, Pairing]:
    """A control: the printed twins under the name of the mirrored ones."""
    return {"mirrored": "negated", "printed": "negated"}


def statement(starts: Callable[[], dict[str, Pairing]] = lambda: STARTS) -> Statement[Sizes]:
    """The claim for either start."""

    def evidence(sizes: Sizes, lab: Lab) -> list[Claim]:
        parts = []
        for name, pairing in starts().items():
            found = np.array([both(sizes, pairing, seed) for seed in lab.seeds])
            # f is a sum of `width` terms of size up to 6 d/k: zero to float32 rounding of those.
            scale = 6 * sizes.d / sizes.k * sizes.width
            size = identity(f"rms of f, {name}", found[:, 0], 0.0, tolerance=1e-6, scale=scale)
            parts.append(size.under(Reading[SPEAKS_FOR[name]]))
            parts.append(
                reported(
                    f"median cosine of balanced neurons with sum_A e_j, {name}",
                    float(np.nanmean(found[:, 1])),
                    reason=f"after one step on {sizes.batch} fresh samples",
                )
            )
        return parts

    return Statement(
        id="daniely2020.initialisation",
        title="The symmetric start gives f = 0 (false as printed, true mirrored)",
        kind=Kind.IDENTITY,
        config=Sizes(),
        evidence=evidence,
        text=TEXTS["initialisation"],
        control=Control("the twins are negated", lambda: statement(negated)),
        seeds=3,
        place="Section 2, and the proof of lemma 12",
        references=("daniely2020",),
    )


STATEMENT = statement()
