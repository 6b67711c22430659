"""Any gold dataset goes into every format, or the format says why not."""

import io
import json
import tempfile
import zipfile
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml
from hypothesis import given, settings

from scoring.io import CorpusError, ProblemList, open_corpus
from scoring.io.gold import (
    GOLD_FORMATS,
    GoldAnswer,
    GoldExample,
    GoldFacts,
    GoldSystem,
    content_hash,
    count_gold,
    from_json,
    read_gold,
    to_json,
    why_not,
    write_card,
    write_gold,
    write_methods,
    write_tables,
)
from scoring.io.gold.filing import HELD, LineFiling
from scoring.io.gold.labels import kinds_of, label_rows
from scoring.io.jsonl import BadShape
from tests.scoring.gold_records import Gold, golds, joined, small_gold


@given(golds())
@settings(max_examples=30, deadline=None)
def test_it_restores_a_dataset_from_its_zip(gold: Gold) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "gold.zip"
        path.write_bytes(joined(write_gold("gold", *gold)))
        with zipfile.ZipFile(path) as archive:
            assert archive.read("README.md").decode() == write_card(gold[0])
            assert archive.read("methods.txt").decode() == write_methods(gold[0])
            assert archive.read("tables.tex").decode() == write_tables(gold[0])
        with read_gold(path) as reader:
            again = (reader.facts, reader.systems, list(reader.examples()))
            assert (again, reader.problems.first) == (gold, [])
            assert reader.hash == content_hash(*gold)


@given(golds())
@settings(max_examples=30, deadline=None)
def test_it_writes_line_files_or_says_why_not(gold: Gold) -> None:
    _, systems, examples = gold
    reason = why_not("lines", systems, examples)
    if reason:
        with pytest.raises(CorpusError):
            joined(write_gold("lines", *gold))
        return
    made = joined(write_gold("lines", *gold))
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        ids = archive.read("ids.txt").decode() if examples else ""
    assert ids.split("\n") == [example.key for example in examples] or not examples


@given(golds())
@settings(max_examples=20, deadline=None)
def test_it_writes_summaries_that_are_read_as_a_corpus(gold: Gold) -> None:
    _, _, examples = gold
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.jsonl"
        path.write_bytes(joined(write_gold("sacrerouge", *gold)))
        if not examples:
            assert path.read_bytes() == b""
            return
        problems = ProblemList()
        records = list(open_corpus(path, format="sacrerouge", problems=problems).examples())
    assert problems.first == []
    assert [record.key for record in records] == [example.key for example in examples]
    assert [record.summaries for record in records] == [item.summaries for item in examples]


@given(golds())
@settings(max_examples=20, deadline=None)
def test_it_writes_tables_that_hold_every_label_and_answer(gold: Gold) -> None:
    facts, systems, examples = gold
    labels = [row for item in examples for row in label_rows(kinds_of(systems), item)]
    table = pq.read_table(io.BytesIO(joined(write_gold("parquet", *gold))))
    assert table.column("label").to_pylist() == [row.label for row in labels]
    assert table.column("unit").to_pylist() == [row.unit for row in labels]
    with zipfile.ZipFile(io.BytesIO(joined(write_gold("hf", *gold)))) as archive:
        head = yaml.safe_load(archive.read("README.md").decode().split("\n---\n")[0])
        files = {name: archive.read(name) for name in archive.namelist()}
    assert head["pretty_name"] == facts.name
    assert all(config["data_files"][0]["path"] in files for config in head["configs"])
    answers = [answer.assignment for item in examples for answer in item.answers]
    assert ("data/answers.parquet" in files) is bool(answers)
    if answers:
        kept = pq.read_table(io.BytesIO(files["data/answers.parquet"]))
        assert kept.column("assignment").to_pylist() == answers


@pytest.mark.parametrize("value", GOLD_FORMATS)
def test_it_gives_the_same_bytes_each_time(value: str) -> None:
    assert joined(write_gold(value, *small_gold())) == joined(write_gold(value, *small_gold()))


@pytest.mark.parametrize("value", GOLD_FORMATS)
def test_it_describes_every_format(value: str) -> None:
    docs = (Path(__file__).parents[2] / "docs" / "formats.md").read_text("utf-8")
    section = docs.split("## Gold datasets")[1].split("\n## ")[0]
    assert f"| `{value}` |" in section


def test_it_counts_what_there_is() -> None:
    _, systems, examples = small_gold()
    counts = count_gold(systems, iter(examples))
    assert (counts.examples, counts.systems, counts.summaries, counts.units) == (2, 2, 4, 3)
    assert (counts.labels, counts.present, counts.unlabelled, counts.adjudicated) == (6, 4, 0, 1)
    assert (counts.answers, counts.answers_kept, counts.workers) == (4, 2, 2)
    assert (counts.assignments, counts.assignments_kept) == (3, 2)


def test_it_counts_no_unknown_worker_and_no_open_label() -> None:
    answers = (GoldAnswer("a", 0, "", "s1", True), GoldAnswer("a", 0, "", "s2", True))
    (example,) = small_gold()[2][1:]
    made = replace(
        example, summaries={"a": ""}, labels={"a": (None,)}, posteriors={}, answers=answers
    )
    counts = count_gold([GoldSystem("a")], [made])
    assert (counts.workers, counts.assignments, counts.labels, counts.unlabelled) == (0, 2, 0, 1)


def test_it_keeps_answers_in_one_order() -> None:
    first = small_gold()[2][0]
    assert [answer.assignment for answer in first.answers] == ["s3", "s1", "s2", "s2"]
    assert GoldExample("a", answers=first.answers[::-1]).answers == first.answers


def test_it_turns_facts_into_json_and_back() -> None:
    facts = small_gold()[0]
    stored = json.loads(json.dumps(to_json(facts)))
    assert from_json(GoldFacts, stored, "facts") == facts
    with pytest.raises(BadShape, match="'facts' is not an object."):
        from_json(GoldFacts, [], "facts")


def test_it_files_lines_side_by_side_whatever_their_length() -> None:
    with LineFiling() as files:
        for number in range(4):
            files.add("a", "x" * (HELD // 2))
            files.add("b", str(number))
        assert files.names == ["a", "b"]
        assert b"".join(files.blocks("b")) == b"0\n1\n2\n3"
        assert len(b"".join(files.blocks("a"))) == 4 * (HELD // 2) + 3
        folder = Path(files._folder.name)
    assert not folder.exists()
