"""How many compiled programs a process holds: each new shape is a program of some megabytes.

JAX keeps all that it ever compiled. Here the shapes that were trained are counted, and when there
are many all programs are let go at once, which costs those that are used again one compilation
(with the cache on disk of the command line, one reading).

Each program also takes some of the regions of memory that Linux gives to one process; where none
is left, the compiler ends the process. So `make_room` looks at them before a shape that is new, and
before each computation of a lab.
"""

import ctypes
import gc
import threading
from pathlib import Path
from typing import Any

import jax

MOST_PROGRAMS = 24
"""Shapes whose programs are held; a paper's own items have fewer at a time."""

REGIONS = Path("/proc/self/maps")
MOST_REGIONS = Path("/proc/sys/vm/max_map_count")

_lock = threading.Lock()
_known: set[Any] = set()


def count_shape(tree: Any, *choices: Any) -> None:
    """Note that a program for these arrays is about to be used; let all go if there are too many.

    Args:
        tree: the arrays and numbers that the program is given.
        choices: what else decides it.
    """
    leaves, structure = jax.tree.flatten(tree)
    shape = (structure, tuple(map(_shape, leaves)), *choices)
    try:
        with _lock:
            new = shape not in _known
            full = new and len(_known) >= MOST_PROGRAMS
            if full:
                _known.clear()
            _known.add(shape)
    except TypeError:  # a choice that cannot be hashed: then it is not counted
        new, full = True, False
    if full:
        let_go()
    elif new:
        make_room()


def make_room() -> None:
    """Let all programs go if half of the process's regions of memory are in use; Linux only."""
    try:
        used = REGIONS.read_bytes().count(b"\n")
        most = int(MOST_REGIONS.read_text(encoding="utf-8"))
    except OSError:  # another system
        return
    if used > most // 2:
        let_go()


def let_go() -> None:
    """Forget all compiled programs, and give their memory back to the system where that is known.

    Programs that other threads are in the middle of stay until those are done.
    """
    jax.clear_caches()
    gc.collect()
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (AttributeError, OSError):  # no GNU C library
        return


def _shape(leaf: Any) -> tuple[str, tuple[int, ...]]:
    return str(getattr(leaf, "dtype", type(leaf).__name__)), tuple(getattr(leaf, "shape", ()))
