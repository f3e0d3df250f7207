"""What is known of each slip, one line of JSON each, so that a run goes on where it stopped.

*Caught* is believed as long as neither the module nor the test file that caught it has changed;
*survived* as long as neither the module nor any file of its jury has, nor the list of them.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mutants.jury import Jury
from mutants.slips import Slip
from mutants.tree import file_digest

CAUGHT = ("caught", "timeout", "died")


class Outcomes:
    """The file of outcomes; the last line about a slip counts."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[str, dict[str, Any]] = {}
        if path.exists():
            with path.open() as lines:
                self._known = {entry["slip"]: entry for entry in map(json.loads, lines)}

    def get(self, slip: Slip, panel: Jury) -> dict[str, Any] | None:
        """What is known and still true."""
        entry = self._known.get(slip.name)
        if entry is None or entry["module"] != file_digest(f"src/featlearn/{slip.path}"):
            return None
        if entry["outcome"] in CAUGHT and entry["by"]:
            return entry if file_digest(file_of(entry["by"])) == entry["judges"][0][1] else None
        return entry if entry["judges"] == _judges(panel.files) else None

    def add(self, slip: Slip, panel: Jury, report: Mapping[str, Any]) -> dict[str, Any]:
        """Write down what became of a slip."""
        by = report.get("by", "")
        caught = report["outcome"] in CAUGHT
        entry = {
            "slip": slip.name,
            "path": slip.path,
            "outcome": report["outcome"],
            "by": by,
            "module": file_digest(f"src/featlearn/{slip.path}"),
            "judges": _judges([file_of(by)] if caught and by else panel.files),
            "seconds": report["seconds"],
        }
        self._known[slip.name] = entry
        with self._path.open("a") as out:
            out.write(json.dumps(entry) + "\n")
        return entry


def file_of(nodeid: str) -> str:
    """The file of a test."""
    return nodeid.split("::")[0]


def _judges(files: Any) -> list[list[str]]:
    return [[file, file_digest(file)] for file in files]
