"""Handle Ctrl-C and SIGTERM: either ends a command at any moment, with a message of one sentence.

Raising an exception from a signal handler is not enough: the exception may be raised inside a
callback of a library, which prints it and continues. So the handler does one of two things. While
the scheduler waits for work, it only stores the signal; the scheduler sees that, stops all tasks
and saves their results. At other times there is nothing to save, and the handler ends the process.
Work that does not stop within two seconds (a compilation, a fit inside a library) is abandoned, and
a second signal ends the process at once.
"""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType

PATIENCE = 2.0
"""The process ends at most this many seconds after the first signal."""
SENTENCE = "featlearn: interrupted; what was computed is kept, the same command goes on."


class Terminated(KeyboardInterrupt):
    """Raised on SIGTERM, which ends a command like Ctrl-C but with another exit code."""


class _State:
    """The state that the signal handler and the rest of the process share."""

    watching = 0
    """How many loops of the main thread call `raise_if_interrupted`."""
    signal: int | None = None
    """The first signal that arrived."""


def take_over() -> None:
    """Install the handlers of SIGINT and SIGTERM; the command line calls this first."""
    signal.signal(signal.SIGINT, _on_signal)
    signal.signal(signal.SIGTERM, _on_signal)


def interrupted() -> bool:
    """Return whether a signal has arrived; threads may still be running then."""
    return _State.signal is not None


@contextlib.contextmanager
def watching() -> Iterator[None]:
    """Declare, for a `with` block, that the loop in it calls `raise_if_interrupted` several times a
    second.
    """
    mine = threading.current_thread() is threading.main_thread()
    _State.watching += mine
    try:
        yield
    finally:
        _State.watching -= mine


def raise_if_interrupted() -> None:
    """Raise `KeyboardInterrupt` or `Terminated` in the main thread if a signal has arrived."""
    if _State.signal is not None and threading.current_thread() is threading.main_thread():
        raise Terminated if _State.signal == signal.SIGTERM else KeyboardInterrupt


def _on_signal(number: int, frame: FrameType | None) -> None:
    if not _State.watching or _State.signal is not None:
        _exit_now(number)
    _State.signal = number
    late = threading.Timer(PATIENCE, _exit_now, args=(number,))
    late.daemon = True
    late.start()


def _exit_now(number: int) -> None:
    """End the worker processes and then this process at once, so that no worker survives it."""
    if "multiprocessing" in sys.modules:  # otherwise there are no workers
        for child in sys.modules["multiprocessing"].active_children():
            child.kill()
    os.write(2, f"\n{SENTENCE}\n".encode())
    os._exit(128 + number)
