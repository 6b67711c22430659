"""`python -m tests.figures [--check] [PART …]`: compute the figures and write them into the pages.

With `--check` nothing is written: figures that differ from what is stored are listed, and the exit
code is 1 if there are any.
"""

from __future__ import annotations

import argparse
import sys
import time

from tests.conftest import GIZA_DATA
from tests.figures.pages import write_pages
from tests.figures.parts import (
    PARTS,
    STUDIES,
    compute,
    list_differences,
    path_of,
    read_stored,
    write_stored,
)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.figures", description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    parser.add_argument("--pages", action="store_true", help="write the pages from what is stored")
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="all, if none is named")
    arguments = parser.parse_args(argv)
    if missing := [name for name in STUDIES if not (GIZA_DATA / name).is_dir()]:
        print(f"GIZA_DATA ({GIZA_DATA}) has no folder {missing[0]}. Set GIZA_DATA to one that has.")
        return 2
    differences = []
    for part in [] if arguments.pages else arguments.parts or PARTS:
        differences += _renew(part, arguments.check)
    if not arguments.check:
        for name in write_pages():
            print(f"{name} was written.")
    return 1 if arguments.check and differences else 0


def _renew(part: str, is_check: bool) -> list[str]:
    started = time.monotonic()
    found = compute(part, GIZA_DATA)
    old = read_stored(part) if path_of(part).is_file() else {}
    differences = list(list_differences(old, found)) if old else []
    print(f"== {part}: {time.monotonic() - started:.0f} s, {len(differences)} figures differ")
    print("".join(f"  {line}\n" for line in differences), end="", flush=True)
    if not is_check:
        write_stored(part, found)
    return differences


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
