"""`python -m scoring held-out --data DIR`: how good the embedded judges are on what they never saw.

Each row has the level, folds and numbers of the paper's row that stands next to it: means within
the folds where the paper prints those, everything at once where the paper does. A judge of a fold
learned from the others; its table of document frequencies, too, was counted without the fold.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from scoring.crossvalidation import FOLDS as FOLD_KINDS
from scoring.crossvalidation import cross_validate, make_folds, member_of, try_elsewhere
from scoring.finetune import FineTuneOptions, Fold, TrainingRecord, read_folds, records_from_labels
from scoring.finetune.baselines import BASELINES
from scoring.finetune.run import TREES
from scoring.finetune.trees import held_out_records, hold_out, judge_others
from scoring.judge.fold_figures import measure_folds
from scoring.judge.held_out import HeldOutRecord
from scoring.measured_coverage import say_departures
from scoring.metaeval.draws import RESAMPLES

NAME = "held-out"
HELP = "Compare the embedded judges with the papers', on held-out folds."
STUDIES = ("realsumm", "pyrxsum")
BY_EXAMPLES = "REALSumm, 5 folds by examples"
BY_SYSTEMS = "REALSumm, 5 folds by systems"
DRAWN = "PyrXSum, 5 folds by examples"
WHOLE = "PyrXSum, all at once"
FOLDS = {
    BY_EXAMPLES: "by_examples/fold*.id",
    BY_SYSTEMS: "by_systems/fold*.sys",
}
OWN, REALSUMM = "the other folds", "REALSumm"


@dataclass(frozen=True, slots=True)
class Printed:
    """A row of the paper; empty where it prints nothing. Correlations are Pearson's."""

    setting: str
    judge: str
    learned_from: str
    accuracy: str
    summary_level: str
    system_level: str
    source: str


