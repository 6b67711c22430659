"""Whether texts that a file puts together have anything to do with each other.

Files that go by lines or by names are easily shifted or mixed up, and then every later number is
wrong without a word. A text in the right place shares more words with what stands there than with
what stands before it. The bounds are set on REALSumm and PyrXSum: right files pass, and the same
files shifted by one line don't.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field

from scoring.overlap import IDEOGRAPHS, STOP_WORDS

LEAST_WORDS = 3  # fewer say nothing about where a text belongs
RELATED = 0.5  # a text that shares this many of its words is where it belongs
MOST_STRAYS = 0.25  # of all texts; PyrXSum has 19 % against its one-sentence references
NAMED = 5

_WORD = re.compile(rf"[{IDEOGRAPHS}]|[^\W{IDEOGRAPHS}]+")
Words = frozenset[str]


def content_words(*texts: str) -> Words:
    """The words that carry content, in lower case."""
    found = (word for text in texts for word in _WORD.findall(text.casefold()))
    return frozenset(word for word in found if word not in STOP_WORDS)


@dataclass(slots=True)
class Pairing:
    """Texts with what each was put to; `strays` fit what stands before as well."""

    count: int = 0
    stray_count: int = 0
    strays: list[str] = field(default_factory=list)

    def add(self, name: str, words: Collection[str], own: Words, before: Words) -> None:
        """One text, what it belongs to, and what the text before it belongs to."""
        if len(words) < LEAST_WORDS or not own:
            return
        self.count += 1
        fit, other = share(words, own), share(words, before)
        if fit < RELATED and fit <= other:
            self.stray_count += 1
            if len(self.strays) < NAMED:
                self.strays.append(name)

    @property
    def is_suspect(self) -> bool:
        return self.stray_count >= max(2, MOST_STRAYS * self.count)


def share(words: Collection[str], others: Words) -> float:
    """How many of the words are among the others, from 0 to 1."""
    return sum(word in others for word in words) / len(words) if words else 0.0
