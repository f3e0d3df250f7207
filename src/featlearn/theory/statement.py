"""A statement of a paper, or of a user's own, that can be checked."""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from featlearn._check import require
from featlearn._config import fields
from featlearn._describe import describe
from featlearn._source import sources
from featlearn.results.key import ResultKey
from featlearn.theory.claim import Claim, Evidence
from featlearn.theory.verdict import (
    Assumption,
    FittedConstant,
    Judgement,
    Kind,
    Trend,
    Verdict,
    combine,
)

if TYPE_CHECKING:
    from featlearn.experiments.lab import Lab

JUDGED_ANEW = (
    "featlearn.theory.judges",
    "featlearn.theory.claim",
    "featlearn.theory.statement",
    "featlearn.theory.verdict",
    "featlearn.experiments.lab",
)
"""Modules that decide nothing about evidence: judges, who are asked anew each time, and the lab,
whose trainings and computations are keyed by their own code."""


@dataclass(frozen=True, kw_only=True)
class Statement:
    """What is claimed, at which sizes, under which assumptions, and how to measure it."""

    id: str
    title: str = ""
    kind: Kind = Kind.IDENTITY
    config: Any
    """A frozen dataclass of plain values: the default sizes."""
    evidence: "Callable[[Any, Lab], Evidence | Claim | Sequence[Claim]]"
    """(config, lab) -> claims, made by the functions of `featlearn.theory.judges`."""
    assumptions: Callable[[Any], Sequence[Assumption]] = lambda config: ()
    seeds: int = 5
    """How many seeds are taken unless told otherwise."""
    place: str = ""
    """Where in the paper."""
    references: tuple[str, ...] = ()

    def key(self, config: Any) -> ResultKey:
        """What names its evidence: the sizes, what the evidence closes over, and the code."""
        function = inspect.unwrap(self.evidence)
        cells = getattr(function, "__closure__", None) or ()
        settings = {
            "defaults": getattr(function, "__defaults__", None),
            "closes over": [cell.cell_contents for cell in cells],
        }
        return ResultKey(
            description=describe({"config": config, "evidence": settings}),
            modules=sources(function, config, without=JUDGED_ANEW),
        )


def gather(statement: Statement, config: Any, lab: "Lab") -> Evidence:
    """Measure. What is out of scope is measured all the same."""
    found = statement.evidence(config, lab)
    listed = found.parts if isinstance(found, Evidence) else found
    parts = (listed,) if isinstance(listed, Claim) else tuple(listed)
    require(len(parts) > 0, statement.id, "evidence of at least one claim", "none")
    for each in parts:
        hint = "Use a judge such as fl.bound, or fl.reported for a number that claims nothing."
        require(isinstance(each, Claim), statement.id, "claims", type(each).__name__, hint)
    return found if isinstance(found, Evidence) else Evidence(parts=parts)


def judge(
    statement: Statement, config: Any, evidence: Evidence, seeds: int, status: str = "computed"
) -> Judgement:
    """Compare and decide."""
    assumptions = (*statement.assumptions(config), *evidence.hypotheses)
    parts = tuple(claim.part for claim in evidence.parts)
    verdict, reason = combine(assumptions, parts)
    if statement.kind is Kind.DEFINITION and verdict is not Verdict.OUT_OF_SCOPE:
        verdict, reason = None, "A definition or a calculator: it claims nothing that could fail."
    elif statement.kind is Kind.ALL_ALGORITHMS and verdict is Verdict.HOLDS:
        verdict, reason = Verdict.UNDECIDED, f"Not contradicted by what was tried. {reason}"
    fitted = {part.constant.name: part.constant for part in parts if part.constant}
    constants = {**fitted, **evidence.constants}
    return Judgement(
        id=statement.id,
        kind=statement.kind,
        verdict=verdict,
        reason=reason,
        config=fields(config),
        seeds=seeds,
        assumptions=assumptions,
        parts=parts,
        constants=constants,
        trends=tuple(_whole(trend, constants) for trend in evidence.trends),
        status=status,
    )


def _whole(trend: Trend, constants: dict[str, FittedConstant]) -> Trend:
    """A trend with its predictions times the constant that was fitted."""
    if not trend.constant:
        return trend
    require(trend.constant in constants, trend.name, "a constant that a judge fits", trend.constant)
    value = constants[trend.constant].value
    return replace(trend, predicted=tuple(value * each for each in trend.predicted), constant="")
