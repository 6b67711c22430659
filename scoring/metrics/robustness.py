"""How much a metric's numbers fall when summaries and sources are said in other words.

A metric that understands meaning falls little (Akter et al. 2022, §6.1 and 6.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scoring.io.texts import SummaryTexts
from scoring.metrics.perturbation import Synonyms, choose_replacements, replace_words
from scoring.metrics.protocol import Floats, Metric


@dataclass(frozen=True, slots=True)
class Drop:
    """A column's mean as texts are, and in other words, over summaries that have both."""

    metric: str
    column: str
    actual: float
    perturbed: float
    summaries: int

    @property
    def drop(self) -> float:
        return self.actual - self.perturbed

    @property
    def share(self) -> float:
        """Of the actual value."""
        return self.drop / self.actual if self.actual else float("nan")


def perturb_texts(
    texts: SummaryTexts, synonyms: Synonyms, *, share: float, seed: int
) -> SummaryTexts:
    """Sources and summaries in other words; references as people wrote them."""
    if not 0 <= share <= 1:
        raise ValueError(f"A share of words is from 0 to 1, not {share:g}.")
    rng = np.random.default_rng(seed)
    replacements = {
        sources: choose_replacements(sources, synonyms, share, rng)
        for sources in dict.fromkeys(texts.sources)
    }
    return SummaryTexts(
        documents=texts.documents,
        systems=texts.systems,
        summaries=tuple(
            replace_words(summary, replacements[sources])
            for summary, sources in zip(texts.summaries, texts.sources, strict=True)
        ),
        references=texts.references,
        sources=tuple(
            tuple(replace_words(text, replacements[sources]) for text in sources)
            for sources in texts.sources
        ),
    )


def measure_drops(
    metrics: Sequence[Metric], texts: SummaryTexts, perturbed: SummaryTexts
) -> list[Drop]:
    """By metric and column."""
    found: list[Drop] = []
    for metric in metrics:
        before, after = (_score(metric, one) for one in (texts, perturbed))
        for place, column in enumerate(metric.columns):
            known = ~np.isnan(before[:, place]) & ~np.isnan(after[:, place])
            pair = [float(rows[known, place].mean()) if known.any() else float("nan")
                    for rows in (before, after)]  # fmt: skip
            found.append(Drop(metric.name, column, pair[0], pair[1], int(known.sum())))
    return found


def _score(metric: Metric, texts: SummaryTexts) -> Floats:
    return metric.score(texts.summaries, texts.references, texts.sources).values
