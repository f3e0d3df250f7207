"""Where numbers come from: versions, machine, threads, command."""

import importlib.metadata
import os
import platform
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

PACKAGES = ("featlearn", "jax", "jaxlib", "numpy", "scipy", "xarray", "zarr")


def version() -> str:
    """The version of featlearn."""
    return importlib.metadata.version("featlearn")


def provenance() -> dict[str, Any]:
    """What a reader needs to know to get the same bits again."""
    import jax

    return {
        "versions": {name: importlib.metadata.version(name) for name in PACKAGES},
        "python": platform.python_version(),
        "platform": platform.platform(),
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "threads": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None,
        "devices": [str(device) for device in jax.devices()],
        "xla_flags": os.environ.get("XLA_FLAGS", ""),
        "command": " ".join([Path(sys.argv[0]).name, *sys.argv[1:]]),
        "written": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def _cpu() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor()
