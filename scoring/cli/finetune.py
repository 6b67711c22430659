"""`python -m scoring finetune --base MODEL --output DIR …`: a judge from presence labels."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from scoring.errors import InputError
from scoring.finetune import (
    FOLDS,
    POOLINGS,
    SHARINGS,
    FineTuned,
    FineTuneOptions,
    Fold,
    TrainingRecord,
    fine_tune,
    make_folds,
    read_folds,
    records_from_gold,
    records_from_labels,
)
from scoring.finetune.progress import Progress

NAME = "finetune"
HELP = "Fine-tune a judge on presence labels, and test it on held-out folds."
BY = {f"by-{name}": name for name in FOLDS}
LEVELS = ("summary_level", "system_level")
TRAINED = "trained on {labels:,} labels, {documents:,} documents × {systems:,} systems"
UNITS = "  accuracy {accuracy:.4f}, Brier {brier:.4f}, calibration error {ece:.4f}"
EVERY = 0.5  # seconds between two looks of the line that shows progress


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _add_data(parser)
    parser.add_argument(
        "--base",
        required=True,
        help="Hugging Face name or folder of a model; embedded or lexical for trees",
    )
    parser.add_argument(
        "--output", type=Path, required=True, help="folder that the judge is written to"
    )
    parser.add_argument("--name", default="", help="name of the judge; by default the folder's")
    parser.add_argument(
        "--folds",
        nargs="+",
        default=[],
        metavar="by-examples|by-systems|FILE",
        help="hold out folds: drawn, or one file of ids (.id) or systems (.sys) per fold",
    )
    parser.add_argument("--k", type=int, default=5, help="number of folds to draw")
    parser.add_argument(
        "--keep-folds", action="store_true", help="save the folds' models (trees always are)"
    )
    parser.add_argument(
        "--sharing", choices=SHARINGS, default="pairs", help="read each summary once for all units"
    )
    defaults = {field.name: field.default for field in fields(FineTuneOptions)}
    for name, what in NUMBERS.items():
        default: Any = defaults[name]
        parser.add_argument(
            f"--{name.replace('_', '-')}", type=type(default), default=default, help=what
        )
    parser.add_argument("--pooling", choices=POOLINGS, default="mean", help="of a unit's tokens")
    parser.add_argument("--device", default="cpu", help="cpu, cuda or mps")


NUMBERS = {
    "learning_rate": "peak learning rate",
    "epochs": "passes over the data",
    "warm_up": "share of steps for warm-up",
    "batch_size": "units per step",
    "weight_decay": "of AdamW",
    "clip": "largest norm of the gradient",
    "window": "tokens of summary and unit; 0: the model's maximum",
    "seed": "seed of new weights, order and dropout",
    "threads": "processor threads; 0: torch decides",
    "checkpoint_every": "steps between checkpoints; 0: none",
}


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    named = {field.name: getattr(arguments, field.name) for field in fields(FineTuneOptions)}
    options = FineTuneOptions(**named)
    records = read_records(arguments)
    folds = choose_folds(arguments.folds, records, arguments.k, options.seed)
    line = ProgressLine() if sys.stderr.isatty() else None
    found = fine_tune(
        records,
        options,
        arguments.output,
        folds=folds,
        name=arguments.name,
        tell=line,
        keep_folds=arguments.keep_folds,
        probe=True,
    )
    if line:
        line.end()
    return describe(found)


def read_records(arguments: argparse.Namespace) -> list[TrainingRecord]:
    """From a gold dataset, or from units, summaries and labels."""
    files = (arguments.units, arguments.summaries, arguments.labels)
    if arguments.gold and not any(files):
        return records_from_gold(arguments.gold)
    if arguments.gold or not all(files):
        raise InputError("Give --gold, or --units, --summaries and --labels together.")
    return records_from_labels(*files, arguments.ids)


def choose_folds(
    named: Sequence[str], records: Sequence[TrainingRecord], k: int, seed: int
) -> list[Fold]:
    if not named:
        return []
    if named[0] in BY and len(named) == 1:
        return make_folds(records, BY[named[0]], k, seed=seed)
    return read_folds([Path(name) for name in named], records)


def describe(found: FineTuned) -> dict[str, Any]:
    """What is printed, as plain values: the card, without the members of folds."""
    card = {name: value for name, value in found.card.items() if name != "folds"}
    folds = [fold["name"] for fold in found.card["folds"]]
    return {"judge": str(found.folder), "folds": folds, **card}


def show(found: dict[str, Any]) -> str:
    data, held_out = found["data"], found["held_out"]
    lines = [
        f"{found['judge']}: {found['kind']} judge, read by {found['function']}",
        TRAINED.format(**data),
    ]
    if held_out is None:
        return "\n".join([*lines, "no folds were held out, so its quality is unknown"])
    rows = (held_out[f"{level}{part}"] for part in ("", "_by_fold") for level in LEVELS)
    return "\n".join(
        [
            *lines,
            f"held out in {len(found['folds'])} folds, each judged by a model without it:",
            UNITS.format(**held_out),
            *map(_level, rows),
        ]
    )


class ProgressLine:
    """One line on the terminal that is written over."""

    def __init__(self) -> None:
        self.shown = 0.0

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if now - self.shown >= EVERY or progress.step == progress.steps:
            self.shown = now
            print(f"\r\x1b[K{progress}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _add_data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--gold", type=Path, help="gold dataset: gold.zip, folder or gold.jsonl")
    parser.add_argument("--units", type=Path, help="units with their weights")
    parser.add_argument("--summaries", type=Path, help="folder of <system>.summary files")
    parser.add_argument("--labels", type=Path, help="folder of <system>.label files")
    parser.add_argument(
        "--ids", type=Path, help="document ids, one per line; by default ids.txt next to the units"
    )


def _level(row: dict[str, Any]) -> str:
    values = [
        f"{name} {'undefined' if row[name] is None else format(row[name], '.4f')}"
        for name in ("pearson", "spearman", "kendall")
    ]
    skipped = f" ({row['undefined']} undefined, left out)" if row["undefined"] else ""
    return f"  {row['level']}: {', '.join(values)}{skipped}"
