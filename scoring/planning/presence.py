"""Which SCUs and STUs a system's summaries carry: by a judge, or by people's labels of SCUs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.crossvalidation import cross_validate, read_folds
from scoring.errors import InputError
from scoring.finetune.data import TrainingRecord, check_records
from scoring.finetune.options import FineTuneOptions
from scoring.finetune.run import TREES
from scoring.finetune.trees import read_trees
from scoring.judge.catalogue import load_judge
from scoring.judge.functions import read_presence
from scoring.judge.protocol import Judge, Question
from scoring.rouge import f1_of_counts, rouge_words
from scoring.translation import gettext as _
from scoring.translation import gettext_lazy

Floats = NDArray[np.float64]
Units = Sequence[Sequence[str]]
Summaries = Mapping[str, Mapping[str, str]]  # by system, then document
Both = tuple[list[Floats], list[Floats]]

# What stands wherever a figure of STUs is made of people's labels.
NEAREST_LABELS = gettext_lazy(
    "People labelled only SCUs; each STU takes the label of the most similar SCU (ROUGE-1)."
)


def resemble(scus: Units, stus: Units, labels: Sequence[Floats]) -> list[Floats]:
    """Labels of STUs, which nobody judged: those of the SCU nearest to each.

    Near is ROUGE-1 F1, stemmed. Of several nearest SCUs it is the mean of their labels; an STU
    that shares no word with any SCU is not present.
    """
    return [
        table @ _nearest(own, other).T for own, other, table in zip(scus, stus, labels, strict=True)
    ]


def _nearest(scus: Sequence[str], stus: Sequence[str]) -> Floats:
    """STUs × SCUs: the share that each SCU has in what is said of the STU."""
    counted = [[Counter(rouge_words(text)) for text in texts] for texts in (scus, stus)]
    found = np.zeros((len(stus), len(scus)))
    for row, stu in zip(found, counted[1], strict=True):
        likeness = np.array([f1_of_counts(scu, stu) for scu in counted[0]])
        if likeness.size and likeness.max() > 0:
            row[:] = likeness == likeness.max()
            row /= row.sum()
    return found


def ask_judge(
    name: str,
    scus: Units,
    stus: Units,
    summaries: Summaries,
    labels: Sequence[Floats],
    folds: Sequence[Path],
    seed: int,
) -> Both:
    """Presence of SCUs and of STUs by document: systems × units, each list judged as a whole."""
    if name in TREES and folds:
        return _hold_out(name, scus, stus, summaries, labels, folds, seed)
    judge = load_judge(name)
    found = [
        [_ask_document(judge, place, own, summaries) for place, own in enumerate(units)]
        for units in (scus, stus)
    ]
    return found[0], found[1]


def _ask_document(judge: Judge, place: int, units: Sequence[str], summaries: Summaries) -> Floats:
    texts = [list(rows.values())[place] for rows in summaries.values()]
    found = np.zeros((len(texts), len(units)))
    asked = [row for row, text in enumerate(texts) if text.strip() and units]
    answers = judge.judge(Question(texts[row], tuple(units)) for row in asked)
    for row, verdicts in zip(asked, answers, strict=True):
        if missing := sum(verdict.is_missing for verdict in verdicts):
            raise InputError(
                _("{identity} gave no verdict on {missing} of {verdicts} units.").format(
                    identity=judge.identity.name, missing=missing, verdicts=len(verdicts)
                )
            )
        found[row] = [read_presence(judge.default_function, each.logits) for each in verdicts]
    return found


def _hold_out(
    name: str,
    scus: Units,
    stus: Units,
    summaries: Summaries,
    labels: Sequence[Floats],
    folds: Sequence[Path],
    seed: int,
) -> Both:
    """Trees grown from the SCUs of other folds judge the SCUs and STUs of each."""
    backend: Any = import_module("scoring.backends.tree_training")
    options = FineTuneOptions(name, seed=seed)
    records = check_records(_records(scus, summaries, labels))
    documents = {document: place for place, document in enumerate(next(iter(summaries.values())))}
    systems = {system: row for row, system in enumerate(summaries)}
    found = [[np.zeros((len(systems), len(own))) for own in units] for units in (scus, stus)]
    lists = {
        id(record): [] if record.is_empty else [record.units, stus[documents[record.document]]]
        for record in records
    }
    # A summary is encoded once for both lists, and for all folds.
    for record in records:
        for units in filter(None, lists[id(record)]):
            backend.look_at(name, Question(record.summary, tuple(units)))

    def read(record: TrainingRecord, units: Sequence[str], frequencies: Any) -> Any:
        return backend.rows_of(name, Question(record.summary, tuple(units)), frequencies)

    def fit(learned: list[TrainingRecord]) -> Any:
        used = [record for record in learned if not record.is_empty]
        frequencies = backend.choose_frequencies(used)
        rows = [read(record, record.units, frequencies) for record in used]
        return backend.fit_records(used, rows, options, frequencies)

    def predict(trees: Any, held: list[TrainingRecord]) -> Iterator[list[Sequence[float]]]:
        for record in held:
            yield [
                read_trees(trees, read(record, units, trees.frequencies)) if units else []
                for units in lists[id(record)]
            ]

    for tried in cross_validate(records, read_folds(folds, records), fit, predict):
        for record, answers in tried.pairs():
            place, row = documents[record.document], systems[record.system]
            for tables, answer in zip(found, answers, strict=False):
                tables[place][row] = answer
    return found[0], found[1]


def _records(
    scus: Units, summaries: Summaries, labels: Sequence[Floats]
) -> Iterator[TrainingRecord]:
    """By document, so that a unit is encoded once for all systems."""
    for place, document in enumerate(next(iter(summaries.values()))):
        for row, (system, texts) in enumerate(summaries.items()):
            own = tuple(int(label) for label in labels[place][row])
            yield TrainingRecord(document, system, texts[document], tuple(scus[place]), own)
