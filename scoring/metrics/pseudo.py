"""Pseudo references: the central sentences of a document, in the place of what a person wrote."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from scoring.errors import InputError
from scoring.metrics.catalogue import Option
from scoring.metrics.centrality import PacSum, choose_top, find_centrality, normalise
from scoring.metrics.encoding import Encoder, load_encoder, sign_encoder
from scoring.metrics.hybrid import Hybrid, read_hybrids
from scoring.metrics.protocol import (
    DOCUMENTS,
    Floats,
    MetricTable,
    Texts,
    Value,
    check_texts,
    sign_metric,
)
from scoring.metrics.rarity import Rarity
from scoring.translation import gettext as _
from scoring.translation import gettext_lazy

TOP, ALL = "top", "all"
PSEUDO_OPTIONS: tuple[Option, ...] = (
    Option(
        "pseudo",
        TOP,
        gettext_lazy("pseudo reference: the most central sentences, or all"),
        (TOP, ALL),
    ),
    Option("sentences", 12, gettext_lazy("maximum number of sentences in the pseudo reference")),
    Option(
        "pacsum_threshold",
        0.0,
        gettext_lazy("share of the similarity range below which similarity counts as 0"),
    ),
    Option("pacsum_before", 0.0, gettext_lazy("weight of similarity to preceding sentences")),
    Option("pacsum_after", 1.0, gettext_lazy("weight of similarity to following sentences")),
)
ROWS_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class PseudoRule:
    """How a document becomes a pseudo reference; `most` 0 keeps all sentences."""

    most: int
    pacsum: PacSum

    @classmethod
    def of_options(cls, options: Mapping[str, Value]) -> PseudoRule:
        most = int(options["sentences"])
        if most < 1:
            raise InputError(
                _("A pseudo reference needs at least 1 sentence, not {most}.").format(most=most)
            )
        keys = ("pacsum_threshold", "pacsum_before", "pacsum_after")
        pacsum = PacSum(*(float(options[key]) for key in keys))
        return cls(0 if options["pseudo"] == ALL else most, pacsum)


@dataclass(frozen=True, slots=True, eq=False)
class PseudoReference:
    """The kept sentences of a document, where they stand in it, and their centrality in [0, 1].

    `rarity` is of the content pieces over all the document's sentences.
    """

    hybrid: Hybrid
    places: tuple[int, ...]
    weights: Floats
    rarity: Rarity


def build_pseudo(document: Hybrid, rule: PseudoRule) -> PseudoReference:
    """Centrality is normalised over the whole document before sentences are chosen (§3.1)."""
    found = find_centrality(document.sentences, rule.pacsum)
    weights = normalise(found)
    kept = choose_top(found, rule.most or len(found))
    return PseudoReference(
        document.keep(kept), tuple(kept.tolist()), weights[kept], _find_rarity(document)
    )


def _find_rarity(document: Hybrid) -> Rarity:
    count = len(document.sentences)
    starts = np.searchsorted(document.sentence_of_piece, np.arange(1, count))
    return Rarity.of_pieces(np.split(document.ids, starts) if count else [])


def group_rows(documents: Texts) -> Iterator[list[int]]:
    """Rows that share documents stand together, some at a time."""
    order = sorted(range(len(documents)), key=lambda place: tuple(documents[place]))
    for start in range(0, len(order), ROWS_AT_ONCE):
        yield order[start : start + ROWS_AT_ONCE]


class PseudoShelf:
    """Pseudo references of the documents at hand; each document is encoded once for its rows."""

    def __init__(self, encoder: Encoder, rule: PseudoRule) -> None:
        self._encoder = encoder
        self._rule = rule
        self._found: dict[str, PseudoReference] = {}

    def take(self, documents: Iterable[str]) -> Mapping[str, PseudoReference]:
        """Those of *documents*; what no row at hand needs is forgotten."""
        wanted = dict.fromkeys(documents)
        missing = [text for text in wanted if text not in self._found]
        made = read_hybrids(self._encoder, missing)
        self._found = {text: self._found[text] for text in wanted if text in self._found}
        for text, hybrid in made.items():
            self._found[text] = build_pseudo(hybrid, self._rule)
        return self._found


@dataclass(frozen=True)
class AgainstPseudo:
    """A metric of a summary against the pseudo references of its documents."""

    options: Mapping[str, Value]
    name: str = ""
    columns: tuple[str, ...] = ()
    needs: frozenset[str] = frozenset({DOCUMENTS})
    lower: frozenset[str] = field(default_factory=frozenset)

    @cached_property
    def signature(self) -> str:
        said = dict(self.options)
        said["encoder"] = sign_encoder(str(said["encoder"]), int(said.pop("layer")))
        return sign_metric(self.name, said)

    @cached_property
    def encoder(self) -> Encoder:
        return load_encoder(str(self.options["encoder"]), int(self.options["layer"]))

    def score(self, summaries: Sequence[str], references: Texts, documents: Texts) -> MetricTable:
        summaries, references, documents = check_texts(self, summaries, references, documents)
        values = np.zeros((len(summaries), len(self.columns)))
        shelf = PseudoShelf(self.encoder, PseudoRule.of_options(self.options))
        for places in group_rows(documents):
            pseudo = shelf.take(text for place in places for text in documents[place])
            told = read_hybrids(self.encoder, (summaries[place] for place in places))
            for place in places:
                found = [pseudo[text] for text in documents[place]]
                values[place] = self.score_row(told[summaries[place]], found)
        return MetricTable(self.columns, values)

    def score_row(self, summary: Hybrid, documents: Sequence[PseudoReference]) -> Floats:
        raise NotImplementedError
