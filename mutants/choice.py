"""Which slips are tried: all that are written by hand, and a share of each module's generated ones.

A slip's rank is a digest of the seed and its name. So the choice is the same on every machine, a
larger share only adds slips, and an edit of one function leaves the slips of the others alone.
"""

import hashlib
import math
import tomllib
from pathlib import Path

from mutants.slips import Slip, by_hand, generated
from mutants.tree import modules, source_of

HERE = Path(__file__).parent
FEWEST, SHARE = 2, 0.03
"""Of the generated slips of a module this share is tried, and no fewer than so many."""


class Stale(Exception):
    """A slip that a list names is not in the source any more."""


def all_slips(module: str, hand: list[dict[str, str]]) -> list[Slip]:
    """Every slip of a module: by hand, then generated."""
    source = source_of(module)
    written = []
    for entry in (entry for entry in hand if entry["path"] == module):
        slip = by_hand(module, source, entry["old"], entry["new"], entry["why"])
        if slip is None:
            raise Stale(
                f"mutants/slips.toml: expected {entry['old']!r} once in {module}, "
                f"got {source.count(entry['old'])}. Try writing the slip anew."
            )
        written.append(slip)
    return [*written, *generated(module, source)]


def chosen(slips: list[Slip], *, seed: int, share: float = SHARE) -> list[Slip]:
    """The slips of one module that are tried."""
    hand = [slip for slip in slips if slip.kind == "hand"]
    other = sorted((slip for slip in slips if slip.kind != "hand"), key=lambda s: rank(s, seed))
    lines: set[tuple[int, str]] = set()
    taken: list[Slip] = []
    quota = min(max(FEWEST, math.ceil(share * len(other))), len(other))
    for slip in other:
        if len(taken) == quota:
            break
        if (slip.line, slip.kind) not in lines:  # one slip of a kind per line
            lines.add((slip.line, slip.kind))
            taken.append(slip)
    return sorted([*hand, *taken], key=lambda slip: (slip.line, slip.name))


def written_by_hand(path: Path = HERE / "slips.toml") -> list[dict[str, str]]:
    """The list of slips by hand; every module it names exists."""
    entries: list[dict[str, str]] = tomllib.loads(path.read_text(encoding="utf-8"))["slip"]
    known = set(modules())
    for entry in entries:
        if entry["path"] not in known:
            raise Stale(f"{path.name}: expected a module of the stages, got {entry['path']}.")
    return entries


def rank(slip: Slip, seed: int) -> str:
    """The place of a slip in the order in which slips are chosen and tried."""
    return hashlib.sha256(f"{seed} {slip.name}".encode()).hexdigest()
