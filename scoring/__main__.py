"""`python -m scoring`, or `giza-scoring`: the science from the command line."""

from __future__ import annotations

import sys

from scoring.cli import main


def run() -> int:
    """The command with the arguments of this process; its exit code."""
    return main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(run())
