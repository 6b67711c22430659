"""A whole fine-tuning: a model for each fold, tried on what it did not see; then the judge itself.

What is done is kept beside the output, in `<output>.work`, until the judge is finished. A run that
was broken off goes on from there when it is started again with the same data and options.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from scoring.crossvalidation import Fold
from scoring.errors import InputError
from scoring.finetune.data import TrainingRecord, check_records, data_hash
from scoring.finetune.options import FineTuneOptions
from scoring.finetune.progress import Progress
from scoring.judge.catalogue import CARD, JudgeOptions, load_judge
from scoring.judge.functions import read_presence
from scoring.judge.held_out import HeldOut, HeldOutRecord, evaluate_held_out
from scoring.judge.protocol import Question

ALL = "all"
FUNCTION = "p2c"
TREES = ("embedded", "lexical")  # bases that are grown anew, not fine-tuned
RUN, FACTS, MODEL = ".run.json", "facts.json", "model"

Tell = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class FineTuned:
    """A finished judge: its folder, its card, and how it did on held-out folds, if there were."""

    folder: Path
    card: dict[str, Any]
    held_out: HeldOut | None


def fine_tune(
    records: Sequence[TrainingRecord],
    options: FineTuneOptions,
    output: Path,
    *,
    folds: Sequence[Fold] = (),
    name: str = "",
    tell: Tell | None = None,
) -> FineTuned:
    """Train a judge on the records and write it to the folder *output*, which must not be there.

    Held-out figures come from models that did not see their fold; the judge itself sees all.
    """
    run = Run(check_records(records), options, Path(output), tuple(folds), tell)
    run.begin()
    held_out = run.held_out()
    facts = run.train(ALL, run.records)
    card = run.card(name or run.output.name, facts, held_out)
    run.finish(card)
    return FineTuned(run.output, card, held_out)


@dataclass(slots=True)
class Run:
    """One fine-tuning, with where it keeps what is done."""

    records: list[TrainingRecord]
    options: FineTuneOptions
    output: Path
    folds: tuple[Fold, ...]
    tell: Tell | None = None
    base: dict[str, str] | None = None

    @property
    def work(self) -> Path:
        return self.output.with_name(f"{self.output.name}.work")

    @property
    def backend(self) -> Any:
        trained = "tree_training" if self.options.base in TREES else "finetuning"
        return import_module(f"scoring.backends.{trained}")

    def begin(self) -> None:
        """Check everything that can be checked before anything is written."""
        if self.output.exists():
            raise InputError(f"{self.output} is there already. Give a folder that is not.")
        names = [fold.name for fold in self.folds]
        if len(set(names)) < len(names) or ALL in names:
            raise InputError(f"Folds are called {', '.join(names)}. Give each a name of its own.")
        for fold in self.folds:
            if not all(fold.split(self.records)):
                raise InputError(f"{fold.name} holds out nothing, or everything.")
        self.base = self.backend.describe_base(self.options)
        self._claim(self.key())

    def key(self) -> str:
        folds = [[fold.name, fold.by, *fold.members] for fold in self.folds]
        parts = json.dumps([self.base, folds, self.backend.versions()], sort_keys=True)
        return self.options.key(data_hash(self.records), parts)

    def held_out(self) -> HeldOut | None:
        found = [record for fold in self.folds for record in self._try(fold)]
        return evaluate_held_out(found) if found else None

    def train(self, stage: str, records: Sequence[TrainingRecord]) -> dict[str, Any]:
        """Train the stage's model, unless that is done."""
        folder = self.work / stage
        done = folder / FACTS
        if not done.is_file():
            part = folder / ".model"
            facts = self.backend.train(
                records,
                self.options,
                work=folder,
                result=part,
                tell=self._teller(stage) if self.tell else None,
            )
            _write(part / CARD, facts | {"function": FUNCTION})
            shutil.rmtree(folder / MODEL, ignore_errors=True)
            os.replace(part, folder / MODEL)
            _write(done, facts)
        found: dict[str, Any] = json.loads(done.read_text(encoding="utf-8"))
        return found

    def card(self, name: str, facts: dict[str, Any], held_out: HeldOut | None) -> dict[str, Any]:
        return {
            **facts,
            "name": name,
            "function": FUNCTION,
            "base": self.base,
            "data": describe(self.records),
            "options": self.options.to_json(),
            "folds": [
                {"name": fold.name, "by": fold.by, "members": list(fold.members)}
                for fold in self.folds
            ],
            "held_out": held_out.to_json() if held_out else None,
            "versions": self.backend.versions(),
        }

    def finish(self, card: dict[str, Any]) -> None:
        """The judge appears at once and whole."""
        made = self.work / ALL / MODEL
        _write(made / CARD, card)
        os.replace(made, self.output)
        shutil.rmtree(self.work)

    def _claim(self, key: str) -> None:
        """Take up what a run with the same key left, or begin."""
        path = self.work / RUN
        if path.is_file() and json.loads(path.read_text(encoding="utf-8"))["key"] != key:
            raise InputError(
                f"{self.work} holds a run that was broken off, with other data, options or "
                "versions. Start it again with those, or remove the folder."
            )
        self.work.mkdir(parents=True, exist_ok=True)
        _write(path, {"key": key})

    def _try(self, fold: Fold) -> list[HeldOutRecord]:
        """What the fold's model, which was trained on the others, says of the fold."""
        train_on, held_out = fold.split(self.records)
        path = self.work / f"{fold.name}.json"
        if not path.is_file():
            self.train(fold.name, train_on)
            model = self.work / fold.name / MODEL
            _write(path, judge_records(model, held_out, self.options))
            shutil.rmtree(self.work / fold.name)
        rows: list[list[float]] = json.loads(path.read_text(encoding="utf-8"))
        return [
            HeldOutRecord(
                record.document, record.system, record.labels, row, record.weights, fold.name
            )
            for record, row in zip(held_out, rows, strict=True)
        ]

    def _teller(self, stage: str) -> Tell:
        """Adds to what the trainer tells how long the whole run will take."""
        stages = [*(fold.name for fold in self.folds), ALL]
        sizes = [
            *(_pairs(fold.split(self.records)[0]) for fold in self.folds),
            _pairs(self.records),
        ]
        place = stages.index(stage)
        later = sum(sizes[place + 1 :])

        def tell(found: Progress) -> None:
            left = sizes[place] * (1 - found.step / found.steps) + later
            seconds = self.options.epochs * left / found.pairs_per_second
            if self.tell:
                self.tell(replace(found, stage=stage, seconds_left=seconds))

        return tell


