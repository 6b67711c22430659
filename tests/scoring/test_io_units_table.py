"""CSV of units: one a row, safe to open in a spreadsheet."""

import csv
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.io.units import open_units, write_csv
from scoring.types import ContributorRecord, UnitRecord
from tests.scoring.unit_records import IDS, UNITS, keyed, read

HEADER = "example_id,position,kind,weight,text,contributors\n"


def test_it_reads_a_unit_a_row(tmp_path: Path) -> None:
    (tmp_path / "u.csv").write_text(
        HEADER + 'a,1,scu,2,"Rain, much of it, fell.",0:12-34 1:5-20\nb,1,stu,1,=1+1,\na,2,,,It,\n'
    )
    reader = open_units(tmp_path / "u.csv")
    assert reader.format == "csv"
    assert list(reader.units()) == [
        UnitRecord(
            "a",
            "Rain, much of it, fell.",
            "scu",
            2,
            (ContributorRecord(0, 12, 34), ContributorRecord(1, 5, 20)),
        ),
        UnitRecord("b", "=1+1", "stu"),
        UnitRecord("a", "It"),
    ]


def test_it_needs_no_more_than_example_and_text(tmp_path: Path) -> None:
    (tmp_path / "u.csv").write_bytes(b"\xef\xbb\xbfsafe_text,example_id\r\n'=1,a\r\n'tis,a\r\n")
    assert read(tmp_path / "u.csv") == ([UnitRecord("a", "=1"), UnitRecord("a", "'tis")], [])


@pytest.mark.parametrize(
    "data, line, message",
    [
        ("example_id,text,text\n", 1, "The columns are example_id, text, text."),
        ("example_id,text,safe_text\n", 1, "The columns are example_id, text, safe_text."),
        ("example_id,text,colour\n", 1, "The columns are example_id, text, colour."),
        ("text\n", 1, "The columns are text."),
        ("", 1, "The columns are missing."),
        (HEADER + "a,1,scu\n", 2, "The row has 3 cells and the header 6."),
        (HEADER + "a,1,scu,1,x,,y\n", 2, "The row has 7 cells and the header 6."),
        (HEADER + "a,2,scu,1,x,\n", 2, "The position of a unit of example 'a' is 2."),
        (HEADER + "a,x,scu,1,x,\n", 2, "The position is 'x'."),
        (HEADER + "a,1,scu,-1,x,\n", 2, "The weight is '-1'."),
        (HEADER + "a,1,scu,1,x,0:1\n", 2, "The contributor is '0:1'."),
        (HEADER + "a,1,scu,1,x,0:3-3\n", 2, "In example 'a', a unit has the contributor 0:3-3."),
        (HEADER + "a,1,acu,1,x,\n", 2, "In example 'a', a unit has the kind 'acu'."),
        (HEADER + "a,1,scu,1,,\n", 2, "In example 'a', a unit is empty."),
        (HEADER + ",1,scu,1,x,\n", 2, "The example id is empty."),
        (HEADER + 'a,1,scu,1,"x\n', 2, "The row is not CSV: unexpected end of data."),
    ],
)
def test_it_says_what_is_wrong_where(data: str, line: int, message: str, tmp_path: Path) -> None:
    (tmp_path / "u.csv").write_text(data)
    units, (problem,) = read(tmp_path / "u.csv", "csv")
    assert units == []
    assert (problem.line, problem.message) == (line, message)


def test_it_defuses_cells_that_a_spreadsheet_would_run() -> None:
    unit = UnitRecord("=a", "+1 for rain", extractor="@x", extractor_version="-1")
    _, row = csv.reader(write_csv([unit]))
    assert row == ["'=a", "1", "scu", "1", "'+1 for rain", "", "'@x", "'-1"]


def test_it_refuses_a_source_without_such_a_file(tmp_path: Path) -> None:
    (tmp_path / "u.txt").write_text(HEADER)
    units, (problem,) = read(tmp_path, "csv")
    assert (units, problem.message) == ([], "There is no table.")


@given(IDS, st.lists(st.lists(UNITS, max_size=3), max_size=4))
def test_it_reads_back_what_it_wrote(ids: list[str], groups: list[list[UnitRecord]]) -> None:
    units = keyed(ids, groups)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "u.csv"
        path.write_bytes("".join(write_csv(units)).encode())
        assert read(path) == (units, [])
