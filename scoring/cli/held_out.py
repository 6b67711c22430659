"""`python -m scoring held-out --data DIR`: how good the embedded judges are on what they never saw.

Each REALSumm row comes from models that had not seen the fold; PyrXSum from a judge that learned
from REALSumm alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from scoring.finetune import FineTuneOptions, Fold, TrainingRecord, read_folds, records_from_labels
from scoring.finetune.run import TREES
from scoring.finetune.trees import hold_out, judge_others
from scoring.judge.held_out import evaluate_held_out

NAME = "held-out"
HELP = "Held-out figures of the embedded judges on REALSumm and PyrXSum, beside the papers'."
STUDIES = ("realsumm", "pyrxsum")
FOLDS = {"examples": "by_examples/fold*.id", "systems": "by_systems/fold*.sys"}
COLUMNS = ("setting", "judge", "summary_level", "system_level", "system_level_by_fold")
ROW = (
    "{setting:<30} {judge:<18} {accuracy:>8} {summary_level:>8} {system_level:>8}"
    " {system_level_by_fold:>15}"
)

# Pearson's r of Zhang & Bansal (2021): zero-shot (Lite²Pyramid-0) and fine-tuned (Lite²Pyramid)
# RoBERTa-large, from tables 1, 4 and 2. With folds, theirs are means over folds.
ZERO_SHOT, FINE_TUNED = "paper, zero-shot", "paper, fine-tuned"
PAPER = (
    ("REALSumm, 5 folds by examples", ZERO_SHOT, ".56", "", ".86"),
    ("REALSumm, 5 folds by examples", FINE_TUNED, ".64", "", ".89"),
    ("REALSumm, 5 folds by systems", ZERO_SHOT, ".48", "", ".73"),
    ("REALSumm, 5 folds by systems", FINE_TUNED, ".56", "", ".74"),
    ("PyrXSum, out of the box", FINE_TUNED, ".70", ".99", ""),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data", type=Path, required=True, help="folder with realsumm/ and pyrxsum/"
    )
    parser.add_argument("--judge", choices=TREES, nargs="+", default=list(TREES))
    parser.add_argument("--seed", type=int, default=0)


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    studies = {name: read_study(arguments.data / name) for name in STUDIES}
    rows = [
        row
        for judge in arguments.judge
        for row in _rows(arguments.data, studies, FineTuneOptions(judge, seed=arguments.seed))
    ]
    return {"rows": rows, "paper": [dict(zip(COLUMNS, row, strict=True)) for row in PAPER]}


def read_study(folder: Path) -> list[TrainingRecord]:
    return records_from_labels(folder / "SCUs.txt", folder / "summaries", folder / "labels")


def _rows(
    data: Path, studies: dict[str, list[TrainingRecord]], options: FineTuneOptions
) -> Iterator[dict[str, Any]]:
    learned = studies["realsumm"]
    for by, pattern in FOLDS.items():
        folds = _released(data / "realsumm", pattern, learned)
        found = evaluate_held_out(hold_out(learned, folds, options)).to_json()
        yield {"setting": f"REALSumm, 5 folds by {by}", "judge": options.base, **found}
    found = evaluate_held_out(judge_others(learned, studies["pyrxsum"], options)).to_json()
    yield {"setting": "PyrXSum, out of the box", "judge": options.base, **found}


def _released(folder: Path, pattern: str, records: Sequence[TrainingRecord]) -> list[Fold]:
    return read_folds(sorted(folder.glob(pattern)), records)


def show(found: dict[str, Any]) -> str:
    rows = [HEAD, *map(_short, found["rows"]), *({"accuracy": "", **row} for row in found["paper"])]
    return "\n".join([*(ROW.format(**row) for row in rows), "Correlations are Pearson's r."])


HEAD = {
    "setting": "",
    "judge": "",
    "accuracy": "accuracy",
    "summary_level": "summary",
    "system_level": "system",
    "system_level_by_fold": "system by fold",
}


def _short(row: dict[str, Any]) -> dict[str, str]:
    levels = COLUMNS[2:]
    return {
        "setting": row["setting"],
        "judge": row["judge"],
        "accuracy": _number(row["accuracy"]),
        **{level: _number(row[level]["pearson"]) for level in levels},
    }


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}".removeprefix("0")
