"""Any metric that wants references, against the source's central sentences instead.

ROUGE-PacSumTopM, MoverScore-PacSumTopM and the like (Chen et al. 2021, §4.2): the mean over
documents of what the metric says with each document's pseudo reference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from scoring.metrics.catalogue import Option, list_options, load_metric
from scoring.metrics.encoding import ENCODER, LAYER, Encoder, load_encoder, sign_encoder
from scoring.metrics.hybrid import cut_sentences
from scoring.metrics.protocol import (
    DOCUMENTS,
    Metric,
    MetricTable,
    Texts,
    Value,
    check_texts,
    sign_metric,
)
from scoring.metrics.pseudo import PSEUDO_OPTIONS, PseudoRule, PseudoShelf
from scoring.translation import gettext_lazy

NAME = "pseudo_references"
INNER = ("rouge", "bertscore", "moverscore", "movers", "rouge_we")
AT_ONCE = 16  # documents
OPTIONS: tuple[Option, ...] = (
    Option("metric", "rouge", gettext_lazy("the metric to apply, with its default options"), INNER),
    ENCODER,
    LAYER,
    *PSEUDO_OPTIONS,
)


@dataclass(frozen=True)
class PseudoReferences:
    """The columns of the metric inside."""

    options: Mapping[str, Value]
    inner: Metric
    name: str = NAME
    needs: frozenset[str] = frozenset({DOCUMENTS})
    lower: frozenset[str] = field(default_factory=frozenset)

    @property
    def columns(self) -> tuple[str, ...]:
        return self.inner.columns

    @cached_property
    def signature(self) -> str:
        said = {**self.options, "metric": f"({self.inner.signature})"}
        said["encoder"] = sign_encoder(str(said["encoder"]), int(said.pop("layer")))
        return sign_metric(self.name, said)

    @cached_property
    def encoder(self) -> Encoder:
        return load_encoder(str(self.options["encoder"]), int(self.options["layer"]))

    def score(self, summaries: Sequence[str], references: Texts, documents: Texts) -> MetricTable:
        summaries, references, documents = check_texts(self, summaries, references, documents)
        written = self._write({text for texts in documents for text in texts})
        pairs = [(place, text) for place, texts in enumerate(documents) for text in texts]
        found = self.inner.score(
            [summaries[place] for place, _ in pairs], [[written[text]] for _, text in pairs], []
        ).values
        sums = np.zeros((len(summaries), len(self.columns)))
        np.add.at(sums, [place for place, _ in pairs], found)
        counts = np.array([[len(texts)] for texts in documents])
        return MetricTable(self.columns, sums / np.maximum(counts, 1))

    def _write(self, documents: set[str]) -> dict[str, str]:
        """Each document's pseudo reference as text, its sentences in their order."""
        listed = sorted(documents)
        shelf = PseudoShelf(self.encoder, PseudoRule.of_options(self.options))
        found: dict[str, str] = {}
        for start in range(0, len(listed), AT_ONCE):
            for text, pseudo in shelf.take(listed[start : start + AT_ONCE]).items():
                sentences = cut_sentences(text)
                found[text] = " ".join(sentences[place] for place in pseudo.places)
        return found


def load(options: Mapping[str, Value]) -> PseudoReferences:
    PseudoRule.of_options(options)
    name = str(options["metric"])
    shared = {option.name for option in list_options(name)} & {ENCODER.name, LAYER.name}
    return PseudoReferences(
        dict(options), load_metric(name, {key: options[key] for key in sorted(shared)})
    )
