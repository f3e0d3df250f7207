r"""Proposition F.1: no rotation-invariant learner does with less than ~d samples (Glasgow 2023).

If a learner's answer does not change when sample and test point are rotated together, then with n
<= d/log^2 d samples of XOR on random coordinates i, j it errs on at least 3 % of the points (d
large).

A claim about all algorithms: runs can contradict it and never confirm it. Tried are ridge
regression on the exact NTK, with the kernel's own regulariser path at its best on the *test*
points (which favours it), and the network itself, trained by gradient descent on the sample. The
coordinates are 1 and 2: the learners do not see the difference.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from featlearn._check import require
from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.hypotheses import large_d
from featlearn.papers.glasgow2023.kernel_error import best_kernel_error
from featlearn.papers.glasgow2023.population import REFERENCES
from featlearn.papers.glasgow2023.statements.claim_f_2 import largest_exception
from featlearn.papers.glasgow2023.texts import TEXTS
from featlearn.papers.glasgow2023.xor import XOR, Xor
from featlearn.results.statistics import standard_error
from featlearn.theory import Claim, Hypothesis, Kind, Statement, every_algorithm, reported

FLOOR = 0.03


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Learners with as many samples as the proposition allows."""

    d: tuple[int, ...] = (256, 1024, 4096)
    """Input dimensions."""
    width: int = 64
    """Neurons of the network."""
    test: int = 1000
    """Held-out points."""
    steps: int = 80
    """Steps of gradient descent on the sample."""

    def __post_init__(self) -> None:
        require(len(self.d) > 0 and min(self.d) >= 16, "d", "dimensions of at least 16", self.d)


def allowed(d: int) -> int:
    """The largest n <= d/log^2 d."""
    return int(d / math.log(d) ** 2)


def counted_floor(d: int, n: int) -> float:
    """The floor that the paper's proof gives at this d and n, its sets counted (claim F.2).

    Equal projections on n points make at most (d + 1)^n sets; whatever lies in one that is larger
    than the largest exception of claim F.2 costs 0.25 * 0.15, and the others hold few points.

    Example:
        >>> round(counted_floor(256, 8), 4), round(counted_floor(64, 8), 4)
        (0.0375, 0.0)
    """
    in_small = n * math.log2(d + 1) + largest_exception(d) - d
    return 0.25 * 0.15 * max(0.0, 1 - 2.0 ** min(in_small, 1.0))


def hypotheses(sizes: Sizes) -> list[Hypothesis]:
    """n <= d/log^2 d at every d, and d is large."""
    of = [
        Hypothesis(
            name=f"n <= d/log^2 d, d = {d}", value=allowed(d), side="<=", limit=d / math.log(d) ** 2
        )
        for d in sizes.d
    ]
    return [*of, large_d(min(sizes.d))]


def kernel_sizes(sizes: Sizes, d: int) -> dict[str, int]:
    """What the kernel is fitted on."""
    return {"d": d, "width": sizes.width, "samples": allowed(d), "test": sizes.test}


def of_network(sizes: Sizes, d: int, lab: Lab) -> np.ndarray:
    """Errors of the network, trained on the whole sample at every step."""
    config = Xor(
        d=d, width=sizes.width, steps=sizes.steps, samples=allowed(d), test=sizes.test, records=2
    )
    result = lab.run(replace(XOR, config=config))
    return 1 - result.dataset["test_accuracy"].isel(step=-1).values.astype(float)


def statement(floor: float = FLOOR) -> Statement[Sizes]:
    """The proposition with its floor; above one half it is false."""

    def evidence(sizes: Sizes, lab: Lab) -> list[Claim]:
        parts = []
        for d in sizes.d:
            kernel = np.array(lab.each_seed(best_kernel_error, **kernel_sizes(sizes, d)))
            tried = {"NTK ridge": kernel, "the network": of_network(sizes, d, lab)}
            for name, errors in tried.items():
                stderr = standard_error(errors)
                label = f"error of {name}, d={d}, n={allowed(d)}"
                told, n = f"{name}, {len(errors)} seeds", len(errors)
                mean = float(errors.mean())
                part = every_algorithm(label, mean, stderr, floor, told, freedom=n - 1)
                parts.append(part)
            counted, how = counted_floor(d, allowed(d)), "by the paper's proof, its sets counted"
            name = f"floor for every learner, d={d}, n={allowed(d)}"
            parts.append(reported(name, counted, floor, relation=">=", reason=how))
        return parts

    return Statement(
        id="glasgow2023.proposition-F.1",
        title="No rotation-invariant learner does with less than ~d samples",
        kind=Kind.ALL_ALGORITHMS,
        config=Sizes(),
        evidence=evidence,
        hypotheses=hypotheses,
        text=TEXTS["proposition-F.1"],
        seeds=6,
        place="Proposition F.1, appendix F",
        references=REFERENCES,
    )


STATEMENT = statement()
