"""Line files of units, checked against the published ones byte for byte."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.io.units import open_units, write_lines
from scoring.types import Problem, UnitRecord
from tests.scoring.unit_records import IDS, TEXTS, read


def test_it_reads_units_by_line(tmp_path: Path) -> None:
    (tmp_path / "SCUs.txt").write_text("Rain fell.\tIt was wet.\n\nSnow fell.")
    reader = open_units(tmp_path / "SCUs.txt", ids=["a", "b", "c"])
    units = list(reader.units())
    assert reader.format == "lines"
    assert units == [
        UnitRecord("a", "Rain fell."),
        UnitRecord("a", "It was wet."),
        UnitRecord("c", "Snow fell."),
    ]
    assert [(unit.file, unit.line) for unit in units] == [("SCUs.txt", 1)] * 2 + [("SCUs.txt", 3)]


@pytest.mark.parametrize(
    "name, data, ids, expected",
    [
        ("STUs.txt", "a\n", ["1"], [("1", "a", "stu")]),
        ("my_scus_v2.txt", "a\r\nb", ["1", "2"], [("1", "a", "scu"), ("2", "b", "scu")]),
        ("SCUs.txt", "a\n", ["1", "2"], [("1", "a", "scu")]),
        ("SCUs.txt", "", ["1"], []),
        ("SCUs.txt", "", [], []),
        ("SCUs.txt", "\ufeffa", ["1"], [("1", "a", "scu")]),
        ("SCUs.txt", " a \u00a0", ["1"], [("1", " a \u00a0", "scu")]),
    ],
)
def test_it_takes_what_is_odd_but_right(
    name: str, data: str, ids: list[str], expected: list[tuple[str, str, str]], tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(data.encode())
    units, problems = read(tmp_path / name, ids=ids)
    assert [(unit.key, unit.text, unit.kind) for unit in units] == expected
    assert problems == []


@pytest.mark.parametrize(
    "data, problem",
    [
        (
            "a\nb\n",
            Problem("SCUs.txt", 2, "The file has 2 lines.", "1 lines, one for each example."),
        ),
        ("a\t\tb", Problem("SCUs.txt", 1, "In example 'x', a unit is empty.", "a sentence.")),
        (
            "a\x1fb",
            Problem(
                "SCUs.txt",
                1,
                "In example 'x', the unit 'a\\x1fb' contains U+001F.",
                "text without control characters.",
            ),
        ),
        (
            "a" * 2001,
            Problem(
                "SCUs.txt", 1, "In example 'x', a unit has 2,001 characters.", "at most 2,000."
            ),
        ),
    ],
)
def test_it_says_what_is_wrong_where(data: str, problem: Problem, tmp_path: Path) -> None:
    (tmp_path / "SCUs.txt").write_text(data)
    assert read(tmp_path / "SCUs.txt", ids=["x"])[1] == [problem]


def test_it_names_a_file_that_is_too_short(tmp_path: Path) -> None:
    (tmp_path / "SCUs.txt").write_text("a")
    (problem,) = read(tmp_path / "SCUs.txt", ids=["x", "y", "z"])[1]
    assert (problem.line, problem.expected) == (2, "3 lines, one for each example.")


def test_it_asks_for_the_kind_of_mixed_units(tmp_path: Path) -> None:
    path = tmp_path / "STUs_SCUs_percentage50.txt"
    path.write_text("a")
    units, (problem,) = read(path, ids=["x"])
    assert units == []
    assert problem.expected == "a kind: scu or stu."
    assert read(path, ids=["x"], kind="stu")[0] == [UnitRecord("x", "a", "stu")]


def test_it_reads_one_file_at_a_time(tmp_path: Path) -> None:
    (tmp_path / "SCUs.txt").write_text("a")
    (tmp_path / "STUs.txt").write_text("b")
    units, (problem,) = read(tmp_path, ids=["x"])
    assert units == []
    assert problem.message == "There are several files of units: SCUs.txt, STUs.txt."


@pytest.mark.parametrize(
    "units, message",
    [
        ([UnitRecord("z", "a")], "example 'z' is not among the 2 ids"),
        ([UnitRecord("a", "tab\tbed")], "a unit of example 'a' is empty or contains a tab"),
        (
            [UnitRecord("a", "1"), UnitRecord("b", "2"), UnitRecord("a", "3")],
            "the units of example 'a' are not next to each other",
        ),
    ],
)
def test_it_refuses_to_write_what_would_not_come_back(
    units: list[UnitRecord], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        list(write_lines(units, ["a", "b"]))


@given(IDS, st.lists(st.lists(TEXTS, max_size=3), max_size=4))
def test_it_reads_back_what_it_wrote(ids: list[str], texts: list[list[str]]) -> None:
    units = [
        UnitRecord(key, text) for key, group in zip(ids, texts, strict=False) for text in group
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "SCUs.txt"
        path.write_bytes("".join(write_lines(units, ids)).encode())
        assert read(path, ids=ids) == (units, [])


def check_bytes(folder: Path, name: str, count: int) -> None:
    ids = (folder / "ids.txt").read_text("utf-8").split("\n")
    units, problems = read(folder / name, ids=ids)
    assert (len(units), problems) == (count, [])
    assert "".join(write_lines(units, ids)).encode() == (folder / name).read_bytes()


@pytest.mark.parametrize("name, count", [("SCUs.txt", 1056), ("STUs.txt", 976)])
def test_it_rewrites_realsumm_byte_for_byte(name: str, count: int, realsumm_dir: Path) -> None:
    check_bytes(realsumm_dir, name, count)


@pytest.mark.parametrize("name, count", [("SCUs.txt", 478), ("STUs.txt", 281)])
def test_it_rewrites_pyrxsum_byte_for_byte(name: str, count: int, pyrxsum_dir: Path) -> None:
    check_bytes(pyrxsum_dir, name, count)
