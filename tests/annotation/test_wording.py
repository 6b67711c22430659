"""Numbers with their nouns."""

from __future__ import annotations

import pytest

from annotation.wording import counted


@pytest.mark.parametrize(
    "number, one, many, expected",
    [
        (0, "unit", "units", "0 units"),
        (1, "unit", "units", "1 unit"),
        (2500, "unit", "units", "2,500 units"),
        (1, "summary", "summaries", "1 summary"),
        (3, "summary", "summaries", "3 summaries"),
    ],
)
def test_it_counts(number: int, one: str, many: str, expected: str):
    assert counted(number, one, many) == expected
