"""Every run of `make bench` as a line of history.jsonl (date, commit, machine, ratios); its plot.

Ratios have both their sides from one run, so that runs on one machine can be compared over time.
"""

import json
import os
import platform
import subprocess
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

HISTORY = Path(__file__).with_name("history.jsonl")
PLOT = "images/bench-history.svg"
"""Where the plot goes, from the page."""

_noted: dict[str, float] = {}


def note(name: str, ratio: float) -> None:
    """Remember a ratio of this run."""
    _noted[name] = ratio


def record(file: Path, *, load: float) -> dict[str, Any]:
    """Append what was noted in this run."""
    import jax

    from featlearn.results.provenance import provenance
    from featlearn.training.engine import resolved_engine

    line = {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": commit(),
        "machine": f"{provenance()['cpu']}, {os.cpu_count()} cores, {platform.machine()}",
        "jax": jax.__version__,
        "engine": resolved_engine(),
        "load": round(load, 2),
        "ratios": {name: float(f"{ratio:.4g}") for name, ratio in _noted.items()},
    }
    with file.open("a", encoding="utf-8") as written:
        written.write(json.dumps(line, ensure_ascii=False) + "\n")
    return line


def commit() -> str:
    """The commit that is checked out, with a plus where files differ from it."""
    asked = ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty=+"]
    told = subprocess.run(asked, capture_output=True, text=True, check=False)
    return told.stdout.strip() or "unknown"


def lines(file: Path) -> list[dict[str, Any]]:
    """All runs, oldest first."""
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    return [json.loads(line) for line in text.splitlines()]


def series(runs: Iterable[dict[str, Any]]) -> dict[str, list[tuple[int, float]]]:
    """Every ratio as (number of the run, ratio)."""
    found: dict[str, list[tuple[int, float]]] = {}
    for number, run in enumerate(runs, start=1):
        for name, ratio in run["ratios"].items():
            found.setdefault(name, []).append((number, ratio))
    return found


def draw(file: Path, target: Path) -> None:
    """The ratios over the runs: over bare products (less is better), PyTorch over ours (more)."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    runs = lines(file)
    found = series(runs)
    figure = Figure(figsize=(10, 9), layout="constrained")
    for place, (title, mark) in enumerate(
        (("over bare products", "bare"), ("PyTorch over ours", "over ours")), start=1
    ):
        axes = figure.add_subplot(2, 1, place)
        for name, points in found.items():
            if mark in name:
                axes.plot(*zip(*points, strict=True), marker="o", label=name)
        axes.set(title=title, yscale="log")
        axes.set_xticks(range(1, len(runs) + 1), [f"{r['date'][:10]}\n{r['commit']}" for r in runs])
        axes.axhline(1, color="grey", linewidth=0.5)
        if axes.lines[:-1]:
            axes.legend(fontsize="small")
    target.parent.mkdir(parents=True, exist_ok=True)
    with mpl.rc_context({"svg.hashsalt": "featlearn"}):
        figure.savefig(target, metadata={"Date": None})
