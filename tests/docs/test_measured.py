"""Every figure of the documents has the command that prints it; the citation has the version."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scoring import __version__
from tests.benchmarks.__main__ import BENCHMARKS
from tests.documents import DOCS, ROOT
from tests.figures.pages import BLOCK, PAGES, TABLES, fill, list_blocks
from tests.figures.parts import PARTS, read_stored

BENCHMARKED = (DOCS / "benchmarks.md").read_text()
# Without the marks around tables that `make figures` writes.
COMPARED = re.sub(
    r"<!-- .*? -->\n", "", (DOCS / "science.md").read_text().split("\n## How often")[0]
)
# Measured to be known, not stated.
UNSTATED = {"sentences", "linting", "study-pages-postgresql"}


def test_it_names_what_prints_each_row():
    rows = [line for line in BENCHMARKED.splitlines() if re.match(r"\| (?!what \|)", line)]
    named = [set(re.findall(r"`([\w-]+)`", row.split("|")[-2])) for row in rows]
    assert all(named)
    assert set().union(*named) == set(BENCHMARKS) - UNSTATED


def test_it_names_what_prints_each_comparison():
    """Every table follows, or is followed by, a command of the science."""
    blocks = COMPARED.split("\n\n")
    for place, block in enumerate(blocks):
        if block.startswith("| "):
            around = blocks[max(place - 1, 0)] + block + blocks[place + 1]
            assert re.search(r"python -m scoring [\w-]+", around), block[:60]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_its_tables_are_what_make_figures_stored(page: Path) -> None:
    text = page.read_text()
    assert list_blocks(page)
    assert fill(text) == text


def test_every_table_of_figures_stands_somewhere() -> None:
    assert {name for page in PAGES for name in list_blocks(page)} == set(TABLES)


def test_no_table_with_the_paper_stands_outside_of_them() -> None:
    """A row with figures of ours and the paper's is in a table that `make figures` writes.

    The paper's are in rows that name it, or in italics.
    """
    for page in DOCS.rglob("*.md"):
        outside = BLOCK.sub("", page.read_text())
        rows = [line for line in outside.splitlines() if line.startswith("|")]
        theirs = re.compile(r"\| paper: |\bas printed|– ours |\*−?\.\d+\*")
        assert not [row for row in rows if theirs.search(row)], page.name


def test_metrics_have_the_papers_figures_next_to_the_same_documents_and_systems() -> None:
    table = TABLES["metrics"]().splitlines()
    assert "REALSumm, 100 documents × 25 systems: system level" in table[0]
    assert "PyrXSum, 100 documents × 10 systems: system level" in table[0]
    rows = {row.split(" | ")[0].removeprefix("| "): row.split(" | ")[1:] for row in table[2:]}
    assert rows["rouge, rouge1_recall"][0].startswith(".91 [.78, .96]; *.91*")
    assert "†" in rows["s3"][0], "it was trained on REALSumm"
    assert "†" not in rows["s3"][2]
    names = list(rows)
    assert names.index("… measure=fbeta") == names.index("reference_free, score") + 1
    published = TABLES["published"]().splitlines()
    assert published[2] == "| METEOR | REALSumm | .94, .92 | .960, .945 | .54, .49 | .525, .488 |"


@pytest.mark.parametrize("part", PARTS)
def test_every_part_is_stored_whole(part: str) -> None:
    assert read_stored(part).keys() == PARTS[part].keys()


def test_both_sides_of_a_comparison_have_level_folds_and_numbers() -> None:
    """Every setting of the held-out table says its folds, documents, systems and labels."""
    table = TABLES["held-out"]().splitlines()
    assert all(level in table[0] for level in ("summary level", "system level"))
    settings = [line for line in table if line.startswith("| **")]
    places = [table.index(line) for line in settings] + [len(table)]
    for setting, start, end in zip(settings, places, places[1:], strict=False):
        assert re.search(r"5 folds by (examples|systems)|all at once", setting)
        assert re.search(r"\d+ documents × \d+ systems( each)?, [\d,]+ labels", setting)
        judges = [line.split("|")[1].strip() for line in table[start + 1 : end]]
        assert {"embedded", "lexical", "majority"} <= set(judges)
        assert any(judge.startswith("paper: ") for judge in judges)


def test_it_is_cited_by_its_version():
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text()
