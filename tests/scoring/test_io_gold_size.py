"""Gold datasets of any size are written and read in the same memory."""

import random
import tracemalloc
import types
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from scoring.io.gold import (
    GOLD_FORMATS,
    GoldExample,
    GoldFacts,
    content_hash,
    count_gold,
    read_gold,
    write_gold,
)
from tests.scoring.gold_records import FACTS, SYSTEMS, joined, many_examples, small_gold

COUNT = 300
LARGEST = 6e6  # bytes; the texts have 12 MB


def long_examples(count: int) -> Iterator[GoldExample]:
    for number, example in enumerate(many_examples(count)):
        text = random.Random(number).randbytes(20_000).hex()
        yield replace(example, documents=(text,))


@pytest.fixture(scope="module")
def facts() -> GoldFacts:
    for value in GOLD_FORMATS:  # what is loaded late is loaded now, and counted for none
        joined(write_gold(value, *small_gold()))
    return replace(FACTS, counts=count_gold(SYSTEMS, many_examples(COUNT)))


@pytest.mark.parametrize("value", GOLD_FORMATS)
def test_it_writes_in_little_memory(value: str, facts: GoldFacts) -> None:
    tracemalloc.start()
    blocks = write_gold(value, facts, SYSTEMS, long_examples(COUNT))
    assert isinstance(blocks, types.GeneratorType)
    total = sum(len(block) for block in blocks)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert total > 1e4
    assert peak < LARGEST


def test_it_sends_row_groups_as_they_are_made(facts: GoldFacts) -> None:
    taken = []

    def passing() -> Iterator[GoldExample]:
        for example in long_examples(COUNT):
            taken.append(example.key)
            yield replace(example, summaries={"lead_3": example.documents[0], "bart": ""})

    next(write_gold("parquet", facts, SYSTEMS, passing()))
    assert 0 < len(taken) < COUNT / 2


def test_it_reads_in_little_memory(facts: GoldFacts, tmp_path: Path) -> None:
    path = tmp_path / "gold.zip"
    with open(path, "wb") as file:
        file.writelines(write_gold("gold", facts, SYSTEMS, long_examples(COUNT)))
    tracemalloc.start()
    with read_gold(path) as reader:
        assert sum(1 for _ in reader.examples()) == COUNT
        assert reader.problems.first == []
        digest = reader.hash
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < LARGEST / 2
    assert digest == content_hash(facts, SYSTEMS, long_examples(COUNT))
