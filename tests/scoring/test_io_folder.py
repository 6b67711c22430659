"""Line files side by side: what is read, what is said of files that do not go together."""

from pathlib import Path

import pytest

from scoring.io import ProblemList, open_corpus
from scoring.types import ExampleRecord, Problem, ReferenceText, SystemRecord

Files = dict[str, str | bytes]
FILES: Files = {
    "ids.txt": "a\nb\nc",
    "documents.txt": "D1\nD2\nD3",
    "references.txt": "R1\nR2\nR3",
    "summaries/lead.summary": "L1\nL2\nL3",
    "summaries/soup.summary": "S1\nS2\nS3",
}


def write(folder: Path, files: Files) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode() if isinstance(text, str) else text)
    return folder


def read(folder: Path, files: Files) -> tuple[list[ExampleRecord], list[Problem]]:
    problems = ProblemList()
    reader = open_corpus(write(folder, files), problems=problems)
    assert reader.format == "folder"
    records = list(reader.examples())
    reader.verify()
    return records, problems.first


def test_it_reads_line_i_of_every_file_as_example_i(tmp_path: Path) -> None:
    records, problems = read(tmp_path, FILES)
    assert problems == []
    assert records[1] == ExampleRecord(
        key="b",
        documents=("D2",),
        references=(ReferenceText("R2"),),
        summaries={"lead": "L2", "soup": "S2"},
        file="ids.txt",
        line=2,
    )
    assert [record.key for record in records] == ["a", "b", "c"]


def test_it_goes_on_where_it_is_told(tmp_path: Path) -> None:
    reader = open_corpus(write(tmp_path, FILES))
    assert [(record.key, record.line) for record in reader.examples(2)] == [("c", 3)]
    assert reader.problems.count == 0


@pytest.mark.parametrize(
    "changes, expected",
    [
        ({"ids.txt": "a\nb\nc\n"}, "L3"),
        ({name: f"{text!s}\n" for name, text in FILES.items()}, "L3"),
        ({"summaries/lead.summary": "L1\nL2\n"}, ""),
        ({"summaries/lead.summary": "L1\nL2\n\n"}, ""),
        ({"summaries/lead.summary": "L1\r\nL2\r\nL3\r\n"}, "L3"),
        ({"summaries/lead.summary": b"\xef\xbb\xbfL1\nL2\nL3"}, "L3"),
        ({"summaries/lead.summary": "L1\nL2\n\u00a0L3 "}, "\u00a0L3 "),
        ({"summaries/lead.summary": "L1\nL2\na\u2028b\x85c\rd"}, "a\u2028b\x85c\rd"),
        ({"summaries/lead.summary": "\n\n\n"}, ""),
        ({"summaries/lead.summary": "L1\nL2\nشكرا לכולם"}, "شكرا לכולם"),
        ({"summaries/lead.summary": "L1\nL2\n" + "x" * 2**20}, "x" * 2**20),
    ],
)
def test_it_takes_lines_as_they_come(changes: Files, expected: str, tmp_path: Path) -> None:
    records, problems = read(tmp_path, FILES | changes)
    assert problems == []
    assert [record.summaries["lead"] for record in records][2] == expected
    assert len(records) == 3


@pytest.mark.parametrize("name", [name for name in FILES if name != "ids.txt"])
@pytest.mark.parametrize(
    "text, line, have",
    [("x\ny", 3, 2), ("x", 2, 1), ("1\n2\n3\n4", 4, 4), ("1\n2\n3\n4\n5\n", 4, 5)],
)
def test_it_says_which_file_has_too_few_or_too_many_lines(
    name: str, text: str, line: int, have: int, tmp_path: Path
) -> None:
    _, problems = read(tmp_path, FILES | {name: text})
    expected = Problem(name, line, f"The file has {have} lines.", "3 lines, as many as ids.txt.")
    assert problems == [expected]


