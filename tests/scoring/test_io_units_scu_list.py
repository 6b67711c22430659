"""SCU lists of the crowd's form: sixteen slots an example, the empty ones told by their text."""

import csv
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.io.units import open_units, write_scu_list
from scoring.types import UnitRecord
from tests.scoring.unit_records import IDS, TEXTS, read

HEADER = "eventId,questionId,questionText,answer,author,sourceSummaryId,forUse\n"


def test_it_drops_blank_slots_wherever_they_stand(tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text(
        HEADER + "a,0,Rain fell.,Y,W1,s1,1\na,1,BLANK,N,,s1,1\na,2,It was wet.,Y,W2,s2,1\n"
        "b,3,Snow fell.,Y,,b,\n"
    )
    reader = open_units(tmp_path / "list.csv")
    assert reader.format == "scu_list"
    assert list(reader.units()) == [
        UnitRecord("a", "Rain fell."),
        UnitRecord("a", "It was wet."),
        UnitRecord("b", "Snow fell."),
    ]
    assert (reader.notes, reader.problems.first) == ([], [])


def test_it_leaves_out_what_its_makers_set_aside(tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text(HEADER + "a,0,Rain fell.,Y,,a,0\na,1,Snow fell.,Y,,a,1\n")
    reader = open_units(tmp_path / "list.csv")
    assert [unit.text for unit in reader.units()] == ["Snow fell."]
    assert reader.notes == ["Skipped because forUse is 0: 1 row of list.csv."]


def test_it_names_columns_that_it_does_not_read(tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text("eventId,questionText,flag\na,Rain fell.,bad\n")
    reader = open_units(tmp_path / "list.csv")
    for _ in range(2):
        assert [unit.text for unit in reader.units()] == ["Rain fell."]
    assert reader.notes == ["Columns of list.csv that were not imported: flag."]


@pytest.mark.parametrize(
    "data, line, message",
    [
        ("eventId,text\n", 1, "The columns are eventId, text."),
        (HEADER + "a,0\n", 2, "The row has 2 cells and the header 7."),
        (HEADER + "a,0,,Y,,a,1\n", 2, "In example 'a', a unit is empty."),
        (HEADER + ",0,x,Y,,a,1\n", 2, "The example id is empty."),
        (HEADER + 'a,0,"x,Y\n', 2, "The row is not CSV: unexpected end of data."),
    ],
)
def test_it_says_what_is_wrong_where(data: str, line: int, message: str, tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text(data)
    units, (problem,) = read(tmp_path / "list.csv", "scu_list")
    assert (units, problem.line, problem.message) == ([], line, message)


def test_it_fills_sixteen_slots() -> None:
    units = [UnitRecord("a", "Rain fell."), *(UnitRecord("b", f"Unit {n}.") for n in range(17))]
    rows = list(csv.DictReader(write_scu_list(units)))
    assert len(rows) == 16 + 17
    assert rows[0] == {
        "eventId": "a",
        "questionId": "0",
        "questionText": "Rain fell.",
        "answer": "Y",
        "author": "",
        "sourceSummaryId": "a",
        "forUse": "1",
    }
    assert [(row["questionText"], row["answer"]) for row in rows[1:16]] == [("BLANK", "N")] * 15


def test_it_says_so_where_cells_are_defused() -> None:
    header, row, *_ = csv.reader(write_scu_list([UnitRecord("a", "=1+1")]))
    assert header[2] == "safe_questionText"
    assert row[2] == "'=1+1"


def test_it_refuses_to_write_a_unit_that_reads_blank() -> None:
    with pytest.raises(ValueError, match="a unit of example 'a' has the text BLANK"):
        list(write_scu_list([UnitRecord("a", "BLANK")]))


@given(IDS, st.lists(st.lists(TEXTS, max_size=3), max_size=4))
def test_it_reads_back_what_it_wrote(ids: list[str], texts: list[list[str]]) -> None:
    units = [
        UnitRecord(key, text) for key, group in zip(ids, texts, strict=False) for text in group
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "list.csv"
        path.write_bytes("".join(write_scu_list(units)).encode())
        assert read(path) == (units, [])


def test_it_finds_the_units_of_realsumm_in_its_list(realsumm_dir: Path) -> None:
    path = realsumm_dir / "raw_crowd" / "SCUs_list.csv"
    listed, problems = read(path)
    ids = (realsumm_dir / "ids.txt").read_text("utf-8").split("\n")
    units, _ = read(realsumm_dir / "SCUs.txt", ids=ids)
    assert (len(listed), problems) == (1056, [])
    for key in ids:
        assert [unit.text for unit in listed if unit.key == key] == [
            unit.text for unit in units if unit.key == key
        ]


def test_it_rewrites_the_list_but_for_blanks_between_units(realsumm_dir: Path) -> None:
    path = realsumm_dir / "raw_crowd" / "SCUs_list.csv"
    written = "".join(write_scu_list(read(path)[0])).split("\n")
    published = path.read_text("utf-8").split("\n")
    differing = {
        line.split(",")[0] for line, other in zip(published, written, strict=True) if line != other
    }
    assert differing == {"cnndm10563", "cnndm6731", "cnndm7626"}