def judge_records(
    folder: Path, records: Sequence[TrainingRecord], options: FineTuneOptions
) -> list[list[float]]:
    """Presence of each record's units by the judge in the folder. An empty summary has none."""
    run = JudgeOptions(device=options.device, window=options.window, threads=options.threads)
    judge = load_judge(str(folder.resolve()), run)
    asked = (Question(record.summary, record.units) for record in records if not record.is_empty)
    answers = judge.judge(asked)
    return [
        [0.0] * len(record.units)
        if record.is_empty
        else [read_presence(FUNCTION, verdict.logits) for verdict in next(answers)]
        for record in records
    ]


def describe(records: Sequence[TrainingRecord]) -> dict[str, Any]:
    """What a card says of the data."""
    labels = [label for record in records for label in record.labels if label is not None]
    return {
        "hash": data_hash(records),
        "documents": len({record.document for record in records}),
        "systems": len({record.system for record in records}),
        "summaries": len(records),
        "empty_summaries": sum(record.is_empty for record in records),
        "labels": len(labels),
        "present": sum(labels),
    }


def _pairs(records: Sequence[TrainingRecord]) -> int:
    return sum(label is not None for record in records for label in record.labels)


def _write(path: Path, data: Any) -> None:
    """Whole, or not at all."""
    part = path.with_name(f".{path.name}")
    part.write_text(json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False), "utf-8")
    os.replace(part, path)