def test_it_tells_of_every_file_that_differs(tmp_path: Path) -> None:
    changes: Files = {"documents.txt": "", "summaries/soup.summary": "1\n2\n3\n4"}
    _, problems = read(tmp_path, FILES | changes)
    assert [(problem.file, problem.line) for problem in problems] == [
        ("documents.txt", 1),
        ("summaries/soup.summary", 4),
    ]


@pytest.mark.parametrize(
    "changes, expected",
    [
        (
            {"ids.txt": "a\n\nc"},
            "ids.txt, line 2: The example id is empty. Expected a name of 1 to 200 characters.",
        ),
        (
            {"ids.txt": "a\nb\na"},
            (
                "ids.txt, line 3: Example 'a' occurs twice; "
                "first in ids.txt, line 1. Expected each example id once."
            ),
        ),
        (
            {"ids.txt": "a\nb\n" + "c" * 201},
            (
                "ids.txt, line 3: The example id has 201 characters. "
                "Expected a name of 1 to 200 characters."
            ),
        ),
        (
            {"ids.txt": "a\nb\tc\nd"},
            (
                "ids.txt, line 2: The example id 'b\\tc' has control characters. "
                "Expected a name of 1 to 200 characters."
            ),
        ),
        (
            {"references.txt": b"R1\nR2\nR\x813"},
            "references.txt, line 3: Byte 0x81 at column 2 is not UTF-8. Expected text in UTF-8.",
        ),
        (
            {"documents.txt": "D1\nD\x002\nD3"},
            (
                "ids.txt, line 2: In example 'b', document 1 contains the character U+0000 "
                "at position 2. Expected text without NUL or unpaired surrogates."
            ),
        ),
        (
            {"systems.csv": "system,type\nlead,robot\n"},
            (
                "systems.csv, line 2: System 'lead' has the kind 'robot'. "
                "Expected one of extractive, abstractive, human or other."
            ),
        ),
        (
            {"systems.csv": "system,type\nlead,human\nlead,other\n"},
            "systems.csv, line 3: System 'lead' has the kind 'other'. Expected human, as before.",
        ),
        (
            {"systems.csv": "name,type\n"},
            "systems.csv, line 1: The columns are name, type. Expected 'system' and 'type'.",
        ),
        (
            {"systems.csv": 'system,type\nlead,"human\n'},
            "systems.csv, line 2: The row is not CSV: unexpected end of data. Expected quoted CSV.",
        ),
        (
            {"systems.csv": b"system,type\nlead\x81,human\n"},
            "systems.csv, line 2: Byte 0x81 at column 5 is not UTF-8. Expected text in UTF-8.",
        ),
        (
            {"summaries/lead.txt": "1\n2\n3"},
            (
                "summaries/lead.txt: 'summaries/lead.summary' is also a file of 'lead'. "
                "Expected one file per system."
            ),
        ),
        (
            {"SCUs.txt": "A\nB"},
            "SCUs.txt, line 3: The file has 2 lines. Expected 3 lines, as many as ids.txt.",
        ),
        (
            {"SCUs.txt": "A\tB\nC\nD", "labels/lead.label": "1\n1\n0"},
            (
                "labels/lead.label, line 1: The line has 1 labels. Expected 2 "
                "labels of 0 or 1, empty where there is none."
            ),
        ),
        (
            {"SCUs.txt": "A\tB\nC\nD", "labels/lead.label": "1\t0\n1\n2"},
            (
                "labels/lead.label, line 3: The line has 1 labels. Expected 1 "
                "labels of 0 or 1, empty where there is none."
            ),
        ),
        (
            {"SCUs.txt": "A\nC\nD", "labels/lead.label": "1\n1"},
            "labels/lead.label: The file has 2 lines. Expected 3, as SCUs.txt.",
        ),
    ],
)
def test_it_says_what_is_wrong_where(changes: Files, expected: str, tmp_path: Path) -> None:
    _, problems = read(tmp_path, FILES | changes)
    assert [str(problem) for problem in problems] == [expected]


