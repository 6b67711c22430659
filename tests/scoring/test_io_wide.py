"""Tables with an example a row: CSV, TSV and Excel, with roles that are guessed or given."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest
from openpyxl import Workbook

from scoring.io import CorpusError, ProblemList, open_corpus, sheets
from scoring.io.wide import guess_role
from scoring.types import ExampleRecord

HEADER = ["id", "document", "reference_A", "reference_B", "bart", "notes"]
ROWS = [
    ["a1", "The dam burst.", "A dam burst.", "The dam broke.", "Dam burst.", "x"],
    ["a2", "Nobody was hurt.", "All are safe.", "", "", "y"],
]


def write_excel(path: Path, rows: Sequence[Sequence[object]], *, hidden: bool = False) -> Path:
    book = Workbook()
    sheet = book.active
    if hidden:
        sheet.append(["not", "this"])
        sheet.sheet_state = "hidden"
        sheet = book.create_sheet("Texts")
    for row in rows:
        sheet.append(row)
    book.save(path)
    return path


def write_text(path: Path, delimiter: str = ",") -> Path:
    path.write_text("\n".join(delimiter.join(row) for row in [HEADER, *ROWS]) + "\n")
    return path


def read(path: Path, **roles: str) -> tuple[list[ExampleRecord], list[str]]:
    problems = ProblemList()
    reader = open_corpus(path, problems=problems, columns=roles)
    with reader.source:
        records = list(reader.examples())
        reader.verify()
    return records, [problem.message for problem in problems.first]


@pytest.mark.parametrize("kind", ["csv", "tsv", "semicolons.csv", "xlsx", "hidden.xlsx"])
def test_it_reads_the_same_from_every_kind_of_table(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"table.{kind}"
    if kind.endswith("xlsx"):
        write_excel(path, [HEADER, *ROWS], hidden="hidden" in kind)
    else:
        write_text(path, {"tsv": "\t", "semicolons.csv": ";"}.get(kind, ","))
    records, problems = read(path, notes="ignore")
    assert problems == []
    first, second = records
    assert (first.key, first.documents) == ("a1", ("The dam burst.",))
    assert [(one.name, one.text) for one in first.references] == [
        ("reference_A", "A dam burst."),
        ("reference_B", "The dam broke."),
    ]
    assert first.summaries == {"bart": "Dam burst."}
    assert ([one.text for one in second.references], second.summaries) == (["All are safe."], {})


@pytest.mark.parametrize(
    "column, role",
    [
        ("id", "id"),
        ("Example ID", "id"),
        ("doc_id", "id"),
        ("article", "document"),
        ("Source 2", "document"),
        ("reference", "reference"),
        ("ref_b", "reference"),
        ("highlights", "reference"),
        ("bart", "summary"),
        ("humanoid-7b-instruct", "summary"),
        (" ", "ignore"),
    ],
)
def test_it_guesses_what_a_column_holds(column: str, role: str) -> None:
    assert guess_role(column) == role


def test_roles_that_are_given_come_first(tmp_path: Path) -> None:
    records, problems = read(
        write_text(tmp_path / "t.csv"), id="ignore", bart="document", notes="reference"
    )
    assert problems == []
    assert [record.key for record in records] == ["1", "2"], "without ids, rows are numbered"
    assert records[0].documents == ("The dam burst.", "Dam burst.")
    assert [one.text for one in records[0].references][-1] == "x"


def test_cells_of_a_workbook_are_text(tmp_path: Path) -> None:
    rows: list[list[object]] = [
        ["id", "document", "bart"],
        [7, "Text.", 1.5],
        [8.0, True, date(2026, 1, 2)],
        [None, None, None],
        [9, "=1+1", "Sum."],
    ]
    records, problems = read(write_excel(tmp_path / "t.xlsx", rows))
    assert problems == []
    assert [(one.key, one.documents, one.summaries) for one in records] == [
        ("7", ("Text.",), {"bart": "1.5"}),
        ("8", ("TRUE",), {"bart": "2026-01-02T00:00:00"}),
        ("9", (), {"bart": "Sum."}),
    ], "a formula that was never computed has no result, and is not run"


@pytest.mark.parametrize(
    "text, message",
    [
        ("id,document,document\na,b,c\n", "The columns are id, document, document."),
        ("id,doc_id,document\na,b,c\n", "Two columns contain ids."),
        ("id,document\na,b,c\n", "The row has more cells than the header."),
        ("id,document\na,b\na,c\n", "Example 'a' occurs twice"),
        ('id,document\na,"b\n', "The row is not CSV"),
        ("id,document\n,b\n", "The example id is empty."),
    ],
)
def test_it_names_problems(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text)
    _, problems = read(path)
    assert problems[0].startswith(message)


def test_it_names_a_column_that_is_not_there(tmp_path: Path) -> None:
    _, problems = read(write_text(tmp_path / "t.csv"), bert="summary")
    assert problems == ["There is no column 'bert'."]


def test_it_goes_on_from_a_row(tmp_path: Path) -> None:
    reader = open_corpus(write_text(tmp_path / "t.csv"))
    with reader.source:
        assert [record.key for record in reader.examples(1)] == ["a2"]


def test_a_workbook_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_excel(tmp_path / "t.xlsx", [HEADER, *ROWS])
    for name, most in (("MOST_ROWS", 2), ("MOST_COLUMNS", 3), ("MOST_UNPACKED", 100)):
        with monkeypatch.context() as patched:
            patched.setattr(sheets, name, most)
            with pytest.raises(CorpusError, match="too large"):
                list(open_corpus(path, format="wide").examples())


def test_a_workbook_that_unpacks_to_much_more_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/sharedStrings.xml", b"0" * (40 * 2**20))
    with pytest.raises(CorpusError, match="unpacks to more than"):
        list(open_corpus(path).examples())


@pytest.mark.parametrize("data", [b"", b"PK", b"no zip at all"])
def test_what_is_no_workbook_is_refused(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    path.write_bytes(data)
    with pytest.raises(CorpusError, match="damaged or incomplete"):
        list(open_corpus(path).examples())


def test_a_zip_that_holds_no_workbook_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("a.txt", "x")
    with pytest.raises(CorpusError, match="damaged or incomplete"):
        list(open_corpus(path).examples())


def test_an_old_workbook_is_named(tmp_path: Path) -> None:
    path = tmp_path / "t.xls"
    path.write_bytes(b"\xd0\xcf\x11\xe0")
    problems = ProblemList()
    open_corpus(path, format="wide", problems=problems)
    assert "save the workbook" in problems.first[0].expected


@pytest.mark.parametrize(
    "encoding, name", [("utf-16", "UTF-16"), ("utf-16-le", "UTF-16"), ("utf-32", "UTF-32")]
)
@pytest.mark.parametrize("file", ["t.csv", "t.jsonl", "references.txt"])
def test_wide_encodings_are_recognised_by_name(
    encoding: str, name: str, file: str, tmp_path: Path
) -> None:
    path = tmp_path / file
    path.write_bytes("id,document\na1,The dam burst.\n".encode(encoding))
    with pytest.raises(CorpusError, match=f"encoded in {name}"):
        list(open_corpus(path).examples())


@pytest.mark.parametrize(
    "encoding, text, name", [("latin-1", "café", "Latin-1"), ("cp1252", "‘dam’", "Windows-1252")]
)
def test_narrow_encodings_are_recognised_by_name(
    encoding: str, text: str, name: str, tmp_path: Path
) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(f"id,document\na1,{text}\n".encode(encoding))
    problems = ProblemList()
    list(open_corpus(path, problems=problems).examples())
    assert name in problems.first[0].expected
