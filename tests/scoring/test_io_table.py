"""CSV: one text a row, in any order; cells that a spreadsheet would run are defused."""

import csv
from pathlib import Path

import pytest

from scoring.io import ProblemList, open_corpus, table
from scoring.types import ExampleRecord, Problem, ReferenceText, SystemRecord

HEADER = "example_id,part,name,text\n"


def read(folder: Path, data: str | bytes) -> tuple[list[ExampleRecord], list[Problem]]:
    (folder / "some.csv").write_bytes(data.encode() if isinstance(data, str) else data)
    problems = ProblemList()
    reader = open_corpus(folder / "some.csv", format="csv", problems=problems)
    return list(reader.examples()), problems.first


def test_it_brings_rows_together_by_example(tmp_path: Path) -> None:
    (tmp_path / "some.csv").write_text(
        HEADER + "b,summary,lead,L\na,reference,A,R1\n,system,lead,human\nb,document,,D\n"
        'a,reference,,"R2, ""quoted""\nin two lines"\n\na,summary,soup,\n'
    )
    reader = open_corpus(tmp_path / "some.csv")
    assert reader.format == "csv"
    assert list(reader.examples()) == [
        ExampleRecord("b", ("D",), (), {"lead": "L"}, "some.csv", 2),
        ExampleRecord(
            "a",
            (),
            (ReferenceText("R1", "A"), ReferenceText('R2, "quoted"\nin two lines')),
            {"soup": ""},
            "some.csv",
            3,
        ),
    ]
    assert reader.systems() == [SystemRecord("lead", "human"), SystemRecord("soup")]
    assert [record.key for record in open_corpus(tmp_path / "some.csv").examples(1)] == ["a"]


def test_it_names_columns_that_it_does_not_read(tmp_path: Path) -> None:
    (tmp_path / "some.csv").write_text("example_id,part,text,flag,split\na,document,D,bad,test\n")
    reader = open_corpus(tmp_path / "some.csv")
    for _ in range(2):
        assert [record.documents for record in reader.examples()] == [("D",)]
    assert reader.notes == ["Columns of some.csv that were not imported: flag, split."]


@pytest.mark.parametrize(
    "data, expected",
    [
        ("\ufeff" + HEADER + "a,document,,D", "D"),
        (HEADER.replace("\n", "\r\n") + 'a,document,,"D\r\nE"\r\n', "D\r\nE"),
        ('"example_id","part","text"\na,document,D\n', "D"),
        ("text,part,example_id\nD,document,a\n", "D"),
        (HEADER + "a,document,,=1+1\n", "=1+1"),
        (HEADER + "a,document,,'=1\n", "'=1"),
        (HEADER.replace("text", "safe_text") + "a,document,,'=1\n", "=1"),
        (HEADER.replace("text", "safe_text") + "a,document,,''=1\n", "'=1"),
        (HEADER.replace("text", "safe_text") + "a,document,,'tis\n", "'tis"),
        (HEADER + "a,document,," + "x" * 2**20, "x" * 2**20),
        (HEADER + "a,document,,a\u2028b\x85c\u00a0\n", "a\u2028b\x85c\u00a0"),
        (HEADER + "a,document,,שלום\n", "שלום"),
    ],
)
def test_it_takes_what_is_odd_but_right(data: str, expected: str, tmp_path: Path) -> None:
    (tmp_path / "some.csv").write_bytes(data.encode())
    reader = open_corpus(tmp_path)
    assert [record.documents for record in reader.examples()] == [(expected,)]
    assert reader.problems.first == []


COLUMNS = "example_id, part, name, and text or safe_text."
CELLS = "The row has {} cells and the header 4."


