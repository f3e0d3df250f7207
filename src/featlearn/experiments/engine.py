"""JAX configured for a process that is ours: the command line, and the workers it starts.

Importing featlearn changes no setting of JAX; these two kinds of process belong to it.
"""

import os
from contextlib import suppress
from pathlib import Path


def prepare(devices: int | None = None) -> None:
    """CPU devices to share seeds out to (one a core by default), and compiled programs kept."""
    import jax

    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    with suppress(RuntimeError):  # JAX at work already, as in a notebook, keeps its devices
        jax.config.update("jax_num_cpu_devices", devices or cores or 1)
    if not os.environ.get("JAX_COMPILATION_CACHE_DIR"):
        home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
        jax.config.update("jax_compilation_cache_dir", str(Path(home) / "featlearn" / "xla"))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.2)
