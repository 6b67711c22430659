"""Gold datasets as line files: the layout of REALSumm and PyrXSum, byte for byte."""

import io
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from scoring.io import CorpusError, ProblemList, open_corpus
from scoring.io.gold import GoldExample, GoldSystem, why_not, write_gold
from scoring.types import ReferenceText, UnitRecord
from tests.scoring.gold_records import EXAMPLES, SYSTEMS, Gold, counted, joined, published_gold
from tests.scoring.gold_records import small_gold as small


def unpacked(gold: Gold) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(joined(write_gold("lines", *gold)))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def with_first(**changes: object) -> Gold:
    facts, systems, (first, second) = small()
    return counted((facts, systems, [replace(first, **changes), second]))  # type: ignore[arg-type]


def check_written_back(folder: Path, systems: int) -> None:
    files = unpacked(published_gold(folder))
    texts = ["ids.txt", "documents.txt", "references.txt", "SCUs.txt"]
    judged = [path for path in files if path.startswith(("labels/", "summaries/"))]
    assert len(judged) == 2 * systems
    for path in texts + judged:
        assert files[path] == (folder / path).read_bytes(), path
    assert set(files) == {*texts, *judged, "systems.csv", "README.md"}


def test_it_writes_pyrxsum_back(pyrxsum_dir: Path) -> None:
    check_written_back(pyrxsum_dir, 10)


def test_it_writes_realsumm_back(realsumm_dir: Path) -> None:
    check_written_back(realsumm_dir, 25)


def test_it_writes_what_a_corpus_is_imported_from(tmp_path: Path) -> None:
    (tmp_path / "x.zip").write_bytes(joined(write_gold("lines", *small())))
    problems = ProblemList()
    reader = open_corpus(tmp_path / "x.zip", problems=problems)
    records = list(reader.examples())
    reader.verify()
    assert problems.first == []
    assert reader.format == "folder"
    assert [(record.key, dict(record.summaries)) for record in records] == [
        (example.key, dict(example.summaries)) for example in EXAMPLES
    ]
    assert {system.name: system.kind for system in reader.systems()} == {
        "lead_3": "extractive",
        "bart": "abstractive",
    }
    assert reader.notes == ["Ignored, because a corpus doesn't use these files: README.md."]


def test_it_leaves_an_open_label_empty(tmp_path: Path) -> None:
    gold = with_first(labels={"lead_3": (None, 1)}, posteriors={})
    files = unpacked(gold)
    assert files["labels/lead_3.label"] == b"\t1\n1"
    assert files["labels/bart.label"] == b"\t\n0"
    (tmp_path / "x.zip").write_bytes(joined(write_gold("lines", *gold)))
    reader = open_corpus(tmp_path / "x.zip")
    reader.verify()
    assert reader.problems.first == []


def test_it_keeps_stus_and_their_labels_apart() -> None:
    units = (UnitRecord("a1", "Dam burst.", "stu"), UnitRecord("a1", "The dam burst."))
    files = unpacked(with_first(units=units, labels={"lead_3": (0, 1), "bart": (1, 1)}))
    assert files["STUs.txt"] == b"Dam burst.\n"
    assert files["SCUs.txt"] == b"The dam burst.\nRain fell."
    assert files["labels/lead_3.label"] == b"1\n1"
    assert files["STU_labels/lead_3.label"] == b"0\n"


def test_it_has_no_scu_files_for_a_set_of_stus() -> None:
    facts, systems, examples = small()
    units = [tuple(replace(unit, kind="stu") for unit in item.units) for item in examples]
    changed = [replace(item, units=made) for item, made in zip(examples, units, strict=True)]
    files = unpacked((facts, systems, changed))
    assert {"STUs.txt", "STU_labels/bart.label"} <= set(files)
    assert not any(name == "SCUs.txt" or name.startswith("labels/") for name in files)


def test_it_keeps_a_byte_order_mark_that_a_text_begins_with(tmp_path: Path) -> None:
    gold = with_first(documents=("\ufeffThe dam.",))
    (tmp_path / "x.zip").write_bytes(joined(write_gold("lines", *gold)))
    first = next(iter(open_corpus(tmp_path / "x.zip").examples()))
    assert first.documents == ("\ufeffThe dam.",)


@pytest.mark.parametrize(
    "changes, reason",
    [
        (
            {"documents": ("a", "b")},
            "one document and one reference per example, but example 'a1' has more.",
        ),
        ({"references": (ReferenceText("a"),) * 2}, "one document and one reference"),
        (
            {"documents": ("a\nb",)},
            "Line files can't contain line breaks, but a text of example 'a1'",
        ),
        ({"summaries": {"bart": "a\r", "lead_3": ""}}, "Line files can't contain line breaks"),
        (
            {"summaries": {"bart": "a"}, "labels": {}, "posteriors": {}, "answers": ()},
            "system 'lead_3' has no summary of example 'a1'.",
        ),
    ],
)
def test_it_says_why_a_dataset_does_not_fit(changes: dict[str, object], reason: str) -> None:
    gold = with_first(**changes)
    told = why_not("lines", gold[1], gold[2])
    assert told is not None
    assert reason in told
    with pytest.raises(CorpusError, match=reason):
        next(write_gold("lines", *gold))


@pytest.mark.parametrize("name", ["a/b", "..\\b"])
def test_it_writes_no_file_outside_its_folder(name: str) -> None:
    systems = [GoldSystem(name)]
    told = why_not("lines", systems, [GoldExample("a", summaries={name: "x"})])
    assert told == f"The name of system '{name}' can't be used as a file name."


def test_it_knows_what_fits() -> None:
    assert why_not("lines", SYSTEMS, EXAMPLES) is None
    assert why_not("jsonl", SYSTEMS, [replace(EXAMPLES[0], documents=("a\nb", "c"))]) is None


def test_it_lists_the_formats_to_whoever_names_another() -> None:
    with pytest.raises(ValueError, match="There is no format 'xml'. Use one of gold, lines, jsonl"):
        write_gold("xml", *small())
