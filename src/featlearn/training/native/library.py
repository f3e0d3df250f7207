"""The file of compiled kernels: it is found, checked and registered with JAX.

XLA's interface to such files has a version number. A file that was compiled for a newer
version is registered without an error, and afterwards no program runs on the CPU; so the
versions are compared first.
"""

import ctypes
import functools
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import jax.ffi

from featlearn.training.native.build import COMPILED, SOURCE, source_text_digest

CALLS = ("featlearn_random_words", "featlearn_forward", "featlearn_backward")
KINDS = ("any machine", "AVX2")
"""The instruction sets for which kernels exist, by number; all give the same results."""


class Unusable(Exception):
    """Raised if the compiled kernels cannot be used; the message is a clause that says why."""


@dataclass(frozen=True, kw_only=True)
class Library:
    """The loaded kernels, which fit this machine and this version of JAX."""

    number: int
    """The N of native-N: raised whenever a number changes."""
    kind: int
    """The best of `KINDS` that this machine has."""
    loaded: Any

    @property
    def engine(self) -> str:
        """The name of the engine."""
        return f"native-{self.number}"

    @property
    def quick(self) -> bool:
        """Whether the kernels are known to be faster than JAX on this machine."""
        return self.kind > 0


@functools.cache
def library() -> Library:
    """Return the kernels, registered with JAX; raise `Unusable` with the reason if that fails."""
    found = opened(COMPILED)
    for name in CALLS:
        capsule = jax.ffi.pycapsule(getattr(found.loaded, f"{name}_call"))
        jax.ffi.register_ffi_target(name, capsule, platform="cpu")
    use_threads(found, own_cores())  # one run has them all, until a scheduler shares them out
    return found


def opened(file: Path) -> Library:
    """Open the kernels in a file and check them, without registering them with JAX."""
    if not file.exists():
        raise Unusable("the kernels are not compiled (see what `pip install` said)")
    try:
        loaded = ctypes.CDLL(str(file))
        loaded.featlearn_engine.restype = ctypes.c_int64
        loaded.featlearn_source.restype = ctypes.c_char_p
        number, source = loaded.featlearn_engine(), loaded.featlearn_source().decode()
        built = loaded.featlearn_ffi_major(), loaded.featlearn_ffi_minor()
        kind = loaded.featlearn_best_kind()
    except (OSError, AttributeError) as error:
        raise Unusable(f"{file.name} cannot be loaded ({type(error).__name__})") from None
    if SOURCE.exists() and source != source_text_digest():
        raise Unusable(f"{file.name} was compiled from another {SOURCE.name}")
    if (running := running_ffi_version()) != built:
        told = "{}.{} and this jaxlib has {}.{}".format(*built, *running)
        raise Unusable(f"{file.name} was compiled for XLA's interface {told}")
    return Library(number=number, kind=kind, loaded=loaded)


def running_ffi_version() -> tuple[int, int]:
    """Return the version of XLA's interface in the running jaxlib, as read from its header."""
    header = Path(jax.ffi.include_dir()) / "xla" / "ffi" / "api" / "c_api.h"
    try:
        text = header.read_text(encoding="utf-8")
        numbers = [
            re.search(rf"#define XLA_FFI_API_{part}\s+(\d+)", text) for part in ("MAJOR", "MINOR")
        ]
    except OSError:
        numbers = [None]
    if None in numbers:
        raise Unusable("this jaxlib does not tell the version of XLA's interface")
    major, minor = (int(found[1]) for found in numbers if found)
    return major, minor


def own_cores() -> int:
    """Return the number of cores that this process may use."""
    own = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return own or 1


def use_threads(found: Library, threads: int) -> None:
    """Set the number of threads of every kernel call in this process; results are the same."""
    found.loaded.featlearn_use_threads(ctypes.c_int(threads))