@pytest.mark.parametrize(
    "data, line, message, expected",
    [
        ("", 1, "The columns are missing.", COLUMNS),
        ("example_id,text\n", 1, "The columns are example_id, text.", COLUMNS),
        ("example_id,part,name\n", 1, "The columns are example_id, part, name.", COLUMNS),
        (
            "example_id,part,text,safe_text\n",
            1,
            "The columns are example_id, part, text, safe_text.",
            COLUMNS,
        ),
        (
            "example_id,part,text,text\na,document,D,E\n",
            1,
            "The columns are example_id, part, text, text.",
            COLUMNS,
        ),
        (
            'example_id,part,name,"text\n',
            1,
            "The row is not CSV: unexpected end of data.",
            "quoted CSV.",
        ),
        (HEADER + "a,document\n", 2, CELLS.format(2), "4 cells."),
        (HEADER + "a,document,,D,more\n", 2, CELLS.format(5), "4 cells."),
        ("example_id,part,text,name\na,document,D\n", 2, CELLS.format(3), "4 cells."),
        (
            HEADER + "a,story,,D\n",
            2,
            "The part is 'story'.",
            "one of document, reference, summary, system.",
        ),
        (
            HEADER + "a,document,,D\n" + 'a,document,,"D" x\n',
            3,
            "The row is not CSV: ',' expected after '\"'.",
            "quoted CSV.",
        ),
        (
            HEADER + 'a,document,,"open\n',
            2,
            "The row is not CSV: unexpected end of data.",
            "quoted CSV.",
        ),
        (
            HEADER + ",document,,D\n",
            2,
            "The example id is empty.",
            "a name of 1 to 200 characters.",
        ),
        (
            HEADER + "a,summary,,D\n",
            2,
            "The system name is empty.",
            "a name of 1 to 200 characters.",
        ),
        (
            HEADER + "a,reference," + "n" * 201 + ",R\n",
            2,
            "The name of a reference has 201 characters.",
            "a name of 1 to 200 characters.",
        ),
        (
            HEADER + ",system,lead,\n",
            2,
            "System 'lead' has the kind ''.",
            "one of extractive, abstractive, human or other.",
        ),
        (
            HEADER + "a,summary,lead,1\na,summary,lead,2\n",
            3,
            "Example 'a' has a second summary of 'lead'.",
            "one summary per system.",
        ),
        (
            HEADER + "a,document,,\x00\n",
            2,
            "In example 'a', document 1 contains the character U+0000 at position 1.",
            "text without NUL or unpaired surrogates.",
        ),
    ],
)
def test_it_says_what_is_wrong_where(
    data: str, line: int, message: str, expected: str, tmp_path: Path
) -> None:
    _, problems = read(tmp_path, data)
    assert problems == [Problem("some.csv", line, message, expected)]


def test_it_names_the_bad_byte(tmp_path: Path) -> None:
    _, problems = read(tmp_path, HEADER.encode() + b"a,document,,\xe9\n")
    [problem] = problems
    said = "some.csv, line 2: Byte 0xe9 at column 13 is not UTF-8. Expected text in UTF-8."
    assert str(problem).startswith(said)


def test_it_refuses_a_source_without_such_a_file(tmp_path: Path) -> None:
    (tmp_path / "some.txt").write_text(HEADER)
    problems = ProblemList()
    assert list(open_corpus(tmp_path, format="csv", problems=problems).examples()) == []
    assert [problem.message for problem in problems.first] == ["There is no table."]


@pytest.mark.parametrize(
    "cell, expected",
    [
        ("plain", "plain"),
        ("", ""),
        ("'tis", "'tis"),
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@x", "'@x"),
        ("\tx", "'\tx"),
        ("\r=x", "'\r=x"),
        ("\n=x", "'\n=x"),
        ("＝1", "'＝1"),
        ("'=x", "''=x"),
        ("a=1", "a=1"),
    ],
)
def test_it_defuses_cells_that_a_spreadsheet_would_run(cell: str, expected: str) -> None:
    assert table.defuse(cell) == expected
    systems = [SystemRecord(cell or "s", "other")]
    record = ExampleRecord(cell or "k", (cell,), (ReferenceText(cell, cell),), {cell or "s": cell})
    rows = list(csv.reader("".join(table.write(systems, [record])).splitlines(keepends=True)))
    assert not [text for row in rows[1:] for text in row if text[:1] in tuple("=+-@\t\r\n＝")]
