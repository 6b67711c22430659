"""Bad input is a message, a defect of the program is a log line, and one is never the other."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from scoring.errors import InputError
from tests.test_architecture import parse, python_files, read

WIDE = {"Exception", "BaseException", "ValueError", "KeyError", "TypeError", "AttributeError"}
# Each reads one value that somebody sent, by one call of the standard library.
READERS = {
    "annotation/corpora/jobs/service.py": 1,
    "annotation/evaluation/runs/judging.py": 1,
    "annotation/crowd/market/qualifying.py": 2,
    "annotation/crowd/market/validation.py": 1,
    "annotation/crowd/market/protocol.py": 2,
    "annotation/origins.py": 1,
}


def find_shown(source: str) -> Iterator[ast.ExceptHandler]:
    """Handlers that catch what a defect raises, too, and make words of it."""
    for node in ast.walk(parse(source)):
        if isinstance(node, ast.ExceptHandler) and node.name and _is_wide(node):
            names = (inner for inner in ast.walk(node) if isinstance(inner, ast.Name))
            if any(inner.id == node.name for inner in names):
                yield node


def _is_wide(node: ast.ExceptHandler) -> bool:
    caught = (
        {inner.id for inner in ast.walk(node.type) if isinstance(inner, ast.Name)}
        if node.type
        else WIDE
    )
    return bool(caught & WIDE)


def test_it_shows_no_defect_as_a_message() -> None:
    found = {
        str(path): count
        for path in python_files("annotation", "scoring/cli")
        if (count := len(list(find_shown(read(path))))) > READERS.get(str(path), 0)
    }
    assert found == {}


def test_it_notices_a_handler_that_shows_a_defect() -> None:
    shown = "try:\n f()\nexcept ValueError as error:\n raise Invalid(str(error))"
    assert len(list(find_shown(shown))) == 1
    assert len(list(find_shown(shown.replace("ValueError", "(OSError, KeyError)")))) == 1
    assert list(find_shown(shown.replace("ValueError", "InputError"))) == []


def find_raised(source: str) -> Iterator[str]:
    for node in ast.walk(parse(source)):
        if isinstance(node, ast.Raise) and node.exc is not None:
            yield ast.unparse(node.exc.func if isinstance(node.exc, ast.Call) else node.exc)


def test_it_raises_an_error_of_its_own_for_bad_input() -> None:
    """A bare ValueError of the library could be anybody's."""
    wrong = [
        str(path) for path in python_files("scoring") if "ValueError" in find_raised(read(path))
    ]
    assert wrong == []


def test_it_stays_a_value_error_for_callers() -> None:
    from scoring import CorpusError
    from scoring.aggregation.answers import AnswersError
    from scoring.judge import NoDevice

    assert issubclass(InputError, ValueError)
    assert all(issubclass(kind, InputError) for kind in (CorpusError, AnswersError, NoDevice))


def test_the_command_line_shows_a_defect_whole(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    """Bad input is one line and the code 2; a planted defect keeps its traceback."""
    from scoring import cli
    from scoring.cli import metrics

    def fail(error: Exception) -> None:
        raise error

    monkeypatch.setattr(metrics, "run", lambda _: fail(InputError("No such metric.")))
    assert cli.main(["metrics"]) == 2
    assert capsys.readouterr().err.endswith(" metrics: No such metric.\n")
    monkeypatch.setattr(metrics, "run", lambda _: fail(ValueError("a defect")))
    with pytest.raises(ValueError, match="a defect"):
        cli.main(["metrics"])
