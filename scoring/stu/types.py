"""What the extractors share: a unit, a frame of semantic roles, a sentence with its frames."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from scoring.parses import ParsedSentence
from scoring.types import Span

FRAME, COREFERENCE, WHOLE = "frame", "coreference", "whole"


@dataclass(frozen=True, slots=True)
class Stu:
    """A Semantic Triplet Unit; `start` and `end` are characters of the sentence it comes from."""

    text: str
    sentence: int  # the place of that sentence in its reference, from 0
    start: int
    end: int
    rule: str = FRAME
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class Argument:
    """A role and the places of its words, in the order in which they are said."""

    role: str
    words: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """A verb with what is said before it in every unit, and what is said after it, one a unit.

    `verb` may have several words: a negation or *be* before it, a particle after it.
    """

    verb: tuple[int, ...]
    before: tuple[Argument, ...]
    after: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class LabelledSentence:
    """A sentence, the characters each of its words stands on, and its frames."""

    text: str
    spans: tuple[Span, ...]
    frames: tuple[Frame, ...]


@dataclass(frozen=True, slots=True)
class Mention:
    """Characters of a sentence of the reference that name something; `owns`: his, Ann's."""

    sentence: int
    start: int
    end: int
    owns: bool = False


@dataclass(frozen=True, slots=True)
class Cluster:
    """Mentions of one thing, in the order of the text.

    `name` is the one that stands for all; `names` are those that tell more than a pronoun does.
    """

    mentions: tuple[Mention, ...]
    name: Mention
    names: tuple[Mention, ...]


class Extractor(Protocol):
    """Makes units of references. The same sentences give the same units under one version."""

    name: str
    version: str

    def extract(self, references: Iterable[Sequence[str]]) -> Iterator[list[Stu]]:
        """The units of each reference, given as its sentences, in turn; read as they are needed."""
        ...

    def extract_parsed(self, sentences: Sequence[ParsedSentence]) -> list[Stu]:
        """The units of one reference whose sentences are parsed already."""
        ...
