"""`python -m scoring estimate`: scores of systems from few human and many automatic labels.

With `--scores` the systems of one's own files are estimated. With `--judged` a study that people
judged whole is used to see how often the intervals hold: documents are drawn as if people had
judged those alone. `--data` takes a published study, judged by an embedded judge that learned from
the other folds (those of its files, or 5 drawn ones); that takes minutes, so that `--save` keeps
its scores for `--scores`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from scoring.cli.progress import ProgressLine
from scoring.crossvalidation import make_folds, read_folds
from scoring.errors import InputError
from scoring.estimation import (
    CHOICES,
    DOCUMENTS,
    RANKER,
    TARGETS,
    PartialScores,
    choose_sampling,
    estimate_systems,
    measure_coverage,
)
from scoring.estimation.coverage import DRAWS
from scoring.estimation.means import LEVEL
from scoring.finetune import FineTuneOptions, TrainingRecord, records_from_labels
from scoring.finetune.run import TREES
from scoring.finetune.trees import hold_out, look_at
from scoring.io.cells import row_line
from scoring.io.chances import read_chances, read_document_ids
from scoring.io.score_files import COLUMNS, load_study
from scoring.judge.held_out import HeldOutRecord

NAME = "estimate"
HELP = "Estimate system scores from some human labels and a judge's scores."
FOLDS = "by_examples/fold*.id"
PEOPLE = "human"

HEAD = (
    f"{'system':<32}{'estimate':>9}  {'95 % interval':<15}{'people only':>13}  {'interval':<15}"
    f"{'judge':>7}{'λ':>6}{'saved':>7}"
)
ROW = (
    "{system:<32}{value:>9.3f}  {low:.3f} to {high:.3f} {people:>13.3f}  {people_low:.3f} to "
    "{people_high:.3f} {judge:>7.3f}{lam:>6.2f}{saved:>7.1f}"
)
TARGET_WORDS = {
    "documents": "The score over these documents if people judged them all.",
    "population": "The score over all documents of the kind that these were drawn from.",
}
SAMPLING_WORDS = {
    "random": "The judged documents are assumed to be a random sample.",
    "probabilities": "Judged documents are weighted by their probability of being chosen.",
    "audit": "The ranker's documents represent themselves; the audit slice all others.",
}
FEW_WORDS = (
    "Few documents: an interval is based on fewer than 20. It may contain the score in fewer than "
    "95 of 100 cases where scores are skewed or mostly equal. Have more documents judged."
)
COVERED = """\
{judged} of {documents} documents judged by people, {draws:,} draws, {systems} systems
intervals that contain the full score: {covered:.1%} (lowest of a system {lowest:.1%})
mean width {width:.3f}; with people only {people_width:.3f}, which contain it {people_covered:.1%}
with people only, {people_alone:.1f} documents would have to be judged for that width
mean λ {lam:.2f}; largest mean error of a system {bias:.4f}"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument(
        "--scores", type=Path, nargs="+", help="CSV or JSONL of doc_id, system, metric, score"
    )
    source.add_argument("--data", type=Path, help="folder of a published study, such as realsumm/")
    parser.add_argument("--human", default=PEOPLE, help="name of the human scores")
    parser.add_argument("--automatic", default="", help="name of the judge's scores")
    parser.add_argument("--judge", choices=TREES, default=TREES[0], help="with --data")
    parser.add_argument("--target", choices=TARGETS, default=DOCUMENTS)
    parser.add_argument("--level", type=float, default=LEVEL, help="confidence level of intervals")
    parser.add_argument(
        "--chosen", choices=CHOICES, help="how the documents that people judged were chosen"
    )
    parser.add_argument(
        "--probabilities",
        type=Path,
        help="CSV of doc_id and its probability of being chosen by the ranker",
    )
    parser.add_argument(
        "--audit",
        type=Path,
        help="ids of judged documents drawn at random in addition to the ranker's",
    )
    parser.add_argument(
        "--judged", type=int, help="draw this number of documents from a fully judged study"
    )
    parser.add_argument("--draws", type=int, default=DRAWS, help="with --judged")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save", type=Path, help="write human and judge scores to this file")


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    if arguments.judged is None and arguments.data:
        raise InputError(
            "A study of --data is fully judged. Give --judged, the number of documents to draw."
        )
    scores = _judge_study(arguments) if arguments.data else _read_scores(arguments)
    if arguments.save:
        lines = "".join(_rows(scores, arguments.judge if arguments.data else arguments.automatic))
        arguments.save.write_text(lines, encoding="utf-8", newline="")
    measure = _estimate if arguments.judged is None else _measure
    return measure(arguments, scores)


