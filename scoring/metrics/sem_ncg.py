"""Sem-nCG (Akter, Bansal and Karmaker 2022): an extractive summary as a ranking of sentences.

Each sentence of the source gains by how like the references it is; a summary by the sentences it
took. What can't be found in the source gains nothing, and the column `unmatched` tells its share.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from scoring.errors import InputError
from scoring.metrics.catalogue import Option
from scoring.metrics.encoding import (
    PRESETS,
    Encoder,
    Vectors,
    load_encoder,
    pool_mean,
    sign_encoder,
    unit_rows,
)
from scoring.metrics.extracted import Source, match_sentences
from scoring.metrics.hybrid import cut_sentences
from scoring.metrics.ncg import (
    ENSEMBLES,
    REL,
    UNMATCHED,
    join_gains,
    mean_similarity,
    score_ncg,
    score_ncg_without_repeats,
)
from scoring.metrics.protocol import (
    DOCUMENTS,
    REFERENCES,
    Floats,
    MetricTable,
    Texts,
    Value,
    check_texts,
    sign_metric,
)
from scoring.translation import gettext as _
from scoring.translation import gettext_lazy

OPTIONS: tuple[Option, ...] = (
    Option(
        "encoders",
        "minilm",
        gettext_lazy("encoders by name or folder, separated by commas"),
        is_outside=True,
        known=tuple(PRESETS),
    ),
    Option("ensemble", REL, gettext_lazy("how to combine the gains of several "
                                         "encoders"), ENSEMBLES),
    Option("k", "1,3,5", gettext_lazy("numbers of sentences to compute the gain at, separated by "
                                      "commas")),
    Option("least", 0.7, gettext_lazy("minimum word F1 to match a sentence to a source sentence")),
    Option("redundancy", False, gettext_lazy("extension: a sentence gains only for new content")),
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A source and its references: its sentences, their gains, and how like they are."""

    source: Source
    gains: Floats
    similarity: Floats


@dataclass(frozen=True)
class SemNcg:
    """nCG at each k, and the share of sentences that are in no source."""

    options: Mapping[str, Value]
    cuts: tuple[int, ...]
    names: tuple[str, ...]
    name: str = "sem_ncg"
    needs: frozenset[str] = frozenset({REFERENCES, DOCUMENTS})
    lower: frozenset[str] = field(default_factory=lambda: frozenset({"unmatched"}))

    @property
    def columns(self) -> tuple[str, ...]:
        return (*(f"ncg{cut}" for cut in self.cuts), "unmatched")

    @cached_property
    def signature(self) -> str:
        signed = ",".join(sign_encoder(name) for name in self.names)
        return sign_metric(self.name, {**self.options, "encoders": signed})

    @cached_property
    def encoders(self) -> tuple[Encoder, ...]:
        return tuple(load_encoder(name) for name in self.names)

    def score(self, summaries: Sequence[str], references: Texts, documents: Texts) -> MetricTable:
        summaries, references, documents = check_texts(self, summaries, references, documents)
        values = np.zeros((len(summaries), len(self.columns)))
        for places in _by_example(references, documents):
            first = places[0]
            example = self._read(documents[first], references[first])
            for place in places:
                values[place] = self._row(cut_sentences(summaries[place]), example)
        return MetricTable(self.columns, values)

    def _read(self, documents: Sequence[str], references: Sequence[str]) -> Example | None:
        """Nothing where the source or the references have no sentence."""
        told = [sentence for text in documents for sentence in cut_sentences(text)]
        asked = [listed for text in references if (listed := cut_sentences(text))]
        if not told or not asked:
            return None
        vectors = [embed_sentences(encoder, told) for encoder in self.encoders]
        similarities = [
            mean_similarity(rows, [embed_sentences(encoder, listed) for listed in asked])
            for encoder, rows in zip(self.encoders, vectors, strict=True)
        ]
        return Example(
            Source.of_sentences(told),
            join_gains(similarities, str(self.options["ensemble"])),
            np.mean([rows @ rows.T for rows in vectors], axis=0).astype(np.float64),
        )

    def _row(self, summary: Sequence[str], example: Example | None) -> Floats:
        """No answer where not one sentence is the source's; an empty summary gains nothing."""
        if not summary:
            return np.zeros(len(self.columns))
        if example is None:
            return np.full(len(self.columns), np.nan)
        chosen = match_sentences(summary, example.source, float(self.options["least"]))
        unmatched = chosen.count(UNMATCHED) / len(chosen)
        if unmatched == 1:
            return np.array([*[np.nan] * len(self.cuts), unmatched])
        return np.array([*(self._gain(example, chosen, cut) for cut in self.cuts), unmatched])

    def _gain(self, example: Example, chosen: Sequence[int], cut: int) -> float:
        if self.options["redundancy"]:
            return score_ncg_without_repeats(example.gains, example.similarity, chosen, cut)
        return score_ncg(example.gains, chosen, cut)


def embed_sentences(encoder: Encoder, sentences: Sequence[str]) -> Vectors:
    """Mean of the pieces, as sentence encoders are trained; rows of length 1."""
    return unit_rows(np.stack([pool_mean(one) for one in encoder.encode(sentences)]))


def _by_example(references: Texts, documents: Texts) -> Iterator[list[int]]:
    """Rows that share documents and references."""
    found: dict[tuple[tuple[str, ...], tuple[str, ...]], list[int]] = {}
    for place, texts in enumerate(zip(documents, references, strict=True)):
        found.setdefault((tuple(texts[0]), tuple(texts[1])), []).append(place)
    yield from found.values()


def load(options: Mapping[str, Value]) -> SemNcg:
    listed = [name.strip() for name in str(options["encoders"]).split(",") if name.strip()]
    if not listed:
        raise InputError(_("sem_ncg: encoders is empty. Name at least one, such as minilm."))
    return SemNcg(dict(options), _read_cuts(str(options["k"])), tuple(dict.fromkeys(listed)))


def _read_cuts(text: str) -> tuple[int, ...]:
    try:
        cuts = sorted({int(part) for part in text.split(",")})
    except ValueError:
        cuts = []
    if not cuts or cuts[0] < 1:
        raise InputError(
            _(
                "sem_ncg: k can't be '{text}'. Expected numbers of at least 1, such as 1,3,5."
            ).format(text=text)
        )
    return tuple(cuts)
