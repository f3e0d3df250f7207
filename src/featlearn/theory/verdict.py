"""What it means to check a theorem with a finite experiment.

A theorem says: *if* its assumptions hold, *then* a measured quantity stands in a relation to a
predicted one. A run can end in six ways, not two, and those that are easily taken for success
have names of their own. Nothing but HOLDS may look like success.

What a theorem says depends on how its constants are read; each reading has its own verdict.
"""

import enum
import math
from dataclasses import dataclass

from featlearn._choices import Origin
from featlearn.theory.hypotheses import Hypothesis
from featlearn.theory.text import NO_TEXT, Reading, Text


class Verdict(enum.Enum):
    """How a claim fared; the value is the sentence a reader sees."""

    HOLDS = "The measured value agrees with the claim."
    FAILS = "The measured value contradicts the claim, beyond its error bar."
    OUT_OF_SCOPE = "An assumption of the statement fails here, so nothing is tested."
    UNDECIDED = "The measurement cannot tell; more seeds or samples are needed."
    OPEN = "A constant is not printed, so that one size neither confirms nor refutes the claim."
    VACUOUS = "No outcome could contradict the claim here."


class Grade(enum.Enum):
    """What kind of evidence a part rests on."""

    CERTIFIED = "certified"
    """Rational or interval arithmetic."""
    COMPUTED = "computed"
    """Closed forms or enumeration, in floating point."""
    SAMPLED = "sampled"
    """A sample, judged at a level."""


class Kind(enum.Enum):
    """What kind of claim a statement makes, for readers.

    Every part is judged by the judge that made it, whatever the kind. Two kinds change what the
    parts add up to: see ALL_ALGORITHMS and DEFINITION.
    """

    IDENTITY = "identity"
    BOUND = "bound"
    HIDDEN_CONSTANTS = "hidden constants"
    HIGH_PROBABILITY = "high probability"
    ALL_ALGORITHMS = "all algorithms"
    """Where all parts hold the statement is UNDECIDED: a few algorithms were tried, not all."""
    DEFINITION = "definition"
    """It has no verdict, whatever its parts say; or it is OUT_OF_SCOPE."""


@dataclass(frozen=True, kw_only=True)
class Assumption:
    """A hypothesis of a statement, and whether this configuration meets it."""

    name: str
    holds: bool
    detail: str = ""
    factor: float | None = None
    """By what factor it is missed, at most 1 where it is met; None where there is no size."""


@dataclass(frozen=True, kw_only=True)
class Strength:
    """What the data of one part would have noticed."""

    grade: Grade
    excluded: str = ""
    """The claims that the data reject, as a sentence."""
    detectable: float = math.nan
    """The deviation, relative to the claim, that nine of ten fresh samples would reject (D90)."""
    sharpness: float | None = None
    """Claimed over measured; 1 is tight, beyond 100 the bound is idle."""
    weak: str = ""
    """Why the evidence is weak; empty where it is not."""

    @property
    def sharp(self) -> str:
        """The sharpness as a word."""
        if self.sharpness is None:
            return ""
        return "tight" if self.sharpness <= 2 else "loose" if self.sharpness <= 100 else "idle"


@dataclass(frozen=True, kw_only=True)
class Part:
    """One comparison within a statement."""

    name: str
    relation: str
    """=, <=, >=, "same law", "in" …: measured RELATION predicted."""
    measured: float | None
    predicted: float | None
    verdict: Verdict | None
    """None for a definition or a calculator, which claim nothing."""
    stderr: float | None = None
    ci: tuple[float, float] | None = None
    reason: str = ""
    constant: "FittedConstant | None" = None
    """The constant that the judge fitted, where the claim hides one."""
    strength: Strength = Strength(grade=Grade.COMPUTED)
    p_value: float | None = None
    """How likely data that speak so much against the claim are where it is true."""
    readings: tuple[Reading, ...] = ()
    """The readings that the part speaks for; none: all that its statement has."""

    def speaks_for(self, reading: Reading) -> bool:
        """Whether it counts in that reading."""
        return not self.readings or reading in self.readings


@dataclass(frozen=True, kw_only=True)
class FittedConstant:
    """A constant that the paper hides in O(), as fitted here."""

    value: float
    ci: tuple[float, float] | None = None
    name: str = ""


@dataclass(frozen=True, kw_only=True)
class Trend:
    """What was measured against a size or a time, beside what is claimed: what a figure shows."""

    name: str
    """What is measured; in labels ``_{…}`` lowers and ``^{…}`` raises."""
    over: str
    """What it is measured against."""
    x: tuple[float, ...]
    measured: tuple[float, ...]
    low: tuple[float, ...] = ()
    """Lower ends of the 95 % intervals; none if nothing was sampled."""
    high: tuple[float, ...] = ()
    predicted: tuple[float, ...] = ()
    """The claim at the same x; none where it gives no number."""
    relation: str = "<="
    """measured RELATION predicted."""
    logarithmic: bool = False
    """Both axes."""
    constant: str = ""
    """The fitted constant that `predicted` is still to be multiplied with; "": it is whole."""


