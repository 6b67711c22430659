"""Candidates of sentences, by the embedded parser, and a ranker whose values are plain to see."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scoring.parses import load_parser
from scoring.stu.coreference_rules import RuleCoreference
from scoring.stu.rich.budget import SIZE
from scoring.stu.rich.extractor import list_pools, list_trees
from scoring.stu.rich.features import FEATURES, Pool
from scoring.stu.rich.tree import Tree
from scoring.stu.rich.wording import word_fact


def trees(*sentences: str, coref: bool = False) -> list[Tree]:
    parsed = list(load_parser().parse(sentences))
    return list_trees(parsed, RuleCoreference() if coref else None)


def pools(*sentences: str, coref: bool = False) -> list[Pool]:
    parsed = list(load_parser().parse(sentences))
    return list_pools(parsed, RuleCoreference() if coref else None)


def facts(*sentences: str, coref: bool = False) -> dict[str, str]:
    """The rule of each candidate of a reference, by its text."""
    return {
        word_fact(pool.tree, fact): fact.rule
        for pool in pools(*sentences, coref=coref)
        for fact in pool.facts
    }


class LongestFirst:
    """Ranks by the number of words; expects a unit for every so many words."""

    version = "longest"

    def __init__(self, words_a_unit: float = 4.0) -> None:
        weights = [0.0] * SIZE
        weights[1] = 1 / words_a_unit
        self.counts = tuple(weights)

    def rank(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        values: NDArray[np.float32] = rows[:, FEATURES.index("words")] / 100
        return values