def _measure(arguments: argparse.Namespace, scores: PartialScores) -> dict[str, Any]:
    with ProgressLine("Drawing documents") as line:
        return measure_coverage(
            scores,
            arguments.judged,
            draws=arguments.draws,
            target=arguments.target,
            level=arguments.level,
            seed=arguments.seed,
            tell=line,
        ).to_json()


def _estimate(arguments: argparse.Namespace, scores: PartialScores) -> dict[str, Any]:
    if not arguments.chosen:
        raise InputError(
            "Say how the documents that people judged were chosen: --chosen random, or --chosen "
            f"{RANKER} with --probabilities or --audit."
        )
    sampling = choose_sampling(
        scores.documents,
        scores.judged,
        chosen=arguments.chosen,
        probabilities=read_chances(arguments.probabilities) if arguments.probabilities else None,
        audit=read_document_ids(arguments.audit) if arguments.audit else None,
    )
    found = estimate_systems(scores, sampling, target=arguments.target, level=arguments.level)
    return found.to_json()


def _read_scores(arguments: argparse.Namespace) -> PartialScores:
    study = load_study(arguments.scores, human=arguments.human)
    if arguments.automatic not in study.metrics:
        known = ", ".join(study.metrics) or "none"
        raise InputError(
            f"No metric is called '{arguments.automatic}'. --automatic can be {known}."
        )
    return PartialScores(
        study.systems, study.documents, study.people, study.scores[arguments.automatic]
    )


def _judge_study(arguments: argparse.Namespace) -> PartialScores:
    folder = arguments.data
    records = records_from_labels(folder / "SCUs.txt", folder / "summaries", folder / "labels")
    files = sorted(folder.glob(FOLDS))
    folds = (
        read_folds(files, records)
        if files
        else make_folds(records, "examples", seed=arguments.seed)
    )
    options = FineTuneOptions(arguments.judge, seed=arguments.seed)
    with ProgressLine("Reading summaries") as line:
        look_at(records, options, line)
    with ProgressLine("Judging") as line:
        found = []
        for number, record in enumerate(hold_out(records, folds, options), 1):
            found.append(record)
            line(number, len(records))
    return score_records(records, found)


def score_records(records: list[TrainingRecord], judged: list[HeldOutRecord]) -> PartialScores:
    """Pyramid scores of summaries by people's labels and by a judge's presence."""
    systems, documents = (
        sorted({getattr(record, name) for record in records}) for name in ("system", "document")
    )
    human, automatic = np.full((2, len(systems), len(documents)), np.nan)
    for record in judged:
        place = systems.index(record.system), documents.index(record.document)
        known = [number for number, label in enumerate(record.labels) if label is not None]
        weights = [(record.weights or (1,) * len(record.labels))[number] for number in known]
        for table, values in ((human, record.labels), (automatic, record.presence)):
            table[place] = np.average([float(values[n] or 0) for n in known], weights=weights)
    return PartialScores(systems, documents, human, automatic)


def _rows(scores: PartialScores, automatic: str) -> Iterator[str]:
    yield row_line(*COLUMNS)
    for metric, table in ((PEOPLE, scores.human), (automatic, scores.automatic)):
        for row, system in enumerate(scores.systems):
            for column, document in enumerate(scores.documents):
                if not np.isnan(value := table[row, column]):
                    yield row_line(document, system, metric, repr(float(value)))


def show(found: dict[str, Any]) -> str:
    if "draws" in found:
        return COVERED.format(**(found | {"systems": len(found["systems"])}))
    pairs = found["pairs"]
    apart = {
        name: sum(pair[name] < 1 - found["level"] for pair in pairs)
        for name in ("p_holm", "p_bh", "p_people_holm")
    }
    told = (
        f"{len(pairs):,} pairs: {apart['p_holm']:,} differ by Holm, {apart['p_bh']:,} by "
        f"Benjamini and Hochberg; {apart['p_people_holm']:,} by Holm with people only."
    )
    return "\n".join(
        [
            HEAD,
            *(ROW.format(**row) for row in found["systems"]),
            TARGET_WORDS[found["target"]],
            SAMPLING_WORDS[found["sampling"]],
            *([FEW_WORDS] if found["is_few"] else []),
            "Saved: additional documents that people would have to judge for the same width.",
            told,
            found["signature"],
        ]
    )
