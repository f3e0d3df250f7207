"""`python -m featlearn`, the same as the command `featlearn`."""

import sys

from featlearn.cli.start import start

if __name__ == "__main__":
    sys.exit(start())
