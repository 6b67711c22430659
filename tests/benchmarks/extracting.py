"""STUs of references, with what is read off each sentence, against the bare parser.

Sentences are those of the published references, over and over. All figures are of processor time,
in one thread; both ways are run by turns, and the best of each counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from scoring.backends.spacy_parser import BATCH, SpacyParser
from scoring.easiness.features import SentenceCase, giza_features
from scoring.parses import ParsedSentence
from scoring.sentences import split_sentences
from scoring.stu.extractors import load_extractor
from scoring.stu.srl import parse_references
from scoring.stu.types import Extractor, Stu
from tests.benchmarks.report import Figure
from tests.conftest import GIZA_DATA

LEAST_SHARE = 0.6
TIMES, TURNS = 4, 3
EXTRACTORS = ("srl", "rich")


def measure() -> list[Figure]:
    references = read_references() * TIMES
    count = sum(map(len, references))
    parser = SpacyParser.load()
    ways: dict[str, Callable[[], None]] = {"parser": lambda: parse_bare(parser, references)}
    for name in EXTRACTORS:
        ways[name] = _way(load_extractor(name, coref=True), parser, references)
    seconds = {name: min(times) for name, times in _by_turns(ways).items()}
    bare = count / seconds.pop("parser")
    figures = [Figure("sentences by the bare parser", bare, "/s")]
    for name, spent in seconds.items():
        figures.append(Figure(f"sentences to units by {name}, and features", count / spent, "/s"))
        share = count / spent / bare
        figures.append(Figure("of the bare parser's", share, "x", at_least=LEAST_SHARE))
    return figures


def read_references() -> list[list[str]]:
    found = []
    for corpus in ("realsumm", "pyrxsum"):
        text = (GIZA_DATA / corpus / "references.txt").read_text(encoding="utf-8")
        found += [
            [line[start:end] for start, end in split_sentences(line)] for line in text.split("\n")
        ]
    return found


def parse_bare(parser: SpacyParser, references: Sequence[Sequence[str]]) -> None:
    texts = (sentence for sentences in references for sentence in sentences)
    for _ in parser.pipeline.pipe(texts, batch_size=BATCH):
        pass


def _way(
    extractor: Extractor, parser: SpacyParser, references: Sequence[Sequence[str]]
) -> Callable[[], None]:
    def extract() -> None:
        for sentences in parse_references(references, parser):
            units = extractor.extract_parsed(sentences)
            read_features(sentences, units)

    return extract


def read_features(sentences: Sequence[ParsedSentence], units: Sequence[Stu]) -> None:
    """All that a regressor reads: those of the tree, and those of the units."""
    for place, parse in enumerate(sentences):
        stus = tuple(unit.text for unit in units if unit.sentence == place)
        giza_features(SentenceCase(parse, None, stus))


def _by_turns(ways: dict[str, Callable[[], None]]) -> dict[str, list[float]]:
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(TURNS):
        for name, way in ways.items():
            start = time.process_time()
            way()
            seconds[name].append(time.process_time() - start)
    return seconds
