"""Extract the numbers of a stored value with their errors, and decide whether two values agree."""

import hashlib
import math
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from featlearn.results.codec import load, save
from featlearn.theory.claim import Evidence
from featlearn.theory.job import RECORDS

Numbers = dict[str, tuple[float | None, float | None]]
"""Name -> value and standard error; None where there is none."""
ERRORS = 4.0
"""Standard errors of a difference within which two numbers agree."""
ROUNDING = 1e-4
"""Relative: what other processors and versions may do to float32."""


def numbers_of(kind: str, value: Any) -> Numbers:
    """Return the numbers of a run, of evidence or of an item, by name, each with its standard
    error.

    Args:
        kind: "run", "evidence" or "item".
        value: what the store has of it.
    """
    if kind == "run":
        return _of_run(value)
    if kind == "item":
        return {
            f"{row['quantity']}, {row['recipe']}": (row["measured"], row["stderr"])
            for row in value["rows"]
        }
    assert isinstance(value, Evidence)
    parts = [claim.part for claim in value.parts]
    return {
        f"{place}. {part.name}": (_known(part.measured), _known(part.stderr))
        for place, part in enumerate(parts, start=1)
    }


def _of_run(dataset: Any) -> Numbers:
    """Return mean and standard error over seeds of the last recorded value of every array."""
    found: Numbers = {}
    for name, variable in sorted(dataset.data_vars.items()):
        axes = tuple(axis for axis in variable.dims if axis not in ("seed", "step"))
        last = variable.isel(step=-1).astype(float).mean(axes).values
        known = last[np.isfinite(last)]
        error = float(known.std(ddof=1) / math.sqrt(len(known))) if len(known) > 1 else None
        found[str(name)] = (float(known.mean()) if len(known) else None, error)
    return found


def _known(value: float | None) -> float | None:
    return value if value is None or math.isfinite(value) else None


def bits(kind: str, value: Any) -> str:
    """Return a digest of all numbers of a value, which differs if a single bit does."""
    if kind == "run":
        plain: Any = {
            str(name): np.asarray(value[name].values)
            for name in sorted([*map(str, value.data_vars), "diverged_at"])
        }
    elif kind == "item":
        kept = ("quantity", "recipe", "measured", "stderr", "seeds")
        rows = [{name: row[name] for name in kept} for row in value["rows"]]
        panels = [figure["panels"] for figure in value["figures"]]
        plain = {"rows": rows, "figures": panels}
    else:
        plain = value
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "value.npz"
        save(file, plain)
        save(file, load(file, RECORDS))  # as it looks when it was stored once
        return hashlib.sha256(file.read_bytes()).hexdigest()


def apart(then: Numbers, now: Numbers) -> dict[str, float]:
    """Return the distance of each number in two results, in units of the allowed distance.

    A distance above 1 means that the numbers differ. It is infinite for a number that only one of
    the two results has.

    Example:
        >>> apart({"x": (1.0, 0.1)}, {"x": (1.1, 0.1)})["x"] < 1
        True
        >>> apart({"x": (1.0, None)}, {"x": (1.1, None)})["x"] > 1
        True
    """
    found: dict[str, float] = {}
    for name in sorted({*then, *now}):
        (a, error_a), (b, error_b) = then.get(name, (None, None)), now.get(name, (None, None))
        if a is None or b is None:
            same = name in then and name in now and a is b
            found[name] = 0.0 if same else math.inf
            continue
        error = math.hypot(error_a or 0.0, error_b or 0.0)
        allowed = ERRORS * error + ROUNDING * max(abs(a), abs(b))
        found[name] = 0.0 if a == b else abs(a - b) / allowed if allowed else math.inf
    return found