def test_it_refuses_an_example_without_any_text(tmp_path: Path) -> None:
    _, problems = read(tmp_path, {"ids.txt": "a\nb", "references.txt": "R1\n"})
    assert [str(problem) for problem in problems] == [
        (
            "ids.txt, line 2: Example 'b' has no document, no reference and no summary. "
            "Expected at least one text."
        )
    ]


def test_it_takes_an_empty_line_for_no_document_and_no_reference(tmp_path: Path) -> None:
    changes: Files = {"documents.txt": "D1\n\nD3", "references.txt": "R1\nR2\n"}
    records, problems = read(tmp_path, FILES | changes)
    assert problems == []
    assert records[1].documents == ()
    assert records[2].references == ()


def test_it_names_examples_by_line_where_there_are_no_ids(tmp_path: Path) -> None:
    files = {name: text for name, text in FILES.items() if name != "ids.txt"}
    reader = open_corpus(write(tmp_path, files))
    assert [record.key for record in reader.examples()] == [f"example-0000{n}" for n in (1, 2, 3)]
    reader.verify()
    assert reader.notes == ["There is no ids.txt: examples are numbered by line."]


@pytest.mark.parametrize(
    "name, system",
    [
        ("summaries/Lead.summary", "Lead"),
        ("new/deep/x y.summary", "x y"),
        ("summaries/bart.v2.summary", "bart.v2"),
        ("summaries/t5.txt", "t5"),
        ("ß-日本.summary", "ß-日本"),
    ],
)
def test_it_names_systems_by_their_files(name: str, system: str, tmp_path: Path) -> None:
    reader = open_corpus(write(tmp_path, FILES | {name: "1\n2\n3"}))
    assert [found.name for found in reader.systems()].count(system) == 1
    assert len(reader.systems()) == 3, "names that differ only in case are two"


def test_it_takes_kinds_from_the_list_of_systems(tmp_path: Path) -> None:
    listed = "system,type,more\nlead,extractive,x\nunheard,human,y\n"
    reader = open_corpus(write(tmp_path, FILES | {"systems.csv": listed}))
    assert reader.systems() == [SystemRecord("lead", "extractive"), SystemRecord("soup")]
    reader.verify()
    assert reader.notes == ["Systems in systems.csv without a file of summaries: unheard."]


def test_it_keeps_units_labels_and_folds_and_says_what_it_leaves(tmp_path: Path) -> None:
    more: Files = {
        "SCUs.txt": "A\nB\nC",
        "STUs.txt": "A\nB\nC",
        "STUs_SCUs_percentage50.txt": "A\nB\nC",
        "labels/lead.label": "1\n0\n1",
        "by_examples/fold1.id": "0\n",
        "by_systems/fold1.sys": "lead\n",
        "metric_scores.csv": "x\n",
        "raw/batch.csv": "x\n",
    }
    reader = open_corpus(write(tmp_path, FILES | more))
    reader.verify()
    assert reader.problems.count == 0
    assert reader.kept == [name for name in sorted(more) if not name.endswith(".csv")]
    assert reader.notes == [
        "Ignored, because a corpus doesn't use these files: metric_scores.csv, raw."
    ]


@pytest.mark.parametrize(
    "folder, examples, systems",
    [("realsumm_dir", 100, 25), ("pyrxsum_dir", 100, 10)],
)
def test_it_reads_the_published_corpora(
    folder: str, examples: int, systems: int, realsumm_dir: Path, pyrxsum_dir: Path
) -> None:
    path = {"realsumm_dir": realsumm_dir, "pyrxsum_dir": pyrxsum_dir}[folder]
    reader = open_corpus(path)
    records = list(reader.examples())
    reader.verify()
    assert reader.problems.first == []
    assert (len(records), len(reader.systems())) == (examples, systems)
    assert all(len(record.summaries) == systems for record in records)
