"""The entry point of `featlearn`: it installs the signal handlers before it loads anything."""

import os
import sys

from featlearn._interrupt import interrupted, take_over


def start() -> int:
    """Load the commands and run the one that the command line names."""
    take_over()
    _any_terminal()
    from featlearn.cli.main import main

    code = main()
    if interrupted():  # abandoned threads must not delay the exit
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    return code


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
