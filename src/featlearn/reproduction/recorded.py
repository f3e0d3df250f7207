"""Recorded rows of `expected.json`: number, error and status; and when a new row is a surprise.

    {"value": …, "stderr": …, "seeds": 5, "size": "full", "status": "agrees", "command": …,
     "digest": …}                                   by the key item/quantity/recipe

A row whose number is not recorded yet has only its status, as a word. Older files use words that
may mean several of the present statuses: "differs" means higher, lower or differs, "ambiguous"
means cannot tell, no claim or not run.
"""

import hashlib
import json
import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from featlearn._check import InputError, require, suggestion
from featlearn.results.ledger import Row, Status
from featlearn.results.statistics import welch

LEVEL = 0.999
"""The confidence level beyond which a number has moved."""
EQUAL = 1e-6
"""The relative rounding difference between equal runs."""
OLD: dict[str, tuple[Status, ...]] = {
    "differs": (Status.DIFFERS, Status.HIGHER, Status.LOWER),
    "ambiguous": (Status.CANNOT_TELL, Status.NO_CLAIM, Status.NOT_RUN),
}
UNSURE = (Status.CANNOT_TELL, Status.NO_CLAIM, Status.NOT_RUN)


@dataclass(frozen=True, kw_only=True)
class Recorded:
    """One row of `expected.json`."""

    status: str
    value: float | None = None
    stderr: float | None = None
    seeds: int = 1
    size: str = "full"
    command: str = ""
    digest: str = ""
    """A digest of code and machine: runs with equal digests are equal bit by bit."""

    def __post_init__(self) -> None:
        words = [*(status.value for status in Status), *OLD]
        require(
            self.status in words,
            "expected.json (status)",
            "one of " + ", ".join(words),
            repr(self.status),
            suggestion(self.status, words),
        )

    @property
    def statuses(self) -> tuple[Status, ...]:
        """The statuses that the recorded word may mean; an old word may mean several."""
        return OLD[self.status] if self.status in OLD else (Status(self.status),)


def read(entry: str | dict[str, Any]) -> Recorded:
    """Return a recorded row, read from an entry of `expected.json`.

    Example:
        >>> read("differs").statuses[1].value, read({"status": "agrees", "value": 1.0}).value
        ('higher', 1.0)
    """
    if isinstance(entry, str):
        return Recorded(status=entry)
    known = set(Recorded.__dataclass_fields__)
    unknown = [name for name in entry if name not in known]
    require(
        not unknown, "expected.json", "the fields " + ", ".join(sorted(known)), ", ".join(unknown)
    )
    return Recorded(**entry)


def record(row: Row, digest: str) -> dict[str, Any]:
    """Return the entry of `expected.json` that records a row."""
    entry = Recorded(
        status=row.by_itself.value,
        value=_rounded(row.measured),
        stderr=_rounded(row.stderr),
        seeds=row.seeds,
        size=row.size,
        command=row.command,
        digest=digest,
    )
    return asdict(entry)


