"""The entry point of `featlearn`: it installs the signal handlers before it loads anything."""

import atexit
import contextlib
import os
import sys

from featlearn._interrupt import interrupted, take_over


class _State:
    code: int | None = None
    """The exit code, once the command has ended."""


def start() -> int:
    """Load the commands and run the one that the command line names."""
    take_over()
    atexit.register(_leave)  # the first to be registered is the last to be called
    _any_terminal()
    from featlearn.cli.main import main

    _State.code = code = main()
    if interrupted():  # abandoned threads must not delay the exit
        _leave()
    return code


def _leave() -> None:
    """End the process here, where Python would take its modules apart.

    That takes a moment without handlers of signals, in which Ctrl-C would end it without a
    sentence, and threads of libraries may still be running.
    """
    if _State.code is None:
        return
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(_State.code)


def _any_terminal() -> None:
    """Letters that a terminal does not have become a question mark; a closed one is written to
    nobody.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: PTH123, SIM115 - for good
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


if __name__ == "__main__":
    sys.exit(start())
