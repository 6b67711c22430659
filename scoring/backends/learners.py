"""What is fine-tuned: a classifier of pairs, or a shared encoder; the trainer sees no difference.

Either gives two logits for each unit: *present*, and *not present*. Of three classes the latter is
logit_n + logit_c, which is what p2c reads (Zhang & Bansal 2021, §3.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import nn
from transformers import AutoConfig, AutoModelForSequenceClassification, AutoTokenizer

from scoring.backends.nli.folder import ModelFolder, find_folder, stated_labels
from scoring.backends.nli.judge import find_window, reading
from scoring.backends.nli.labels import own_labels, read_columns
from scoring.backends.nli.pairs import LEAST_ROOM, Ids, collate, learn_template, read_texts
from scoring.backends.nli.precision import check_options
from scoring.backends.prefix_sharing import find_layout, make_shared, pack
from scoring.backends.shared import KIND, find_room, save_shared
from scoring.errors import InputError
from scoring.finetune.data import TrainingRecord
from scoring.finetune.options import FineTuneOptions
from scoring.judge.catalogue import PRESETS, JudgeOptions
from scoring.translation import gettext as _

NEW_CLASSES = {0: "entailment", 1: "not_entailment"}


@dataclass(frozen=True, slots=True)
class Item:
    """Units that are learnt together with their summary; for a pair just one.

    `is_cut` where the summary does not fit the model whole.
    """

    record: TrainingRecord
    places: tuple[int, ...]
    summary: Ids
    units: tuple[Ids, ...]
    is_cut: bool = False

    @property
    def labels(self) -> list[int]:
        return [int(self.record.labels[place] or 0) for place in self.places]


@dataclass(frozen=True, slots=True)
class Base:
    """What training starts from. `columns` are places of classes, entailment first, if it has."""

    folder: ModelFolder
    tokenizer: Any
    columns: tuple[int, ...] = ()
    labels: list[str] = field(default_factory=list)


class Learner(Protocol):
    """A model in training. Names and order of its classes go onto the judge's card."""

    module: nn.Module

    def prepare(self, records: Sequence[TrainingRecord]) -> list[Item]: ...

    def logits(self, items: Sequence[Item]) -> torch.Tensor: ...

    def save(self, folder: Path) -> None: ...

    def card(self) -> dict[str, Any]: ...


class PairLearner:
    """A classifier that reads summary and unit as a pair. A plain encoder gets a new head."""

    def __init__(self, base: Base, options: FineTuneOptions) -> None:
        self.tokenizer = base.tokenizer
        more: dict[str, Any] = {}
        if not base.columns:
            places = {name: place for place, name in NEW_CLASSES.items()}
            more = {"id2label": NEW_CLASSES, "label2id": places}
        with reading(base.folder):
            model = AutoModelForSequenceClassification.from_pretrained(
                base.folder.path, use_safetensors=True, dtype=torch.float32, **more
            )
        self.module: nn.Module = model
        self.columns = base.columns or tuple(NEW_CLASSES)
        self.labels = base.labels or list(NEW_CLASSES.values())
        self.template = learn_template(self.tokenizer, base.folder.name)
        self.room = find_window(model, self.tokenizer, options.window) - self.template.added
        if self.room < LEAST_ROOM:
            raise InputError(
                _("A window of {window} tokens is too small for pairs.").format(
                    window=options.window
                )
            )

    def prepare(self, records: Sequence[TrainingRecord]) -> list[Item]:
        return [
            cut_item(Item(item.record, (place,), item.summary, (unit,)), self.room)
            for item in read_items(self.tokenizer, records)
            for place, unit in zip(item.places, item.units, strict=True)
        ]

    def logits(self, items: Sequence[Item]) -> torch.Tensor:
        rows = [self.template.join(item.summary, item.units[0]) for item in items]
        batch = collate(rows, self.tokenizer)
        device = next(self.module.parameters()).device
        found = self.module(**{name: part.to(device) for name, part in batch.items()}).logits
        entailment, *others = self.columns
        return torch.stack([found[:, entailment], found[:, others].sum(dim=1)], dim=1)

    def save(self, folder: Path) -> None:
        model: Any = self.module
        model.save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)

    def card(self) -> dict[str, Any]:
        return {"kind": "nli", "classes": len(self.labels), "labels": self.labels}


class SharedLearner:
    """An encoder that reads a summary once for all its units."""

    def __init__(self, base: Base, options: FineTuneOptions) -> None:
        self.tokenizer = base.tokenizer
        with reading(base.folder):
            self.module: nn.Module = make_shared(
                str(base.folder.path), self.tokenizer, options.pooling
            )
        self.room = find_room(self.module.layout, options.window)

    def prepare(self, records: Sequence[TrainingRecord]) -> list[Item]:
        return [cut_item(item, self.room) for item in read_items(self.tokenizer, records)]

    def logits(self, items: Sequence[Item]) -> torch.Tensor:
        batch = pack(self.module.layout, [(item.summary, item.units) for item in items])
        found: torch.Tensor = self.module(batch.to(self.module.out.weight.device))
        return found

    def save(self, folder: Path) -> None:
        save_shared(self.module, self.tokenizer, folder)

    def card(self) -> dict[str, Any]:
        return {
            "kind": KIND,
            "classes": 2,
            "labels": ["present", _("not present")],
            "pooling": self.module.pooling,
        }


def make_learner(options: FineTuneOptions) -> Learner:
    """From the base. Who calls it sets torch's seed: a new head is drawn at random."""
    base = read_base(options)
    if options.sharing == "shared":
        return SharedLearner(base, options)
    return PairLearner(base, options)


def read_base(options: FineTuneOptions) -> Base:
    """All of the base but its weights; says so if a judge can't be made of it."""
    preset = PRESETS.get(options.base)
    if preset and not preset.path:
        raise InputError(
            _(
                "'{base}' can't be fine-tuned. Give a Hugging Face name (owner/model) or a folder."
            ).format(base=options.base)
        )
    folder = find_folder(options.base, preset, "")
    check_options(JudgeOptions(device=options.device))
    with reading(folder):
        config = AutoConfig.from_pretrained(folder.path)
        tokenizer = AutoTokenizer.from_pretrained(folder.path)
    if options.sharing == "shared":
        find_room(find_layout(config, tokenizer), options.window)
        return Base(folder, tokenizer)
    if not any("SequenceClassification" in name for name in config.architectures or ()):
        return Base(folder, tokenizer)
    stated = stated_labels(folder.card, preset)
    columns = read_columns(config, stated, folder.name)
    return Base(folder, tokenizer, columns, list(stated) or own_labels(config))


def cut_item(item: Item, room: int) -> Item:
    """The same with the summary's end cut off if it is too long; a unit keeps at most half."""
    units = tuple(unit[: room // 2] for unit in item.units)
    summary = item.summary[: room - max(map(len, units))]
    is_cut = len(summary) < len(item.summary)
    return Item(item.record, item.places, summary, units, is_cut)


def read_items(tokenizer: Any, records: Sequence[TrainingRecord]) -> list[Item]:
    """All that can be learnt from: summaries that say something, their units with a label."""
    found = []
    for record in records:
        places = [place for place, label in enumerate(record.labels) if label is not None]
        if places and not record.is_empty:
            [summary] = read_texts(tokenizer, [record.summary])
            units = read_texts(tokenizer, [record.units[place] for place in places])
            found.append(Item(record, tuple(places), summary, tuple(units)))
    return found
