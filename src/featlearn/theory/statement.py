"""A statement of a paper, or of a user's own, that can be checked."""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic

from featlearn._check import require
from featlearn._choices import Origin
from featlearn._config import C, fields
from featlearn._describe import describe
from featlearn._source import sources
from featlearn.results.key import ResultKey
from featlearn.theory.claim import Claim, Evidence
from featlearn.theory.hypotheses import Hypothesis
from featlearn.theory.readings import deciding_read, read_all
from featlearn.theory.scope import nearest
from featlearn.theory.text import NO_TEXT, Text
from featlearn.theory.verdict import FittedConstant, Judgement, Kind, Read, Trend, Verdict

if TYPE_CHECKING:
    from featlearn.experiments.lab import Lab

JUDGED_ANEW = (
    "featlearn.theory.judges",
    "featlearn.theory.claim",
    "featlearn.theory.hypotheses",
    "featlearn.theory.readings",
    "featlearn.theory.scope",
    "featlearn.theory.statement",
    "featlearn.theory.text",
    "featlearn.theory.verdict",
    "featlearn.experiments.lab",
    ".texts",
)
"""Modules that decide nothing about evidence: judges, who are asked anew each time, and the lab,
whose trainings and computations are keyed by their own code; a paper's `texts` only say words."""


@dataclass(frozen=True)
class Control(Generic[C]):
    """A negative control: the same check with something broken, which must not HOLD."""

    broken: str
    """What is broken: "the first layer is frozen"."""
    make: "Callable[[], Statement[C]]"


@dataclass(frozen=True, kw_only=True)
class Statement(Generic[C]):
    """What is claimed, at which sizes, under which assumptions, and how to measure it.

    `Statement[Sizes]` is one whose evidence and hypotheses are functions of `Sizes`.
    """

    id: str
    title: str = ""
    kind: Kind = Kind.IDENTITY
    config: C
    """A frozen dataclass of plain values: the default sizes."""
    evidence: "Callable[[C, Lab], Evidence | Claim | Sequence[Claim]]"
    """(config, lab) -> claims, made by the functions of `featlearn.theory.judges`."""
    hypotheses: Callable[[C], Sequence[Hypothesis]] = lambda config: ()
    """The inequalities that it assumes, at a configuration."""
    text: Text = NO_TEXT
    """What it says, in TeX, with its constants."""
    control: Control[C] | None = None
    """The same check where the claim must not hold."""
    seeds: int = 5
    """How many seeds are taken unless told otherwise."""
    place: str = ""
    """Where in the paper."""
    references: tuple[str, ...] = ()

    def negative_control(self) -> "Statement[C]":
        """The same check with something broken, which must not hold."""
        require(self.control is not None, self.id, "a statement with a control", "none")
        assert self.control is not None
        return self.control.make()

    def key(self, config: C) -> ResultKey:
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


def gather(statement: Statement[C], config: C, lab: "Lab") -> Evidence:
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
    statement: Statement[C], config: C, evidence: Evidence, seeds: int, status: Origin = "computed"
) -> Judgement:
    """Compare and decide, in every reading that the statement has."""
    parts = tuple(claim.part for claim in evidence.parts)
    hypotheses = (*statement.hypotheses(config), *evidence.hypotheses)
    reads = read_all(statement.kind, statement.text, hypotheses, parts)
    reads = tuple(_with_nearest(read, statement, config, evidence) for read in reads)
    deciding = deciding_read(reads)
    fitted = {part.constant.name: part.constant for part in parts if part.constant}
    constants = {**fitted, **evidence.constants}
    return Judgement(
        id=statement.id,
        kind=statement.kind,
        verdict=deciding.verdict,
        reason=deciding.reason,
        reading=deciding.reading,
        readings=reads,
        config=fields(config),
        seeds=seeds,
        parts=parts,
        constants=constants,
        trends=tuple(_whole(trend, constants) for trend in evidence.trends),
        status=status,
        text=statement.text,
        hypotheses=hypotheses,
    )


def _with_nearest(read: Read, statement: Statement[C], config: C, evidence: Evidence) -> Read:
    """Out of scope, with the nearest setting that would do; what was measured no setting mends."""
    measured = {each.name for each in evidence.hypotheses}
    missed = {each.name for each in read.assumptions if not each.holds}
    if read.verdict is not Verdict.OUT_OF_SCOPE or measured & missed:
        return read
    return replace(read, reason=f"{read.reason} {nearest(statement, config, read.reading)}")


def _whole(trend: Trend, constants: dict[str, FittedConstant]) -> Trend:
    """A trend with its predictions times the constant that was fitted."""
    if not trend.constant:
        return trend
    require(trend.constant in constants, trend.name, "a constant that a judge fits", trend.constant)
    value = constants[trend.constant].value
    return replace(trend, predicted=tuple(value * each for each in trend.predicted), constant="")
