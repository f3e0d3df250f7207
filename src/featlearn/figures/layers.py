"""Lay out a graph in layers, with every node below the nodes that use it.

The layer of a node follows from the longest path down from it. Then a few sweeps move every node
towards the middle of its neighbours, and nodes are placed without overlap. An arrow over several
layers bends around the nodes between; where statements use each other, as in an induction, one
arrow of the cycle points up.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

WIDE, HIGH = 116.0, 72.0
"""From the middle of a node to that of the next, across and down."""
SWEEPS = 12
BEND = "·"
"""How the name of a bend begins; no node's does."""

Point = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class Layout:
    """The positions of nodes and arrows; y grows downwards."""

    places: dict[str, Point]
    ways: dict[tuple[str, str], tuple[Point, ...]]
    """For every arrow (user, used) the points that it goes through, both ends included."""
    width: float
    height: float


def layered(arrows: Mapping[str, Sequence[str]]) -> Layout:
    """Return positions for all keys of `arrows`, which maps each node to the nodes that it uses.

    Example:
        >>> found = layered({"theorem": ["lemma"], "lemma": [], "alone": []})
        >>> found.places["theorem"][1] < found.places["lemma"][1]
        True
    """
    given, arrows = arrows, _without_cycles(arrows)
    tied = {name for name, used in arrows.items() if used} | {u for v in arrows.values() for u in v}
    rank = _ranks({name: used for name, used in arrows.items() if name in tied})
    rows, below = _with_bends(rank, arrows)
    rows = _ordered(rows, below)
    across = _across(rows, below)
    top = max(rank.values(), default=-1)
    places = {
        name: (x, (top - level) * HIGH)
        for level, row in enumerate(rows)
        for name, x in ((n, across[n]) for n in row)
    }
    width = max((x for x, _ in places.values()), default=0.0) + WIDE
    alone = [name for name in arrows if name not in tied]
    each = max(1, int(max(width, 6 * WIDE) // WIDE))
    for place, name in enumerate(alone):  # those without arrows stand in rows at the foot
        places[name] = (place % each * WIDE, (top + 1.2 + place // each * 0.8) * HIGH)
    ways = {
        (name, used): _way(name, used, rank, places)
        for name, all_used in arrows.items()
        for used in all_used
    }
    for name, all_used in given.items():  # an arrow that closes a circle leads straight back up
        ways |= {(name, u): (places[name], places[u]) for u in all_used if (name, u) not in ways}
    nodes = {name: place for name, place in places.items() if not name.startswith(BEND)}
    return Layout(
        places=nodes,
        ways=ways,
        width=max((x for x, _ in places.values()), default=0.0),
        height=max((y for _, y in places.values()), default=0.0),
    )


def _without_cycles(arrows: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return the arrows without those that would close a cycle."""
    kept: dict[str, list[str]] = {name: [] for name in arrows}
    state: dict[str, int] = {}

    def visit(name: str) -> None:
        state[name] = 1
        for used in arrows[name]:
            if state.get(used) != 1:
                kept[name].append(used)
                if used not in state:
                    visit(used)
        state[name] = 2

    for name in arrows:
        if name not in state:
            visit(name)
    return kept


def _ranks(arrows: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Return the layer of each node: its longest path down, then raised to just below its lowest
    user.
    """
    found: dict[str, int] = {}

    def rank(name: str) -> int:
        if name not in found:
            found[name] = 1 + max((rank(used) for used in arrows[name]), default=-1)
        return found[name]

    for name in arrows:
        rank(name)
    users: dict[str, list[str]] = {}
    for name, used in arrows.items():
        for each in used:
            users.setdefault(each, []).append(name)
    for name in sorted(found, key=lambda each: -found[each]):
        if name in users:
            found[name] = min(found[user] for user in users[name]) - 1
    return found


def _bend(name: str, used: str, level: int) -> str:
    return f"{BEND}{name}>{used}>{level}"


def _with_bends(
    rank: Mapping[str, int], arrows: Mapping[str, Sequence[str]]
) -> tuple[list[list[str]], dict[str, list[str]]]:
    """Return the rows from the lowest up, with a bend where an arrow crosses a row, and the nodes
    below each.
    """
    rows: list[list[str]] = [[] for _ in range(max(rank.values(), default=-1) + 1)]
    below: dict[str, list[str]] = {}
    for name, level in rank.items():
        rows[level].append(name)
        below.setdefault(name, [])
        for used in arrows[name]:
            before = name
            for crossed in range(level - 1, rank[used], -1):
                bend = _bend(name, used, crossed)
                rows[crossed].append(bend)
                below.setdefault(before, []).append(bend)
                before = bend
            below.setdefault(before, []).append(used)
    return rows, below


def _ordered(rows: list[list[str]], below: Mapping[str, list[str]]) -> list[list[str]]:
    """Sort each row by the middle of the neighbours above and below, in turn; return the best order
    found.
    """
    above: dict[str, list[str]] = {name: [] for row in rows for name in row}
    for name, used in below.items():
        for each in used:
            above[each].append(name)
    best, least = [list(row) for row in rows], _crossings(rows, below)
    for sweep in range(SWEEPS):
        down = sweep % 2 == 0
        neighbours = above if down else below
        levels = range(len(rows) - 2, -1, -1) if down else range(1, len(rows))
        for level in levels:
            beside = rows[level + 1] if down else rows[level - 1]
            place = {name: i / max(1, len(beside) - 1) for i, name in enumerate(beside)}
            row = rows[level]
            usual = {name: i / max(1, len(row) - 1) for i, name in enumerate(row)}

            def middle(
                name: str,
                place: dict[str, float] = place,
                usual: dict[str, float] = usual,
                neighbours: Mapping[str, list[str]] = neighbours,
            ) -> float:
                near = [place[each] for each in neighbours.get(name, ()) if each in place]
                return sum(near) / len(near) if near else usual[name]

            rows[level] = sorted(row, key=middle)
        crossings = _crossings(rows, below)
        if crossings < least:
            best, least = [list(row) for row in rows], crossings
    return best


def _crossings(rows: Sequence[Sequence[str]], below: Mapping[str, list[str]]) -> int:
    """Return how many pairs of arrows cross."""
    count = 0
    for level in range(1, len(rows)):
        place = {name: i for i, name in enumerate(rows[level - 1])}
        ends = [[place[u] for u in below.get(name, ()) if u in place] for name in rows[level]]
        count += sum(
            a > b
            for i, first in enumerate(ends)
            for second in ends[i + 1 :]
            for a in first
            for b in second
        )
    return count


def _across(rows: Sequence[Sequence[str]], below: Mapping[str, list[str]]) -> dict[str, float]:
    """Return horizontal positions: the middle of a node's neighbours, moved apart until nothing
    overlaps.
    """
    above: dict[str, list[str]] = {}
    for name, used in below.items():
        for each in used:
            above.setdefault(each, []).append(name)
    widest = max((_length(row) for row in rows), default=0.0)
    found: dict[str, float] = {}
    for row in rows:
        start = (widest - _length(row)) / 2
        for name in row:
            found[name] = start
            start += _room(name)
    for sweep in range(2 * SWEEPS):
        for row in rows if sweep % 2 else reversed(rows):
            wanted = []
            for name in row:
                near = [found[e] for e in (*below.get(name, ()), *above.get(name, ()))]
                wanted.append(sum(near) / len(near) if near else found[name])
            for name, x in zip(row, _apart(row, wanted), strict=True):
                found[name] = x
    least = min(found.values(), default=0.0)
    return {name: x - least for name, x in found.items()}


def _room(name: str) -> float:
    return WIDE / 4 if name.startswith(BEND) else WIDE


def _length(row: Sequence[str]) -> float:
    return sum(map(_room, row))


def _apart(row: Sequence[str], wanted: Sequence[float]) -> list[float]:
    """Return positions in the same order, near the wanted ones, without overlap: a mean of two
    passes, one from each side.
    """
    gaps = [(_room(a) + _room(b)) / 2 for a, b in pairwise(row)]
    left, right = list(wanted), list(wanted)
    for i, gap in enumerate(gaps, 1):
        left[i] = max(left[i], left[i - 1] + gap)
    for i in range(len(gaps) - 1, -1, -1):
        right[i] = min(right[i], right[i + 1] - gaps[i])
    return [(a + b) / 2 for a, b in zip(left, right, strict=True)]


def _way(
    name: str, used: str, rank: Mapping[str, int], places: Mapping[str, Point]
) -> tuple[Point, ...]:
    bends = [places[_bend(name, used, level)] for level in range(rank[name] - 1, rank[used], -1)]
    return (places[name], *bends, places[used])
