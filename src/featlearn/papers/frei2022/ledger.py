"""Rows of this paper's ledger: what the items have in common."""

import functools

from featlearn.papers.frei2022.assumptions import in_scope, largest_constants, window
from featlearn.papers.frei2022.setting import XorClusters
from featlearn.reproduction.rows import measured_row

row = functools.partial(measured_row, "frei2022")
"""A row of an item of this paper."""


def scope_note(name: str, config: XorClusters) -> str:
    """Whether theorem 1 speaks of a setting, with every assumption's largest C."""
    listed = ", ".join(f"{each} {limit:.3g}" for each, limit in largest_constants(config).items())
    low, high = window(config.eta)
    told = "inside" if in_scope(config) else "outside"
    return (
        f"{name} is {told} the scope of theorem 1: the largest C allowed is {listed}, "
        f"while A7 asks for C in [{low:.3g}, {high:.3g}]."
    )
