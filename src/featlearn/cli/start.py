"""The entry point of `featlearn`: it installs the signal handlers before it loads anything."""

import os
import sys

from featlearn._interrupt import interrupted, take_over


def start() -> int:
    """Load the commands and run the one that the command line names."""
    take_over()
    from featlearn.cli.main import main

    code = main()
    if interrupted():  # abandoned threads must not delay the exit
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    return code


if __name__ == "__main__":
    sys.exit(start())
