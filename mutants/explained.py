"""Survivors that no test can catch, with the reason: explained.toml.

An entry names its slip by the module, the function and the two lines. An entry whose slip does not
exist any more is refused, so that no excuse outlives its code.
"""

import tomllib
from pathlib import Path

from mutants.choice import Stale
from mutants.slips import Slip

EXPLAINED = Path(__file__).with_name("explained.toml")
FEWEST_WORDS = 5


def explanations(slips: list[Slip], path: Path = EXPLAINED) -> dict[str, str]:
    """The reason of each explained slip, by the slip's name; `slips` are all that exist."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    found: dict[str, str] = {}
    for entry in tomllib.loads(text).get("survivor", []):
        same = [
            slip
            for slip in slips
            if (slip.path, slip.function) == (entry["path"], entry.get("function", ""))
            and (slip.before, slip.after) == (entry["before"], entry["after"])
        ]
        if not same:
            raise Stale(
                f"{path.name}: expected a slip from {entry['before']!r} to {entry['after']!r} in "
                f"{entry['path']}, {entry.get('function', '')}, got none. Try removing the entry."
            )
        if len(entry["why"].split()) < FEWEST_WORDS:
            raise Stale(f"{path.name}: expected a sentence for {entry['after']!r}, got less.")
        found |= {slip.name: entry["why"] for slip in same}
    return found
