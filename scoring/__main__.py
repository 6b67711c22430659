"""`python -m scoring`: the science from the command line."""

from __future__ import annotations

import sys

from scoring.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
