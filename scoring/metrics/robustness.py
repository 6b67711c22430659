"""How much a metric's numbers fall when summaries and sources are said in other words.

A metric that understands meaning falls little (Akter et al. 2022, §6.1 and 6.2).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from scoring.errors import InputError
from scoring.io.texts import SummaryTexts
from scoring.metrics.perturbation import Synonyms, choose_replacements, replace_words
from scoring.metrics.protocol import Floats, Metric
from scoring.percentiles import tails
from scoring.translation import gettext as _

DRAWS = 1000
LEVEL = 0.95
DRAWS_AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class Drop:
    """A column's mean as texts are, and in other words, over summaries that have both.

    `low` and `high` are the ends of the drop's 95 % interval, `share_low` and `share_high` those of
    its share of the actual value.
    """

    metric: str
    column: str
    actual: float
    perturbed: float
    summaries: int
    low: float = float("nan")
    high: float = float("nan")
    share_low: float = float("nan")
    share_high: float = float("nan")

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
    """Sources and summaries in other words; references as people wrote them.

    Words are drawn from an example's sources, or where it has none from its summaries. They depend
    on the example and the seed alone, and those of a small share are among those of a larger one.
    """
    if not 0 <= share <= 1:
        raise InputError(
            _("A share of words must be from 0 to 1, not {share:g}.").format(share=share)
        )
    replacements = {
        document: choose_replacements(drawn, synonyms, share, _start(drawn, seed))
        for document, drawn in _list_drawn(texts).items()
    }
    own = [replacements[document] for document in texts.documents]
    return replace(
        texts,
        summaries=tuple(map(replace_words, texts.summaries, own)),
        sources=tuple(
            tuple(replace_words(text, words) for text in sources)
            for sources, words in zip(texts.sources, own, strict=True)
        ),
    )


def _list_drawn(texts: SummaryTexts) -> dict[str, tuple[str, ...]]:
    """By document, the texts that its words are drawn from."""
    found: dict[str, tuple[str, ...]] = {}
    rows = zip(texts.documents, texts.sources, texts.summaries, strict=True)
    for document, sources, summary in rows:
        found[document] = sources or (*found.get(document, ()), summary)
    return found


def _start(texts: Sequence[str], seed: int) -> np.random.Generator:
    digest = hashlib.blake2b("\0".join(texts).encode(), digest_size=8).digest()
    return np.random.default_rng([seed, int.from_bytes(digest, "big")])


def measure_drops(
    metrics: Sequence[Metric], texts: SummaryTexts, perturbed: SummaryTexts, *, seed: int = 0
) -> list[Drop]:
    """By metric and column."""
    found: list[Drop] = []
    for metric in metrics:
        before, after = (_score(metric, one) for one in (texts, perturbed))
        rows: dict[str, list[int]] = {}
        for place, document in enumerate(texts.documents):
            rows.setdefault(document, []).append(place)
        sums = np.array([sum_pairs(before[places], after[places]) for places in rows.values()])
        found += estimate_drops(metric.name, metric.columns, sums, seed=seed)
    return found


def _score(metric: Metric, texts: SummaryTexts) -> Floats:
    return metric.score(texts.summaries, texts.references, texts.sources).values


def sum_pairs(before: Floats, after: Floats) -> Floats:
    """Of one document's summaries that have both numbers: their sums and count, by column."""
    known = ~np.isnan(before) & ~np.isnan(after)
    return np.stack(
        [
            np.where(known, before, 0.0).sum(axis=0),
            np.where(known, after, 0.0).sum(axis=0),
            known.sum(axis=0).astype(np.float64),
        ]
    )


def estimate_drops(
    metric: str, columns: Sequence[str], sums: Floats, *, draws: int = DRAWS, seed: int = 0
) -> list[Drop]:
    """From what `sum_pairs` gives, documents × 3 × columns; intervals from drawing documents anew.

    A document is drawn with all its summaries (BOOT-INPUTS).
    """
    whole = sums.sum(axis=0)
    means = _divide(whole[:2], whole[2])
    differences, shares = _resample(sums, draws, seed)
    shares_below = tails(len(sums), LEVEL)
    return [
        Drop(
            metric,
            column,
            float(means[0, place]),
            float(means[1, place]),
            int(whole[2, place]),
            *_percentiles(differences[:, place], shares_below),
            *_percentiles(shares[:, place], shares_below),
        )
        for place, column in enumerate(columns)
    ]


def _resample(sums: Floats, draws: int, seed: int) -> tuple[Floats, Floats]:
    """The drop and its share of the actual value in each draw, draws × columns."""
    rng = np.random.default_rng(seed)
    size, __, width = sums.shape
    flat = sums.reshape(size, 3 * width)
    parts = []
    for start in range(0, draws, DRAWS_AT_ONCE):
        some = min(DRAWS_AT_ONCE, draws - start)
        times = rng.multinomial(size, np.full(size, 1 / size), some)
        parts.append((times @ flat).reshape(some, 3, width))
    drawn = np.concatenate(parts)
    lost = drawn[:, 0] - drawn[:, 1]
    return _divide(lost, drawn[:, 2]), _divide(lost, drawn[:, 0])


def _divide(above: Floats, below: Floats) -> Floats:
    """nan where there is nothing to divide by."""
    whole = np.broadcast_to(below, above.shape)
    return np.divide(above, whole, out=np.full(above.shape, np.nan), where=whole != 0)


def _percentiles(values: Floats, below: tuple[float, float]) -> tuple[float, float]:
    known = values[~np.isnan(values)]
    if not len(known):
        return float("nan"), float("nan")
    low, high = np.quantile(known, below)
    return float(low), float(high)