def _rounded(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else float(f"{value:.8g}")


def digest_of(program: str, provenance: dict[str, Any]) -> str:
    """Return a digest of the code and of what may change bits: JAX versions, processor, threads."""
    versions = provenance.get("versions", {})
    machine = [versions.get("jax"), versions.get("jaxlib")]
    machine += [provenance.get("cpu"), provenance.get("threads")]
    made = hashlib.sha256(json.dumps(machine).encode()).hexdigest()[:8]
    return f"{program}-{made}"


def surprise(recorded: Recorded, row: Row, digest: str) -> str | None:
    """Return one sentence if a row differs from its record; None if it does not.

    At another size than the recorded one, numbers and error bars may differ. Then a row is a
    surprise only if its status contradicts the recorded one and its number has moved as well,
    because a few seeds that happen to lie close together give a short interval around the same
    number.
    """
    where = f"{row.item} {row.quantity} ({row.recipe})"
    got, same_size = row.by_itself, row.size.partition(",")[0] == recorded.size.partition(",")[0]
    unsure = got in UNSURE or any(status in UNSURE for status in recorded.statuses)
    moved_too = None in (recorded.value, row.measured) or _moved(recorded, row, "")
    if got not in recorded.statuses and (same_size or (not unsure and moved_too)):
        numbers = _numbers(recorded, row) if same_size else ""
        return f"{where}: expected {recorded.status}, got {got}{numbers}."
    if not same_size or recorded.value is None or row.size != recorded.size:
        return None
    if row.measured is None or _moved(recorded, row, digest):
        return f"{where}: recorded {shown(recorded.value, recorded.stderr)}, " + (
            f"got {shown(row.measured, row.stderr)}{_apart(recorded, row)}."
        )
    return None


def shown(value: float | None, stderr: float | None) -> str:
    """Return a number with its standard error as text.

    Example:
        >>> shown(1.25, 0.01), shown(None, None)
        ('1.25 ± 0.01', 'no number')
    """
    if value is None:
        return "no number"
    return f"{value:.6g}" + (f" ± {stderr:.2g}" if stderr is not None else "")


def in_errors(recorded: Recorded, row: Row) -> float:
    """Return by how many standard errors a number has moved from its record; both errors are
    combined.
    """
    if recorded.value is None or row.measured is None:
        return math.nan
    gap = abs(row.measured - recorded.value)
    error = math.hypot(recorded.stderr or 0.0, row.stderr or 0.0)
    return gap / error if error > 0 else math.inf if gap > 0 else 0.0


def _apart(recorded: Recorded, row: Row) -> str:
    apart = in_errors(recorded, row)
    return f", {apart:.2g} errors of both apart" if math.isfinite(apart) else ""


def _numbers(recorded: Recorded, row: Row) -> str:
    if recorded.value is None or row.measured is None:
        return ""
    numbers = f"{shown(recorded.value, recorded.stderr)}, now {shown(row.measured, row.stderr)}"
    return f" (recorded {numbers}{_apart(recorded, row)})"


def _moved(recorded: Recorded, row: Row, digest: str) -> bool:
    """Return whether a number has moved by more than chance or, if the digests agree, by more than
    rounding.
    """
    import scipy.stats

    assert recorded.value is not None
    assert row.measured is not None
    gap = abs(row.measured - recorded.value)
    sides = [
        (recorded.stderr or 0.0, max(recorded.seeds - 1, 1)),
        (row.stderr or 0.0, max(row.seeds - 1, 1)),
    ]
    error, freedom = welch(sides)
    rounding = EQUAL * max(abs(recorded.value), abs(row.measured), EQUAL)
    if error == 0 or (digest and digest == recorded.digest):
        return gap > rounding
    return gap > float(scipy.stats.t.ppf(LEVEL, freedom)) * error


def require_known(
    paper: str, rows: Iterable[str], verdicts: Iterable[str], items: Iterable[str],
    statements: Iterable[str],
) -> None:  # fmt: skip
    """Refuse keys that name no item or statement of their paper, such as misspelt ones."""
    file = f"{paper}/expected.json"
    names = list(items)
    for key in rows:
        name, _, rest = key.partition("/")
        whole = rest.count("/") >= 1
        if name not in names or not whole:
            hint = (
                suggestion(name, names) if name not in names else "A key is item/quantity/recipe."
            )
            raise InputError(file, "a row of an item of the paper", repr(key), hint)
    known = list(statements)
    for key in verdicts:
        hint = suggestion(key, known)
        require(key in known, file, "the verdict of a statement of the paper", repr(key), hint)


def unknown_keys(rows: dict[str, Recorded], item: str, made: Iterable[Row], size: str) -> list[str]:
    """Return one sentence for each recorded key of an item that none of its new rows has."""
    paper, _, name = item.partition(".")
    known = [row.key for row in made]
    return [
        f"{paper}/expected.json: expected a row of {item}, got {key!r}. "
        + suggestion(key, known, "No row has that name.")
        for key, entry in rows.items()
        if key.partition("/")[0] == name and entry.size == size and key not in known
    ]
