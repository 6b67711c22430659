"""What is fine-tuned: a classifier of pairs, or a shared encoder; the trainer sees no difference.

Either gives two logits for each unit: *present*, and *not present*. Of three classes the latter is
logit_n + logit_c, which is what p2c reads (Zhang & Bansal 2021, §3.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import nn
from transformers import AutoConfig, AutoModelForSequenceClassification, AutoTokenizer

from scoring.backends.prefix_sharing import Ids, find_layout, hush, make_shared, pack
from scoring.backends.shared import find_room, save_shared, tokenize
from scoring.finetune.data import TrainingRecord
from scoring.finetune.options import FineTuneOptions
from scoring.judge.classes import class_order

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
    is_cut: bool

    @property
    def labels(self) -> list[int]:
        return [int(self.record.labels[place] or 0) for place in self.places]


class Learner(Protocol):
    """A model in training. Names and order of its classes go onto the judge's card."""

    module: nn.Module

    def prepare(self, records: Sequence[TrainingRecord]) -> list[Item]: ...

    def logits(self, items: Sequence[Item]) -> torch.Tensor: ...

    def save(self, folder: Path) -> None: ...

    def card(self) -> dict[str, Any]: ...


class PairLearner:
    """A classifier that reads summary and unit as a pair. A plain encoder gets a new head."""

    def __init__(self, options: FineTuneOptions) -> None:
        config, self.tokenizer = read_base(options)
        more: dict[str, Any] = {}
        if not _has_classes(config):
            places = {name: place for place, name in NEW_CLASSES.items()}
            more = {"id2label": NEW_CLASSES, "label2id": places}
        model: Any = AutoModelForSequenceClassification.from_pretrained(
            options.base, dtype=torch.float32, **more
        )
        self.module: nn.Module = model
        self.config = model.config
        self.labels = _labels(self.config)
        self.order = class_order(self.labels)
        self.limit = _limit(self.config, self.tokenizer, options.window)

    def prepare(self, records: Sequence[TrainingRecord]) -> list[Item]:
        room = self.limit - self.tokenizer.num_special_tokens_to_add(pair=True)
        return [
            Item(item.record, (place,), item.summary, (unit,), len(item.summary) + len(unit) > room)
            for item in read_items(self.tokenizer, records)
            for place, unit in zip(item.places, item.units, strict=True)
        ]

    def logits(self, items: Sequence[Item]) -> torch.Tensor:
        batch = self.tokenizer(
            [item.record.summary for item in items],
            [item.record.units[item.places[0]] for item in items],
            truncation="longest_first",
            max_length=self.limit,
            padding=True,
            return_tensors="pt",
        )
        device = next(self.module.parameters()).device
        found = self.module(**{name: part.to(device) for name, part in batch.items()}).logits
        entailment, *others = self.order
        return torch.stack([found[:, entailment], found[:, others].sum(dim=1)], dim=1)

    def save(self, folder: Path) -> None:
        model: Any = self.module
        model.save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)

    def card(self) -> dict[str, Any]:
        return {"kind": "nli", "classes": len(self.labels), "labels": self.labels}


class SharedLearner:
    """An encoder that reads a summary once for all its units."""

    def __init__(self, options: FineTuneOptions) -> None:
        _, self.tokenizer = read_base(options)
        self.module: nn.Module = make_shared(options.base, self.tokenizer, options.pooling)
        self.room = find_room(self.module, options.window)

    def prepare(self, records: Sequence[TrainingRecord]) -> list[Item]:
        """The end of a summary that is too long is cut off; a unit keeps at most half the room."""
        found = []
        for item in read_items(self.tokenizer, records):
            units = tuple(unit[: self.room // 2] for unit in item.units)
            summary = item.summary[: self.room - max(map(len, units))]
            is_cut = len(summary) < len(item.summary)
            found.append(Item(item.record, item.places, summary, units, is_cut))
        return found

    def logits(self, items: Sequence[Item]) -> torch.Tensor:
        batch = pack(self.module.layout, [(item.summary, item.units) for item in items])
        found: torch.Tensor = self.module(batch.to(self.module.out.weight.device))
        return found

    def save(self, folder: Path) -> None:
        save_shared(self.module, self.tokenizer, folder)

    def card(self) -> dict[str, Any]:
        return {
            "kind": "shared",
            "classes": 2,
            "labels": ["present", "not present"],
            "pooling": self.module.pooling,
        }


def make_learner(options: FineTuneOptions) -> Learner:
    """From the base. Who calls it sets torch's seed: a new head is drawn at random."""
    hush()
    return SharedLearner(options) if options.sharing == "shared" else PairLearner(options)


def read_base(options: FineTuneOptions) -> tuple[Any, Any]:
    """The base's configuration and tokenizer; says so if a judge can't be made of it."""
    try:
        config = AutoConfig.from_pretrained(options.base)
        tokenizer = AutoTokenizer.from_pretrained(options.base)
    except (OSError, ValueError) as error:
        raise ValueError(
            f"The base '{options.base}' is no model that can be read, or its tokenizer is "
            f"missing. Give a Hugging Face name or a folder. ({error})"
        ) from error
    if options.sharing == "shared":
        find_layout(config, tokenizer)
    elif _has_classes(config):
        class_order(_labels(config))
    return config, tokenizer


def _has_classes(config: Any) -> bool:
    return any("SequenceClassification" in name for name in config.architectures or ())


def _labels(config: Any) -> list[str]:
    return [config.id2label[place] for place in range(config.num_labels)]


def _limit(config: Any, tokenizer: Any, window: int) -> int:
    """Tokens of a pair. RoBERTa's first positions are those of padding."""
    first = 0 if config.model_type == "bert" else (config.pad_token_id or 0) + 1
    positions = getattr(config, "max_position_embeddings", 0) - first
    known = [size for size in (window, positions, tokenizer.model_max_length) if size > 0]
    return int(min(known))


def read_items(tokenizer: Any, records: Sequence[TrainingRecord]) -> list[Item]:
    """All that can be learnt from: summaries that say something, their units with a label."""
    found = []
    for record in records:
        places = [place for place, label in enumerate(record.labels) if label is not None]
        if places and not record.is_empty:
            [summary] = tokenize(tokenizer, [record.summary])
            units = tokenize(tokenizer, [record.units[place] for place in places])
            found.append(Item(record, tuple(places), summary, tuple(units), False))
    return found
