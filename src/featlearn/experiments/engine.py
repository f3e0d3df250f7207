"""Settings of JAX: the devices of featlearn's own processes, and the arithmetic of every run.

Importing featlearn changes no setting of JAX. The command line and the workers it starts get their
devices from `prepare`. Whatever settings the user's process has, a run computes with those of
`pinned`.
"""

import contextlib
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from featlearn._check import InputError


def prepare(devices: int | None = None, threads: int | None = None) -> None:
    """Give JAX several CPU devices (one per core by default), turn on JAX's compilation cache, and
    choose the engine that trains.

    `threads` limits the threads of the native kernels in a worker process; other processes use all
    cores. Every job that a worker receives names the engine to use.
    """
    import jax

    from featlearn.training.engine import limit_threads, own_cores, resolved_engine

    with suppress(RuntimeError):  # JAX was used before, as in a notebook, and keeps its devices
        jax.config.update("jax_num_cpu_devices", devices or own_cores())
    if not os.environ.get("JAX_COMPILATION_CACHE_DIR"):
        home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
        jax.config.update("jax_compilation_cache_dir", str(Path(home) / "featlearn" / "xla"))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.2)
    if os.environ.get("JAX_PLATFORMS"):
        try:
            jax.devices()
        except Exception as error:  # an assertion of JAX, for some names
            told = "platforms that JAX finds here, such as cpu"
            said = (str(error).splitlines() or [type(error).__name__])[0][:200]
            got = f"{os.environ['JAX_PLATFORMS']!r} ({said})"
            raise InputError("JAX_PLATFORMS", told, got.rstrip(".")) from None
    limit_threads(threads)
    if threads is None:
        resolved_engine()


@contextlib.contextmanager
def pinned() -> Iterator[None]:
    """Inside a `with` block, fix the settings of JAX that change numbers, such as float32."""
    import jax

    with (
        jax.enable_x64(False),
        jax.default_prng_impl("threefry2x32"),
        jax.threefry_partitionable(True),
        jax.default_matmul_precision(None),
        jax.numpy_dtype_promotion("standard"),
    ):
        yield
