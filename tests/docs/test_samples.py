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
from tests.texts import unmark

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


# Keys, and elements that stand within a label.
INLINE = re.compile(r"<kbd>.*?</kbd>|</?(?:strong|em|small|span|code|svg|path)\b[^>]*>")
# With a link of theirs, too.
WHOLE = re.compile(r"<(h[1-4]|button|summary|legend)\b[^>]*>(.*?)</\1>", re.DOTALL)
SPOKEN = re.compile(r'(?:label|title|aria-label|data-key-label)=(?:_\()?"([^"]+)"')
# A field without a label of its own is called after its name.
FIELD = re.compile(r"^    (\w+) = (?:forms\.|\w+Field)", re.MULTILINE)


@cache
def labels_of_pages() -> list[str]:
    """What stands by itself on pages, with # for what is filled in: the whole text of an element,
    a string of ours, the name of a field. A word within a sentence is no label.
    """
    frontend = ROOT / "frontend"
    said: set[str] = set()
    for path in (frontend / "templates").rglob("*.html"):
        text = unmark(path.read_text())
        said.update(map(_fill, SPOKEN.findall(text)))
        said |= {_fill(part) for part in re.split(r"<[^>]+>", INLINE.sub(" ", text))}
        said |= {_fill(re.sub(r"<[^>]+>", "", whole[1])) for whole in WHOLE.findall(text)}
        # Of two wordings, either.
        said |= {_fill(part) for part in re.split(r"<[^>]+>|\{%.*?%\}", INLINE.sub(" ", text))}
    for path in (frontend / "static/js").rglob("*.js"):
        said.update(STRING.findall(path.read_text()))
    for path in (ROOT / "annotation").rglob("*.py"):
        if "migrations" not in path.parts:
            text = path.read_text()
            said |= {re.sub(r"\{[^}]*\}", "#", words) for words in STRING.findall(text)}
            said |= {name.replace("_", " ").capitalize() for name in FIELD.findall(text)}
    return sorted(said)


def _fill(part: str) -> str:
    """In one line: variables become #, conditions nothing."""
    text = re.sub(r"\{%.*?%\}", "", re.sub(r"\{\{.*?\}\}", "#", part, flags=re.DOTALL))
    return " ".join(text.split())


def pattern_of(label: str) -> re.Pattern[str]:
    """A label as a template has it: numbers, and the s of more than one, are filled in.

    A figure may come before or behind it.
    """
    parts = [
        "#" if re.fullmatch(r"[\d,]+", word) else re.sub(r"s$", "[s#]", re.escape(word))
        for word in label.split()
    ]
    return re.compile(rf"(\W*#? )?{' '.join(parts)}( ?(of )?[$#].*|[.:…]?)")


def find_unknown(labels: list[str]) -> list[str]:
    said = labels_of_pages()
    return [label for label in labels if not any(map(pattern_of(label).fullmatch, said))]


@pytest.mark.parametrize("page", FOLLOWED, ids=name)
def test_it_quotes_words_of_pages(page: Path):
    assert find_unknown(BOLD.findall(without_code(page.read_text()))) == []


# What the tutorial's reader has made, and not a word of a page.
MADE = {"Demo: town news", "Labels v1 of SCUs v1", "SCUs v1", "SCUs.txt", "STUs by rich v1"}


def test_the_tutorial_names_choices_as_pages_do():
    text = without_code((DOCS / "tutorial.md").read_text())
    named = re.findall(r"(?<!\*)\*([A-Z][^*]*)\*(?!\*)", text)
    assert named
    assert find_unknown([label for label in named if label not in MADE]) == []


def test_it_would_notice_a_label_that_is_gone():
    assert pattern_of("Import 100 examples").fullmatch("Import # example#")
    assert find_unknown(["Import everything"]) == ["Import everything"]
    # Within a sentence of a page, and no label.
    assert find_unknown(["the amount again"]) == ["the amount again"]
