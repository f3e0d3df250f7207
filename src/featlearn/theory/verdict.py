"""Verdicts: what it means to check a theorem with a finite experiment.

A theorem says: *if* its assumptions hold, *then* a measured quantity stands in a relation to a
predicted one. A check can end in six ways, not two, and the ways that might be mistaken for success
have names of their own. Only HOLDS may be shown like a success.

What a theorem says depends on how its constants are read; each reading has its own verdict.
"""

import enum
import math
from dataclasses import dataclass

from featlearn._choices import Origin
from featlearn.theory.hypotheses import Hypothesis
from featlearn.theory.text import NO_TEXT, Reading, Text


class Verdict(enum.Enum):
    """The verdicts on a claim; the text of each is the sentence that readers see."""

    HOLDS = "The measured value agrees with the claim."
    FAILS = "The measured value contradicts the claim, beyond its error bar."
    OUT_OF_SCOPE = "An assumption of the statement fails here, so nothing is tested."
    UNDECIDED = "The measurement cannot tell; more seeds or samples are needed."
    OPEN = "A constant is not printed, so that one size neither confirms nor refutes the claim."
    VACUOUS = "No outcome could contradict the claim here."


class Grade(enum.Enum):
    """The kinds of evidence."""

    CERTIFIED = "certified"
    """Rational or interval arithmetic."""
    COMPUTED = "computed"
    """Closed forms or enumeration, in floating point."""
    SAMPLED = "sampled"
    """A sample, judged at a level."""


