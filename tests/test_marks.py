"""Every text in Python that people read has a mark, so that a translation is a file."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from fnmatch import fnmatch

import pytest

from tests import marks
from tests.texts import ROOT, list_files

SHORT = 15


def parse_marked_files() -> Iterator[tuple[str, ast.Module]]:
    for file in list_files(marks.PLACES):
        if file.suffix == ".py" and "translation import" in (text := file.read_text("utf-8")):
            yield file.relative_to(ROOT).as_posix(), ast.parse(text)


def is_mark(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id in marks.MARKS


def binds_underscore(node: ast.AST) -> bool:
    is_argument = isinstance(node, ast.arg) and node.arg == "_"
    is_name = isinstance(node, ast.Name) and node.id == "_" and isinstance(node.ctx, ast.Store)
    return is_argument or is_name


def has_values(node: ast.AST) -> bool:
    texts = [part for part in ast.walk(node) if isinstance(part, ast.Constant)]
    is_text = any(isinstance(part.value, str) for part in texts)
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.BinOp) and is_text)


def test_every_text_that_people_read_has_a_mark() -> None:
    """See the list with `python -m tests.marks`; LEFT_OUT says why a file is not translated."""
    found = [f"{text.path}:{text.line}: {text.words[:80]}" for text in marks.list_unmarked()]
    assert not found, "\n".join(found)


def test_what_is_left_out_is_there_with_its_reason() -> None:
    paths = [file.relative_to(ROOT).as_posix() for file in list_files(marks.PLACES)]
    for pattern, reason in marks.LEFT_OUT.items():
        assert any(fnmatch(path, pattern.partition(":")[0]) for path in paths), pattern
        assert len(reason) > SHORT


def test_a_mark_is_around_a_text_without_values() -> None:
    """What is read from the source must be what is looked up: `_("… {name}").format(name=…)`."""
    found = [
        f"{path}:{node.lineno}"
        for path, tree in parse_marked_files()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and is_mark(node) and any(map(has_values, node.args))
    ]
    assert not found


def test_nothing_else_is_called_as_the_mark_is() -> None:
    """What is thrown away is called `__` where `_` translates."""
    found = [
        f"{path}:{getattr(node, 'lineno', 0)}"
        for path, tree in parse_marked_files()
        if any(isinstance(node, ast.alias) and node.asname == "_" for node in ast.walk(tree))
        for node in ast.walk(tree)
        if binds_underscore(node)
    ]
    assert not found


@pytest.mark.parametrize(
    "line",
    [
        'raise DomainError("Nothing was changed.")',
        'label = "Name"',
        'words = f"{number} units left out"',
        'TITLES = {"end": "End campaign"}',
        'help_text="One value per line"',
        'words.get(key, "Not known yet")',
        "yield f\"{a}: {'not found' if b else c}\"",
    ],
)
def test_it_finds(line: str) -> None:
    assert list(marks.Source(line, "annotation/x.py").list_unmarked())


@pytest.mark.parametrize(
    "line",
    [
        'raise DomainError(_("Nothing was changed."))',
        '"""A docstring of several words."""',
        'words = _("{number} units left out").format(number=number)',
        'counted(number, "unit of text", "units of text")',
        'logger.warning("the worker %s is gone", name)',
        'raise TypeError("use the other one")',
        'cursor.execute("SELECT name FROM corpus WHERE id = %s")',
        'kind = row["Qualification"]',
        'is_open = state == "Not started"',
        'x: "list of Names" = []',
        'key = f"{kind} {number}"',
    ],
)
def test_it_leaves_alone(line: str) -> None:
    assert not list(marks.Source(line, "annotation/x.py").list_unmarked())


@pytest.mark.parametrize(("path", "found"), [("annotation/crowd/market/x.py", 1), ("x.py", 2)])
def test_a_word_of_the_protocol_is_no_text(path: str, found: int) -> None:
    source = 'state = "Reviewing"\nlabel = CharField(label="Name")\n'
    assert len(list(marks.Source(source, path).list_unmarked())) == found
