"""A statement, of a paper or of the user, that can be checked by experiments."""

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, is_dataclass, replace
from typing import TYPE_CHECKING, Any, Generic

from featlearn._check import InputError, as_sentence, line_of_user, require, require_name
from featlearn._choices import Origin
from featlearn._config import C, fields
from featlearn._describe import describe
from featlearn._source import sources
from featlearn.experiments.scheduler import Stopped
from featlearn.results.key import ResultKey
from featlearn.theory.claim import Claim, Evidence
from featlearn.theory.hypotheses import Hypothesis
from featlearn.theory.readings import deciding_verdict, read_all
from featlearn.theory.scope import nearest
from featlearn.theory.text import NO_TEXT, Text
from featlearn.theory.verdict import FittedConstant, Judgement, Kind, ReadingVerdict, Trend, Verdict

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
"""Modules that do not affect evidence: judges, which run again each time; the lab, whose trainings
and computations have keys of their own; and the `texts` of papers, which are only words."""


@dataclass(frozen=True)
class Control(Generic[C]):
    """A negative control: the check of a statement with something broken on purpose, which must not
    HOLD.
    """

    broken: str
    """What is broken: "the first layer is frozen"."""
    make: "Callable[[], Statement[C]]"
    """Makes the broken statement."""


@dataclass(frozen=True, kw_only=True)
class Statement(Generic[C]):
    """A claim with its sizes, its hypotheses, and the function that measures its evidence.

    In `Statement[Sizes]`, evidence and hypotheses are functions of a configuration of type `Sizes`.
    """

    id: str
    """Its id: paper.name."""
    title: str = ""
    """What it says, in one line."""
    kind: Kind = Kind.IDENTITY
    """The kind of claim, which tells what a verdict can mean."""
    config: C
    """A frozen dataclass of plain values: the default sizes."""
    evidence: "Callable[[C, Lab], Evidence | Claim | Sequence[Claim]]"
    """(config, lab) -> claims, made by the functions of `featlearn.theory.judges`."""
    hypotheses: Callable[[C], Sequence[Hypothesis]] = lambda config: ()
    """Config -> the inequalities that the statement assumes."""
    text: Text = NO_TEXT
    """The text of the statement in TeX, with its constants."""
    control: Control[C] | None = None
    """The same check where the claim must not hold."""
    seeds: int = 5
    """The default number of seeds."""
    place: str = ""
    """Where the statement stands in the paper."""
    references: tuple[str, ...] = ()
    """Keys of references.bib."""

    def __post_init__(self) -> None:
        require_name(self.id, "Statement(id)")
        sizes = is_dataclass(self.config) and not isinstance(self.config, type)
        expected, got = "a frozen dataclass of sizes", repr(self.config)[:200]
        require(sizes, f"Statement({self.id}): config", expected, got)

    def negative_control(self) -> "Statement[C]":
        """Return the same statement with something broken on purpose, which must not hold."""
        require(self.control is not None, self.id, "a statement with a control", "none")
        assert self.control is not None
        return self.control.make()

    def key(self, config: C) -> ResultKey:
        """Return the key of the evidence in the store: it digests the sizes, the values that
        `evidence` closes over, and the code.
        """
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
    """Measure the evidence of a statement and return it, even if the configuration is outside the
    theorem's hypotheses.
    """
    found = _called(statement, config, lab)
    listed = found.parts if isinstance(found, Evidence) else found
    hint = "Use a judge such as fl.bound, or fl.reported for a number that claims nothing."
    several = isinstance(listed, Iterable) and not isinstance(listed, str | Claim)
    parts = tuple(listed) if several else (listed,)
    require(len(parts) > 0, statement.id, "evidence of at least one claim", "none")
    for each in parts:
        require(isinstance(each, Claim), statement.id, "claims", type(each).__name__, hint)
    return found if isinstance(found, Evidence) else Evidence(parts=parts)


def _called(statement: Statement[C], config: C, lab: "Lab") -> Any:
    """Call the function that measures evidence; a failure in a user's own function is reported with
    the last line of the user's file that was reached.
    """
    function = inspect.unwrap(statement.evidence)
    if function.__module__.startswith("featlearn."):
        return statement.evidence(config, lab)
    try:
        return statement.evidence(config, lab)
    except (KeyboardInterrupt, Stopped, OSError, MemoryError):
        raise
    except Exception as error:
        line = line_of_user(error)
        place = f"{statement.id} ({line})" if line else statement.id
        if isinstance(error, InputError):
            where = f"{place}: {error.where}"
            raise type(error)(where, error.expected, error.got, error.hint) from error
        raise as_sentence(error, place, "evidence that can be measured") from error


def judge(
    statement: Statement[C], config: C, evidence: Evidence, seeds: int, status: Origin = "computed"
) -> Judgement:
    """Judge the evidence in every reading that the statement has, and return the judgement."""
    parts = tuple(claim.part for claim in evidence.parts)
    hypotheses = (*statement.hypotheses(config), *evidence.hypotheses)
    reads = read_all(statement.kind, statement.text, hypotheses, parts)
    reads = tuple(_with_nearest(read, statement, config, evidence) for read in reads)
    deciding = deciding_verdict(reads)
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


def _with_nearest(
    read: ReadingVerdict, statement: Statement[C], config: C, evidence: Evidence
) -> ReadingVerdict:
    """Add to the reason of an OUT_OF_SCOPE verdict the nearest setting that meets the
    hypotheses.
    """
    measured = {each.name for each in evidence.hypotheses}
    missed = {each.name for each in read.assumptions if not each.holds}
    if read.verdict is not Verdict.OUT_OF_SCOPE or measured & missed:
        return read
    return replace(read, reason=f"{read.reason} {nearest(statement, config, read.reading)}")


def _whole(trend: Trend, constants: dict[str, FittedConstant]) -> Trend:
    """Return the trend with its predictions multiplied by the fitted constant that it names."""
    if not trend.constant:
        return trend
    require(trend.constant in constants, trend.name, "a constant that a judge fits", trend.constant)
    value = constants[trend.constant].value
    return replace(trend, predicted=tuple(value * each for each in trend.predicted), constant="")
