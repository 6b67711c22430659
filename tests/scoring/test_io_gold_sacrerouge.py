"""Gold datasets as SacreROUGE JSONL: a corpus with scores."""

import json
from dataclasses import replace
from pathlib import Path

from scoring.io import open_corpus
from scoring.io.gold import write_gold
from tests.scoring.gold_records import EXAMPLES, joined, small_gold


def test_it_gives_each_summary_its_score_and_labels() -> None:
    made = joined(write_gold("sacrerouge", *small_gold())).splitlines()
    lines = [json.loads(line) for line in made]
    first = lines[0]
    assert [line["summarizer_id"] for line in lines] == ["lead_3", "bart"] * 2
    assert first["metrics"] == {"pyramid": 2 / 3}
    assert first["labels"] == [1, 0]
    assert first["units"][0] == {"text": "The dam burst.", "kind": "scu", "weight": 2}


def test_it_says_nothing_of_a_summary_that_was_not_judged() -> None:
    facts, systems, examples = small_gold()
    open_ones = [replace(examples[1], labels={"bart": (None,)})]
    made = joined(write_gold("sacrerouge", facts, systems, open_ones)).splitlines()
    lead, bart = (json.loads(line) for line in made)
    assert (lead["metrics"], "labels" in lead) == ({}, False)
    assert (bart["metrics"], bart["labels"]) == ({}, [None])


def test_it_writes_what_a_corpus_is_imported_from(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_bytes(joined(write_gold("sacrerouge", *small_gold())))
    reader = open_corpus(tmp_path / "x.jsonl")
    records = list(reader.examples())
    reader.verify()
    assert reader.format == "sacrerouge"
    assert reader.problems.first == []
    assert [(item.documents, item.references, item.summaries) for item in records] == [
        (item.documents, item.references, item.summaries) for item in EXAMPLES
    ]
    assert reader.notes == ["Ignored keys: labels, metrics, units."]
