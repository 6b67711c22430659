"""The extractor of §3.2: frames of semantic roles, made into triplets, mentions unified."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, tee
from typing import Protocol

from scoring.parses import ParsedSentence, Parser
from scoring.stu.coreference import CoreferenceSource, list_namings, list_renamings
from scoring.stu.triplets import list_triplets
from scoring.stu.types import LabelledSentence, Stu

VERSION = "srl-1"


class FrameSource(Protocol):
    """Where frames come from; one that needs no parse is given sentences without words."""

    version: str
    needs_parse: bool

    def label(self, sentences: Sequence[ParsedSentence]) -> list[LabelledSentence]:
        """The sentences of one reference with their frames."""
        ...


class SrlExtractor:
    """Units from frames; with coreference, mentions are unified and other names told."""

    name = "srl"

    def __init__(
        self,
        frames: FrameSource,
        *,
        coreference: CoreferenceSource | None = None,
        parser: Parser | None = None,
    ) -> None:
        self.frames = frames
        self.coreference = coreference
        self.parser = parser
        parts = [VERSION, frames.version, coreference.version if coreference else ""]
        parts.append(f"{parser.name}-{parser.version}" if parser else "")
        self.version = "+".join(part for part in parts if part)

    def extract(self, references: Iterable[Sequence[str]]) -> Iterator[list[Stu]]:
        for sentences in parse_references(references, self.parser):
            yield self.extract_parsed(sentences)

    def extract_parsed(self, sentences: Sequence[ParsedSentence]) -> list[Stu]:
        labelled = self.frames.label(sentences)
        if self.coreference is None:
            return list_triplets(labelled)
        clusters = self.coreference.find(sentences)
        texts = [sentence.text for sentence in sentences]
        renamings = list_renamings(clusters, texts, keeps_pronouns=self.coreference.keeps_pronouns)
        return list_triplets(labelled, renamings) + list_namings(clusters, texts)


def parse_references(
    references: Iterable[Sequence[str]], parser: Parser | None
) -> Iterator[list[ParsedSentence]]:
    """Each reference's sentences, parsed in one stream; without words where there is no parser."""
    ahead, again = tee(references)
    flat = chain.from_iterable(ahead)
    parsed = map(unparsed, flat) if parser is None else parser.parse(flat)
    for sentences in again:
        yield list(islice(parsed, len(sentences)))


def unparsed(text: str) -> ParsedSentence:
    """A sentence that nobody has parsed."""
    return ParsedSentence(text, (), (), (), (), (), (), (), ())
