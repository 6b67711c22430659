"""What looks wrong about a corpus is said before it is written: shifted lines, twins, gaps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from annotation.corpora.corpus.models import Example
from annotation.corpora.imports.checking import Doubts
from annotation.corpora.imports.models import ImportState
from annotation.corpora.projects.models import Project
from scoring.io import open_corpus
from scoring.types import ExampleRecord, ReferenceText
from tests.factories import check, example, import_corpus, write_jsonl

TOPICS = (
    "mayor bridge council flood",
    "striker penalty stadium goal",
    "comet telescope orbit crater",
    "recipe butter oven pastry",
    "violin concerto orchestra baton",
    "tractor harvest barley field",
)


def text(place: int, words: str = "The {} {} met the {} {}.") -> str:
    return words.format(*TOPICS[place % len(TOPICS)].split())


def record(place: int, summary: int, reference: int | None = None) -> dict[str, Any]:
    return example(
        f"e{place}",
        documents=[text(place)],
        references=[text(place if reference is None else reference)],
        summaries={"bart": text(summary, "A {} and {} saw {} {}."), "lead": text(place)},
    )


def warnings(project: Project, folder: Path, *rows: Mapping[str, Any]) -> list[str]:
    import_ = check(project, write_jsonl(folder / "c.jsonl", rows))
    assert import_.state == ImportState.READY, "it can be imported all the same"
    assert not Example.objects.exists(), "before anything is written"
    return list(import_.plan["warnings"])


def test_it_says_nothing_where_all_is_well(project: Project, tmp_path: Path) -> None:
    assert warnings(project, tmp_path, *(record(n, n) for n in range(6))) == []


@pytest.mark.parametrize("by", [1, -1, 3])
def test_it_says_that_summaries_are_shifted(by: int, project: Project, tmp_path: Path) -> None:
    [found] = warnings(project, tmp_path, *(record(n, n + by) for n in range(6)))
    assert "“bart”" in found
    assert "e2" in found


def test_it_says_that_references_are_shifted(project: Project, tmp_path: Path) -> None:
    found = warnings(project, tmp_path, *(record(n, n, n + 1) for n in range(6)))
    assert any("references share no more words" in one for one in found)


def test_summaries_sent_later_are_compared_with_what_is_there(
    project: Project, tmp_path: Path
) -> None:
    import_corpus(project, write_jsonl(tmp_path / "a.jsonl", [record(n, n) for n in range(6)]))
    later = [{"id": f"e{n}", "summaries": {"t5": text(n + 1)}} for n in range(6)]
    import_ = check(project, write_jsonl(tmp_path / "b.jsonl", later))
    [found] = import_.plan["warnings"]
    assert "“t5”" in found


def test_it_names_identical_systems(project: Project, tmp_path: Path) -> None:
    rows = [record(n, n) for n in range(3)]
    for row in rows:
        row["summaries"]["copy"] = row["summaries"]["bart"]
    [found] = warnings(project, tmp_path, *rows)
    assert "“bart”, “copy”" in found


def test_it_names_empty_texts(project: Project, tmp_path: Path) -> None:
    rows = [record(n, n) for n in range(3)]
    rows[0]["documents"] = [" "]
    rows[1]["references"] = [""]
    rows[2]["summaries"]["bart"] = ""
    found = warnings(project, tmp_path, *rows)
    assert [one.split(",")[0] for one in found] == [
        "1 empty document",
        "1 empty reference",
        "1 empty summary",
    ]
    assert ["e0" in found[0], "e1" in found[1], "e2 by bart" in found[2]] == [True] * 3


def test_other_scripts_are_no_reason_for_doubt() -> None:
    doubts = Doubts()
    for place, words in enumerate(("大坝星期一决堤了。", "没有人受伤。", "市长下令疏散。")):
        doubts.add(ExampleRecord(f"e{place}", (words,), (ReferenceText(words),), {"a": words}), ())
    assert doubts.list() == []


def shifted(records: list[ExampleRecord], by: int) -> list[ExampleRecord]:
    """Each example with the summaries of another."""
    return [
        ExampleRecord(
            one.key, one.documents, one.references, records[(n + by) % len(records)].summaries
        )
        for n, one in enumerate(records)
    ]


def read(folder: Path) -> list[ExampleRecord]:
    reader = open_corpus(folder)
    with reader.source:
        return list(reader.examples())


def doubts_of(records: list[ExampleRecord]) -> list[str]:
    doubts = Doubts()
    for one in records:
        doubts.add(one, ())
    return doubts.list()


def without_documents(one: ExampleRecord) -> ExampleRecord:
    return ExampleRecord(one.key, (), one.references, one.summaries)


def as_it_is(one: ExampleRecord) -> ExampleRecord:
    return one


@pytest.mark.parametrize("change", [as_it_is, without_documents])
def test_published_corpora_pass_and_fail_when_they_are_shifted(
    change: Callable[[ExampleRecord], ExampleRecord], realsumm_dir: Path, pyrxsum_dir: Path
) -> None:
    for folder in (realsumm_dir, pyrxsum_dir):
        records = [change(one) for one in read(folder)]
        systems = len(records[0].summaries)
        assert doubts_of(records) == []
        for by in (1, -1, 7):
            assert len(doubts_of(shifted(records, by))) == systems
