"""BERTScore (Zhang et al. 2020): how near each word piece comes to one on the other side.

Precision is over the summary's pieces, recall over the reference's. The marks at a text's ends have
no weight but may be matched with, as in the authors' program. Of several references the best value
of each column counts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from scoring.errors import InputError
from scoring.metrics.catalogue import Option
from scoring.metrics.encoding import (
    ENCODER,
    LAYER,
    Encoded,
    Encoder,
    load_encoder,
    sign_encoder,
    unit_rows,
)
from scoring.metrics.greedy import Best, harmonic_mean, match_many, weigh
from scoring.metrics.protocol import (
    REFERENCES,
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

IDF = Option(
    "idf",
    "",
    gettext_lazy("a file of texts, one per line, for idf weights of word pieces"),
    is_outside=True,
)
OPTIONS: tuple[Option, ...] = (
    ENCODER,
    LAYER,
    IDF,
    Option(
        "baseline",
        "",
        gettext_lazy("a table LAYER,P,R,F of baseline values for rescaling"),
        is_outside=True,
    ),
)  # fmt: skip
AT_ONCE = 512  # rows whose texts are encoded together
COLUMNS = ("precision", "recall", "f1")


@dataclass(frozen=True)
class BertScore:
    """Greedy matching of a summary with its references."""

    options: Mapping[str, Value]
    name: str = "bertscore"
    columns: tuple[str, ...] = COLUMNS
    needs: frozenset[str] = frozenset({REFERENCES})
    lower: frozenset[str] = field(default_factory=frozenset)

    @cached_property
    def signature(self) -> str:
        said = dict(self.options)
        said["encoder"] = sign_encoder(str(said["encoder"]), int(said.pop("layer")))
        for name in ("idf", "baseline"):
            said[name] = hash_file(str(said[name]))
        return sign_metric(self.name, said)

    @cached_property
    def encoder(self) -> Encoder:
        return load_encoder(str(self.options["encoder"]), int(self.options["layer"]))

    @cached_property
    def rarity(self) -> Rarity | None:
        path = str(self.options["idf"])
        return Rarity.of_pieces(self.encoder.read(read_texts(path))) if path else None

    @cached_property
    def baseline(self) -> Floats | None:
        path = str(self.options["baseline"])
        return read_baseline(path, int(self.encoder.signature.rpartition("L")[2])) if path else None

    def score(self, summaries: Sequence[str], references: Texts, documents: Texts) -> MetricTable:
        summaries, references, documents = check_texts(self, summaries, references, documents)
        values = np.zeros((len(summaries), len(self.columns)))
        # Rows of one reference stand together, so that it is encoded once.
        order = sorted(range(len(summaries)), key=lambda place: tuple(references[place]))
        for start in range(0, len(order), AT_ONCE):
            places = order[start : start + AT_ONCE]
            pairs = [(summaries[place], references[place]) for place in places]
            values[places] = self._score_some(pairs)
        if self.baseline is not None:
            values = (values - self.baseline) / (1 - self.baseline)
        return MetricTable(self.columns, values)

    def _score_some(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> Floats:
        texts = list(dict.fromkeys(text for summary, found in pairs for text in (summary, *found)))
        sides = {
            text: Side(encoded, self.rarity)
            for text, encoded in zip(texts, self.encoder.encode(texts), strict=True)
        }
        found = np.full((len(pairs), len(COLUMNS)), -np.inf)
        for place, row in _score_pairs(pairs, sides):
            found[place] = np.maximum(found[place], row)
        return found


def _score_pairs(
    pairs: Sequence[tuple[str, Sequence[str]]], sides: Mapping[str, Side]
) -> Iterator[tuple[int, tuple[float, float, float]]]:
    """Reference by reference, all its summaries in one product."""
    by_reference: dict[str, list[int]] = {}
    for place, (__, references) in enumerate(pairs):
        for reference in dict.fromkeys(references):
            by_reference.setdefault(reference, []).append(place)
    for reference, places in by_reference.items():
        told = [sides[pairs[place][0]] for place in places]
        matched = match_many([side.rows for side in told], sides[reference].rows)
        for place, side, best in zip(places, told, matched, strict=True):
            yield place, score_match(side, sides[reference], *best)


class Side:
    """A text's unit vectors, and what each of its pieces weighs."""

    def __init__(self, encoded: Encoded, rarity: Rarity | None) -> None:
        self.rows = unit_rows(encoded.vectors)
        self.is_empty = bool(encoded.is_mark.all())
        self.weights = (
            rarity.weigh(encoded.ids) if rarity else (~encoded.is_mark).astype(np.float64)
        )


def score_match(
    summary: Side, reference: Side, best: Best, best_of_reference: Best
) -> tuple[float, float, float]:
    """Precision, recall and F; 0 where one of the texts is empty."""
    if summary.is_empty or reference.is_empty:
        return 0.0, 0.0, 0.0
    precision = weigh(best, summary.weights)
    recall = weigh(best_of_reference, reference.weights)
    return precision, recall, harmonic_mean(precision, recall)


def read_texts(path: str) -> list[str]:
    try:
        return Path(path).read_text(encoding="utf-8").removesuffix("\n").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            _("The texts for idf can't be read from {path}: {error}.").format(
                path=path, error=error
            )
        ) from error


def read_baseline(path: str, layer: int) -> Floats:
    """The layer's row of a table LAYER,P,R,F, as bert-score ships them."""
    for line in read_texts(path)[1:]:
        cells = line.split(",")
        if cells[0].strip() == str(layer) and len(cells) == 1 + len(COLUMNS):
            return np.array([float(cell) for cell in cells[1:]])
    raise InputError(
        _("{path} has no row LAYER,P,R,F for layer {layer}.").format(path=path, layer=layer)
    )


def hash_file(path: str) -> str:
    """What a signature says of a file: a hash of it, or no."""
    if not path:
        return "no"
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]
    except OSError as error:
        raise InputError(
            _("There is no file {path}: {strerror}.").format(path=path, strerror=error.strerror)
        ) from error


def load(options: Mapping[str, Value]) -> BertScore:
    return BertScore(dict(options))
