"""Basic elements in the manner of BEwT-E (Tratz and Hovy 2008): who hangs on whom in a parse.

An element is a content word, a head with the word that hangs on it, or a head, a preposition and
what that governs. Words are compared by the stem of their lemma. An element weighs as many
references as have it, as an SCU does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from scoring.metrics.catalogue import Option
from scoring.metrics.hybrid import cut_sentences
from scoring.metrics.protocol import (
    REFERENCES,
    MetricTable,
    Texts,
    Value,
    check_texts,
    sign_metric,
)
from scoring.parses import ROOT, ParsedSentence, Parser, load_parser
from scoring.stemming import is_content, stem, word_set
from scoring.translation import gettext_lazy

OPTIONS: tuple[Option, ...] = (
    Option("relations", False, gettext_lazy("also compare the name of the dependency relation")),
    Option("words", True, gettext_lazy("count content words in addition to pairs")),
    Option(
        "parser",
        "",
        gettext_lazy("a spaCy pipeline by name or folder; default: the embedded one"),
        is_outside=True,
    ),
)
LINKS = word_set("""
    nsubj nsubjpass dobj dative attr oprd acomp xcomp amod compound nummod poss appos advmod acl
    relcl agent conj
""")
WORDS = ("NN", "VB", "JJ", "CD", "RB")  # beginnings of the tags of words that say something
PARTS = ("recall", "precision", "f1")
Element = tuple[str, ...]


@dataclass(frozen=True)
class BasicElements:
    """Recall by the references' weights, precision over the summary's elements, and F1."""

    options: Mapping[str, Value]
    name: str = "basic_elements"
    columns: tuple[str, ...] = PARTS
    needs: frozenset[str] = frozenset({REFERENCES})
    lower: frozenset[str] = field(default_factory=frozenset)

    @cached_property
    def parser(self) -> Parser:
        return load_parser(str(self.options["parser"]))

    @cached_property
    def signature(self) -> str:
        parser = f"{self.parser.name}@{self.parser.version}"
        return sign_metric(self.name, {**self.options, "parser": parser})

    def score(self, summaries: Sequence[str], references: Texts, documents: Texts) -> MetricTable:
        summaries, references, documents = check_texts(self, summaries, references, documents)
        texts = {*summaries, *(text for listed in references for text in listed)}
        elements = self._read(sorted(texts))
        rows = [
            compare(elements[summary], [elements[text] for text in listed])
            for summary, listed in zip(summaries, references, strict=True)
        ]
        return MetricTable(self.columns, np.array(rows).reshape(-1, len(PARTS)))

    def _read(self, texts: Sequence[str]) -> dict[str, frozenset[Element]]:
        """Each distinct sentence is parsed once."""
        sentences = {text: cut_sentences(text) for text in texts}
        distinct = sorted({sentence for listed in sentences.values() for sentence in listed})
        parsed = self.parser.parse(distinct)
        found = {
            sentence: frozenset(self._list(parse))
            for sentence, parse in zip(distinct, parsed, strict=True)
        }
        return {
            text: frozenset().union(*(found[sentence] for sentence in listed))
            for text, listed in sentences.items()
        }

    def _list(self, parse: ParsedSentence) -> Iterator[Element]:
        pairs = list_pairs(parse)
        named = bool(self.options["relations"])
        yield from (pair if named else pair[:2] for pair in pairs)
        if self.options["words"]:
            yield from list_words(parse)


def list_words(parse: ParsedSentence) -> Iterator[Element]:
    for place, tag in enumerate(parse.tags):
        if tag.startswith(WORDS) and is_content(parse.words[place]):
            yield (_key(parse, place),)


def list_pairs(parse: ParsedSentence) -> Iterator[Element]:
    """Head, the word on it, and the relation: its name, or the preposition between them."""
    for place, relation in enumerate(parse.relations):
        head = parse.heads[place]
        if head == ROOT:
            continue
        if relation in LINKS:
            yield from _pair(parse, head, place, relation)
        elif relation == "pobj" and parse.heads[head] != ROOT:
            yield from _pair(parse, parse.heads[head], place, parse.lemmas[head].lower())


def _pair(parse: ParsedSentence, head: int, place: int, relation: str) -> Iterator[Element]:
    if is_content(parse.words[head]) and is_content(parse.words[place]):
        yield _key(parse, head), _key(parse, place), relation


def _key(parse: ParsedSentence, place: int) -> str:
    return stem(parse.lemmas[place] or parse.words[place])


def compare(
    summary: Iterable[Element], references: Sequence[Iterable[Element]]
) -> tuple[float, float, float]:
    """Zeros where a side has no element or nothing is common."""
    mine = set(summary)
    weights = Counter(element for reference in references for element in set(reference))
    common = mine & weights.keys()
    if not common:
        return 0.0, 0.0, 0.0
    recall = sum(weights[element] for element in common) / weights.total()
    precision = len(common) / len(mine)
    return recall, precision, 2 * precision * recall / (precision + recall)


def load(options: Mapping[str, Value]) -> BasicElements:
    return BasicElements(dict(options))
