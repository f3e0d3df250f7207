"""Golden bits: what every named experiment and every statement gives, as digests and as numbers.

    python tests/golden/record.py            # compare with golden.json; exit 1 where a bit moved
    python tests/golden/record.py --write    # record anew

It is run as a program of its own, so that its XLA flags are those of a user and not of the tests.
A digest is compared on the machine type that recorded it; elsewhere the numbers are, loosely.
"""

import argparse
import dataclasses
import hashlib
import json
import math
import os
import sys
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import jaxlib.version
import numpy as np

from featlearn.reproduction.catalogue import experiments, papers
from featlearn.results.provenance import cpu, provenance
from featlearn.theory.check import check
from featlearn.training.engine import resolved_engine

FILE = Path(__file__).parent / "golden.json"
SEEDS = (0, 1)
CLOSE = 1e-6
"""How far a recorded number may move, relative to the largest of its quantity, when measurements
are grouped otherwise; parameters may not move at all."""
ELSEWHERE = 1e-2
"""The same on another type of machine, where products are summed in another order."""
ROUNDING = 1e-9
"""On another type of machine, numbers of statements below this are rounding and not compared."""

Fields = dict[str, Any]
PATTERNS: Fields = {"d": 40, "dictionary": 20, "width": 16, "steps": 12, "samples": 200}
PATTERNS |= {"batch": 50, "test": 100}
SMALL: dict[str, tuple[Fields, ...]] = {
    "glasgow2023.xor": (
        {"d": 20, "width": 16, "steps": 20, "test": 100, "keep_weights": True},
        {"d": 12, "width": 8, "steps": 10, "test": 50, "rotated": True},
        {"d": 400, "width": 8, "steps": 10, "noise": "gaussian", "test": 50, "batch": 64},
        {"d": 400, "width": 8, "steps": 10, "noise": "gaussian", "samples": 40, "test": 50},
        {"d": 20, "width": 8, "steps": 10, "samples": 40, "batch": 10, "test": 50},
    ),
    "glasgow2023.gaussian": ({"d": 20, "width": 16, "steps": 20, "test": 100},),
    "glasgow2023.frozen": ({"d": 20, "width": 16, "steps": 20, "test": 100},),
    "glasgow2023.full-batch": ({"d": 20, "width": 16, "samples": 60, "steps": 20, "test": 100},),
    "glasgow2023.squared": ({"d": 20, "width": 16, "steps": 20, "test": 100},),
    "glasgow2023.hinge": ({"d": 20, "width": 16, "steps": 20, "test": 100},),
    "glasgow2023.parity": (
        {"d": 10, "width": 16, "steps": 20, "test": 100},
        {"d": 10, "width": 16, "steps": 20, "test": 100, "biases": False},
        {"d": 100, "width": 8, "steps": 10, "test": 100, "noise": "gaussian"},
    ),
    "frei2022.clusters": (
        {"d": 60, "samples": 30, "width": 10, "test": 50, "keep_weights": True},
        {"d": 600, "samples": 30, "width": 10, "test": 50},
        {"d": 60, "samples": 30, "width": 10, "test": 50, "simulation": "plain"},
        {"d": 60, "samples": 30, "width": 10, "test": 50, "batch": 20},
    ),
    "frei2022.plane": ({"samples": 50, "width": 20, "steps": 30, "test": 50},),
    "frei2022.low-dimensional": ({"samples": 40, "width": 20, "steps": 30, "test": 50},),
    "frei2022.high-dimensional": ({"d": 50, "samples": 20, "width": 8, "steps": 30, "test": 50},),
    "frei2022.laplace": ({"d": 60, "samples": 30, "width": 10, "test": 50},),
    "frei2022.both-layers": ({"d": 60, "samples": 30, "width": 10, "test": 50},),
    "frei2022.eight-clusters": ({"d": 60, "samples": 30, "width": 10, "test": 50},),
    "xu2023.clusters": (
        {"d": 400, "samples": 20, "width": 10, "steps": 12, "test": 50, "keep_weights": True},
        {"d": 40, "samples": 20, "width": 10, "steps": 12, "test": 50, "simulation": "plain"},
        {"d": 40, "samples": 20, "width": 10, "steps": 12, "test": 50, "trained": "both"},
    ),
    "xu2023.small-steps": ({"d": 400, "samples": 20, "width": 10, "steps": 50, "test": 50},),
    "xu2023.assumptions-met": ({"samples": 40, "width": 10, "test": 50},),
    "daniely2020.parity": (
        {"d": 21, "k": 3, "width": 20, "steps": 20, "batch": 50, "test": 100},
        {"d": 21, "k": 3, "width": 20, "steps": 20, "batch": 50, "test": 100, "lam": 0.01},
    ),
    "daniely2020.parity-literal": ({"d": 21, "width": 20, "steps": 20, "batch": 50, "test": 100},),
    "daniely2020.parity-exact": ({"d": 30, "k": 3, "width": 20, "steps": 20},),
    "daniely2020.parity-printed": (
        {"d": 21, "k": 3, "width": 20, "steps": 20, "batch": 50, "first_batch": 500, "test": 100},
    ),
    "daniely2020.mnist-parity": tuple(
        {"model": model, "k": 2, "width": 16, "steps": 10, "batch": 20, "test": 50}
        for model in ("network", "ntk", "relu-features", "cosine-features")
    ),
    "shi2022.parity": (
        *(
            PATTERNS | {"method": method}
            for method in ("network", "ntk", "random-features", "one-step", "two-step")
        ),
        PATTERNS | {"recipe": "literal", "simulation": "plain", "keep_weights": True},
        PATTERNS | {"mu": True, "sigma": 0.1, "structure": False, "negative": 0.8},
    ),
    "shi2022.interval": (
        {"d": 60, "dictionary": 40, "width": 16, "steps": 12, "samples": 200, "batch": 50}
        | {"test": 100},
    ),
    "shi2022.gaussians": ({"d": 20, "k": 2, "width": 16, "steps": 12, "batch": 50, "test": 100},),
    "shi2022.images": ({"width": 10, "steps": 20, "batch": 32},),
    "shi2022.resnet": ({"filters": 2, "epochs": 1, "samples": 64, "test": 64},),
}
SMALL |= {
    "abbe2022.staircase": (
        {"d": 20, "width": 16, "steps": 30, "test": 100},
        {"d": 20, "width": 16, "steps": 30, "test": 100, "formula": "x1 + x1*x2*x3"},
    ),
    "barak2022.parity": (
        {"d": 12, "k": 3, "width": 16, "steps": 30, "test": 100},
        {"d": 12, "k": 3, "width": 16, "steps": 30, "test": 100, "samples": 40, "lam": 0.01},
    ),
}
OPTIONAL = {"shi2022.resnet"}
"""Recorded where torch is installed, and compared only there."""


