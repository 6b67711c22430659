"""A directory, as a zip, that `datasets.load_dataset(path)` opens: Parquet files and a card.

It holds the tables as configurations: `examples`, which is the default, `labels`, and `answers`
where there are any.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

from scoring.io.gold.card import write_card
from scoring.io.gold.columnar import TABLES, open_table
from scoring.io.gold.filing import file_blocks
from scoring.io.gold.front_matter import write_front_matter
from scoring.io.gold.labels import kinds_of
from scoring.io.gold.latex import write_tables
from scoring.io.gold.methods import write_methods
from scoring.io.gold.records import GoldExample, GoldFacts, GoldSystem
from scoring.io.packing import stream_zip


def write_huggingface(
    facts: GoldFacts, systems: Iterable[GoldSystem], examples: Iterable[GoldExample]
) -> Iterator[bytes]:
    """The zip's bytes. The tables grow side by side on disk before the first of them is sent."""
    with tempfile.TemporaryDirectory(prefix="tables-") as folder:
        paths = {name: Path(folder) / f"{name}.parquet" for name in TABLES}
        has_answers = _fill(paths, facts, kinds_of(systems), examples)
        names = [name for name in TABLES if has_answers or name != "answers"]
        yield from stream_zip(_members(facts, {name: paths[name] for name in names}))


def _fill(
    paths: dict[str, Path],
    facts: GoldFacts,
    kinds: dict[str, str],
    examples: Iterable[GoldExample],
) -> bool:
    has_answers = False
    with ExitStack() as stack:
        tables = {
            name: stack.enter_context(closing(open_table(name, path, facts)))
            for name, path in paths.items()
        }
        for example in examples:
            has_answers |= bool(example.answers)
            for name, table in tables.items():
                for row in TABLES[name](kinds, example):
                    table.add(row)
    return has_answers


def _members(facts: GoldFacts, paths: dict[str, Path]) -> Iterator[tuple[str, Iterable[bytes]]]:
    yield "README.md", [hub_card(facts, list(paths)).encode()]
    yield "methods.txt", [write_methods(facts).encode()]
    yield "tables.tex", [write_tables(facts).encode()]
    for name, path in paths.items():
        yield f"data/{name}.parquet", file_blocks(path)


def hub_card(facts: GoldFacts, tables: Sequence[str]) -> str:
    """The card with the lines in front that say which files are which configuration."""
    return write_front_matter(facts, tables) + write_card(facts)
