"""A statement of a paper, or of a user's own, that can be checked."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from featlearn._check import require
from featlearn._config import fields
from featlearn.theory.verdict import (
    Assumption,
    Evidence,
    Judgement,
    Kind,
    Part,
    Verdict,
    combine,
)


@dataclass(frozen=True, kw_only=True)
class Statement:
    """What is claimed, at which sizes, under which assumptions, and how to measure it."""

    id: str
    title: str = ""
    kind: Kind = Kind.IDENTITY
    config: Any
    """A frozen dataclass of plain values: the default sizes."""
    evidence: Callable[[Any, Sequence[int]], Evidence | Part | Sequence[Part]]
    """(config, seeds) -> the parts, each judged by the functions of `featlearn.theory`."""
    assumptions: Callable[[Any], Sequence[Assumption]] = lambda config: ()
    seeds: int = 5
    """How many seeds are taken unless told otherwise."""
    place: str = ""
    """Where in the paper."""
    references: tuple[str, ...] = ()


def judge(statement: Statement, config: Any, seeds: Sequence[int]) -> Judgement:
    """Measure, compare, decide. What is out of scope is measured all the same."""
    assumptions = tuple(statement.assumptions(config))
    found = statement.evidence(config, seeds)
    if isinstance(found, Part):
        found = Evidence(parts=(found,))
    elif not isinstance(found, Evidence):
        found = Evidence(parts=tuple(found))
    require(
        len(found.parts) > 0, statement.id, "evidence of at least one part", "none", "See `Part`."
    )
    verdict, reason = combine(assumptions, found.parts)
    if statement.kind is Kind.DEFINITION and verdict is not Verdict.OUT_OF_SCOPE:
        verdict, reason = None, "A definition or a calculator: it claims nothing that could fail."
    elif statement.kind is Kind.ALL_ALGORITHMS and verdict is Verdict.HOLDS:
        verdict, reason = Verdict.UNDECIDED, f"Not contradicted by what was tried. {reason}"
    return Judgement(
        id=statement.id,
        kind=statement.kind,
        verdict=verdict,
        reason=reason,
        config=fields(config),
        seeds=len(seeds),
        assumptions=assumptions,
        parts=found.parts,
        constants=found.constants,
        trends=found.trends,
    )
