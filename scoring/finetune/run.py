"""A whole fine-tuning: a model for each fold, tried on what it did not see; then the judge itself.

What is done is kept beside the output, in `<output>.work`, until the judge is finished. A run that
was broken off goes on from there when it is started again with the same data and options.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from scoring.crossvalidation import Fold
from scoring.errors import InputError
from scoring.finetune.data import TrainingRecord, check_records, data_hash
from scoring.finetune.options import FineTuneOptions
from scoring.finetune.progress import Meter, Progress, Tell
from scoring.judge.catalogue import CARD, LEARNED, OUT_OF_FOLD, JudgeOptions, load_judge
from scoring.judge.functions import read_presence
from scoring.judge.held_out import HeldOut, HeldOutRecord, evaluate_held_out
from scoring.judge.learned import FORMAT, LearnedTexts, read_learned
from scoring.judge.probes import probe_judge
from scoring.judge.protocol import Question
from scoring.translation import gettext as _

ALL = "all"
FUNCTION = "p2c"
TREES = ("embedded", "lexical", "reader")  # bases that are grown anew, not fine-tuned
RUN, FACTS, MODEL = ".run.json", "facts.json", "model"

# What a pair costs to learn from, where trying it costs 1: forwards and backwards.
LEARNING = 3


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
    keep_folds: bool = False,
    probe: bool = False,
) -> FineTuned:
    """Train a judge on the records and write it to the folder *output*, which must not be there.

    Held-out figures come from models that did not see their fold; the judge itself sees all. The
    folds' models are stored as its out-of-fold judge: always where they are trees, which are small,
    and of others if *keep_folds* says so, as each is as large as the judge. With *probe* the card
    also says what the judge can read.
    """
    is_small = options.base in TREES
    run = Run(
        check_records(records), options, Path(output), tuple(folds), tell, is_small or keep_folds
    )
    run.begin()
    held_out = run.held_out()
    facts = run.train(ALL, run.records)
    card = run.card(name or run.output.name, facts, held_out)
    if probe:
        card["probes"] = run.probe()
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
    keeps_folds: bool = False
    base: dict[str, str] | None = None
    meter: Meter | None = None

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
            raise InputError(
                _("{output} already exists. Give a new folder.").format(output=self.output)
            )
        names = [fold.name for fold in self.folds]
        if len(set(names)) < len(names) or ALL in names:
            raise InputError(
                _("The folds have the names {names}. Each fold needs its own name.").format(
                    names=", ".join(names)
                )
            )
        for fold in self.folds:
            if not all(fold.split(self.records)):
                raise InputError(_("{fold} holds out no data or all data.").format(fold=fold.name))
        self.base = self.backend.describe_base(self.options)
        self._claim(self.key())
        if self.tell:
            self.meter = Meter(self._list_costs(), self.tell)

    def key(self) -> str:
        folds = [[fold.name, fold.by, *fold.members] for fold in self.folds]
        parts = json.dumps(
            [self.base, folds, self.backend.versions(), self.keeps_folds], sort_keys=True
        )
        return self.options.key(data_hash(self.records), parts)

    def held_out(self) -> HeldOut | None:
        found = [record for fold in self.folds for record in self._try(fold)]
        return evaluate_held_out(found) if found else None

    def train(self, stage: str, records: Sequence[TrainingRecord]) -> dict[str, Any]:
        """Train the stage's model, unless that is done."""
        folder = self.work / stage
        done = folder / FACTS
        if done.is_file():
            self._skip(stage)
        else:
            part = folder / ".model"
            facts = self.backend.train(
                records,
                self.options,
                work=folder,
                result=part,
                tell=self._teller(stage, stage),
            )
            _write(part / CARD, facts | {"function": FUNCTION})
            shutil.rmtree(folder / MODEL, ignore_errors=True)
            os.replace(part, folder / MODEL)
            _write(done, facts)
            self._finish_part(stage)
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

    def probe(self) -> dict[str, Any]:
        """What the finished model can read."""
        options = JudgeOptions(device=self.options.device, threads=self.options.threads)
        judge = load_judge(str((self.work / ALL / MODEL).resolve()), options)
        return probe_judge(judge, FUNCTION).to_json()

    def finish(self, card: dict[str, Any]) -> None:
        """The judge appears at once and whole."""
        made = self.work / ALL / MODEL
        _write(made / CARD, card)
        self._write_learned(made, self.records)
        if self.keeps_folds and self.folds:
            self._keep_folds(made / OUT_OF_FOLD, card["name"])
        os.replace(made, self.output)
        shutil.rmtree(self.work)

    def _keep_folds(self, folder: Path, name: str) -> None:
        """The folds' models beside the judge, as one judge that asks who has not seen a text."""
        folder.mkdir(exist_ok=True)
        for fold in self.folds:
            if (model := self.work / fold.name / MODEL).is_dir():
                os.replace(model, folder / fold.name)
            self._write_learned(folder / fold.name, fold.split(self.records)[0])
        names = [fold.name for fold in self.folds]
        card = {"kind": OUT_OF_FOLD, "name": f"{name}/out-of-fold", "folds": names}
        _write(folder / CARD, card | {"function": FUNCTION})

    def _write_learned(self, folder: Path, records: Sequence[TrainingRecord]) -> None:
        """Hashes of the texts that a model was trained on, and of those that its base was."""
        texts = LearnedTexts.of(
            (record.summary for record in records if not record.is_empty),
            (unit for record in records for unit in record.units),
        )
        base = None if self.options.base in TREES else read_learned(self.options.base)
        for part in base.parts if base else ():
            texts |= part
        _write(folder / LEARNED, {"format": FORMAT, **texts.to_json()})

    def _claim(self, key: str) -> None:
        """Take up what a run with the same key left, or begin."""
        path = self.work / RUN
        if path.is_file() and json.loads(path.read_text(encoding="utf-8"))["key"] != key:
            raise InputError(
                _(
                    "{work} contains an interrupted run with other data, options or "
                    "versions. Start it again with those, or delete the folder."
                ).format(work=self.work)
            )
        self.work.mkdir(parents=True, exist_ok=True)
        _write(path, {"key": key})

    def _try(self, fold: Fold) -> list[HeldOutRecord]:
        """What the fold's model, which was trained on the others, says of the fold."""
        train_on, held_out = fold.split(self.records)
        path = self.work / f"{fold.name}.json"
        if path.is_file():
            self._skip(fold.name)
            self._skip(_trying(fold.name))
        else:
            self.train(fold.name, train_on)
            model = self.work / fold.name / MODEL
            tell = self._teller(fold.name, _trying(fold.name))
            _write(path, judge_records(model, held_out, self.options, tell))
            if not self.keeps_folds:
                shutil.rmtree(self.work / fold.name)
            self._finish_part(_trying(fold.name))
        rows: list[list[float]] = json.loads(path.read_text(encoding="utf-8"))
        return [
            HeldOutRecord(
                record.document, record.system, record.labels, row, record.weights, fold.name
            )
            for record, row in zip(held_out, rows, strict=True)
        ]

    def _list_costs(self) -> dict[str, float]:
        """Every part of the run in its order, by the pairs that are read in it.

        Trees read each pair once for all folds; a model that is fine-tuned learns in each epoch.
        """
        are_trees = self.options.base in TREES
        each = 1 if are_trees else LEARNING * self.options.epochs
        costs: dict[str, float] = {}
        seen: set[int] = set()
        for fold in self.folds:
            learned, tried = fold.split(self.records)
            costs[fold.name] = each * _pairs(_new(learned, seen) if are_trees else learned)
            costs[_trying(fold.name)] = _pairs(tried)
        last = _new(self.records, seen) if are_trees else self.records
        return {**costs, ALL: each * _pairs(last)}

    def _teller(self, stage: str, part: str) -> Tell | None:
        """Adds to what is told of a part how far the whole run is, and how long it will take."""
        meter = self.meter
        return (lambda found: meter.tell(part, stage, found)) if meter else None

    def _skip(self, part: str) -> None:
        if self.meter:
            self.meter.skip(part)

    def _finish_part(self, part: str) -> None:
        if self.meter:
            self.meter.finish(part)


