r"""Theorem 4 (33): without structure, statistical queries need many questions or high precision.

Learning the parities of k among D fair bits to error below 1/2 - 1/C(D,k)³ takes at least

    (1/2) C(D,k)^(1/3)   queries, or a precision 1/tau of that size.

A calculator: it says how many. What a finite run can add is the failure it speaks of: the network,
its linearisation and random features on data without structure, at a size where the same network
learns with it. Gradient descent asks (parameters x steps) queries, far more than the bound at any
size that can be trained, so the theorem does not forbid it to succeed: no verdict could come of it.
"""

import math
from dataclasses import replace

import numpy as np

from featlearn.experiments.lab import Lab
from featlearn.papers.shi2022.guarantee import Trained
from featlearn.papers.shi2022.patterns import PARITY
from featlearn.papers.shi2022.texts import TEXTS
from featlearn.theory import Claim, Kind, Statement, reported


def least_queries(dictionary: int, k: int) -> float:
    """(1/2) C(D,k)^(1/3), of queries or of 1/tau.

    Example:
        >>> round(least_queries(100, 5))
        211
    """
    return 0.5 * math.comb(dictionary, k) ** (1 / 3)


def evidence(sizes: Trained, lab: Lab) -> list[Claim]:
    """The number, and the measured failure of three methods."""
    C = math.comb(sizes.dictionary, sizes.k)
    parts = [_told("least queries, or 1/tau", least_queries(sizes.dictionary, sizes.k), None, "")]
    asked = sizes.width * (sizes.dictionary + 2) * sizes.steps
    parts.append(
        _told("queries of the network's training", float(asked), None, "parameters x steps")
    )
    named = replace(PARITY, config=replace(PARITY.config, **sizes.changes, structure=False))
    for method in ("network", "ntk", "random-features"):
        result = lab.run(named, method=method)
        errors = 1 - np.array(result.summary["test_accuracy"].values, float)
        stderr = result.summary["test_accuracy"].stderr
        parts.append(_told(f"error without structure, {method}", float(errors.mean()), stderr,
                           f"1/2 - 1/C^3 = 1/2 - {C**-3:.1g} would be learning"))  # fmt: skip
    return parts


def _told(name: str, value: float, stderr: float | None, reason: str) -> Claim:
    return reported(name, value, relation="is", stderr=stderr, reason=reason or "a calculator")


STATEMENT = Statement(
    id="shi2022.theorem-4",
    title="Without input structure, statistical queries must be many or precise",
    kind=Kind.DEFINITION,
    config=Trained(dictionary=100, width=100, samples=10_000, steps=200),
    evidence=evidence,
    text=TEXTS["theorem-4"],
    seeds=2,
    place="Theorem 4, restated as theorem 33 in appendix D",
    references=("shi2022", "blum1994"),
)
