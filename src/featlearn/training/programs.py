"""A limit on the number of compiled programs: each new shape is a program of some megabytes.

JAX keeps all programs that it ever compiled. This module counts the shapes that were trained;
when there are many, all programs are dropped at once. Those that are used again must then be
compiled once more (or read from the command line's cache on disk).

Each program also takes some of the limited number of memory regions that Linux gives to one
process; when none is left, the compiler ends the process. So `make_room` checks their number
before a shape that is new, and before each computation of a lab.
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
    """Note that a program for these arrays will be used; drop all programs if there are many.

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
    """Drop all programs if half of this process's memory regions are in use (only on Linux)."""
    try:
        used = REGIONS.read_bytes().count(b"\n")
        most = int(MOST_REGIONS.read_text(encoding="utf-8"))
    except OSError:  # another system
        return
    if used > most // 2:
        let_go()


def let_go() -> None:
    """Drop all compiled programs, and return their memory to the system where that is possible.

    Programs that other threads are running are dropped when those threads have finished.
    """
    jax.clear_caches()
    gc.collect()
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (AttributeError, OSError):  # no GNU C library
        return


def _shape(leaf: Any) -> tuple[str, tuple[int, ...]]:
    return str(getattr(leaf, "dtype", type(leaf).__name__)), tuple(getattr(leaf, "shape", ()))
