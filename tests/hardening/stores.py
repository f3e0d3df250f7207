"""What the tests of damaged and of full stores share: toy commands, and what they say."""

import contextlib
import io
import json
from pathlib import Path
from typing import Any

import pytest

from featlearn.cli.main import main
from featlearn.experiments import engine

TINY = "--d 5 --width 4 --steps 4 --records 2 --test 20 --seeds 2"
RUN = f"run glasgow2023.xor --eta 0.1 {TINY}".split()
SWEEP = f"sweep glasgow2023.xor --over eta=0.1,0.2 {TINY}".split()
CHECK = ["check", "mine.py:CLAIM"]
STATEMENT = """\
from dataclasses import dataclass
import featlearn as fl

@dataclass(frozen=True, kw_only=True)
class Sizes:
    k: int = 1

def evidence(sizes, lab):
    return fl.identity("k", float(sizes.k), 1.0, tolerance=0.1)

CLAIM = fl.Statement(id="my.claim", config=Sizes(), evidence=evidence, seeds=1)
"""


@contextlib.contextmanager
def the_engine_as_it_is():
    """Commands in this process leave JAX, and its cache of programs, alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "prepare", lambda *_: None)
        yield


def say(words: list[str]) -> tuple[int, dict[str, Any], str]:
    """Exit code, JSON document and sentence of a command; an exception is a traceback, and goes on.

    Whatever ends with 2 has said one sentence, the same in both places.
    """
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([*words, "--json"])
    document = json.loads(out.getvalue())
    sentence = err.getvalue()
    if code == 2:
        told = document["error"]
        assert sentence.count("\n") == 1, sentence
        assert sentence.startswith(f"featlearn: {told['where']}: expected {told['expected']}, got ")
    elif code == 1 and "rows" in document:  # a sweep with a point that failed, told in its row
        assert any(row["status"] == "failed" for row in document["rows"]), document
        code = 0
    else:
        assert (code, sentence) == (0, ""), (words, document)
    return code, document, sentence


def numbers(document: dict[str, Any]) -> Any:
    """What a command measured, without when, how and where."""
    if "rows" in document:
        return [(row["config"], row["summary"]) for row in document["rows"]]
    if "verdicts" in document:
        return [{**each, "status": None} for each in document["verdicts"]]
    return document.get("ledger") or document.get("differences") or document["summary"]


def _is_sweep(path: Path) -> bool:
    """Whether a file belongs to the list of a sweep, which is written each time."""
    above = [each / "entry.json" for each in path.parents]
    told = [each.read_text(errors="replace") for each in above if each.is_file()]
    return any('"kind": "sweep"' in text for text in told)


def contents(store: Path) -> dict[str, bytes]:
    """Every file of a store that is there for good; what a command writes each time left out."""
    again = ("lock",)
    return {
        str(path.relative_to(store)): path.read_bytes()
        for path in sorted(store.rglob("*"))
        if path.is_file() and path.name not in again and not _is_sweep(path)
    }
