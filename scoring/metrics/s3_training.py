"""Training of the learned metric: summaries, and what people said of them."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from scoring import __version__
from scoring.errors import InputError
from scoring.finetune.data import records_from_gold, records_from_labels
from scoring.io.errors import ProblemList
from scoring.io.gold import read_gold
from scoring.io.marks import without_marks
from scoring.io.texts import read_texts
from scoring.judge.learned import LearnedTexts
from scoring.metaeval.correlation import MEASURES
from scoring.metrics.disagreement import lay_out
from scoring.metrics.protocol import Floats
from scoring.metrics.regression import fit_ridge, predict_left_out
from scoring.metrics.s3 import FEATURES, S3Model, load_features, read_features
from scoring.translation import gettext as _

Key = tuple[str, str]  # document and system


@dataclass(frozen=True, slots=True)
class Lesson:
    """One summary with its references, and the score that people gave it."""

    document: str
    system: str
    summary: str
    references: tuple[str, ...]
    target: float


def lessons_from_gold(path: Path) -> list[Lesson]:
    """From a gold dataset: the target is the share of units present, by their weights."""
    records = {(row.document, row.system): row for row in records_from_gold(path)}
    problems = ProblemList()
    with read_gold(path, problems=problems) as reader:
        references = {
            example.key: tuple(without_marks(one.text) for one in example.references)
            for example in reader.examples()
        }
    problems.raise_first()
    return _join(
        ((key, row.summary, references[row.document]) for key, row in records.items()),
        {key: _share(row.labels, row.weights) for key, row in records.items()},
    )


def lessons_from_folder(folder: Path, scores: Path | None) -> list[Lesson]:
    """From line files: the target is in a table doc_id,system,score, or by the folder's labels."""
    texts = read_texts(folder)
    keys = zip(texts.documents, texts.systems, strict=True)
    rows = zip(keys, texts.summaries, texts.references, strict=True)
    return _join(rows, read_scores(scores) if scores else _label_scores(folder))


def _label_scores(folder: Path) -> dict[Key, float]:
    records = records_from_labels(folder / "SCUs.txt", folder / "summaries", folder / "labels")
    return {(row.document, row.system): _share(row.labels, row.weights) for row in records}


def _share(labels: Sequence[int | None], weights: Sequence[int]) -> float:
    known = [
        (label, weight)
        for label, weight in zip(labels, weights or [1] * len(labels), strict=True)
        if label is not None
    ]
    return sum(label * weight for label, weight in known) / sum(weight for __, weight in known)


def read_scores(path: Path) -> dict[Key, float]:
    """A table with a header doc_id,system,score; rows without a score are left out."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        if not {"doc_id", "system", "score"} <= set(rows.fieldnames or ()):
            raise InputError(
                _("{path} has no columns doc_id, system and score. Add a header.").format(path=path)
            )
        found: dict[Key, float] = {}
        for row in rows:
            key = row["doc_id"], row["system"]
            if key in found:
                raise InputError(
                    _("{path}, line {line_num}: {key} has two scores for {key_2}.").format(
                        path=path, line_num=rows.line_num, key=key[1], key_2=key[0]
                    )
                )
            if row["score"]:
                found[key] = _number(row["score"], path, rows.line_num)
    return found


def _number(text: str, path: Path, line: int) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(
            _("{path}, line {line}: '{text}' is not a score. Expected a number.").format(
                path=path, line=line, text=text
            )
        ) from None


def _join(
    rows: Iterable[tuple[Key, str, tuple[str, ...]]], targets: Mapping[Key, float]
) -> list[Lesson]:
    """Summaries with references and a target; the others teach nothing."""
    found = [
        Lesson(*key, summary, references, targets[key])
        for key, summary, references in rows
        if key in targets and references
    ]
    if not found:
        raise InputError(
            _("No summary has both references and a score, so there is nothing to learn from.")
        )
    return found


def train_s3(
    lessons: Sequence[Lesson], *, target: str, penalty: float, folds: int, seed: int
) -> tuple[S3Model, dict[str, Any]]:
    """The model from all lessons, and how well it does on documents that it had not seen."""
    metrics = load_features(FEATURES)
    features = read_features(
        metrics, FEATURES, [one.summary for one in lessons], [one.references for one in lessons]
    )
    targets = np.array([one.target for one in lessons])
    ridge = fit_ridge(features, targets, penalty)
    left_out = predict_left_out(
        features, targets, [one.document for one in lessons],
        penalty=penalty, folds=folds, seed=seed,
    )  # fmt: skip
    trained = {
        "target": target,
        "summaries": len(lessons),
        "documents": len({one.document for one in lessons}),
        "penalty": penalty,
        "giza": __version__,
        "features": {name: metric.signature for name, metric in metrics.items()},
    }
    learned = LearnedTexts.of(
        (one.summary for one in lessons),
        units=(),
        references=(text for one in lessons for text in one.references),
    )
    return S3Model(ridge, FEATURES, trained, learned), correlate(lessons, left_out)


def correlate(lessons: Sequence[Lesson], scores: Floats) -> dict[str, Any]:
    """With what people said: of systems' means, and of summaries within each document."""
    named = [one.document for one in lessons], [one.system for one in lessons]
    __, people = lay_out(*named, np.array([one.target for one in lessons]))
    __, ours = lay_out(*named, scores)
    return {
        name: {
            "system": measure(np.nanmean(ours, axis=1), np.nanmean(people, axis=1)),
            "summary": _mean_over_documents(measure, ours, people),
        }
        for name, measure in MEASURES.items()
    }


def _mean_over_documents(measure: Any, ours: Floats, people: Floats) -> float:
    known = [~np.isnan(one) & ~np.isnan(two) for one, two in zip(ours.T, people.T, strict=True)]
    found = [
        measure(one[both], two[both])
        for one, two, both in zip(ours.T, people.T, known, strict=True)
        if both.sum() > 1
    ]
    kept = [value for value in found if not np.isnan(value)]
    return float(np.mean(kept)) if kept else float("nan")
