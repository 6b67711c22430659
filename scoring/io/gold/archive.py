"""`gold.zip`: the canonical file, with the card, the methods and the tables beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scoring.io.gold.canonical import FILE, write_canonical
from scoring.io.gold.card import write_card
from scoring.io.gold.latex import write_tables
from scoring.io.gold.methods import write_methods
from scoring.io.gold.records import GoldExample, GoldFacts, GoldSystem
from scoring.io.packing import stream_zip


def write_archive(
    facts: GoldFacts, systems: Iterable[GoldSystem], examples: Iterable[GoldExample]
) -> Iterator[bytes]:
    """The zip's bytes while they are made; `read_gold` reads it back as the same dataset."""
    return stream_zip(
        [
            ("README.md", [write_card(facts).encode()]),
            ("methods.txt", [write_methods(facts).encode()]),
            ("tables.tex", [write_tables(facts).encode()]),
            (FILE, write_canonical(facts, systems, examples)),
        ]
    )
