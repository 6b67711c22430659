"""What documents tell to type, press and call is there: commands, words of pages, REST."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from django.core.management import load_command_class

from scoring.cli import build_parser
from tests.annotation.schema.checking import DESCRIPTION
from tests.docs.commands import OURS
from tests.documents import DOCS, ROOT, list_commands, list_pages, without_code

PAGES = [*list_pages(), ROOT / "README.md"]
# Pages that a reader follows with the product open: what is bold in them is on its pages.
FOLLOWED = [DOCS / "tutorial.md", *sorted((DOCS / "howto").glob("*.md"))]
CALL = re.compile(r"`(GET|POST|PUT|PATCH|DELETE) (/[^`]*)`")
BOLD = re.compile(r"\*\*([^*]+)\*\*")
# What stands in quotes in a module, near enough.
STRING = re.compile(r'"([^"\n]+)"')


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def commands() -> Iterator[tuple[str, list[str]]]:
    for page in PAGES:
        for words in list_commands(page):
            yield name(page), words


def test_it_finds_commands():
    assert {program for _, (program, *_) in commands()} == {"manage.py", "-m scoring"}


@cache
def science() -> argparse.ArgumentParser:
    return build_parser()


@pytest.mark.parametrize("page, words", list(commands()))
def test_it_quotes_commands_that_exist(page: str, words: list[str]):
    program, *arguments = words
    if program == "-m scoring":
        science().parse_args(arguments)
    elif arguments[0] in OURS:
        command = load_command_class(OURS[arguments[0]], arguments[0])
        command.create_parser(program, arguments[0]).parse_args(arguments[1:])
    else:
        assert arguments[0] in ("createsuperuser", "backup", "restore")


@pytest.mark.parametrize("page", FOLLOWED, ids=name)
def test_it_quotes_calls_that_exist(page: Path):
    described = {
        (method.upper(), path.removeprefix("/api/v1"))
        for path, calls in DESCRIPTION["paths"].items()
        for method in calls
    }
    assert set(CALL.findall(page.read_text())) <= described


STEPS = re.split(r"^## (?=\d)", (DOCS / "tutorial.md").read_text(), flags=re.MULTILINE)[1:]


@pytest.mark.parametrize("step", STEPS, ids=[step.splitlines()[0] for step in STEPS])
def test_every_step_of_the_tutorial_has_a_command_and_a_call(step: str):
    assert re.search(r"^python manage\.py \w+", step, re.MULTILINE)
    assert CALL.search(step)


@cache
def words_of_pages() -> str:
    """Everything that pages can say: templates with # for what is filled in, and our strings."""
    frontend = ROOT / "frontend"
    templates = [path.read_text() for path in (frontend / "templates").rglob("*.html")]
    said = [_plain(text) for text in templates]
    # What one template hands to another.
    said += [label for text in templates for label in re.findall(r'label="([^"]+)"', text)]
    said += [path.read_text() for path in (frontend / "static/js").rglob("*.js")]
    for path in (ROOT / "annotation").rglob("*.py"):
        if "migrations" not in path.parts:
            said += STRING.findall(path.read_text())
    return "\n".join(said)


def _plain(template: str) -> str:
    """A template's text in one line: variables become #, conditions and elements nothing."""
    text = re.sub(r"\{%.*?%\}", "", re.sub(r"\{\{.*?\}\}", "#", template, flags=re.DOTALL))
    return " ".join(re.sub(r"<[^>]+>", "", text).split())


def pattern_of(label: str) -> re.Pattern[str]:
    """A label as a template has it: numbers, and the s of more than one, are filled in."""
    parts = [
        "#" if re.fullmatch(r"[\d,]+", word) else re.sub(r"s$", "[s#]", re.escape(word))
        for word in label.split()
    ]
    return re.compile(" ".join(parts))


@pytest.mark.parametrize("page", FOLLOWED, ids=name)
def test_it_quotes_words_of_pages(page: Path):
    labels = BOLD.findall(without_code(page.read_text()))
    unknown = [label for label in labels if not pattern_of(label).search(words_of_pages())]
    assert unknown == []


def test_it_would_notice_a_label_that_is_gone():
    assert pattern_of("Import 100 examples").search("Import # example#")
    assert not pattern_of("Import everything").search(words_of_pages())
