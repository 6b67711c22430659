"""Gains of a document's sentences, and cumulative gain (Akter, Bansal and Karmaker 2022, §4).

On matrices alone: rows are sentences' vectors of length 1, places are numbers of sentences.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoring.metrics.centrality import Places
from scoring.metrics.encoding import Vectors
from scoring.metrics.protocol import Floats

SIM, RANK, REL = "sim", "rank", "rel"
ENSEMBLES = (SIM, RANK, REL)
UNMATCHED = -1


def mean_similarity(document: Vectors, references: Sequence[Vectors]) -> Floats:
    """Of each document sentence, the mean cosine with the reference's sentences (Algorithm 1).

    Of several references every one counts alike, however many sentences it has.
    """
    found = [(document @ reference.T).mean(axis=1) for reference in references]
    return np.mean(found, axis=0).astype(np.float64)


def rank_down(values: Floats) -> Places:
    """Ranks from 1 for the highest value; of equals the earlier is ahead."""
    ranks = np.empty(len(values), dtype=np.int64)
    ranks[np.argsort(-values, kind="stable")] = np.arange(1, len(values) + 1)
    return ranks


def find_gains(similarity: Floats) -> Floats:
    """N for the sentence most like the reference down to 1 for the least, as shares of 1."""
    gains = len(similarity) - rank_down(similarity) + 1
    return gains / gains.sum()


def join_gains(similarities: Sequence[Floats], ensemble: str) -> Floats:
    """One gain for each sentence from several encoders (§5.3).

    `sim` averages similarities before they are ranked, `rank` averages ranks, `rel` gains.
    """
    if ensemble == SIM:
        return find_gains(np.mean(similarities, axis=0))
    if ensemble == RANK:
        return find_gains(-np.mean([rank_down(one) for one in similarities], axis=0))
    return np.asarray(np.mean([find_gains(one) for one in similarities], axis=0))


def score_ncg(gains: Floats, chosen: Sequence[int], cut: int) -> float:
    """The gain of the first sentences chosen, of what the best ones would gain (eq. 1, 2).

    A sentence counts once; one that is in no document gains nothing.
    """
    return _share(gains, {place: float(gains[place]) for place in _first(chosen, cut)}, cut)


def score_ncg_without_repeats(
    gains: Floats, similarity: Floats, chosen: Sequence[int], cut: int
) -> float:
    """Ours: a sentence gains only as far as it is unlike those chosen before it.

    The paper leaves redundancy to later work. `similarity` is of document sentences.
    """
    collected: dict[int, float] = {}
    for place in _first(chosen, cut):
        repeated = max((float(similarity[place, one]) for one in collected), default=0.0)
        collected[place] = float(gains[place]) * (1 - min(max(repeated, 0.0), 1.0))
    return _share(gains, collected, cut)


def _first(chosen: Sequence[int], cut: int) -> list[int]:
    return [place for place in dict.fromkeys(chosen[:cut]) if place != UNMATCHED]


def _share(gains: Floats, collected: dict[int, float], cut: int) -> float:
    ideal = np.sort(gains)[::-1][:cut].sum()
    return float(sum(collected.values()) / ideal)
