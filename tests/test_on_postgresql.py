"""What runs on PostgreSQL again: whatever depends on a database, and nothing that is not there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.on_postgresql import ALL, FILES, HERE, TESTS, WORDS, is_chosen
from tests.servers import ROOT

PRODUCT = ROOT / "annotation"


def find_modules() -> set[str]:
    """The modules of the product that do something in a database's own way."""
    return {
        path.relative_to(PRODUCT).as_posix()
        for path in PRODUCT.rglob("*.py")
        if "migrations" not in path.parts and WORDS.search(path.read_text())
    }


def test_it_has_a_row_for_every_module_that_depends_on_its_database():
    assert find_modules() == set(FILES)
    assert {file for files in FILES.values() for file in files} <= set(TESTS)


@pytest.mark.parametrize(
    ("line", "is_noticed"),
    [
        ('if connection.vendor == "postgresql":', True),
        ("with connection.cursor() as cursor:", True),
        ('Campaign.objects.select_for_update(of=("self",))', True),
        ("Hit.objects.bulk_create(rows, ignore_conflicts=True)", True),
        ("except IntegrityError:", True),
        ("except (OperationalError, OSError):", True),
        ('rows.filter(figures__has_key="pairs")', True),
        ("rows.filter(text__icontains=q)", True),
        ("from django.db import transaction", False),
        ("Hit.objects.bulk_create(rows)", False),
        ("except (KeyError, ValueError):", False),
    ],
)
def test_it_notices_such_a_module_by_its_words(line: str, is_noticed: bool):
    assert bool(WORDS.search(line)) == is_noticed


@pytest.mark.parametrize("file", TESTS)
def test_it_names_tests_that_are_there(file: str):
    found = re.findall(r"^def test_(\w+)", (HERE / file).read_text(), re.MULTILINE)
    named = [] if TESTS[file] == ALL else TESTS[file].split()
    assert found
    assert set(named) <= set(found)
    assert len(named) == len(set(named))


@pytest.mark.parametrize(
    ("path", "name", "expected"),
    [
        (HERE / "crowd/market/test_at_once.py", "", True),
        (HERE / "crowd/market/test_at_once.py", "test_it_does_anything", True),
        (HERE / "corpora/test_search.py", "", True),
        (HERE / "corpora/test_search.py", "test_it_stops_counting", True),
        (HERE / "corpora/test_search.py", "test_it_asks_for_words", False),
        (HERE / "corpora/test_permissions.py", "", False),
        (ROOT / "tests/corpora/test_search.py", "", False),
    ],
)
def test_it_chooses_a_file_or_some_of_it(path: Path, name: str, expected: bool):
    assert is_chosen(path, name) == expected
