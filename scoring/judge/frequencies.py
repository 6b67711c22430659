"""In how many documents each stem stands: a stem of few documents is rare and weighs more.

A table is counted in texts that a judge learned from, never in those that it is tried on: a
document counts a stem once, however many of its systems' summaries have it.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from typing import Any

from scoring.overlap import tokenize
from scoring.stemming import stem

TABLE = "document_frequencies.json"
LEAST = 2  # documents; a stem of a single one counts as unknown


@dataclass(frozen=True, eq=False)
class DocumentFrequencies:
    """A table; two of them are the same where their versions are."""

    documents: int
    stems: Mapping[str, int]

    @cached_property
    def version(self) -> str:
        """A hash of what it holds, which signatures name."""
        return hashlib.sha256(self.to_text().encode()).hexdigest()[:16]

    def rarity(self, item: str) -> float:
        """The inverse document frequency of a stem."""
        return math.log((self.documents + 1) / (self.stems.get(item, 0) + 0.5))

    def to_json(self) -> dict[str, Any]:
        return {"documents": self.documents, "stems": dict(sorted(self.stems.items()))}

    def to_text(self) -> str:
        """The text of a file: a stem in each line, in order."""
        return json.dumps(self.to_json(), ensure_ascii=False, indent=0)


def parse_frequencies(found: Mapping[str, Any]) -> DocumentFrequencies:
    return DocumentFrequencies(found["documents"], found["stems"])


@cache
def load_frequencies() -> DocumentFrequencies:
    """The table that ships, counted in REALSumm's summaries by `document-frequencies`."""
    text = files("scoring.judge").joinpath(TABLE).read_text(encoding="utf-8")
    return parse_frequencies(json.loads(text))


def count_frequencies(texts: Iterable[tuple[str, str]]) -> DocumentFrequencies:
    """From pairs of a document and a text of it; the same object for the same pairs."""
    return _count(frozenset(texts))


@lru_cache(maxsize=32)
def _count(texts: frozenset[tuple[str, str]]) -> DocumentFrequencies:
    by_document: dict[str, set[str]] = {}
    for document, text in texts:
        found = by_document.setdefault(document, set())
        found.update(stem(key_of(token.text)) for token in tokenize(text))
    counts = Counter(item for found in by_document.values() for item in found)
    stems = {item: count for item, count in counts.items() if count >= LEAST}
    counted, shipped = DocumentFrequencies(len(by_document), stems), load_frequencies()
    return shipped if counted.version == shipped.version else counted


def key_of(word: str) -> str:
    """A word without case and possessive, as it is looked up."""
    return word.casefold().replace("’", "'").removesuffix("'s")
