r"""Lemma B.2: a neuron drawn on the sphere is well spread (Glasgow 2023, appendix B.1).

v in R^d is c-well-spread (Definition B.1, reconstructed from the proofs) if

    ||v||_3^3   <= 20 ||v||^3 / sqrt d          ||v||_inf <= 2 log(d) ||v|| / sqrt d
    of the d/c^2 smallest |v_i| the sum is >= ||v|| sqrt d/c^5, the largest <= ||v||/(c sqrt d).

For every c large enough, w uniform on the sphere is c-well-spread with probability 1 - d^-omega(1),
here asked to be at least 1 - 1/d, its weakest reading. A trial is one neuron.
"""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float

from featlearn._check import require
from featlearn._streams import generator, stream
from featlearn.experiments.lab import Lab
from featlearn.networks import Sphere
from featlearn.papers.glasgow2023.population import REFERENCES
from featlearn.papers.glasgow2023.texts import TEXTS
from featlearn.theory import Claim, Control, Hypothesis, Kind, Statement, high_probability


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Neurons on the sphere."""

    d: tuple[int, ...] = (256, 512, 1024)
    """Input dimensions."""
    c: float = 4.0
    """The c of the definition."""
    width: int = 2000
    """Neurons a seed and dimension."""

    def __post_init__(self) -> None:
        require(len(self.d) > 0 and min(self.d) >= 2, "d", "dimensions of at least 2", self.d)
        require(self.c > 1, "c", "above 1", self.c)
        least = min(self.d) / self.c**2
        require(least >= 1, "c", "at most sqrt(d), so that d/c^2 >= 1", self.c)
        require(self.width >= 1, "width", "at least 1 neuron", self.width)


def well_spread(
    v: Float[np.ndarray, "neurons inputs"], c: float, *, cube: float = 20.0, largest: float = 2.0
) -> dict[str, Bool[np.ndarray, " neurons"]]:
    """Which rows satisfy each clause of definition B.1."""
    d, norm = v.shape[1], np.linalg.norm(v, axis=1)
    size = np.sort(np.abs(v), axis=1)
    few = size[:, : int(d / c**2)]
    root = math.sqrt(d)
    return {
        "||v||_3^3": np.sum(size**3, axis=1) <= cube * norm**3 / root,
        "||v||_inf": size[:, -1] <= largest * math.log(d) * norm / root,
        "sum of the smallest": few.sum(axis=1) >= norm * root / c**5,
        "largest of the smallest": few[:, -1] <= norm / (c * root),
    }


def hypotheses(sizes: Sizes) -> list[Hypothesis]:
    """c is large enough."""
    return [Hypothesis(name="c large enough", value=sizes.c, side=">=", limit=1.0, constant="c")]


def statement(
    cube: float = 20.0, largest: float = 2.0, law: Literal["sphere", "cauchy"] = "sphere"
) -> Statement[Sizes]:
    """The lemma with the constants of its first two clauses; for another `law` it is false."""

    def evidence(sizes: Sizes, lab: Lab) -> list[Claim]:
        parts = []
        for d in sizes.d:
            v = np.concatenate([_draw(sizes.width, d, seed, law) for seed in lab.seeds])
            clauses = well_spread(v, sizes.c, cube=cube, largest=largest)
            events = {"all at once": np.all(list(clauses.values()), axis=0), **clauses}
            for clause, holds in events.items():
                name = f"{clause}, d={d}"
                n = int(holds.sum())
                parts.append(high_probability(name, n, len(v), 1 - 1 / d, of="neurons"))
        return parts

    return Statement(
        id="glasgow2023.lemma-B.2",
        title="A neuron drawn on the sphere is well spread (definition B.1)",
        kind=Kind.HIGH_PROBABILITY,
        config=Sizes(),
        evidence=evidence,
        hypotheses=hypotheses,
        text=TEXTS["lemma-B.2"],
        control=Control(
            "neurons with coordinates of Cauchy's law", lambda: statement(law="cauchy")
        ),
        seeds=3,
        place="Definition B.1 and lemma B.2, appendix B.1",
        references=REFERENCES,
    )


def _draw(width: int, d: int, seed: int, law: str) -> Float[np.ndarray, "neurons inputs"]:
    purpose = f"lemma-B.2 d={d}"
    if law == "cauchy":
        return generator(seed, purpose).standard_cauchy(size=(width, d))
    return np.asarray(Sphere(radius=1.0).draw((width, d), key=stream(seed, purpose)), float)


STATEMENT = statement()
