"""Every decision has one shape: what, why, and what would change it."""

from __future__ import annotations

import re

import pytest

from tests.documents import DOCS

SECTIONS = re.split(r"^## ", (DOCS / "decisions.md").read_text(), flags=re.MULTILINE)[1:]
SHAPE = ["Decision", "Reason", "Tried", "What follows", "What would change it"]
NEEDED = {"Decision", "Reason", "What would change it"}


@pytest.mark.parametrize("section", SECTIONS, ids=lambda text: text.splitlines()[0])
def test_it_says_what_and_why_and_until_when(section: str):
    marks = re.findall(r"^\*\*([^*]+)\.\*\*", section, re.MULTILINE)
    assert marks == [mark for mark in SHAPE if mark in marks]
    assert set(marks) >= NEEDED
