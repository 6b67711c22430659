"""Pyramid scores from presence labels, by summary and by system (Zhang & Bansal 2021, §3.1).

`exhaustive`: weights of present units / weights of all units (equation 2 with human labels).
`original`: weights of present units / the highest sum that as many units can have (equation 1,
Passonneau 2010). `lite`: the share of present units in a sample of K, weights written out as
repetitions (Shapira et al. 2019). A system's score is the plain mean over documents.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring import __version__
from scoring.errors import InputError
from scoring.translation import gettext as _

Floats = NDArray[np.float64]
Row = Sequence[int | None]


@dataclass(frozen=True, slots=True)
class LabelledUnits:
    """Units of all documents end to end, and each system's labels of them.

    Units of document d are those from `starts[d]` up to `starts[d + 1]`. A label is 1 present,
    0 not present, -1 none; labels have a row for each system.
    """

    documents: Sequence[str]
    systems: Sequence[str]
    starts: NDArray[np.int64]
    weights: NDArray[np.int64]
    labels: NDArray[np.int8]

    def content_hash(self) -> str:
        digest = hashlib.sha256()
        for keys in (self.documents, self.systems):
            digest.update("".join(f"{len(key)}:{key}" for key in keys).encode() + b"\0")
        for column in (self.starts, self.weights, self.labels):
            digest.update(np.ascontiguousarray(column).tobytes())
        return digest.hexdigest()

    def sums(self, values: NDArray[np.generic]) -> NDArray[np.int64]:
        """Whole numbers by unit added up by document; works for documents without units too."""
        running = np.cumsum(values, axis=-1, dtype=np.int64)
        padded = np.concatenate([np.zeros((*running.shape[:-1], 1), np.int64), running], axis=-1)
        return padded[..., self.starts[1:]] - padded[..., self.starts[:-1]]


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """A score for each system (row) and document (column); nan where there is none."""

    systems: Sequence[str]
    documents: Sequence[str]
    scores: Floats
    signature: str

    def means(self) -> Floats:
        """Each system's mean over the documents it has a score for; nan if there is none."""
        return np.array([_mean(row[~np.isnan(row)]) for row in self.scores])

    def ranks(self) -> NDArray[np.int64]:
        """1 for the highest mean; equal means share the better rank, systems without one are 0."""
        means = self.means()
        ranks = 1 + (means[None, :] > means[:, None]).sum(axis=1)
        return np.where(np.isnan(means), 0, ranks)


def label_units(
    weights: Mapping[str, Sequence[int]], labels: Mapping[str, Mapping[str, Row]]
) -> LabelledUnits:
    """Units by document with their weights, and labels by system and document.

    A system may lack documents; a label may be None. A row of labels that does not fit its
    document's units is an error.
    """
    starts = np.concatenate([[0], np.cumsum([len(row) for row in weights.values()], dtype=int)])
    flat = np.array([weight for row in weights.values() for weight in row], dtype=np.int64)
    if (flat < 1).any():
        raise InputError(_("A unit's weight must be at least 1."))
    found = [_label_row(weights, system, rows) for system, rows in labels.items()]
    table = np.array(found, dtype=np.int8).reshape(len(labels), len(flat))
    return LabelledUnits(tuple(weights), tuple(labels), starts, flat, table)


def score_summaries(
    units: LabelledUnits, *, method: str = "exhaustive", sample: int | None = None, seed: int = 0
) -> ScoreTable:
    """The score of every summary. `sample` is the K of `lite`, and belongs to it alone.

    Units without a label are left out of sums; a summary without any label has no score.
    """
    if method not in METHODS:
        raise InputError(
            _("Unknown method '{method}'. Known: {methods}.").format(
                method=method, methods=", ".join(METHODS)
            )
        )
    if (sample is None) == (method == "lite") or (sample is not None and sample < 1):
        raise InputError(
            _("'lite' needs a sample of at least 1 unit; other methods don't use a sample.")
        )
    signature = f"data:{units.content_hash()[:16]}|method:{method}"
    if sample is not None:
        signature += f"|sample:{sample}|seed:{seed}"
    scores = METHODS[method](units, sample or 0, seed)
    return ScoreTable(units.systems, units.documents, scores, f"{signature}|giza:{__version__}")


def sample_units(units: LabelledUnits, size: int, seed: int) -> NDArray[np.int64]:
    """How often each unit is in its document's sample; the same sample for every system.

    A unit of weight w stands there w times. A document with fewer units than *size* gives all. The
    draw depends on the seed and the document's name, not on the other documents.
    """
    drawn = np.zeros(len(units.weights), dtype=np.int64)
    for number, document in enumerate(units.documents):
        start, end = units.starts[number], units.starts[number + 1]
        copies = np.repeat(np.arange(start, end), units.weights[start:end])
        rng = np.random.default_rng([seed, zlib.crc32(document.encode())])
        np.add.at(drawn, rng.choice(copies, min(size, len(copies)), replace=False), 1)
    return drawn


def _exhaustive(units: LabelledUnits, sample: int, seed: int) -> Floats:
    return _weighted_share(units, units.weights)


def _lite(units: LabelledUnits, sample: int, seed: int) -> Floats:
    return _weighted_share(units, sample_units(units, sample, seed))


def _original(units: LabelledUnits, sample: int, seed: int) -> Floats:
    present = units.labels == 1
    numbers = units.sums(present)
    heaviest = _heaviest_first(units)
    running = np.concatenate([[0], np.cumsum(heaviest)])
    best = running[units.starts[:-1] + numbers] - running[units.starts[:-1]]
    # A summary without a present unit scores 0, whatever the best would be.
    return _divide(units.sums(present * units.weights), np.maximum(best, 1), units)


METHODS: dict[str, Callable[[LabelledUnits, int, int], Floats]] = {
    "exhaustive": _exhaustive,
    "original": _original,
    "lite": _lite,
}


def _weighted_share(units: LabelledUnits, weights: NDArray[np.int64]) -> Floats:
    present = units.sums((units.labels == 1) * weights)
    return _divide(present, units.sums((units.labels >= 0) * weights), units)


def _divide(present: NDArray[np.int64], best: NDArray[np.int64], units: LabelledUnits) -> Floats:
    is_scored = (units.sums(units.labels >= 0) > 0) & (best > 0)
    return np.divide(present, best, out=np.full(present.shape, np.nan), where=is_scored)


def _heaviest_first(units: LabelledUnits) -> NDArray[np.int64]:
    """Weights in falling order within each document."""
    documents = np.repeat(np.arange(len(units.documents)), np.diff(units.starts))
    return units.weights[np.lexsort((-units.weights, documents))]


def _label_row(weights: Mapping[str, Sequence[int]], system: str, rows: Mapping[str, Row]) -> Row:
    if unknown := sorted(set(rows) - set(weights)):
        raise InputError(
            _("System '{system}' has labels for '{unknown}', which has no units.").format(
                system=system, unknown=unknown[0]
            )
        )
    flat: list[int] = []
    for document, units in weights.items():
        row = rows.get(document, [None] * len(units))
        if len(row) != len(units):
            raise InputError(
                _(
                    "System '{system}' has {row} labels for '{document}', which has "
                    "{units} units. Give one label for each unit."
                ).format(system=system, row=len(row), document=document, units=len(units))
            )
        flat += [-1 if label is None else label for label in row]
    if wrong := sorted(set(flat) - {-1, 0, 1}):
        raise InputError(
            _("System '{system}' has the label {wrong}. Use 0, 1 or None.").format(
                system=system, wrong=wrong[0]
            )
        )
    return flat


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else float("nan")