class Kind(enum.Enum):
    """The kind of claim that a statement makes, for readers.

    Every part is judged by the judge that made it, whatever the kind. Two kinds change how the
    verdicts of the parts are combined: see ALL_ALGORITHMS and DEFINITION.
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
    """A hypothesis of a statement, and whether the configuration meets it."""

    name: str
    holds: bool
    detail: str = ""
    factor: float | None = None
    """The factor by which it is missed, at most 1 if it is met; None if it has no size."""


@dataclass(frozen=True, kw_only=True)
class Strength:
    """The strength of the evidence for one part of a statement."""

    grade: Grade
    excluded: str = ""
    """The claims that the data reject, in words."""
    detectable: float = math.nan
    """The deviation, relative to the claim, that nine of ten fresh samples would reject (D90)."""
    sharpness: float | None = None
    """Claimed over measured value; 1 is tight, beyond 100 the bound is idle."""
    weak: str = ""
    """Why the evidence is weak; empty if it is not."""

    @property
    def sharp(self) -> str:
        """The sharpness as a word: "tight", "loose" or "idle"."""
        if self.sharpness is None:
            return ""
        return "tight" if self.sharpness <= 2 else "loose" if self.sharpness <= 100 else "idle"


@dataclass(frozen=True, kw_only=True)
class Part:
    """One judged comparison of a measured with a predicted number, within a statement."""

    name: str
    """What is compared."""
    relation: str
    """=, <=, >=, "same law", "in" …: measured RELATION predicted."""
    measured: float | None
    """The measured number."""
    predicted: float | None
    """The claimed number."""
    verdict: Verdict | None
    """None for a definition or a calculator, which claim nothing."""
    stderr: float | None = None
    """Standard error of the measured number."""
    ci: tuple[float, float] | None = None
    """Its confidence interval."""
    reason: str = ""
    """Why the verdict is what it is."""
    constant: "FittedConstant | None" = None
    """The constant that the judge fitted, if the claim hides one."""
    strength: Strength = Strength(grade=Grade.COMPUTED)
    """How much the data would have noticed."""
    p_value: float | None = None
    """The p-value: how likely data are that contradict the claim so much, if it is true."""
    readings: tuple[Reading, ...] = ()
    """The readings in which the part counts; empty means all readings of its statement."""

    def speaks_for(self, reading: Reading) -> bool:
        """Return whether the part counts in the given reading."""
        return not self.readings or reading in self.readings


@dataclass(frozen=True, kw_only=True)
class FittedConstant:
    """A constant that the paper hides in O(), as fitted to the measurements."""

    value: float
    ci: tuple[float, float] | None = None
    name: str = ""


@dataclass(frozen=True, kw_only=True)
class Trend:
    """A curve of measured values against a size or a time, together with the claimed values, for a
    figure.
    """

    name: str
    """What is measured; in labels ``_{…}`` lowers and ``^{…}`` raises."""
    over: str
    """What it is measured against."""
    x: tuple[float, ...]
    measured: tuple[float, ...]
    low: tuple[float, ...] = ()
    """Lower ends of the 95 % intervals; empty if nothing was sampled."""
    high: tuple[float, ...] = ()
    predicted: tuple[float, ...] = ()
    """The claimed values at the same x; empty if the claim is no number."""
    relation: str = "<="
    """The claim is "measured RELATION predicted"."""
    logarithmic: bool = False
    """Whether both axes are logarithmic."""
    constant: str = ""
    """The fitted constant by which `predicted` has to be multiplied; "" if there is none."""


@dataclass(frozen=True, kw_only=True)
class ReadingVerdict:
    """The verdict on a statement in one reading, and the hypotheses with that reading's numbers."""

    reading: Reading
    verdict: Verdict | None
    reason: str
    assumptions: tuple[Assumption, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """The result of checking a statement: a verdict for each reading, and all judged parts."""

    id: str
    """The id of the statement."""
    kind: Kind
    """The kind of claim."""
    verdict: Verdict | None
    """The verdict of the first reading that decides: printed, corrected, proof, run."""
    reason: str
    """Why the verdict is what it is, in a sentence."""
    config: dict[str, object]
    """The sizes at which it was checked."""
    seeds: int
    """Number of seeds."""
    reading: Reading
    """The reading that gave the verdict."""
    readings: tuple[ReadingVerdict, ...]
    """The verdict of each reading, with its reason."""
    parts: tuple[Part, ...]
    """All comparisons."""
    constants: dict[str, FittedConstant]
    """Name -> the constants that the data have or would need."""
    trends: tuple[Trend, ...] = ()
    """Curves to draw beside the verdict."""
    status: Origin = "computed"
    """"computed", or "read" from the store."""
    text: Text = NO_TEXT
    """What the statement says."""
    hypotheses: tuple[Hypothesis, ...] = ()
    """The hypotheses at this configuration."""

    def __str__(self) -> str:
        """Return the verdict and reason of each reading, then one line per part."""
        lines = [
            f"{self.id} ({read.reading.name.lower()}): {_name(read.verdict)}. {read.reason}"
            for read in self.readings
        ]
        for part in self.parts:
            compared = (
                f"{_format_number(part.measured)} {part.relation} {_format_number(part.predicted)}"
            )
            lines.append(f"  {_name(part.verdict):<12} {part.name}: {compared} ({part.reason})")
        return "\n".join(lines)

    @property
    def deciding(self) -> Part | None:
        """The part that decided the verdict; None if no part counts in that reading."""
        mine = tuple(part for part in self.parts if part.speaks_for(self.reading))
        return deciding_part(mine)

    @property
    def assumptions(self) -> tuple[Assumption, ...]:
        """The hypotheses, with the numbers of the reading that gave the verdict."""
        return next(read.assumptions for read in self.readings if read.reading is self.reading)

    @property
    def verdicts(self) -> dict[str, str | None]:
        """Map each reading to its verdict, as `expected.json` records them."""
        return {
            read.reading.name.lower(): read.verdict.name if read.verdict else None
            for read in self.readings
        }

    @property
    def weak(self) -> str:
        """The reasons why the evidence for HOLDS is weak; empty if it is not weak."""
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
"""A vacuous part is true but says nothing, so it decides only if no other part does."""


def deciding_part(parts: tuple[Part, ...]) -> Part | None:
    """Return the first part with the worst verdict, which is also the verdict of the statement."""
    judged = [part for part in parts if part.verdict is not None]
    if not judged:
        return parts[0] if parts else None
    worst = next(verdict for verdict in _WORST_FIRST if any(p.verdict is verdict for p in judged))
    return next(part for part in judged if part.verdict is worst)


def combine(
    assumptions: tuple[Assumption, ...], parts: tuple[Part, ...]
) -> tuple[Verdict | None, str]:
    """Return the verdict of a statement, and a sentence that gives the reason."""
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
        holding = len(judged) - len(empty)
        return part.verdict, (
            f"{holding} of {len(judged)} parts hold; nothing could contradict the others here: "
            f"{'; '.join(each.name for each in empty)}."
        )
    if part.verdict is Verdict.HOLDS and len(judged) > 1:
        return part.verdict, f"All {len(judged)} parts hold."
    return part.verdict, f"{part.name}: {part.reason or part.verdict.value}"


def _name(verdict: Verdict | None) -> str:
    return verdict.name if verdict else "-"


def _format_number(value: float | None) -> str:
    return "-" if value is None else f"{value + 0.0:.6g}"  # adding 0 turns -0 into 0


def finite(value: float | None) -> float | None:
    """Return the number, or None if it is not finite, because JSON has no infinity and no NaN."""
    return float(value) if value is not None and math.isfinite(value) else None