# Zhang & Bansal (2021), RoBERTa-large: Lite²Pyramid-0, which learned from no label of ours
# (zero-shot), and Lite²Pyramid (fine-tuned). Accuracies are those of A.4, "an average of 5 folds
# (split by examples)": 80.51 and 82.34, 91.13 and 92.45 %.
UNRELEASED = "folds not released"
ZERO, FINE = "paper: zero-shot", "paper: fine-tuned"
PAPER = (
    Printed(BY_EXAMPLES, ZERO, "NLI data", ".805", ".56", ".86", "Table 1, A.4"),
    Printed(BY_EXAMPLES, FINE, OWN, ".823", ".64", ".89", "Table 1, A.4"),
    Printed(BY_SYSTEMS, ZERO, "NLI data", "", ".48", ".73", "Table 4"),
    Printed(BY_SYSTEMS, FINE, OWN, "", ".56", ".74", "Table 4"),
    Printed(DRAWN, ZERO, "NLI data", ".911", ".73", ".96", f"Table 1, A.4, {UNRELEASED}"),
    Printed(DRAWN, FINE, OWN, ".925", ".74", ".95", f"Table 1, A.4, {UNRELEASED}"),
    Printed(WHOLE, FINE, "TAC 2008", "", ".71", ".99", "Table 2"),
    Printed(WHOLE, FINE, "TAC 2008, 2009", "", ".71", ".99", "Table 2"),
    Printed(WHOLE, FINE, "TAC 2008, 2009, REALSumm", "", ".70", ".99", "Table 2"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data", type=Path, required=True, help="folder with realsumm/ and pyrxsum/"
    )
    parser.add_argument("--judge", choices=TREES, nargs="+", default=list(TREES))
    parser.add_argument("--resamples", type=int, default=RESAMPLES, help="of documents")
    parser.add_argument("--seed", type=int, default=0)


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    studies = {name: read_study(arguments.data / name) for name in STUDIES}
    rows = []
    for setting, learned_from, judge, records in _settings(arguments, studies):
        figures = measure_folds(records, resamples=arguments.resamples, seed=arguments.seed)
        start = {"setting": setting, "judge": judge, "learned_from": learned_from}
        rows.append(start | asdict(figures))
    return {
        "rows": rows,
        "paper": [asdict(row) for row in PAPER],
        "resamples": arguments.resamples,
    }


def read_study(folder: Path) -> list[TrainingRecord]:
    return records_from_labels(folder / "SCUs.txt", folder / "summaries", folder / "labels")


Tried = tuple[str, str, str, list[HeldOutRecord]]


def _settings(
    arguments: argparse.Namespace, studies: dict[str, list[TrainingRecord]]
) -> Iterator[Tried]:
    """The settings in which the paper prints figures, with every judge's held-out answers."""
    learned, others = (studies[name] for name in STUDIES)
    for setting, pattern in FOLDS.items():
        folds = read_folds(sorted((arguments.data / "realsumm").glob(pattern)), learned)
        for judge, answers in _hold_out(arguments, learned, folds):
            yield setting, OWN, judge, answers
    # No folds of PyrXSum were released.
    drawn = make_folds(others, "examples", seed=arguments.seed)
    for judge, answers in _hold_out(arguments, others, drawn):
        yield DRAWN, OWN, judge, answers
    for judge, answers in _judge_others(arguments, learned, others):
        yield DRAWN, REALSUMM, judge, list(_place(answers, drawn))
        yield WHOLE, REALSUMM, judge, answers


def _hold_out(
    arguments: argparse.Namespace, records: Sequence[TrainingRecord], folds: Sequence[Fold]
) -> Iterator[tuple[str, list[HeldOutRecord]]]:
    for judge in arguments.judge:
        options = FineTuneOptions(judge, seed=arguments.seed)
        yield judge, list(hold_out(records, folds, options))
    for name, learner in BASELINES.items():
        tried = cross_validate(records, folds, *learner)
        yield name, [row for part in tried for row in held_out_records(part)]


def _judge_others(
    arguments: argparse.Namespace,
    learned: Sequence[TrainingRecord],
    others: Sequence[TrainingRecord],
) -> Iterator[tuple[str, list[HeldOutRecord]]]:
    for judge in arguments.judge:
        options = FineTuneOptions(judge, seed=arguments.seed)
        yield judge, list(judge_others(learned, others, options))
    for name, learner in BASELINES.items():
        yield name, list(held_out_records(try_elsewhere(learned, others, *learner)))


def _place(records: Iterable[HeldOutRecord], folds: Sequence[Fold]) -> Iterator[HeldOutRecord]:
    """The same answers by fold."""
    fold_of = {member: fold.name for fold in folds for member in fold.members}
    for record in records:
        yield replace(record, fold=fold_of[member_of(record, folds[0].by)])


HEAD = {
    "judge": "",
    "learned_from": "learned from",
    "accuracy": "accuracy",
    "ece": "ECE",
    "summary_level": "summary-level r",
    "system_level": "system-level r",
}
ROW = (
    "  {judge:<31} {learned_from:<24} {accuracy:<20} {ece:<5}"
    " {summary_level:<20} {system_level:<20}"
)
FIGURES = ("accuracy", "summary_level", "system_level")
NOTES = (
    "r is Pearson's. Within folds: the mean over folds of the figure within each; ECE is over all "
    "units. In brackets: intervals of 95 % over documents, of accuracy from {resamples:,} "
    "resamples, of r by the jackknife."
)


def show(found: dict[str, Any]) -> str:
    lines = []
    for setting in dict.fromkeys(row["setting"] for row in found["rows"]):
        rows = [row for row in found["rows"] if row["setting"] == setting]
        printed = [row for row in found["paper"] if row["setting"] == setting]
        lines += [describe(setting, rows[0]), ROW.format(**HEAD)]
        lines += [ROW.format(**shorten(row)) for row in (*rows, *printed)]
    wide = {by: say_departures(f"held-out, within folds by {by}") for by in FOLD_KINDS}
    notes = [f"Folds by {by}: {said}" for by, said in wide.items() if said]
    return "\n".join([*(line.rstrip() for line in lines), NOTES.format(**found), *notes])


def describe(setting: str, row: dict[str, Any]) -> str:
    """The setting with its numbers, which are the paper's too."""
    each = " each" if row["folds"] > 1 else ""
    size = f"{row['documents']:,} documents × {row['systems']:,} systems{each}"
    return f"{setting}: {size}, {row['units']:,} labels"


def shorten(row: dict[str, Any]) -> dict[str, str]:
    """A row of ours or of the paper's, as text."""
    if "source" in row:
        return {name: row.get(name) or "–" for name in HEAD}
    figures = {name: with_interval(row[name]) for name in FIGURES}
    names = {name: row[name] for name in ("judge", "learned_from")}
    return names | figures | {"ece": number(row["ece"])}


def with_interval(figure: dict[str, float | None]) -> str:
    if figure["value"] is None or figure["value"] != figure["value"]:
        return "–"
    return f"{number(figure['value'])} ({number(figure['low'])} to {number(figure['high'])})"


def number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}".removeprefix("0")
