"""JSONL of units: an example a line, with weights and contributors."""

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.io.units import open_units, write_jsonl
from scoring.types import ContributorRecord, UnitRecord
from tests.scoring.unit_records import IDS, UNITS, keyed, read


def test_it_reads_units_with_all_they_have(tmp_path: Path) -> None:
    (tmp_path / "u.jsonl").write_text(
        '{"id": "a", "units": [{"text": "Rain fell."}, {"text": "It was wet.", "kind": "stu", '
        '"weight": 2, "contributors": [{"reference": 1, "start": 0, "end": 9}], '
        '"extractor": "srl", "extractor_version": "1.2"}]}\n\n{"id": "b", "units": []}\n'
    )
    reader = open_units(tmp_path / "u.jsonl")
    assert reader.format == "jsonl"
    assert list(reader.units()) == [
        UnitRecord("a", "Rain fell."),
        UnitRecord("a", "It was wet.", "stu", 2, (ContributorRecord(1, 0, 9),), "srl", "1.2"),
    ]
    assert reader.problems.first == []


CONTRIBUTOR = '{"reference": 0, "start": 5, "end": 5}'


@pytest.mark.parametrize(
    "line, message",
    [
        ("[]", "The line is not a JSON object: '[]'."),
        ('{"id": "a"}', "The line is not an example with units."),
        ('{"id": 1, "units": []}', "The line is not an example with units."),
        ('{"id": "a", "units": [], "x": 1}', "Unknown key 'x'."),
        ('{"id": " ", "units": []}', "The example id is empty."),
        ('{"id": "a", "units": ["Rain fell."]}', "A unit has no text."),
        ('{"id": "a", "units": [{"text": "a", "source": 1}]}', "Unknown key 'source'."),
        ('{"id": "a", "units": [{"text": "a", "weight": "2"}]}', "'weight' is not a whole number."),
        (
            '{"id": "a", "units": [{"text": "a", "weight": true}]}',
            "'weight' is not a whole number.",
        ),
        ('{"id": "a", "units": [{"text": "a", "kind": 1}]}', "'kind' is not a string."),
        (
            '{"id": "a", "units": [{"text": "a", "contributors": 1}]}',
            "'contributors' is not a list.",
        ),
        (
            '{"id": "a", "units": [{"text": "a", "contributors": [{"start": 1}]}]}',
            "A contributor is incomplete.",
        ),
        (
            '{"id": "a", "units": [{"text": "a", "kind": "acu"}]}',
            "In example 'a', a unit has the kind 'acu'.",
        ),
        (
            '{"id": "a", "units": [{"text": "a", "weight": 0}]}',
            "In example 'a', a unit has the weight 0.",
        ),
        (
            '{"id": "a", "units": [{"text": "a", "contributors": [' + CONTRIBUTOR + "]}]}",
            "In example 'a', a unit has the contributor 0:5-5.",
        ),
        ('{"id": "a", "units": [{"text": "\\ud800"}]}', "In example 'a', the unit"),
        ('{"id": "a", "units": [{"text": "a\\nb"}]}', "In example 'a', the unit"),
    ],
)
def test_it_says_what_is_wrong_where(line: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "u.jsonl").write_text('{"id": "first", "units": []}\n' + line)
    units, (problem,) = read(tmp_path / "u.jsonl")
    assert units == []
    assert (problem.file, problem.line) == ("u.jsonl", 2)
    assert problem.message.startswith(message)


def test_it_refuses_an_example_that_comes_back(tmp_path: Path) -> None:
    line = '{"id": "a", "units": [{"text": "Rain fell."}]}\n'
    (tmp_path / "u.jsonl").write_text(line + line)
    units, (problem,) = read(tmp_path / "u.jsonl")
    assert units == [UnitRecord("a", "Rain fell.")]
    assert problem.message == "Example 'a' occurs twice; first in u.jsonl, line 1."


def test_it_writes_examples_without_units_too() -> None:
    lines = list(write_jsonl([UnitRecord("b", "Rain fell.")], ids=["a", "b"]))
    assert [json.loads(line)["id"] for line in lines] == ["b", "a"]
    assert json.loads(lines[1]) == {"id": "a", "units": []}


@given(IDS, st.lists(st.lists(UNITS, max_size=3), max_size=4))
def test_it_reads_back_what_it_wrote(ids: list[str], groups: list[list[UnitRecord]]) -> None:
    units = keyed(ids, groups)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "u.jsonl"
        path.write_bytes("".join(write_jsonl(units, ids)).encode())
        assert read(path) == (units, [])
