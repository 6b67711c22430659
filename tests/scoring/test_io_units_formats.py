"""Opening units: the format is detected, and what is not known is said."""

import zipfile
from pathlib import Path

import pytest

from scoring.io import CorpusError, ProblemList
from scoring.io.units import UNIT_FORMATS, open_units


@pytest.mark.parametrize(
    "name, data, expected",
    [
        ("SCUs.txt", "a", "lines"),
        ("u.jsonl", '{"id": "a", "units": []}', "jsonl"),
        ("u.csv", "example_id,text\n", "csv"),
        ("u.csv", "example_id,safe_text,weight\n", "csv"),
        ("u.csv", "eventId,questionId,questionText\n", "scu_list"),
        ("D1.pyr", "<pyramid/>", "pyramid"),
        ("D1.PAN", "<peerAnnotation/>", "pyramid"),
    ],
)
def test_it_detects_the_format(name: str, data: str, expected: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(data)
    assert open_units(tmp_path / name, ids=["a"]).format == expected
    assert expected in UNIT_FORMATS


@pytest.mark.parametrize(
    "name, data",
    [
        ("notes.txt", "a"),
        ("corpus.csv", "example_id,part,name,text\n"),
        ("corpus.jsonl", '{"id": "a", "documents": []}'),
        ("broken.jsonl", "{"),
    ],
)
def test_it_does_not_take_a_corpus_for_units(name: str, data: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(data)
    with pytest.raises(CorpusError, match="The format is not recognised"):
        open_units(tmp_path / name)


def test_it_lists_the_known_formats(tmp_path: Path) -> None:
    (tmp_path / "SCUs.txt").write_text("a")
    with pytest.raises(CorpusError, match="one of pyramid, jsonl, scu_list, csv, lines"):
        open_units(tmp_path, format="xml")


def test_it_reads_from_a_zip(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "u.zip", "w") as archive:
        archive.writestr("study/SCUs.txt", "Rain fell.")
    units = list(open_units(tmp_path / "u.zip", ids=["a"]).units())
    assert [unit.text for unit in units] == ["Rain fell."]
    with pytest.raises(CorpusError, match="too large when unpacked"):
        open_units(tmp_path / "u.zip", ids=["a"], max_bytes=3)


def test_it_collects_problems_where_it_is_told(tmp_path: Path) -> None:
    (tmp_path / "SCUs.txt").write_text("a\nb")
    problems = ProblemList()
    reader = open_units(tmp_path, ids=["a"], problems=problems)
    list(reader.units())
    assert reader.problems is problems
    assert problems.count == 1
