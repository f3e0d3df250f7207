"""Measure how far a setting is from a theorem's hypotheses, and find the nearest one that meets
them.

Hypotheses are nearly products of powers of the fields (m >= C d/theta^2). In the logarithms of the
fields they are nearly linear. The nearest setting, whose fields change by the smallest factors in
total, is found by a linear program, which is solved repeatedly because the hypotheses are not
exactly linear.
"""

import contextlib
import dataclasses
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Float

from featlearn._check import InputError
from featlearn._config import C
from featlearn.theory.hypotheses import Hypothesis, window
from featlearn.theory.readings import assumptions, value_of
from featlearn.theory.text import Reading
from featlearn.theory.verdict import Assumption

if TYPE_CHECKING:
    from featlearn.theory.statement import Statement

ROUNDS = 40
REACH = 3.0
"""The largest change of a field's logarithm in one round."""
LARGEST = 1e300
STEPS = (0.02, -0.02, 0.7, -0.7)
"""Steps for numerical slopes in the logarithm of a field; the first that the field allows is
used."""
ROUNDING = 1e-9
NEARLY = 1e-5
"""A value with this relative distance to a number of three digits is rounded to it."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Scope:
    """The hypotheses of a statement in one reading, and whether a setting meets each of them."""

    reading: Reading
    assumptions: tuple[Assumption, ...]
    nearest: dict[str, float] | None
    """The fields to change so that all are met; empty if all are, None if no change suffices."""

    @property
    def met(self) -> bool:
        """Whether the setting meets all hypotheses."""
        return all(each.holds for each in self.assumptions)

    @property
    def factor(self) -> float:
        """The largest factor by which the setting misses a hypothesis."""
        return max((each.factor or 0.0 for each in self.assumptions), default=0.0)


def scopes(statement: "Statement[C]", config: C) -> list[Scope]:
    """Return the scope of a statement at a setting, once for every reading whose numbers differ
    from the others'.
    """
    hypotheses = statement.hypotheses(config)
    found: list[Scope] = []
    for reading in (Reading.PRINTED, Reading.PROOF, Reading.RUN):
        assumed = assumptions(reading, statement.text, hypotheses)
        if not assumed or any(each.assumptions == assumed for each in found):
            continue
        met = all(each.holds for each in assumed)
        near = {} if met else nearest_setting(statement, config, reading)
        found.append(Scope(reading=reading, assumptions=assumed, nearest=near))
    return found


def windows(statement: "Statement[C]", config: C) -> dict[str, tuple[float, float]]:
    """Return, for each constant, the interval of values with which a setting meets all
    hypotheses.
    """
    hypotheses = tuple(statement.hypotheses(config))
    symbols = dict.fromkeys(each.constant for each in hypotheses if each.constant)
    return {symbol: window(hypotheses, symbol) for symbol in symbols}


def nearest(statement: "Statement[C]", config: C, reading: Reading) -> str:
    """Return a sentence that gives the nearest setting that meets all hypotheses."""
    changes = nearest_setting(statement, config, reading)
    if changes is None:
        return "No setting of these fields would do."
    return f"The nearest setting that would do: {listed(changes)}."


def listed(changes: dict[str, float]) -> str:
    """Return the fields with their values as text."""
    return ", ".join(f"{name} = {number(value)}" for name, value in changes.items())


def nearest_setting(
    statement: "Statement[C]", config: C, reading: Reading
) -> dict[str, float] | None:
    """Return the fields to change, by the smallest factors in total, so that every hypothesis is
    met.

    Return None if that is impossible, because of a yes-or-no condition or because hypotheses
    contradict each other.
    """

    def required(at: C) -> list[Hypothesis]:
        return [each for each in statement.hypotheses(at) if each.is_required_by(reading)]

    def constant(symbol: str) -> float | None:
        return value_of(statement.text.constant(symbol), reading) if symbol else 1.0

    return _search(config, required, constant)


def _search(
    config: C,
    required: Callable[[C], Sequence[Hypothesis]],
    constant: Callable[[str], float | None],
) -> dict[str, float] | None:
    names = [
        name
        for name, value in ((f.name, getattr(config, f.name)) for f in dataclasses.fields(config))
        if isinstance(value, int | float) and not isinstance(value, bool) and value > 0
    ]
    sized = [not each.is_condition for each in required(config)]
    if any(not keep and not each.met() for keep, each in zip(sized, required(config), strict=True)):
        return None
    free = sorted({each.constant for each in required(config) if constant(each.constant) is None})
    begin = {name: getattr(config, name) for name in names}

    def setting(logs: Float[np.ndarray, " fields"], rounded: bool = False) -> C | None:
        values: dict[str, int | float] = {}
        for name, shift in zip(names, logs.tolist(), strict=True):
            value = begin[name] * math.exp(min(max(shift, -690.0), 690.0))
            if shift == 0:
                continue
            if value > LARGEST:
                return None
            whole, up = isinstance(begin[name], int), shift > 0
            exact = max(1, (math.ceil if up else math.floor)(value)) if whole else value
            values[name] = _three_digits(value, whole, up=up) if rounded else exact
        alike = {
            name: value + (value - begin[name]) % 2 if isinstance(value, int) else value
            for name, value in values.items()
        }
        for changed in (values, alike):  # some fields only allow even or only odd numbers
            with contextlib.suppress(InputError, ValueError, OverflowError):
                return dataclasses.replace(config, **changed)
        return None

    def met(at: C | None) -> bool:
        allowed = NEARLY if free else ROUNDING
        return at is not None and bool(np.all(misses(at, constants) <= allowed))

    def misses(at: C, constants: Float[np.ndarray, " free"]) -> Float[np.ndarray, " asked"]:
        given = dict(zip(free, np.exp(constants), strict=True))
        found = []
        for keep, each in zip(sized, required(at), strict=True):
            if keep:
                chosen = constant(each.constant)
                found.append(each.factor(given[each.constant] if chosen is None else chosen))
        return np.log(np.clip(np.array(found, float), 1 / LARGEST, LARGEST))

    shift = np.zeros(len(names))
    ends = [(-math.inf, math.inf)] * len(names)
    """How far the logarithm of each field may move."""
    constants = np.zeros(len(free))
    for i, symbol in enumerate(free):
        low, high = window(tuple(required(config)), symbol)
        constants[i] = math.log(min(max(low, 1.0), max(high, 1e-12)))
    for _ in range(ROUNDS):
        at = setting(shift)
        assert at is not None
        gap = misses(at, constants)
        if np.all(gap <= ROUNDING):
            short = setting(shift, rounded=True)
            chosen = short if met(short) else at
            now = {name: getattr(chosen, name) for name in names}
            return {name: value for name, value in now.items() if value != begin[name]}
        slopes = np.zeros((len(gap), len(names) + len(free)))
        for i in range(len(names)):
            for step in STEPS:
                moved = shift.copy()
                moved[i] += step
                there = setting(moved)
                if there is None or getattr(there, names[i]) == getattr(at, names[i]):
                    continue
                change = math.log(getattr(there, names[i]) / getattr(at, names[i]))
                slopes[:, i] = (misses(there, constants) - gap) / change
                break
        for i in range(len(free)):
            moved = constants.copy()
            moved[i] += STEPS[0]
            slopes[:, len(names) + i] = (misses(at, moved) - gap) / STEPS[0]
        move = _least_move(shift, gap, slopes, ends, len(free))
        if move is None:
            return None
        wanted = shift + move[: len(names)]
        wanted[np.abs(wanted) < ROUNDING] = 0.0
        for i in range(len(names)):  # only as far as the configuration accepts each field
            reached = _reached(i, shift, wanted, setting)
            if reached != wanted[i]:
                low, high = ends[i]
                ends[i] = (low, reached) if wanted[i] > reached else (reached, high)
            shift[i] = reached
        constants = constants + move[len(names) :]
    return None


def _reached(
    i: int,
    shift: Float[np.ndarray, " fields"],
    wanted: Float[np.ndarray, " fields"],
    setting: Callable[[Float[np.ndarray, " fields"]], object],
) -> float:
    """Move one field towards its wanted value, and return the furthest value that the configuration
    accepts.
    """

    def taken(place: float) -> bool:
        moved = shift.copy()
        moved[i] = place
        return setting(moved) is not None

    low, high = float(shift[i]), float(wanted[i])
    if taken(high):
        return high
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if taken(middle) else (low, middle)
    return low


def _least_move(
    shift: Float[np.ndarray, " fields"],
    gap: Float[np.ndarray, " asked"],
    slopes: Float[np.ndarray, "asked moved"],
    within: Sequence[tuple[float, float]],
    free: int,
) -> Float[np.ndarray, " moved"] | None:
    """Return the move that closes the gaps to all hypotheses with the least sum of |shift|, at most
    `REACH` per field; None if there is none.
    """
    import scipy.optimize

    fields = len(shift)
    moved = fields + free
    # variables: move, then |shift + move| of the fields, then what is left of each gap
    cost = np.concatenate([np.zeros(moved), np.ones(fields), np.full(len(gap), 1e4)])
    closes = np.hstack([slopes, np.zeros((len(gap), fields)), -np.eye(len(gap))])
    size = np.zeros((2 * fields, len(cost)))
    for i in range(fields):
        size[i, [i, moved + i]] = 1.0, -1.0
        size[fields + i, [i, moved + i]] = -1.0, -1.0
    near = [
        (max(-REACH, low - at), min(REACH, high - at))
        for (low, high), at in zip(within, shift.tolist(), strict=True)
    ]
    ends = [*near, *[(-REACH, REACH)] * free, *[(0.0, None)] * (fields + len(gap))]
    found = scipy.optimize.linprog(
        cost,
        A_ub=np.vstack([closes, size]),
        b_ub=np.concatenate([-gap - 1e-6, -shift, shift]),
        bounds=ends,
    )
    if found.status != 0 or np.abs(found.x[:moved]).max(initial=0.0) < 1e-9:
        return None
    return np.asarray(found.x[:moved])


def _three_digits(value: float, whole: bool, up: bool) -> int | float:
    """Round a value up or down to three digits, and to a whole number if the field is whole."""
    unit = 10.0 ** (math.floor(math.log10(value)) - 2)
    to_whole, nearly = (math.ceil, 1 - NEARLY) if up else (math.floor, 1 + NEARLY)
    short = float(f"{to_whole(value / unit * nearly) * unit:.3g}")
    return max(1, to_whole(short)) if whole else short


def number(value: float) -> str:
    """Return a number as text with at most three digits; small whole numbers keep all of their
    digits.

    Example:
        >>> number(1200), number(3.5e15), number(2.2e-5)
        ('1200', '3.5e+15', '2.2e-05')
    """
    return str(value) if isinstance(value, int) and value < 10**6 else f"{value:.3g}"
