"""Interrupts of the command line: at any moment they end it with one sentence.

Raising an exception from a signal handler is not enough: it may come up inside a callback of a
library, where it is printed and forgotten. So the handler only takes note where the scheduler waits
for work; that looks at the note, stops all tasks and saves what they have. Elsewhere nothing is
under way that could be saved, and the process ends there and then. What cannot stop within two
seconds (a compilation, the fit of a library) is left, and a second signal ends the process at once.
"""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType

PATIENCE = 2.0
"""Seconds from the first signal to the end."""
SENTENCE = "featlearn: interrupted; what was computed is kept, the same command goes on."


class Terminated(KeyboardInterrupt):
    """SIGTERM, which ends a command as Ctrl-C does, with another exit code."""


class _Note:
    """What the handlers know."""

    watching = 0
    """How many loops of the main thread look at the note."""
    signal: int | None = None
    """The signal that came."""


def take_over() -> None:
    """Handle SIGINT and SIGTERM from now on, as the command line does."""
    signal.signal(signal.SIGINT, _first)
    signal.signal(signal.SIGTERM, _first)


def interrupted() -> bool:
    """Whether a signal came; threads may then be left behind."""
    return _Note.signal is not None


@contextlib.contextmanager
def watching() -> Iterator[None]:
    """Within it, somebody calls `raise_if_interrupted` several times a second."""
    mine = threading.current_thread() is threading.main_thread()
    _Note.watching += mine
    try:
        yield
    finally:
        _Note.watching -= mine


def raise_if_interrupted() -> None:
    """Raise what the signal stands for, in the main thread, if one came."""
    if _Note.signal is not None and threading.current_thread() is threading.main_thread():
        raise Terminated if _Note.signal == signal.SIGTERM else KeyboardInterrupt


def _first(number: int, frame: FrameType | None) -> None:
    if not _Note.watching or _Note.signal is not None:
        _leave(number)
    _Note.signal = number
    late = threading.Timer(PATIENCE, _leave, args=(number,))
    late.daemon = True
    late.start()


def _leave(number: int) -> None:
    """End now: the worker processes first, so that none is left behind."""
    if "multiprocessing" in sys.modules:  # without it there are none
        for child in sys.modules["multiprocessing"].active_children():
            child.kill()
    os.write(2, f"\n{SENTENCE}\n".encode())
    os._exit(128 + number)