def _trying(fold: str) -> str:
    return _("{fold}, evaluation").format(fold=fold)


def _new(records: Sequence[TrainingRecord], seen: set[int]) -> list[TrainingRecord]:
    """Those that no earlier part has read; from now on they are seen."""
    found = [record for record in records if id(record) not in seen]
    seen.update(id(record) for record in found)
    return found


def judge_records(
    folder: Path,
    records: Sequence[TrainingRecord],
    options: FineTuneOptions,
    tell: Tell | None = None,
) -> list[list[float]]:
    """Presence of each record's units by the judge in the folder. An empty summary has none."""
    run = JudgeOptions(device=options.device, window=options.window, threads=options.threads)
    judge = load_judge(str(folder.resolve()), run)
    asked = (Question(record.summary, record.units) for record in records if not record.is_empty)
    answers = judge.judge(asked)
    rows, pairs, started = [], 0, time.monotonic()
    for step, record in enumerate(records, 1):
        if record.is_empty:
            rows.append([0.0] * len(record.units))
        else:
            rows.append([read_presence(FUNCTION, verdict.logits) for verdict in next(answers)])
            pairs += len(record.units)
        if tell:
            speed = pairs / max(time.monotonic() - started, 1e-6)
            tell(Progress(step, len(records), None, speed))
    return rows


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