@dataclass(frozen=True, kw_only=True)
class Read:
    """A statement in one reading: its verdict, and the hypotheses with that reading's numbers."""

    reading: Reading
    verdict: Verdict | None
    reason: str
    assumptions: tuple[Assumption, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """A statement, checked."""

    id: str
    kind: Kind
    verdict: Verdict | None
    """That of the first reading that decides: printed, corrected, proof, run."""
    reason: str
    config: dict[str, object]
    seeds: int
    reading: Reading
    """The reading that the verdict is of."""
    readings: tuple[Read, ...]
    parts: tuple[Part, ...]
    constants: dict[str, FittedConstant]
    trends: tuple[Trend, ...] = ()
    status: Origin = "computed"
    """"computed", or "read" from the store."""
    text: Text = NO_TEXT
    hypotheses: tuple[Hypothesis, ...] = ()
    """The hypotheses at this configuration."""

    def __str__(self) -> str:
        """The verdict of each reading and why, then a line each part."""
        lines = [
            f"{self.id} ({read.reading.name.lower()}): {_name(read.verdict)}. {read.reason}"
            for read in self.readings
        ]
        for part in self.parts:
            compared = f"{_told(part.measured)} {part.relation} {_told(part.predicted)}"
            lines.append(f"  {_name(part.verdict):<12} {part.name}: {compared} ({part.reason})")
        return "\n".join(lines)

    @property
    def deciding(self) -> Part | None:
        """The part that the verdict rests on."""
        mine = tuple(part for part in self.parts if part.speaks_for(self.reading))
        return deciding_part(mine)

    @property
    def assumptions(self) -> tuple[Assumption, ...]:
        """The hypotheses, with the numbers of the reading that decides."""
        return next(read.assumptions for read in self.readings if read.reading is self.reading)

    @property
    def verdicts(self) -> dict[str, str | None]:
        """The verdict of each reading, by name: what is recorded."""
        return {
            read.reading.name.lower(): read.verdict.name if read.verdict else None
            for read in self.readings
        }

    @property
    def weak(self) -> str:
        """Why the evidence for what holds is weak; empty where it is not."""
        found = [
            f"{part.name}: {part.strength.weak}"
            for part in self.parts
            if part.verdict is Verdict.HOLDS and part.speaks_for(self.reading)
            if part.strength.weak
        ]
        return "; ".join(found)


_WORST_FIRST = (
    Verdict.FAILS,
    Verdict.UNDECIDED,
    Verdict.OPEN,
    Verdict.OUT_OF_SCOPE,
    Verdict.HOLDS,
    Verdict.VACUOUS,
)
"""A vacuous part is true and says nothing: it decides only where no other part does."""


def deciding_part(parts: tuple[Part, ...]) -> Part | None:
    """The first of the worst parts; a statement is as good as that."""
    judged = [part for part in parts if part.verdict is not None]
    if not judged:
        return parts[0] if parts else None
    worst = next(verdict for verdict in _WORST_FIRST if any(p.verdict is verdict for p in judged))
    return next(part for part in judged if part.verdict is worst)


def combine(
    assumptions: tuple[Assumption, ...], parts: tuple[Part, ...]
) -> tuple[Verdict | None, str]:
    """The verdict of a statement and the sentence why."""
    broken = [each for each in assumptions if not each.holds]
    if broken:
        listed = "; ".join(f"{e.name} ({e.detail})" if e.detail else e.name for e in broken)
        return Verdict.OUT_OF_SCOPE, f"Assumptions that fail here: {listed}."
    part = deciding_part(parts)
    if part is None or part.verdict is None:
        return None, "A definition or a calculator: it claims nothing that could fail."
    judged = [each for each in parts if each.verdict is not None]
    empty = [each for each in judged if each.verdict is Verdict.VACUOUS]
    if part.verdict is Verdict.HOLDS and empty:
        said = len(judged) - len(empty)
        return part.verdict, (
            f"{said} of {len(judged)} parts hold; nothing could contradict the others here: "
            f"{'; '.join(each.name for each in empty)}."
        )
    if part.verdict is Verdict.HOLDS and len(judged) > 1:
        return part.verdict, f"All {len(judged)} parts hold."
    return part.verdict, f"{part.name}: {part.reason or part.verdict.value}"


def _name(verdict: Verdict | None) -> str:
    return verdict.name if verdict else "-"


def _told(value: float | None) -> str:
    return "-" if value is None else f"{value:.6g}"


def finite(value: float | None) -> float | None:
    """The number, or None where it is not finite: what JSON may carry."""
    return float(value) if value is not None and math.isfinite(value) else None
