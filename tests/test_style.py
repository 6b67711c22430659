"""The house's numbers: how they are taken, and that those which hold go on holding."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import style


@pytest.fixture(scope="module")
def measures() -> list[style.Measure]:
    """This repository's: every file is read once for all tests."""
    return style.measure()


@pytest.fixture(scope="module")
def said(measures: list[style.Measure]) -> list[str]:
    return [*(row.line for row in measures), *style.list_outliers()]


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(style, "ROOT", tmp_path)
    return tmp_path


def test_it_counts_a_function_without_its_docstring(house: Path):
    path = house / "a.py"
    path.write_text('def f():\n    """One.\n\n    Two."""\n    x = 1\n    return x\n')
    assert style.list_functions(path) == [(3, "a.py:1 f")]


def test_it_leaves_migrations_out(house: Path):
    (house / "scoring" / "migrations").mkdir(parents=True)
    for name in ("scoring/a.py", "scoring/migrations/b.py"):
        (house / name).write_text("x = 1\n")
    assert [path.name for path in style.python_files("scoring")] == ["a.py"]


def test_it_counts_lines_that_hold_something(house: Path):
    (house / "a.py").write_text("x = 1\n\n   \ny = 2\n")
    assert style.count_lines([house / "a.py"]) == 2


@pytest.mark.parametrize("name", ["function length, median", "function length, 95th percentile"])
def test_it_keeps_functions_short(name: str, measures: list[style.Measure]):
    (found,) = (row for row in measures if row.name == name)
    assert found.holds, found.line


def test_it_keeps_files_short(measures: list[style.Measure]):
    (found,) = (row for row in measures if row.name.startswith("file length"))
    assert found.holds, found.line


def test_it_names_what_is_too_long_with_the_reason(house: Path, monkeypatch: pytest.MonkeyPatch):
    (house / "scoring").mkdir()
    long = "def f():\n" + "    x = 1\n" * style.LONGEST_FUNCTION
    (house / "scoring" / "a.py").write_text(long + long.replace("def f", "def g"))
    monkeypatch.setattr(style, "REASONS", {"scoring/a.py f": "one table"})
    assert style.list_outliers() == [
        f"   51 lines  scoring/a.py:52 g\n       {style.NO_REASON}",
        "   51 lines  scoring/a.py:1 f\n       one table",
    ]


def test_it_says_why_what_is_out_stays_out(said: list[str]):
    assert not [line for line in said if style.NO_REASON in line]


def test_it_keeps_no_reason_for_what_holds_by_now(said: list[str]):
    lines = "\n".join(said)
    assert not [reason for reason in style.REASONS.values() if reason not in lines]
