"""Every figure of README has the command that prints it; the citation names the version."""

from __future__ import annotations

import re

from scoring import __version__
from tests.benchmarks.__main__ import BENCHMARKS
from tests.documents import ROOT

README = (ROOT / "README.md").read_text()
MEASURED = README.split("## Measured")[1].split("\n## ")[0]
# Measured to be known, not stated.
UNSTATED = {"sentences", "linting", "study-pages-sqlite", "study-pages-postgresql"}


def test_it_names_what_prints_each_row():
    table = MEASURED.split("`make bench ONLY=` |\n")[1].split("\n\n")[0].splitlines()[1:]
    named = [set(re.findall(r"`([\w-]+)`", row.split("|")[-2])) for row in table]
    assert all(named)
    assert set().union(*named) == set(BENCHMARKS) - UNSTATED


def test_it_names_what_prints_each_further_table():
    """Every other table follows, or is followed by, a command of the science."""
    blocks = MEASURED.split("\n\n")
    for place, block in enumerate(blocks):
        if block.startswith("| ") and "make bench" not in block:
            around = blocks[max(place - 1, 0)] + block + blocks[place + 1]
            assert re.search(r"python -m scoring [\w-]+", around), block[:60]


def test_it_is_cited_by_its_version():
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text()
