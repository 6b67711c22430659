"""A learned metric in the manner of S3 (Peyrard, Botschen and Gurevych 2017).

A regression from other metrics' numbers to what people said. The embedded model was trained on
REALSumm's pyramid scores; `python -m scoring train-s3` makes others from any gold dataset.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from scoring.errors import InputError
from scoring.judge.learned import LearnedTexts, read_shipped
from scoring.metrics.catalogue import Option, load_metric
from scoring.metrics.protocol import (
    REFERENCES,
    Floats,
    Metric,
    MetricTable,
    Texts,
    Value,
    check_texts,
    sign_metric,
)
from scoring.metrics.regression import Ridge
from scoring.translation import gettext as _
from scoring.translation import gettext_lazy

NAME = "s3"
EMBEDDED = "pyr"
ARRAYS = ("means", "scales", "weights")
FOLDER = Path(__file__).parent
FILES = {EMBEDDED: FOLDER / "s3_pyr.json"}
# The study whose texts a model that ships was trained on.
STUDY_OF = {EMBEDDED: "realsumm"}
OPTIONS: tuple[Option, ...] = (
    Option(
        "model",
        EMBEDDED,
        gettext_lazy("{embedded}, or a file written by train-s3", embedded=EMBEDDED),
        is_outside=True,
    ),
)
FEATURES: tuple[tuple[str, str], ...] = (
    ("rouge", "rouge1_recall"),
    ("rouge", "rouge1_f1"),
    ("rouge", "rouge2_recall"),
    ("rouge", "rouge2_f1"),
    ("rouge", "rougeL_recall"),
    ("rouge", "rougeL_f1"),
    ("rouge_we", "rouge_we1_recall"),
    ("rouge_we", "rouge_we2_recall"),
    ("js", "js1"),
    ("js", "js2"),
    ("bertscore", "recall"),
    ("bertscore", "f1"),
    ("moverscore", "moverscore"),
)


@dataclass(frozen=True, slots=True, eq=False)
class S3Model:
    """A regression, which features it reads, and what it was trained on.

    `learned` are hashes of the training texts; None of a file that was written without them.
    """

    ridge: Ridge
    features: tuple[tuple[str, str], ...]
    trained: Mapping[str, Any]
    learned: LearnedTexts | None = None

    def as_json(self) -> dict[str, Any]:
        return {
            "kind": NAME,
            "features": [".".join(feature) for feature in self.features],
            "means": self.ridge.means.tolist(),
            "scales": self.ridge.scales.tolist(),
            "weights": self.ridge.weights.tolist(),
            "intercept": self.ridge.intercept,
            "trained": dict(self.trained),
            **({"learned": self.learned.to_json()} if self.learned else {}),
        }


@dataclass(frozen=True)
class S3:
    """What people would say, by the model."""

    model: S3Model
    digest: str
    name: str = NAME
    columns: tuple[str, ...] = (NAME,)
    needs: frozenset[str] = frozenset({REFERENCES})
    lower: frozenset[str] = field(default_factory=frozenset)

    @cached_property
    def signature(self) -> str:
        signed = hashlib.sha256("\n".join(self._signatures()).encode()).hexdigest()[:16]
        return sign_metric(self.name, {"model": self.digest, "features": signed})

    @cached_property
    def metrics(self) -> dict[str, Metric]:
        return load_features(self.model.features)

    def _signatures(self) -> list[str]:
        return [metric.signature for metric in self.metrics.values()]

    def score(self, summaries: Sequence[str], references: Texts, documents: Texts) -> MetricTable:
        summaries, references, documents = check_texts(self, summaries, references, documents)
        features = read_features(self.metrics, self.model.features, summaries, references)
        return MetricTable(self.columns, self.model.ridge.predict(features)[:, np.newaxis])


def load_features(features: Sequence[tuple[str, str]]) -> dict[str, Metric]:
    """The metrics that the features are columns of, with their defaults."""
    return {name: load_metric(name) for name in dict.fromkeys(name for name, __ in features)}


def read_features(
    metrics: Mapping[str, Metric],
    features: Sequence[tuple[str, str]],
    summaries: Sequence[str],
    references: Texts,
) -> Floats:
    """A row for each summary, a column for each feature."""
    tables = {name: metric.score(summaries, references, []) for name, metric in metrics.items()}
    columns = [
        tables[name].values[:, tables[name].columns.index(column)] for name, column in features
    ]
    return np.column_stack(columns)


def read_model(name: str) -> tuple[S3Model, str]:
    """A model by short name or file, and its hash."""
    path = FILES.get(name, Path(name).expanduser())
    try:
        content = path.read_bytes()
        data = json.loads(content)
        features = tuple(_feature(text) for text in data["features"])
        ridge = Ridge(*_arrays(data), float(data["intercept"]))
        learned = _read_learned(name, data)
    except OSError as error:
        raise InputError(
            _(
                "There is no s3 model '{name}', and there is no such file: {strerror}. "
                "Known: {files}; train-s3 writes such files."
            ).format(name=name, strerror=error.strerror, files=", ".join(FILES))
        ) from error
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(
            _("{path} is not an s3 model: {error}. train-s3 writes one.").format(
                path=path, error=error
            )
        ) from error
    if not all(len(array) == len(features) for array in _arrays(data)):
        raise InputError(
            _("{path} does not have one mean, scale and weight for each feature.").format(path=path)
        )
    model = S3Model(ridge, features, data.get("trained", {}), learned)
    return model, hashlib.sha256(content).hexdigest()[:16]


def _read_learned(name: str, data: Mapping[str, Any]) -> LearnedTexts | None:
    if name in STUDY_OF:
        return read_shipped(STUDY_OF[name])
    return LearnedTexts.from_json(data["learned"]) if "learned" in data else None


def _arrays(data: Mapping[str, Any]) -> tuple[Floats, Floats, Floats]:
    means, scales, weights = (np.array(data[key], dtype=np.float64) for key in ARRAYS)
    return means, scales, weights


def _feature(text: str) -> tuple[str, str]:
    name, __, column = text.partition(".")
    if (name, column) not in FEATURES:
        listed = ", ".join(".".join(feature) for feature in FEATURES)
        raise InputError(
            _("'{text}' is not a feature. Known: {listed}").format(text=text, listed=listed)
        )
    return name, column


def load(options: Mapping[str, Value]) -> S3:
    model, digest = read_model(str(options["model"]))
    return S3(model, f"{options['model']}@{digest}" if options["model"] in FILES else digest)
