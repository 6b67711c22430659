"""Where files come from: folders, zips whole and broken, and their lines."""

import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from scoring.io import CorpusError, ProblemList, open_corpus
from scoring.io import source as source_module
from scoring.io.errors import LONGEST, shown
from scoring.io.source import LineReader, Source
from scoring.io.units import open_units
from scoring.types import Problem

FILES = {"ids.txt": "a\nb", "references.txt": "A.\nB.", "summaries/lead.summary": "a\nb"}
TEXT = "A line that is long enough to be packed. " * 200


def write_zip(path: Path, files: dict[str, str], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def write_folder(path: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(text)
    return path


def under(top: str, files: dict[str, str] = FILES) -> dict[str, str]:
    return {f"{top}/{name}": text for name, text in files.items()}


@pytest.mark.parametrize("write", [write_zip, write_folder])
@pytest.mark.parametrize(
    "files",
    [
        FILES,
        under("study"),
        under("study/inner"),
        under("study") | {"__MACOSX/study/._ids.txt": "x", "study/.DS_Store": "x"},
        FILES | {"Thumbs.db": "x"},
    ],
)
def test_it_reads_the_same_whatever_the_wrapping(
    write: Callable[[Path, dict[str, str]], Path], files: dict[str, str], tmp_path: Path
) -> None:
    with Source(write(tmp_path / "study.zip", files)) as source:
        assert source.names == sorted(FILES)
        assert source.read("ids.txt") == b"a\nb"
        assert source.read("ids.txt", 1) == b"a"
        assert "summaries/lead.summary" in source


def test_it_reads_a_zip_that_lies_alone_in_a_folder(tmp_path: Path) -> None:
    write_zip(tmp_path / "study.ZIP", FILES)
    with Source(tmp_path) as source:
        assert source.names == sorted(FILES)


def test_it_reads_a_single_file(tmp_path: Path) -> None:
    write_folder(tmp_path, {"some.jsonl": "{}"})
    assert Source(tmp_path / "some.jsonl").names == ["some.jsonl"]


def read_all(path: Path, max_bytes: int | None = None) -> None:
    reader = open_corpus(path, max_bytes=max_bytes)
    with reader.source:
        list(reader.examples())
        reader.verify()


def refusal(path: Path, max_bytes: int | None = None) -> Problem:
    with pytest.raises(CorpusError) as caught:
        read_all(path, max_bytes)
    return caught.value.problem


def test_it_refuses_a_path_that_is_not_there(tmp_path: Path) -> None:
    problem = refusal(tmp_path / "nothing.jsonl")
    assert str(problem) == "nothing.jsonl: There is no such file or folder. Expected a path."


def test_it_refuses_what_only_calls_itself_a_zip(tmp_path: Path) -> None:
    (tmp_path / "study.zip").write_text("hello")
    problem = refusal(tmp_path / "study.zip")
    assert problem.file == "study.zip"
    assert problem.message == "This zip file is damaged or incomplete (File is not a zip file)."


@pytest.mark.parametrize("kept", [0.3, 0.6, 0.9])
def test_it_refuses_a_truncated_zip(kept: float, tmp_path: Path) -> None:
    whole = write_zip(tmp_path / "whole.zip", FILES | {"documents.txt": TEXT}).read_bytes()
    (tmp_path / "study.zip").write_bytes(whole[: int(len(whole) * kept)])
    assert refusal(tmp_path / "study.zip").message.startswith(
        "This zip file is damaged or incomplete ("
    )


@pytest.mark.parametrize("name", ["ids.txt", "SCUs.txt", "systems.csv", "labels/lead.label"])
def test_it_names_the_damaged_file_of_a_zip(name: str, tmp_path: Path) -> None:
    files = FILES | {"SCUs.txt": "A\nB"} | {name: TEXT}
    path = write_zip(tmp_path / "study.zip", files)
    with zipfile.ZipFile(path) as archive:
        info = archive.getinfo(name)
    data = bytearray(path.read_bytes())
    start = info.header_offset + 30 + len(info.filename)
    data[start : start + 20] = b"\xff" * 20
    path.write_bytes(data)
    problem = refusal(path)
    assert problem.file == name
    assert problem.message.startswith("The file can't be read (")
    assert problem.expected == "an undamaged file."


def test_it_refuses_an_encrypted_zip(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "study.zip", FILES)
    data = bytearray(path.read_bytes())
    at = data.index(b"PK\x01\x02")
    data[at + 8] |= 1
    path.write_bytes(data)
    problem = refusal(path)
    assert (problem.file, problem.message) == ("ids.txt", "This file is encrypted.")


def test_it_refuses_a_zip_that_holds_a_file_twice(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "study.zip", FILES)
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(path, "a") as archive:
        archive.writestr("ids.txt", "c\nd")
    problem = refusal(path)
    assert (problem.file, problem.message) == ("ids.txt", "The zip contains this file twice.")


def test_it_refuses_a_method_of_packing_that_it_does_not_know(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "study.zip", FILES)
    data = bytearray(path.read_bytes())
    at = data.index(b"PK\x01\x02")
    data[at + 10 : at + 12] = struct.pack("<H", 99)
    path.write_bytes(data)
    assert refusal(path).file == "ids.txt"


@pytest.mark.parametrize("name", [".", "./"])
def test_it_passes_over_a_member_without_a_name(name: str, tmp_path: Path) -> None:
    with Source(write_zip(tmp_path / "study.zip", FILES | {name: ""})) as source:
        assert source.names == sorted(FILES)


def test_it_takes_a_zip_up_to_the_limit_and_none_above(tmp_path: Path) -> None:
    files = FILES | {"documents.txt": "x\n" + "y" * 2**20}
    path = write_zip(tmp_path / "study.zip", files)
    size = sum(len(text) for text in files.values())
    assert path.stat().st_size < size / 100, "packed, it is small"
    assert len(list(open_corpus(path, max_bytes=size).examples())) == 2
    problem = refusal(path, max_bytes=size - 1)
    assert problem.message == "The zip is too large when unpacked."
    assert problem.expected == "at most 1 MB unpacked."


def test_it_unpacks_no_more_than_a_lying_header_says(tmp_path: Path) -> None:
    """The limit is held against the sizes stated, so nothing may be unpacked beyond them."""
    bomb = "x\n" + "y" * 2**22
    path = write_zip(tmp_path / "study.zip", FILES | {"documents.txt": bomb})
    data = path.read_bytes()
    stated = struct.pack("<I", len(bomb))
    assert data.count(stated) == 2
    path.write_bytes(data.replace(stated, struct.pack("<I", 10)))
    problem = refusal(path, max_bytes=1000)
    assert problem.file == "documents.txt"
    assert "Bad CRC-32" in problem.message


def test_it_says_why_a_file_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "references.txt").symlink_to(tmp_path / "gone")
    problem = refusal(tmp_path)
    assert problem.message == "The file can't be read (No such file or directory)."


def lines_of(data: bytes, tmp_path: Path) -> tuple[list[str], ProblemList]:
    (tmp_path / "some.txt").write_bytes(data)
    problems = ProblemList()
    reader = LineReader(Source(tmp_path / "some.txt"), "some.txt", problems)
    found = list(reader)
    reader.close()
    return found, problems


@pytest.mark.parametrize(
    "data, expected",
    [
        (b"", []),
        (b"a", ["a"]),
        (b"a\nb\n", ["a", "b"]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"\xef\xbb\xbfa\n\xef\xbb\xbfb", ["a", "\ufeffb"]),
        (b"a\rb\n", ["a\rb"]),
        ("a\u2028b\x85c\x0bd\x0ce\u2029f\n".encode(), ["a\u2028b\x85c\x0bd\x0ce\u2029f"]),
        ("\u00a0a\u00a0\n".encode(), ["\u00a0a\u00a0"]),
        (b"\n\n", ["", ""]),
    ],
)
def test_it_breaks_lines_at_newlines_alone(
    data: bytes, expected: list[str], tmp_path: Path
) -> None:
    found, problems = lines_of(data, tmp_path)
    assert found == expected
    assert problems.count == 0


@pytest.mark.parametrize(
    "data, line, message",
    [
        (b"fine\nab\xffc\n", 2, "Byte 0xff at column 3 is not UTF-8."),
        (b"\xef\xbb\xbf\x80", 1, "Byte 0x80 at column 1 is not UTF-8."),
        (b"caf\xe9\n", 1, "Byte 0xe9 at column 4 is not UTF-8."),
        (b"\xed\xa0\x80\n", 1, "Byte 0xed at column 1 is not UTF-8."),
    ],
)
def test_it_names_the_byte_that_is_not_utf8(
    data: bytes, line: int, message: str, tmp_path: Path
) -> None:
    _, problems = lines_of(data, tmp_path)
    [problem] = problems.first
    assert (problem.file, problem.line, problem.message) == ("some.txt", line, message)
    assert problem.expected.startswith("text in UTF-8.")


def test_it_keeps_fifty_problems_and_counts_all(tmp_path: Path) -> None:
    _, problems = lines_of(b"\xff\n" * 120, tmp_path)
    assert problems.count == 120
    assert [problem.line for problem in problems.first] == list(range(1, 51))


@pytest.mark.parametrize(
    "text, expected",
    [
        ("plain “text”", "plain “text”"),
        ("a\x00b\tc\nd", "a\\x00b\\tc\\nd"),
        ("half \ud800 a pair", "half \\ud800 a pair"),
        ("x" * 1000, "x" * (LONGEST - 1) + "…"),
    ],
)
def test_it_shows_any_text_safely(text: str, expected: str) -> None:
    assert shown(text) == expected


@pytest.mark.parametrize("write", [write_zip, write_folder])
def test_it_knows_how_large_a_file_is(
    write: Callable[[Path, dict[str, str]], Path], tmp_path: Path
) -> None:
    with Source(write(tmp_path / "study.zip", {"a.txt": TEXT, "b.txt": ""})) as source:
        assert [source.size(name) for name in source.names] == [len(TEXT), 0]


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_it_refuses_methods_that_take_memory_at_will(method: int, tmp_path: Path) -> None:
    path = write_zip(tmp_path / "units.zip", {"SCUs.txt": TEXT}, method)
    for open_it in (open_corpus, open_units):
        with pytest.raises(CorpusError) as error:
            open_it(path)
        assert error.value.problem.message == "This file uses an unsupported compression method."


@pytest.mark.parametrize("spare, is_taken", [(1, True), (0, False)])
def test_it_reads_lines_up_to_a_length(
    spare: int, is_taken: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The newline counts, too; a longer line is never held in memory as a whole."""
    line = "Rain fell on all.\n"
    monkeypatch.setattr(source_module, "LONGEST_LINE", len(line) + spare)
    (tmp_path / "SCUs.txt").write_text(f"Rain.\n{line}")
    reader = open_units(tmp_path / "SCUs.txt", ids=["a", "b"])
    if is_taken:
        assert [unit.text for unit in reader.units()] == ["Rain.", line.strip()]
        return
    with pytest.raises(CorpusError) as error:
        list(reader.units())
    assert error.value.problem.message == "Line 2 is too long."


def test_it_never_reads_a_list_of_files_that_is_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_zip(tmp_path / "study.zip", {f"{n}.txt": "x" for n in range(50)})
    monkeypatch.setattr(source_module, "LONGEST_LIST", 1000)
    problem = refusal(path)
    assert str(problem) == (
        "study.zip: The zip contains too many files. Expected at most 100,000 of them."
    )


def test_it_takes_a_large_file_that_packs_as_texts_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_module, "MOST_PACKED", 1000)
    with Source(write_zip(tmp_path / "study.zip", {"a.txt": TEXT})) as source:
        assert source.size("a.txt") > 1000
    dense = write_zip(tmp_path / "dense.zip", {"a.txt": "0\n" * 100_000})
    problem = refusal(dense)
    assert problem.message == "This file unpacks to more than 200 times its size."


def test_it_leaves_no_zip_open(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "study.zip", FILES)
    with Source(path) as source:
        opened = source._zip
        assert opened is not None
        file = opened.fp
    assert file is not None
    assert file.closed