def machine() -> dict[str, str]:
    """What the bits may depend on."""
    flags = os.environ.get("XLA_FLAGS", "")
    return {
        "cpu": cpu(),
        "threads": str(provenance()["threads"]),
        "jaxlib": jaxlib.version.__version__,
        "numpy": np.__version__,
        "flags": flags,
        "engine": resolved_engine(),
    }


def digest(*arrays: Any) -> str:
    """Of types, shapes and contents."""
    text = hashlib.sha256()
    for each in map(np.asarray, arrays):
        text.update(f"{each.dtype} {each.shape}".encode())
        text.update(np.ascontiguousarray(each).tobytes())
    return text.hexdigest()[:16]


def of_experiment(config: Any) -> dict[str, Any]:
    """Final parameters and all records of two seeds."""
    plan = config.experiment().plan
    states, records = [], []
    for seed in SEEDS:
        kept: dict[int, dict[str, np.ndarray]] = {}
        position = None
        for position in plan.train(seed=seed):
            kept |= position.records
        assert position is not None
        states.append(digest(*map(_plain, jax.tree.leaves(position.state))))
        records.append(kept)
    names = sorted(records[0][0])
    return {
        "states": states,
        "records": {name: _sketch([r[t][name] for r in records for t in r]) for name in names},
    }


def _plain(leaf: Any) -> np.ndarray:
    is_key = jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key)
    return np.asarray(jax.random.key_data(leaf) if is_key else leaf)


def _sketch(values: list[np.ndarray]) -> dict[str, Any]:
    """A digest, and few numbers that say how far something moved that did."""
    flat = np.concatenate([np.asarray(value, np.float64).ravel() for value in values])
    known = flat[np.isfinite(flat)]
    weights = np.cos(np.arange(len(known)))  # sees also what moves without moving the mean
    numbers = [known.mean(), (known * weights).mean(), np.abs(known).max()] if len(known) else []
    return {"digest": digest(*values), "numbers": [float(f"{n:.12g}") for n in numbers]}


