"""Which engine computes a step: JAX, or the native kernels where the inputs are signs.

    "jax"        two matrix products, on every machine
    "native-N"   tables of signed sums (`featlearn.training.native`), for points of signs on a CPU

An engine is no part of the definition of an experiment. It is chosen once when the work is
started, holds for the whole process, and is stored with the results, because the last bits of
numbers depend on it. The number N changes whenever any result of the native engine changes.
"""

import contextlib
import os
import sys
from collections.abc import Iterator

import jax

from featlearn._check import require
from featlearn.training.native.library import Library, Unusable, library, use_threads
from featlearn.training.native.library import own_cores as own_cores

PREFERRED = "native"
"""What is taken unless a command or the environment says otherwise: "native", where it can be
used and is known to be faster, or "jax"."""
VARIABLE = "FEATLEARN_ENGINE"
ASKED = "jax, native or native-N"
HINT = "Ask for jax, or see `featlearn doctor`."

_chosen: str | None = None
_most_threads: int | None = None


def resolved_engine() -> str:
    """Return the engine of this process, "jax" or "native-N"; it is determined only once.

    Example:
        >>> with using_engine("jax"):
        ...     resolved_engine()
        'jax'
    """
    global _chosen
    if _chosen is None:
        asked = os.environ.get(VARIABLE)
        if asked:
            _chosen = named_engine(asked, where=VARIABLE)
        else:
            _chosen, why = preferred_engine()
            if why:
                print(f"featlearn: the engine is jax, for {why}.", file=sys.stderr)
    return _chosen


def preferred_engine() -> tuple[str, str]:
    """Return the engine to use if nobody asks for one.

    The second value says why the native kernels cannot be used, or is empty.
    """
    if PREFERRED == "jax":
        return "jax", ""
    found = usable()
    if isinstance(found, str):
        return "jax", found
    return (found.engine, "") if found.quick else ("jax", "this machine has no AVX2")


def usable() -> Library | str:
    """Return the native kernels, or a text that says why they cannot be used."""
    if jax.default_backend() != "cpu":
        return f"the native kernels are for a CPU, and JAX is on {jax.default_backend()}"
    try:
        return library()
    except Unusable as reason:
        return str(reason)


def named_engine(asked: str, *, where: str) -> str:
    """Return the full name of the engine asked for; raise `InputError` if it cannot be used."""
    require(asked == "jax" or asked.startswith("native"), where, ASKED, repr(asked))
    if asked == "jax":
        return asked
    found = usable()
    require(not isinstance(found, str), where, f"an engine {asked}", f"none: {found}", HINT)
    assert isinstance(found, Library)
    require(asked in ("native", found.engine), where, found.engine, asked, HINT)
    return found.engine


def choose_engine(asked: str, *, where: str = "engine") -> str:
    """Let this process use the engine of that name from now on."""
    global _chosen
    engine = named_engine(asked, where=where)
    if _chosen not in (None, engine):
        jax.clear_caches()  # programs that were made for the other
    _chosen = engine
    return engine


@contextlib.contextmanager
def using_engine(asked: str) -> Iterator[str]:
    """Use an engine inside the `with` block, in all threads of this process."""
    global _chosen
    before = _chosen
    try:
        yield choose_engine(asked)
    finally:
        if _chosen != before:
            jax.clear_caches()
        _chosen = before


def forget_engine() -> None:
    """Forget which engine was determined, so that it is determined again."""
    global _chosen
    if _chosen is not None:
        jax.clear_caches()
    _chosen = None


def native() -> bool:
    """Whether the engine of this process is the native one."""
    return resolved_engine() != "jax"


def limit_threads(most: int | None) -> None:
    """Limit the threads that all native kernels of this process use; None means no limit."""
    global _most_threads
    _most_threads = most


def share_threads(at_once: int) -> int:
    """Divide the threads among `at_once` trainings side by side; return the threads of each.

    This is a setting of the process, not of any compiled program: results do not depend on
    it.
    """
    share = max(1, (_most_threads or own_cores()) // max(1, at_once))
    if native():
        use_threads(library(), share)
    return share
