r"""Merged staircases and leaps are decided by the order of fewest new bits.

leap(h) = min over orders of the supports of max_i |S_i \ (S_1, …, S_(i-1))|; a merged staircase has
leap <= 1. That the greedy order has the least maximum is our derivation (`staircase.py`); here it
is compared with the minimum over all orders, for random families of supports.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from featlearn._check import require
from featlearn._streams import generator
from featlearn.distributions.staircase import climb
from featlearn.experiments.lab import Lab
from featlearn.papers.abbe2022.texts import TEXTS
from featlearn.theory import Control, Evidence, Kind, Reading, Statement, identity

Support = tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Random families of supports, small enough that every order can be tried."""

    k: int = 6
    """Bits."""
    supports: int = 6
    """Supports of a family at most."""
    families: int = 40
    """Families a seed."""

    def __post_init__(self) -> None:
        require(2 <= self.k <= 10, "k", "2 to 10 bits", self.k)
        require(1 <= self.supports <= 7, "supports", "1 to 7", self.supports)


def family(config: Sizes, rng: np.random.Generator) -> list[Support]:
    """Different supports of random sizes."""
    count = int(rng.integers(1, config.supports + 1))
    drawn = [
        tuple(sorted(rng.permutation(config.k)[: rng.integers(1, min(config.k, 4) + 1)] + 1))
        for _ in range(count)
    ]
    return [tuple(map(int, S)) for S in dict.fromkeys(drawn)]


def least_over_orders(supports: Sequence[Support]) -> int:
    """The leap by its definition."""
    best = len(supports[0]) + 10**6
    for order in itertools.permutations(supports):
        seen: set[int] = set()
        most = 0
        for S in order:
            most = max(most, len(set(S) - seen))
            seen |= set(S)
        best = min(best, most)
    return best


def statement(greatest: bool = False) -> Statement[Sizes]:
    """The claim; `greatest` takes the supports with most new bits first, which is wrong."""

    def evidence(config: Sizes, lab: Lab) -> Evidence:
        ours, all_orders = [], []
        for seed in lab.seeds:
            rng = generator(seed, "families of sets")
            for _ in range(config.families):
                supports = family(config, rng)
                found = max(added for _, added in climb(supports))
                ours.append(max(map(len, supports)) if greatest else found)
                all_orders.append(least_over_orders(supports))
        part = identity(
            "leap by the greedy order",
            np.array(ours, float),
            np.array(all_orders, float),
            tolerance=1e-12,
        )
        return Evidence(parts=(part.under(Reading.RUN),))

    return Statement(
        id="abbe2022.merged-staircase",
        title="The leap of a target, by the order of fewest new bits",
        kind=Kind.IDENTITY,
        config=Sizes(),
        evidence=evidence,
        text=TEXTS["merged-staircase"],
        control=Control("most new bits first", lambda: statement(greatest=True)),
        seeds=3,
        place="Definitions of the merged-staircase property and of the leap",
        references=("abbe2022", "abbe2023"),
    )


STATEMENT = statement()
