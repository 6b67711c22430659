"""Training the ranker on references with human units, and choices it makes of others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.crossvalidation import Place, make_folds
from scoring.easiness.gold import align_scus
from scoring.parses import Parser
from scoring.rouge import f1_of_counts, rouge_words
from scoring.stu.coreference import CoreferenceSource
from scoring.stu.rich.budget import count_values, fit_counts
from scoring.stu.rich.extractor import choose_units, list_pools
from scoring.stu.rich.features import Pool
from scoring.stu.rich.ranking import ForestRanker, Ranker
from scoring.stu.rich.wording import word_fact
from scoring.stu.srl import parse_references

Folds = Sequence[frozenset[str]]


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference of a study: its sentences, its human units, and units from elsewhere."""

    document: str
    sentences: tuple[str, ...]
    scus: tuple[str, ...]
    stus: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """A reference with its candidates, and how near each is to the nearest human unit."""

    reference: Reference
    pools: tuple[Pool, ...]
    nearness: NDArray[np.float32]

    def counted(self) -> list[int]:
        """How many human units each sentence has."""
        places = Counter(align_scus(self.reference.sentences, self.reference.scus))
        return [places[place] for place in range(len(self.pools))]


def build_cases(
    references: Sequence[Reference], parser: Parser, coreference: CoreferenceSource | None = None
) -> list[Case]:
    parsed = parse_references((one.sentences for one in references), parser)
    found = []
    for reference, sentences in zip(references, parsed, strict=True):
        pools = tuple(list_pools(sentences, coreference))
        found.append(Case(reference, pools, _nearness(pools, reference.scus)))
    return found


def _nearness(pools: Iterable[Pool], scus: Sequence[str]) -> NDArray[np.float32]:
    """ROUGE-1 F1 of each candidate with the nearest human unit of its reference."""
    units = [Counter(rouge_words(scu)) for scu in scus]
    found = [
        max(f1_of_counts(words, unit) for unit in units)
        for pool in pools
        for words in (Counter(rouge_words(word_fact(pool.tree, fact))) for fact in pool.facts)
    ]
    return np.array(found, dtype=np.float32)


def train_ranker(cases: Sequence[Case], *, seed: int = 0) -> ForestRanker:
    """A ranker that learned from all of the cases."""
    from scoring.backends.stu_ranker import fit_ranker

    rows = np.concatenate([pool.rows for case in cases for pool in case.pools])
    counts = fit_counts(
        np.concatenate([count_values(case.pools) for case in cases]),
        np.array([count for case in cases for count in case.counted()], dtype=np.float64),
    )
    return fit_ranker(rows, np.concatenate([case.nearness for case in cases]), counts, seed=seed)


def make_document_folds(documents: Sequence[str], k: int = 5, *, seed: int = 0) -> Folds:
    """As even as can be, drawn from the names in their order."""
    folds = make_folds([Place(document) for document in documents], "examples", k, seed=seed)
    return [frozenset(fold.members) for fold in folds]


def hold_out(
    learned: Sequence[Case],
    tried: Mapping[str, Sequence[Case]],
    folds: Folds,
    xs: Sequence[float],
    *,
    seed: int = 0,
) -> Iterator[dict[tuple[str, float], dict[str, list[str]]]]:
    """For each fold, the units of its documents by a ranker that learned from none of them."""
    for fold in folds:
        ranker = train_ranker(
            [case for case in learned if case.reference.document not in fold], seed=seed
        )
        yield {
            (kind, x): _choices(
                [case for case in cases if case.reference.document in fold], ranker, x
            )
            for kind, cases in tried.items()
            for x in xs
        }


def _choices(cases: Sequence[Case], ranker: Ranker, x: float) -> dict[str, list[str]]:
    return {
        case.reference.document: [unit.text for unit in choose_units(case.pools, ranker, x)]
        for case in cases
    }
