"""A parsed sentence: its words, Penn tags, dependencies and named entities, without the parser.

Relations are those of spaCy's English models (nsubj, dobj, prep, pobj, relcl, appos and so on).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

ROOT = -1  # the head of a word that hangs on none; a fragment may have several such words


@dataclass(frozen=True, slots=True)
class ParsedSentence:
    """One sentence. All tuples have a place for each word; `starts` are characters of `text`.

    `entities` has an entity's type for each of its words, or an empty string; `opens` says whether
    an entity begins with the word.
    """

    text: str
    words: tuple[str, ...]
    starts: tuple[int, ...]
    tags: tuple[str, ...]
    lemmas: tuple[str, ...]
    heads: tuple[int, ...]
    relations: tuple[str, ...]
    entities: tuple[str, ...]
    opens: tuple[bool, ...]

    def __len__(self) -> int:
        return len(self.words)

    def end_of(self, place: int) -> int:
        """The character after a word."""
        return self.starts[place] + len(self.words[place])


def list_children(sentence: ParsedSentence) -> list[list[int]]:
    """For each word the words that hang on it, from left to right."""
    children: list[list[int]] = [[] for _ in sentence.words]
    for place, head in enumerate(sentence.heads):
        if head != ROOT:
            children[head].append(place)
    return children


class Parser(Protocol):
    """Parses sentences one by one; what it says of a sentence depends on no other."""

    name: str
    version: str

    def parse(self, sentences: Iterable[str]) -> Iterator[ParsedSentence]:
        """Each sentence in its turn, as one, even where the parser would cut it in two."""
        ...


def load_parser(name: str = "") -> Parser:
    """The embedded parser, or a spaCy pipeline by name or path."""
    from scoring.backends.spacy_parser import SpacyParser

    return SpacyParser.load(name)
