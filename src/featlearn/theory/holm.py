"""Holm's correction for many comparisons: over one paper, a verdict FAILS has to survive it at 1 %.

Each part is first judged by itself at 99.9 %, so that of a thousand true claims one would fail by
chance. Therefore the smallest p-value of a paper must be below 1 % divided by the number of
comparisons, the next below 1 % divided by one fewer, and so on. A failure whose p-value is too
large for that becomes UNDECIDED.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from featlearn.theory.readings import deciding_verdict, read_all
from featlearn.theory.verdict import Judgement, Part, Verdict

LEVEL = 0.01


def threshold(p_values: Iterable[float], level: float = LEVEL) -> float:
    """Return the largest p-value that Holm's procedure rejects, or -1 if it rejects none.

    Example:
        >>> threshold([0.0001, 0.003, 0.2, 0.9]), threshold([0.004, 0.5, 0.5])
        (0.003, -1.0)
    """
    rejected = -1.0
    ordered = sorted(p_values)
    for place, p_value in enumerate(ordered):
        if p_value > level / (len(ordered) - place):
            break
        rejected = p_value
    return rejected


def corrected(judgements: Sequence[Judgement], level: float = LEVEL) -> list[Judgement]:
    """Return the judgements of one paper after Holm's correction: failures that do not survive it
    become UNDECIDED.
    """
    compared = [
        part.p_value
        for each in judgements
        for part in each.parts
        if part.p_value is not None and not math.isnan(part.p_value)
    ]
    limit = threshold(compared, level)
    return [_corrected_judgement(each, limit, len(compared)) for each in judgements]


def _corrected_judgement(judgement: Judgement, limit: float, compared: int) -> Judgement:
    parts = tuple(_corrected_part(part, limit, compared) for part in judgement.parts)
    if parts == judgement.parts:
        return judgement
    anew = read_all(judgement.kind, judgement.text, judgement.hypotheses, parts)
    pairs = zip(judgement.readings, anew, strict=True)
    reads = tuple(old if old.verdict is new.verdict else new for old, new in pairs)
    deciding = deciding_verdict(reads)
    return replace(
        judgement,
        parts=parts,
        readings=reads,
        reading=deciding.reading,
        verdict=deciding.verdict,
        reason=deciding.reason,
    )


def _corrected_part(part: Part, limit: float, compared: int) -> Part:
    survives = part.p_value is None or part.p_value <= limit
    if part.verdict is not Verdict.FAILS or survives:
        return part
    comparison = f"p = {part.p_value:.2g} among {compared} comparisons of the paper"
    return replace(part, verdict=Verdict.UNDECIDED, reason=f"{part.reason}; {comparison}")
