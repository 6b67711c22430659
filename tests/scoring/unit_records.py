"""Units for round trips, and a short way to read a file of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from hypothesis import strategies as st

from scoring.io import ProblemList
from scoring.io.units import open_units
from scoring.types import ContributorRecord, Problem, UnitRecord

# Everything a unit may hold: no control characters, no half surrogate pairs, no marks of order.
UNFIT = "\ufeff\ufffe\uffff\x7f"
CHARACTERS = st.characters(min_codepoint=32, exclude_categories=["Cs"], exclude_characters=UNFIT)
TEXTS = st.one_of(
    st.text(CHARACTERS, min_size=1, max_size=20),
    st.text(st.sampled_from("=+-@'\"<>&,; aé\u2028\u00a0𝒳"), min_size=1, max_size=8),
).filter(str.strip)
CONTRIBUTORS = st.builds(
    lambda reference, start, length: ContributorRecord(reference, start, start + length),
    st.integers(0, 3),
    st.integers(0, 500),
    st.integers(1, 80),
)
UNITS = st.builds(
    UnitRecord,
    key=st.just("a"),
    text=TEXTS,
    kind=st.sampled_from(["scu", "stu"]),
    weight=st.integers(1, 9),
    contributors=st.lists(CONTRIBUTORS, max_size=3).map(tuple),
    extractor=st.one_of(st.just(""), TEXTS),
    extractor_version=st.one_of(st.just(""), TEXTS),
)
IDS = st.lists(TEXTS, min_size=1, max_size=4, unique=True)


def keyed(ids: list[str], units: list[list[UnitRecord]]) -> list[UnitRecord]:
    """The units of each list under the id of the same place."""
    return [
        replace(unit, key=key) for key, group in zip(ids, units, strict=False) for unit in group
    ]


def read(path: Path, format: str = "", **options: object) -> tuple[list[UnitRecord], list[Problem]]:
    problems = ProblemList()
    reader = open_units(path, format=format, problems=problems, **options)  # type: ignore[arg-type]
    return list(reader.units()), problems.first
