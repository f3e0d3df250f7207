"""The provenance of a result: versions, machine, threads and command line."""

import functools
import os
import platform
import re
import sys
from datetime import UTC, datetime
from pathlib import Path

_ABSOLUTE = re.compile(r"(?<![\w.])(~|[A-Za-z]:|)[/\\](?:[^=:,]*[/\\])*([^/\\=:,]*)")
PACKAGES = ("featlearn", "jax", "jaxlib", "numpy", "scipy", "xarray")
ENVIRONMENT = ("jax", "jaxlib")
"""Packages whose version may change bits; their versions and the engine are the environment of a
result."""


def version() -> str:
    """Return the version of featlearn."""
    import importlib.metadata

    return importlib.metadata.version("featlearn")


def provenance() -> dict[str, object]:
    """Return all that is needed to compute the same bits again, without paths of this machine."""
    import jax

    return {
        "versions": _versions(),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "cpu": cpu(),
        "cores": os.cpu_count(),
        "threads": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None,
        "devices": [str(device) for device in jax.devices()],
        "xla_flags": " ".join(map(without_folders, os.environ.get("XLA_FLAGS", "").split())),
        "command": " ".join([Path(sys.argv[0]).name, *map(without_folders, sys.argv[1:])]),
        "written": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def environment() -> dict[str, str]:
    """Return the environment of a result: the versions of JAX, and the engine."""
    from featlearn.training.engine import resolved_engine

    versions = _versions()
    return {**{name: versions[name] for name in ENVIRONMENT}, "engine": resolved_engine()}


@functools.cache
def _versions() -> dict[str, str]:
    import importlib.metadata

    return {name: importlib.metadata.version(name) for name in PACKAGES}


def without_folders(word: str) -> str:
    """Return a word of a command line with every absolute path reduced to its last component.

    Example:
        >>> without_folders("--out=/a/b/results"), without_folders("results/a")
        ('--out=results', 'results/a')
    """
    return _ABSOLUTE.sub(lambda path: path[2] or "", word)


def cpu() -> str:
    """Return the name and generation of the processor, on which the order of summation depends."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        return described_cpu(info.read_text(encoding="utf-8", errors="replace"))
    return platform.processor()


def described_cpu(info: str) -> str:
    """Return the first processor that a text like /proc/cpuinfo describes.

    Virtual machines often show the brand name alone, so family, model and stepping are added to
    it.

    Example:
        >>> described_cpu(
        ...     "cpu family\\t: 25\\nmodel\\t: 1\\nmodel name\\t: AMD EPYC\\nstepping\\t: 1"
        ... )
        'AMD EPYC, family 25, model 1, stepping 1'
    """
    lines = (line.partition(":") for line in info.splitlines())
    known: dict[str, str] = {}
    for name, _, value in lines:
        known.setdefault(name.strip(), value.strip())
    parts = {"family": "cpu family", "model": "model", "stepping": "stepping"}
    numbers = [f"{word} {known[name]}" for word, name in parts.items() if name in known]
    return ", ".join([known.get("model name", platform.processor()), *numbers])
