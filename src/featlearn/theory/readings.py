"""Readings: the same evidence, judged with different values of the constants in a theorem.

An experiment at one size cannot refute a theorem with "some constant C". So the constants are read
in up to four ways, each with its own verdict; verdicts of different readings are never added up:

    printed    the paper's numbers; OPEN if a constant is hidden, FAILS if no value of it helps
    proof      the proof's numbers; missed hypotheses are OUT_OF_SCOPE, with the factor
    corrected  the claim with its misprints corrected
    run        the numbers used here; HOLDS outside the proof's scope is "beyond the theorem"
"""

import math
from collections.abc import Sequence

from featlearn.theory.hypotheses import ROUNDING, Hypothesis, window
from featlearn.theory.text import Reading, Text, Unknown
from featlearn.theory.verdict import (
    Assumption,
    Kind,
    Part,
    ReadingVerdict,
    Verdict,
    combine,
)

ORDER = (Reading.PRINTED, Reading.CORRECTED, Reading.PROOF, Reading.RUN)
"""The order in which readings are shown; the first that decides gives a statement its verdict."""


def read_all(
    kind: Kind, text: Text, hypotheses: Sequence[Hypothesis], parts: Sequence[Part]
) -> tuple[ReadingVerdict, ...]:
    """Return the verdict in every reading that the statement has, in the order of `ORDER`."""
    found: dict[Reading, ReadingVerdict] = {}
    for reading in ORDER:
        if _has(reading, text, hypotheses, parts):
            found[reading] = _read(reading, kind, text, hypotheses, parts)
    run, proof = found.get(Reading.RUN), found.get(Reading.PROOF)
    beyond = proof is not None and proof.verdict is Verdict.OUT_OF_SCOPE
    if run is not None and beyond and run.verdict is Verdict.HOLDS:
        found[Reading.RUN] = ReadingVerdict(
            reading=Reading.RUN,
            verdict=run.verdict,
            reason=f"Beyond the theorem: {run.reason}",
            assumptions=run.assumptions,
        )
    return tuple(found.values())


def deciding_verdict(reads: Sequence[ReadingVerdict]) -> ReadingVerdict:
    """Return the first reading whose verdict is HOLDS or FAILS; if there is none, the one that
    comes closest to a decision.
    """
    for wanted in (
        (Verdict.HOLDS, Verdict.FAILS),
        (Verdict.UNDECIDED,),
        (Verdict.VACUOUS,),
    ):
        for read in reads:
            if read.verdict in wanted:
                return read
    return reads[0]


def assumptions(
    reading: Reading, text: Text, hypotheses: Sequence[Hypothesis]
) -> tuple[Assumption, ...]:
    """Return the hypotheses that a reading requires, with the values that this reading gives the
    constants.
    """
    asked = tuple(each for each in hypotheses if each.is_required_by(reading))
    return tuple(_assumption(each, reading, text, asked) for each in asked)


def value_of(constant: Unknown | None, reading: Reading) -> float | None:
    """Return the value of a constant in a reading; None if the reading gives it no number."""
    if constant is None:
        return None
    choices = {
        Reading.PRINTED: (constant.printed,),
        Reading.PROOF: (constant.proof, constant.printed),
        Reading.CORRECTED: (constant.run, constant.proof, constant.printed),
        Reading.RUN: (constant.run, constant.proof, constant.printed),
    }[reading]
    numbers = (float(each) for each in choices if isinstance(each, int | float))
    return next(numbers, None)


def _has(
    reading: Reading, text: Text, hypotheses: Sequence[Hypothesis], parts: Sequence[Part]
) -> bool:
    if reading is Reading.PRINTED:
        return True
    if reading is Reading.CORRECTED:
        return bool(text.corrected)
    tags = [each.readings for each in parts] + [each.readings for each in hypotheses]
    tagged = any(reading in each for each in tags)
    if reading is Reading.PROOF:
        return tagged or any(each.proof is not None for each in text.constants)
    return tagged or any(each.run is not None for each in text.hidden)


