"""A claim: measured numbers, and the name of the judge that decides whether they support a
statement.

Evidence consists of claims and is stored in that form. It is judged each time it is shown, so that
every verdict comes from the current version of the judge.
"""

import functools
import importlib
import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, ParamSpec, get_args

import numpy as np

from featlearn._check import InputError, is_number, require
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
    """One comparison, stored as the name of a judge and the arguments for it; `part` is the judge's
    result.
    """

    judge: str
    """The name of a function in `featlearn.theory.judges`."""
    arguments: dict[str, Any]
    """The arguments of the judge: plain numbers, texts and arrays."""
    note: str = ""
    """A sentence that is appended to the judge's reason."""
    readings: tuple[str, ...] = ()
    """Names of the readings in which the claim counts; empty means all readings of its
    statement."""

    @functools.cached_property
    def part(self) -> Part:
        """The judged comparison: verdict, reason and numbers."""
        importlib.import_module("featlearn.theory")  # this registers all judges
        require(self.judge in _judges, "claim", "one of " + ", ".join(_judges), self.judge)
        part = _not_without_numbers(_judges[self.judge](**self.arguments))
        reason = f"{part.reason}; {self.note}" if self.note else part.reason
        return replace(part, reason=reason, readings=tuple(Reading[name] for name in self.readings))

    @property
    def name(self) -> str:
        """The name of the claim."""
        return self.part.name

    @property
    def verdict(self) -> Verdict | None:
        """The verdict of the judge; None if the claim is a number that is only reported."""
        return self.part.verdict

    @property
    def reason(self) -> str:
        """The judge's reason for its verdict."""
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
        """The confidence interval of the measured value."""
        return self.part.ci

    @property
    def constant(self) -> FittedConstant:
        """The constant that the judge fitted."""
        found = self.part.constant
        require(found is not None, self.name, "a claim with a hidden constant", self.judge)
        assert found is not None
        return found

    def noted(self, note: str) -> "Claim":
        """Return a copy of the claim with a sentence appended to its reason."""
        return replace(self, note=note)

    def under(self, *readings: Reading) -> "Claim":
        """Return a copy of the claim that counts only in the given readings of its statement.

        Example:
            >>> from featlearn.theory import exact_bound
            >>> exact_bound("x", 0.5, 1.0).under(Reading.CORRECTED).readings
            ('CORRECTED',)
        """
        return replace(self, readings=tuple(each.name for each in readings))


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """The claims and other numbers that were measured for a statement; they are stored, and judged
    each time they are shown.
    """

    parts: tuple[Claim, ...]
    """The claims, each with the numbers that were measured for it."""
    constants: dict[str, FittedConstant] = field(default_factory=dict)
    """Constants that were measured directly; judges add the constants that they fit."""
    trends: tuple[Trend, ...] = ()
    """Curves to draw beside the verdict."""
    hypotheses: tuple[Hypothesis, ...] = ()
    """Further hypotheses, which only a measurement can check."""


def claims(judge: Callable[P, Part]) -> Callable[P, Claim]:
    """Turn a judge into a function that returns a `Claim`; the claim calls the judge when it is
    read.

    Where the judge wants arrays, the function takes lists as well. It also calls the judge at once,
    so that wrong arguments are refused immediately.
    """
    name = judge.__name__
    _judges[name] = judge
    signature = inspect.signature(judge)
    axes = {key: _axes(parameter.annotation) for key, parameter in signature.parameters.items()}

    @functools.wraps(judge)
    def claim(*args: P.args, **kwargs: P.kwargs) -> Claim:
        given = signature.bind(*args, **kwargs).arguments
        arguments = {
            key: _numbers(value, axes[key], f"{name}({key})") if axes[key] else value
            for key, value in given.items()
        }
        _require_same_sizes(arguments, axes, name)
        made = Claim(judge=name, arguments=arguments)
        _ = made.part
        return made

    return claim


def _axes(annotation: object) -> tuple[str, ...]:
    """Return the axes of each kind of array that an annotation allows, "" for a plain number; none
    if it names no array.

    Example:
        >>> from jaxtyping import Float
        >>> _axes(float | Float[np.ndarray, " cases"]), _axes(float)
        (('', 'cases'), ())
    """
    several = get_args(annotation) or (annotation,)
    named = [each.dim_str.strip() if hasattr(each, "dim_str") else "" for each in several]
    return tuple(named) if any(named) else ()


def _numbers(value: object, axes: tuple[str, ...], where: str) -> object:
    """Return a plain number as it is, and lists and arrays as a new NumPy array; refuse all else.

    Example:
        >>> _numbers([1, 2, 3], ("seeds",), "bound(values)")
        array([1., 2., 3.])
    """
    if "" in axes and is_number(value):
        return value
    told = [f"an array over {' and '.join(each.split())}" if each else "a number" for each in axes]
    wanted = " or ".join(told)
    try:
        found = np.array(value)
    except ValueError as error:  # lists of different lengths
        raise InputError(where, wanted, str(value)) from error
    require(found.dtype.kind in "biuf", where, wanted, repr(value))
    shape = f"an array of shape {found.shape}" if found.ndim else repr(value)
    require(found.ndim in [len(each.split()) for each in axes], where, wanted, shape)
    return (
        found if isinstance(value, np.ndarray) or found.dtype.kind == "f" else found.astype(float)
    )


def _require_same_sizes(
    arguments: dict[str, object], axes: dict[str, tuple[str, ...]], judge: str
) -> None:
    """Raise `InputError` if an axis has different sizes in two arguments."""
    sizes: dict[str, tuple[int, str]] = {}
    for key, value in arguments.items():
        if not isinstance(value, np.ndarray):
            continue
        (named,) = (each.split() for each in axes[key] if len(each.split()) == value.ndim)
        for axis, size in zip(named, value.shape, strict=True):
            known, of = sizes.setdefault(axis, (size, key))
            require(size == known, f"{judge}({key})", f"{known} {axis}, as in {of}", size)


def _not_without_numbers(part: Part) -> Part:
    """Return the part, but make it UNDECIDED if one of its numbers is NaN and it claims to hold or
    to be vacuous.
    """
    numbers = (part.measured, part.predicted)
    lost = any(each is not None and math.isnan(each) for each in numbers)
    if not lost or part.verdict in (None, Verdict.FAILS, Verdict.UNDECIDED):
        return part
    reason = f"a number that was compared is none; else: {part.reason}"
    return replace(part, verdict=Verdict.UNDECIDED, reason=reason, p_value=None)


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
    """Return a number that is shown without a verdict, such as that of a definition or of a
    calculator, or one for comparison.
    """
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
    """Return an UNDECIDED part with a reason, for a claim of which nothing could be measured."""
    return Part(
        name=name,
        relation="",
        measured=None,
        predicted=None,
        verdict=Verdict.UNDECIDED,
        reason=reason,
    )
