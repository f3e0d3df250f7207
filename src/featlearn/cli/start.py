"""What the command `featlearn` runs first: interrupts are handled before anything is loaded."""

import os
import sys

from featlearn._interrupt import interrupted, take_over


def start() -> int:
    """Load the commands and run the one that the command line names."""
    take_over()
    from featlearn.cli.main import main

    code = main()
    if interrupted():  # threads that were left behind may not hold up the end
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    return code


if __name__ == "__main__":
    sys.exit(start())
