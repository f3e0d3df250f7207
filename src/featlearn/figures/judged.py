"""Draw a judgement: its trends, and for every part the measured over the predicted value.

Each part is a point with its interval. If the part compares with a number other than 0, the point
is the quotient of the two, and the claim is the line at 1: the point should be below the line for
"<=", above for ">=", on it for "=".
"""

import math

import numpy as np

from featlearn.figures.record import Axis, Figure, Mark, Panel, Series
from featlearn.theory.verdict import Judgement, Part, Trend, Verdict

ROLE = {
    Verdict.HOLDS: "holds",
    Verdict.FAILS: "fails",
    Verdict.OUT_OF_SCOPE: "out-of-scope",
    Verdict.UNDECIDED: "undecided",
    Verdict.OPEN: "undecided",
    Verdict.VACUOUS: "out-of-scope",
    None: "reference",
}
RELATION_WORDS = {"<=": "at most", ">=": "at least", "=": "equal to"}
FEW = 12
"""So many parts are named in the caption, and have a tick each."""
WIDE = 20.0
"""Quotients that differ by more than this factor are drawn on a logarithmic axis."""


def judged(judgement: Judgement, title: str = "") -> Figure:
    """Return the figure of a judged statement.

    Args:
        judgement: the result of `check`.
        title: the title of the statement; its id if none is given.
    """
    panels = [_trend(each) for each in judgement.trends]
    known = [(n, p) for n, p in enumerate(judgement.parts, 1) if _finite(p.measured)]
    quotients = [(n, p) for n, p in known if p.predicted and _finite(p.predicted)]
    others = [(n, p) for n, p in known if not (p.predicted and _finite(p.predicted))]
    panels += [_quotients(quotients)] if quotients else []
    panels += [_values(others)] if others else []
    numbered = "; ".join(f"{n}: {p.name}" for n, p in enumerate(judgement.parts, 1))
    if len(judgement.parts) > FEW:
        numbered = f"The {len(judgement.parts)} parts are numbered as the judgement lists them"
    name = judgement.verdict.name if judgement.verdict else "no verdict"
    return Figure(
        id=judgement.id.partition(".")[2] or judgement.id,
        title=title or judgement.id,
        caption=f"{name}. {judgement.reason} Every part is a point with its interval, if it was "
        f"sampled, and the sign of what is claimed of it. {numbered}.",
        panels=tuple(panels),
        command=f"featlearn check {judgement.id}",
    )


def _trend(found: Trend) -> Panel:
    x, y = np.array(found.x), np.array(found.measured)
    scale = "log" if found.logarithmic else "linear"
    series = [
        Series(
            name="measured",
            x=x,
            y=y,
            low=np.array(found.low) if found.low else None,
            high=np.array(found.high) if found.high else None,
            role="plain",
        )
    ]
    if found.predicted:
        claim = f"claimed: {RELATION_WORDS.get(found.relation, found.relation)}"
        series.append(Series(name=claim, x=x, y=np.array(found.predicted), role="paper"))
    return Panel(
        x=Axis(label=found.over, scale=scale),
        y=Axis(label=found.name, scale=scale),
        series=tuple(series),
    )


def _quotients(parts: list[tuple[int, Part]]) -> Panel:
    rows = [(n, p, *_over(p)) for n, p in parts]
    ends = [v for _, _, y, low, high in rows for v in (y, low, high) if math.isfinite(v)]
    wide = min(ends) > 0 and max(ends) / min(ends) > WIDE
    y = Axis(label="measured / predicted", scale="log" if wide else "linear")
    return Panel(
        x=_places(parts), y=y, series=_points(rows), marks=(_claim(1.0),), title="every part"
    )


def _values(parts: list[tuple[int, Part]]) -> Panel:
    rows = [(n, p, float(p.measured or 0), *(p.ci or (math.nan, math.nan))) for n, p in parts]
    zero = any(p.predicted == 0 for _, p in parts)
    return Panel(
        x=_places(parts),
        y=Axis(label="measured"),
        series=_points(rows),
        marks=(_claim(0.0),) if zero else (),
        title="compared with 0" if zero else "every part",
    )


def _over(part: Part) -> tuple[float, float, float]:
    """Return the measured value and both ends of its interval, divided by the predicted value."""
    by = float(part.predicted or 1)
    low, high = part.ci or (math.nan, math.nan)
    ends = sorted((low / by, high / by))
    return float(part.measured or 0) / by, ends[0], ends[1]


def _points(rows: list[tuple[int, Part, float, float, float]]) -> tuple[Series, ...]:
    """Return one series per verdict, in the order in which the verdicts first occur."""
    series = []
    for verdict in dict.fromkeys(p.verdict for _, p, *_ in rows):
        mine = [row for row in rows if row[1].verdict is verdict]
        n, y, low, high = (np.array([row[i] for row in mine], float) for i in (0, 2, 3, 4))
        series.append(
            Series(
                name=verdict.name if verdict else "no verdict",
                x=n,
                y=y,
                low=np.fmin(low, y),  # the worst instance may lie outside the interval of the mean
                high=np.fmax(high, y),
                role=ROLE[verdict],
                kind="points",
            )
        )
    return tuple(series)


def _places(parts: list[tuple[int, Part]]) -> Axis:
    signs = {"<=": "≤", ">=": "≥", "=": "="}
    first, last = float(parts[0][0]), float(parts[-1][0])
    every = -(-len(parts) // FEW)
    ticks = tuple(
        (float(n), str(n) if every > 1 else f"{n} {signs.get(p.relation, '')}".strip())
        for n, p in parts[::every]
    )
    return Axis(label="part", ticks=ticks, limits=(first - 0.6, last + 0.6))


def _claim(at: float) -> Mark:
    return Mark(label="", at=at, axis="y", role="paper")


def _finite(value: float | None) -> bool:
    return value is not None and math.isfinite(value)
