"""docs/commands.md has every command of both command lines, with every argument, and no other."""

from __future__ import annotations

import re

import pytest

from scoring.cli import COMMANDS
from tests.docs.commands import OURS, list_arguments, make_section
from tests.documents import DOCS

TEXT = (DOCS / "commands.md").read_text()
SECTIONS = {
    part.splitlines()[0].strip("`"): part.split("\n## ")[0]
    for part in re.split(r"^### ", TEXT, flags=re.MULTILINE)[1:]
}


def test_it_has_every_command_of_the_product():
    missing = [make_section(name) for name in OURS if name not in SECTIONS]
    assert missing == []
    assert set(SECTIONS) <= set(OURS)


@pytest.mark.parametrize("name", OURS)
def test_it_has_a_row_for_every_argument(name: str):
    rows = re.findall(r"^\| (`.*?`) \| (.*?) \| .*\|$", SECTIONS[name], re.MULTILINE)
    told = [word.strip("`") for names, _ in rows for word in names.split(", ")]
    taken = [
        word for action in list_arguments(name) for word in action.option_strings or [action.dest]
    ]
    assert told == taken, make_section(name)
    assert all(meaning for _, meaning in rows)


def test_it_has_every_command_of_the_science():
    table = TEXT.split("## `python -m scoring`")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `([\w-]+)` \| .+ \| \[.+\]\((\w+)\.md\) \|$", table, re.MULTILINE)
    assert [name for name, _ in rows] == list(COMMANDS)
    for name, page in rows:
        assert f"python -m scoring {name}" in (DOCS / f"{page}.md").read_text()


@pytest.mark.parametrize("name", OURS)
def test_it_takes_a_project_by_its_option_alone(name: str):
    unnamed = [action.dest for action in list_arguments(name) if not action.option_strings]
    assert "project" not in unnamed