def _assumption(
    hypothesis: Hypothesis, reading: Reading, text: Text, asked: tuple[Hypothesis, ...]
) -> Assumption:
    note = f"; {hypothesis.note}" if hypothesis.note else ""
    symbol = hypothesis.constant
    number = value_of(text.constant(symbol), reading) if symbol else 1.0
    if number is None:  # the constant may have any value that all hypotheses allow
        low, high = window(asked, symbol)
        least, most = hypothesis.allowed
        apart = max(low / most if most > 0 else math.inf, least / high if high > 0 else math.inf)
        holds = apart <= 1 + ROUNDING
        detail = f"{symbol} {interval(hypothesis.allowed)}"
        if not holds:
            asked_for = f">= {low:.4g}" if low > most else f"<= {high:.4g}"
            detail += f", and another asks for {symbol} {asked_for}: a factor {apart:.3g}"
        return Assumption(
            name=hypothesis.name,
            holds=holds,
            detail=f"{detail}{note}",
            factor=None if holds or math.isinf(apart) else apart,
        )
    factor = hypothesis.factor(number)
    if hypothesis.is_condition:
        detail = "met" if hypothesis.met() else "not met"
        return Assumption(name=hypothesis.name, holds=hypothesis.met(), detail=f"{detail}{note}")
    limit = hypothesis.limit * number**hypothesis.power if symbol else hypothesis.limit
    detail = f"{hypothesis.value:.4g} {hypothesis.side} {limit:.4g}"
    detail += f" with {symbol} = {number:.4g}" if symbol else ""
    detail += "" if hypothesis.met(number) else f", missed by a factor {factor:.3g}"
    return Assumption(
        name=hypothesis.name,
        holds=hypothesis.met(number),
        detail=f"{detail}{note}",
        factor=factor if math.isfinite(factor) else None,
    )


def _read(
    reading: Reading,
    kind: Kind,
    text: Text,
    hypotheses: Sequence[Hypothesis],
    parts: Sequence[Part],
) -> ReadingVerdict:
    assumed = assumptions(reading, text, hypotheses)
    mine = tuple(part for part in parts if part.speaks_for(reading))
    if reading is Reading.PRINTED and text.hidden and kind is not Kind.DEFINITION:
        verdict, reason = _open(text, hypotheses, assumed, parts)
    else:
        verdict, reason = combine(assumed, mine)
    if kind is Kind.DEFINITION and verdict is not Verdict.OUT_OF_SCOPE:
        verdict, reason = None, "A definition or a calculator: it claims nothing that could fail."
    elif kind is Kind.ALL_ALGORITHMS and verdict is Verdict.HOLDS:
        verdict, reason = Verdict.UNDECIDED, f"Not contradicted by what was tried. {reason}"
    return ReadingVerdict(reading=reading, verdict=verdict, reason=reason, assumptions=assumed)


def _open(
    text: Text,
    hypotheses: Sequence[Hypothesis],
    assumed: tuple[Assumption, ...],
    parts: Sequence[Part],
) -> tuple[Verdict | None, str]:
    """Return verdict and reason of the printed reading when constants are hidden: OPEN, unless a
    part refutes the claim as printed.
    """
    about = tuple(part for part in parts if Reading.PRINTED in part.readings)
    verdict, reason = combine(assumed, about)
    if verdict in (Verdict.OUT_OF_SCOPE, Verdict.FAILS):
        return verdict, reason
    symbols = ", ".join(each.symbol for each in text.hidden)
    asked = tuple(each for each in hypotheses if each.is_required_by(Reading.PRINTED))
    needed = [
        f"{symbol} {interval(window(asked, symbol))}"
        for symbol in dict.fromkeys(each.constant for each in asked if each.constant)
    ]
    needed += [
        f"{part.constant.name} = {part.constant.value:.3g}" for part in parts if part.constant
    ]
    detail = f"; the data would need {', '.join(needed)}" if needed else ""
    return Verdict.OPEN, f"Not printed: {symbols}{detail}."


def interval(ends: tuple[float, float]) -> str:
    """Return an interval of positive numbers as text.

    Example:
        >>> interval((0.0, 4.0)), interval((0.5, math.inf)), interval((2.0, 3.0)), interval((3, 2))
        ('<= 4', '>= 0.5', 'in [2, 3]', 'in none')
    """
    low, high = ends
    if low > high:
        return "in none"
    if low == 0 and high == math.inf:
        return "> 0"
    if low == 0:
        return f"<= {high:.4g}"
    return f">= {low:.4g}" if high == math.inf else f"in [{low:.4g}, {high:.4g}]"