def of_statement(statement: Any) -> list[list[Any]]:
    """The parts at the default sizes with two seeds: name, measured, predicted, verdict."""
    found = check(statement, seeds=min(len(SEEDS), statement.seeds))
    return [
        [part.name, _number(part.measured), _number(part.predicted), _verdict(part.verdict)]
        for part in found.parts
    ]


def _number(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else float(value)


def _verdict(verdict: Any) -> str | None:
    return verdict.name if verdict is not None else None


def record(only: list[str]) -> dict[str, Any]:
    """All of it, or what the given words begin."""
    wanted = lambda name: not only or any(name.startswith(word) for word in only)  # noqa: E731
    found: dict[str, Any] = {"machine": machine(), "experiments": {}, "statements": {}}
    for name, named in experiments().items():
        for place, fields in enumerate(SMALL[name]) if wanted(name) else ():
            try:
                value = of_experiment(dataclasses.replace(named.config, **fields))
            except Exception:
                if name not in OPTIONAL:
                    raise
                continue
            found["experiments"][f"{name} {place}"] = value
            print(f"{name} {place}", file=sys.stderr, flush=True)
    for paper in papers().values():
        for item in paper.statements:
            if wanted(f"{paper.id}.{item}"):
                found["statements"][f"{paper.id}.{item}"] = of_statement(paper.statement(item))
                print(f"{paper.id}.{item}", file=sys.stderr, flush=True)
    return found


def moved(known: dict[str, Any], found: dict[str, Any]) -> list[str]:
    """A line for everything that is not as it was."""
    same = known["machine"] == found["machine"]
    close, least = (CLOSE, 1e-12) if same else (ELSEWHERE, ROUNDING / ELSEWHERE)
    lines: list[str] = []
    for name, value in found["experiments"].items():
        before = known["experiments"].get(name)
        if before is None:
            lines.append(f"{name}: not recorded yet")
            continue
        if same and value["states"] != before["states"]:
            lines.append(f"{name}: parameters moved")
        lines += [
            f"{name}: {quantity} moved, {before['records'].get(quantity)} -> {seen}"
            for quantity, seen in value["records"].items()
            if not _near(before["records"].get(quantity), seen, close)
        ]
        lines += [f"{name}: {q} is gone" for q in before["records"] if q not in value["records"]]
    for name, parts in found["statements"].items():
        before = known["statements"].get(name)
        if before is None or [p[0] for p in parts] != [p[0] for p in before]:
            lines.append(f"{name}: other parts than recorded")
            continue
        for old, new in zip(before, parts, strict=True):
            apart = [
                not _equal(o, n, close, least) for o, n in zip(old[1:3], new[1:3], strict=True)
            ]
            if any(apart) or (same and old[3] != new[3]):
                lines.append(f"{name}: {old} -> {new[1:]}")
    return lines


def _near(before: Any, seen: Any, close: float) -> bool:
    if before is None or len(before["numbers"]) != len(seen["numbers"]):
        return False
    if before["digest"] == seen["digest"] or not seen["numbers"]:
        return True
    largest = max(abs(before["numbers"][-1]), 1e-30)
    pairs = zip(before["numbers"], seen["numbers"], strict=True)
    return all(abs(a - b) <= close * largest for a, b in pairs)


def _equal(before: float | None, seen: float | None, close: float, least: float) -> bool:
    if before is None or seen is None:
        return before is seen
    return abs(before - seen) <= close * max(abs(before), abs(seen), least)


def main() -> int:
    """Compare or write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="record anew")
    parser.add_argument("only", nargs="*", help="beginnings of ids; none is all")
    given = parser.parse_args()
    found = record(given.only)
    known = json.loads(FILE.read_text()) if FILE.exists() else None
    if given.write:
        for kind in ("experiments", "statements"):
            found[kind] = {**(known or {}).get(kind, {}), **found[kind]}
        FILE.write_text(json.dumps(found, indent=0) + "\n")
        return 0
    assert known is not None, f"{FILE} is missing"
    lines = moved(known, found)
    same = known["machine"] == found["machine"]
    told = "every bit as recorded" if same else "as on the machine that recorded, but for rounding"
    print("\n".join(lines) or told)
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
