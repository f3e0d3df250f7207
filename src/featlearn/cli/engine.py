"""The command line owns its process, so here (and only here) JAX is configured."""

import os
from pathlib import Path


def prepare() -> None:
    """One CPU device per core to share seeds out to, and a compilation cache on disk."""
    import jax

    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    jax.config.update("jax_num_cpu_devices", cores or 1)
    if not os.environ.get("JAX_COMPILATION_CACHE_DIR"):
        home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
        jax.config.update("jax_compilation_cache_dir", str(Path(home) / "featlearn" / "xla"))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.2)
