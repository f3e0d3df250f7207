"""A claim: the numbers that were measured, and the name of the judge who decides on them.

Evidence is made of claims and stored as such. It is judged each time that it is shown, so that a
verdict is never older than its judge.
"""

import functools
import importlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, ParamSpec

import numpy as np

from featlearn._check import require
from featlearn.theory.hypotheses import Hypothesis
from featlearn.theory.text import Reading
from featlearn.theory.verdict import (
    FittedConstant,
    Part,
    Trend,
    Verdict,
)

P = ParamSpec("P")
_judges: dict[str, Callable[..., Part]] = {}


@dataclass(frozen=True, kw_only=True, eq=False)
class Claim:
    """What one comparison rests on; its verdict is that of `part`."""

    judge: str
    """The name of the judge."""
    arguments: dict[str, Any]
    """What the judge is given: plain numbers, texts and arrays."""
    note: str = ""
    """A sentence to stand behind the judge's reason."""
    readings: tuple[str, ...] = ()
    """Names of the readings that it speaks for; none: all that its statement has."""

    @functools.cached_property
    def part(self) -> Part:
        """The claim, judged."""
        importlib.import_module("featlearn.theory")  # where all judges are known
        require(self.judge in _judges, "claim", "one of " + ", ".join(_judges), self.judge)
        part = _judges[self.judge](**self.arguments)
        reason = f"{part.reason}; {self.note}" if self.note else part.reason
        return replace(part, reason=reason, readings=tuple(Reading[name] for name in self.readings))

    @property
    def name(self) -> str:
        """What is claimed."""
        return self.part.name

    @property
    def verdict(self) -> Verdict | None:
        """How it fared."""
        return self.part.verdict

    @property
    def reason(self) -> str:
        """Why."""
        return self.part.reason

    @property
    def measured(self) -> float | None:
        """The measured value."""
        return self.part.measured

    @property
    def predicted(self) -> float | None:
        """The claimed value."""
        return self.part.predicted

    @property
    def stderr(self) -> float | None:
        """The standard error of the measured value."""
        return self.part.stderr

    @property
    def ci(self) -> tuple[float, float] | None:
        """The interval of the measured value."""
        return self.part.ci

    @property
    def constant(self) -> FittedConstant:
        """The constant that the judge fitted."""
        found = self.part.constant
        require(found is not None, self.name, "a claim with a hidden constant", self.judge)
        assert found is not None
        return found

    def noted(self, note: str) -> "Claim":
        """The same claim with a sentence behind its reason."""
        return replace(self, note=note)

    def under(self, *readings: Reading) -> "Claim":
        """The same claim, counted in these readings of its statement alone.

        Example:
            >>> from featlearn.theory import exact_bound
            >>> exact_bound("x", 0.5, 1.0).under(Reading.CORRECTED).readings
            ('CORRECTED',)
        """
        return replace(self, readings=tuple(each.name for each in readings))


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """What a statement measured: it is stored, and judged each time that it is shown."""

    parts: tuple[Claim, ...]
    constants: dict[str, FittedConstant] = field(default_factory=dict)
    """Constants that were measured; those that judges fit are found by them."""
    trends: tuple[Trend, ...] = ()
    hypotheses: tuple[Hypothesis, ...] = ()
    """Hypotheses that only a measurement can tell, beside the statement's own."""


def claims(judge: Callable[P, Part]) -> Callable[P, Claim]:
    """Make a judge a maker of claims: calling it keeps the arguments and judges them when asked.

    Arguments that the judge refuses are refused at once.
    """
    name = judge.__name__
    _judges[name] = judge
    signature = inspect.signature(judge)

    @functools.wraps(judge)
    def claim(*args: P.args, **kwargs: P.kwargs) -> Claim:
        given = signature.bind(*args, **kwargs).arguments
        made = Claim(judge=name, arguments={key: _kept(value) for key, value in given.items()})
        _ = made.part
        return made

    return claim


def _kept(value: object) -> object:
    """An array of one's own, so that a claim cannot change afterwards; anything else as it is."""
    return np.array(value) if isinstance(value, np.ndarray) else value


@claims
def reported(
    name: str,
    measured: float | None,
    predicted: float | None = None,
    *,
    relation: str = "",
    stderr: float | None = None,
    reason: str = "",
) -> Part:
    """A number that is told and not judged: of a definition, a calculator, or for comparison."""
    return Part(
        name=name,
        relation=relation,
        measured=measured,
        predicted=predicted,
        stderr=stderr,
        verdict=None,
        reason=reason,
    )


@claims
def undecided(name: str, reason: str) -> Part:
    """A claim of which nothing could be measured, and why."""
    return Part(
        name=name,
        relation="",
        measured=None,
        predicted=None,
        verdict=Verdict.UNDECIDED,
        reason=reason,
    )
