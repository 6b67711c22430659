import json
from collections import Counter
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from scoring.overlap import coverage
from scoring.sentences import split_sentences

CORPUS = Path(__file__).parents[3] / "annotation/corpora/demo/corpus.jsonl"
KINDS = {
    "human-brief": "human",
    "abstract-large": "abstractive",
    "abstract-small": "abstractive",
    "lead-2": "extractive",
    "keyword-soup": "other",
}

Record = dict[str, Any]


@pytest.fixture(scope="module")
def records() -> list[Record]:
    return [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def examples(records: list[Record]) -> list[Record]:
    return [record for record in records if record["type"] == "example"]


def reference_texts(example: Record) -> list[str]:
    return [r if isinstance(r, str) else r["text"] for r in example["references"]]


def test_it_declares_five_systems(records: list[Record]) -> None:
    systems = [record for record in records if record["type"] == "system"]
    assert {system["name"]: system["kind"] for system in systems} == KINDS
    assert len(systems) == len(KINDS)


def test_it_holds_twelve_examples_and_sixty_summaries(examples: list[Record]) -> None:
    assert len(examples) == 12
    assert len({example["id"] for example in examples}) == 12
    assert all(set(example["summaries"]) == set(KINDS) for example in examples)


def test_it_has_documents_of_a_news_item_length(examples: list[Record]) -> None:
    lengths = [len(document.split()) for example in examples for document in example["documents"]]
    assert len(lengths) == 12
    assert all(120 <= length <= 220 for length in lengths), lengths


def test_it_has_two_named_references_for_four_examples(examples: list[Record]) -> None:
    assert Counter(len(example["references"]) for example in examples) == {1: 8, 2: 4}
    for example in examples:
        if len(example["references"]) == 2:
            assert [reference["name"] for reference in example["references"]] == ["A", "B"]


def test_it_has_references_of_two_or_three_sentences(examples: list[Record]) -> None:
    for example in examples:
        for text in reference_texts(example):
            assert len(split_sentences(text)) in (2, 3), example["id"]


def test_it_leads_with_the_first_two_sentences(examples: list[Record]) -> None:
    for example in examples:
        document = example["documents"][0]
        first, second = split_sentences(document)[:2]
        assert example["summaries"]["lead-2"] == document[first[0] : second[1]], example["id"]


def test_it_has_one_empty_summary(examples: list[Record]) -> None:
    empty = [
        name for example in examples for name, text in example["summaries"].items() if not text
    ]
    assert empty == ["keyword-soup"]


def test_it_has_systems_of_plainly_different_quality(examples: list[Record]) -> None:
    covered = {
        name: mean(
            coverage(example["summaries"][name], text)
            for example in examples
            for text in reference_texts(example)
        )
        for name in KINDS
    }
    good = min(covered["human-brief"], covered["abstract-large"])
    fair = [covered["lead-2"], covered["abstract-small"]]
    assert good > max(fair) + 0.1
    assert min(fair) > covered["keyword-soup"] + 0.1


def test_it_has_references_that_agree_in_part(examples: list[Record]) -> None:
    for example in examples:
        texts = reference_texts(example)
        if len(texts) == 2:
            assert 0.15 < coverage(texts[0], texts[1]) < 0.7, example["id"]
