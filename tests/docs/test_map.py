"""The documents are one book: a map that names every page, and a way on from each."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.documents import (
    BESIDE,
    DOCS,
    INDEX,
    ROOT,
    RULE,
    list_anchors,
    list_footers,
    list_links,
    list_order,
    list_pages,
    make_anchor,
)

EVERYTHING = [*list_pages(), *BESIDE]


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_it_names_every_page_once():
    order = [path.resolve() for path in list_order()]
    assert sorted(order) == sorted(path for path in list_pages() if path != INDEX)


@pytest.mark.parametrize("page", list_footers(), ids=name)
def test_it_leads_back_and_on(page: Path):
    """`python -m tests.documents` writes what is missing."""
    assert page.read_text().endswith(f"{RULE}\n{list_footers()[page]}")


def test_it_begins_at_readme():
    targets = {link.target for link in list_links(ROOT / "README.md")}
    assert {
        "docs/index.md",
        "docs/tutorial.md",
        "CONTRIBUTING.md",
        "LICENSE",
        "SECURITY.md",
    } <= targets


@pytest.mark.parametrize("path", EVERYTHING, ids=name)
def test_it_has_no_dead_link(path: Path):
    for link in list_links(path):
        if link.is_outside:
            continue
        file, _, anchor = link.target.partition("#")
        there = (path.parent / file).resolve() if file else path
        assert there.exists(), link
        assert not anchor or anchor in list_anchors(there), link


def test_it_says_how_to_report_a_vulnerability():
    """In private, and what is promised to whom."""
    text = (ROOT / "SECURITY.md").read_text()
    headings = ["Report a vulnerability", "Versions that get fixes", "Promises"]
    for heading in [*headings, "Limits"]:
        assert f"\n## {heading}\n" in text
    for person in ("anonymous", "a worker", "a member", "an owner", "staff"):
        assert re.search(rf"^\| {person}", text, re.MULTILINE)
    assert "docs/security.md" in text
    # Nobody is invented: no address to write to but the form.
    assert not re.search(r"[\w.]+@[\w.]+", text)
    assert "SECURITY.md" in (DOCS / "security.md").read_text()


def test_it_shows_every_picture():
    shown = {
        (path.parent / link.target).resolve() for path in EVERYTHING for link in list_links(path)
    }
    assert [path.name for path in (DOCS / "screenshots").iterdir() if path not in shown] == []


@pytest.mark.parametrize(
    "title, anchor",
    [
        ("Import a corpus, step by step", "import-a-corpus-step-by-step"),
        ("`rich` and [others](x.md)", "rich-and-others"),
        ("p3c, l3c", "p3c-l3c"),
    ],
)
def test_it_names_anchors_as_they_are_shown(title: str, anchor: str):
    assert make_anchor(title) == anchor
