"""The extractor `rich`: many candidate facts, a learned ranker, and a choice within a budget."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from scoring.errors import InputError
from scoring.parses import ROOT, ParsedSentence, Parser
from scoring.stu.coreference import CoreferenceSource, list_renamings
from scoring.stu.rich import phrases
from scoring.stu.rich.budget import budget_of, count_values
from scoring.stu.rich.choice import choose
from scoring.stu.rich.clauses import Fact
from scoring.stu.rich.features import Pool, build_pool
from scoring.stu.rich.ranking import Ranker
from scoring.stu.rich.tree import Tree
from scoring.stu.rich.verbs import SUBJECTS
from scoring.stu.rich.wording import list_words, span_of, word_fact
from scoring.stu.srl import parse_references
from scoring.stu.types import Stu

VERSION = "rich-1"


class RichExtractor:
    """*x* is the number of units for each that people would write."""

    name = "rich"

    def __init__(
        self,
        ranker: Ranker,
        *,
        parser: Parser | None = None,
        coreference: CoreferenceSource | None = None,
        x: float = 1.0,
    ) -> None:
        if not x > 0:
            raise InputError(f"x is {x:g}. Use a number of STUs per SCU above 0.")
        self.ranker, self.parser, self.coreference, self.x = ranker, parser, coreference, x
        parts = [VERSION, ranker.version, f"x{x:g}"]
        if coreference is not None:
            parts.append(coreference.version)
        if parser is not None:
            parts.append(f"{parser.name}-{parser.version}")
        self.version = "+".join(parts)

    def extract(self, references: Iterable[Sequence[str]]) -> Iterator[list[Stu]]:
        for sentences in parse_references(references, self.parser):
            yield self.extract_parsed(sentences)

    def extract_parsed(self, sentences: Sequence[ParsedSentence]) -> list[Stu]:
        return choose_units(list_pools(sentences, self.coreference), self.ranker, self.x)


def list_pools(
    sentences: Sequence[ParsedSentence], coreference: CoreferenceSource | None = None
) -> list[Pool]:
    """The candidates of each sentence of a reference."""
    trees = list_trees(sentences, coreference)
    return [build_pool(tree, place=i, sentences=len(trees)) for i, tree in enumerate(trees)]


def choose_units(pools: Sequence[Pool], ranker: Ranker, x: float) -> list[Stu]:
    """The units of a reference, in the order of its text."""
    if not any(pool.facts for pool in pools):
        return []
    values = ranker.rank(np.concatenate([pool.rows for pool in pools]))
    budget = budget_of(count_values(pools), ranker.counts, x)
    return [
        _unit(pools[place].tree, pools[place].facts[one], place, value)
        for place, one, value in choose(pools, values, budget)
    ]


def _unit(tree: Tree, fact: Fact, place: int, value: float) -> Stu:
    return Stu(word_fact(tree, fact), place, *span_of(tree, fact), fact.rule, round(value, 4))


def list_trees(
    sentences: Sequence[ParsedSentence], coreference: CoreferenceSource | None
) -> list[Tree]:
    """With coreference, mentions are renamed, and a sentence may lack a subject that the one
    before it had (`Was stopped at the airport`)."""
    if coreference is None:
        return [Tree(sentence) for sentence in sentences]
    clusters = coreference.find(sentences)
    texts = [sentence.text for sentence in sentences]
    renamed = list_renamings(clusters, texts, keeps_pronouns=True)
    found: list[Tree] = []
    topic = ""
    for sentence, renamings in zip(sentences, renamed, strict=True):
        found.append(Tree(sentence, renamings, topic))
        topic = _topic(found[-1]) or topic
    return found


def _topic(tree: Tree) -> str:
    """The subject of the main clause."""
    for place, head in enumerate(tree.heads):
        subjects = tree.related(place, *SUBJECTS) if head == ROOT else []
        if subjects:
            words = tuple(phrases.short(tree, subjects[0]))
            return " ".join(list_words(tree, Fact("", words, place)))
    return ""
