"""An encoder that reads a summary once for all its units (prefix sharing).

One sequence holds the summary and behind it every unit. The summary attends to itself alone, each
unit to the summary and to itself, and each unit's positions begin where the summary ends. So what
is computed of a unit is what would be computed if it stood there alone, and the summary is not
computed again for each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from transformers import AutoConfig, AutoModel

from scoring.backends.nli.pairs import Ids, learn_template
from scoring.errors import InputError
from scoring.finetune.options import POOLINGS
from scoring.translation import gettext as _

SHAPES = ("bert", "roberta", "xlm-roberta", "camembert")
# Tokens of a sequence: positions begin anew with each unit, so the model does not bound it, but
# attention costs the square.
LONGEST = 512
PADDING = -1
SUMMARY = 0


@dataclass(frozen=True, slots=True)
class Layout:
    """Where special tokens stand, and how many positions the model has."""

    before: tuple[int, ...]
    between: tuple[int, ...]
    unit_start: tuple[int, ...]
    after: tuple[int, ...]
    first_position: int
    positions: int
    types: tuple[int, ...]  # of summary and unit
    padding: int

    @property
    def special(self) -> int:
        return len(self.before + self.between + self.unit_start + self.after)


@dataclass(frozen=True, slots=True)
class Sequences:
    """A batch: tensors of sequences × tokens. `owners` says whose a token is.

    0 is the summary, 1 and up the units of the sequence, -1 padding. `units` counts them.
    """

    ids: torch.Tensor
    types: torch.Tensor
    positions: torch.Tensor
    owners: torch.Tensor
    units: tuple[int, ...]

    def to(self, device: torch.device) -> Sequences:
        parts = (self.ids, self.types, self.positions, self.owners)
        ids, types, positions, owners = (part.to(device) for part in parts)
        return Sequences(ids, types, positions, owners, self.units)

    def mask(self, dtype: torch.dtype) -> torch.Tensor:
        """What to add to attention: 0 where a token (row) may look at another, else very little."""
        owners = self.owners
        looked_at, looking = owners[:, None, :], owners[:, :, None]
        # Padding looks at the summary, since a row that looks at nothing gives nan.
        is_open = (looked_at == SUMMARY) | (looked_at == looking)
        mask = torch.zeros(is_open.shape, dtype=dtype, device=owners.device)
        return mask.masked_fill(~is_open, torch.finfo(dtype).min)[:, None]


class SharedEncoder(nn.Module):
    """An encoder with a head on each unit: logits of *present* and *not present*."""

    def __init__(self, encoder: nn.Module, layout: Layout, pooling: str) -> None:
        super().__init__()
        if pooling not in POOLINGS:
            raise InputError(
                _("pooling: expected one of {poolings}, not '{pooling}'.").format(
                    poolings=", ".join(POOLINGS), pooling=pooling
                )
            )
        self.encoder = encoder
        self.layout = layout
        self.pooling = pooling
        config: Any = encoder.config
        width = int(config.hidden_size)
        self.dropout = nn.Dropout(float(config.hidden_dropout_prob))
        self.dense = nn.Linear(width, width)
        self.out = nn.Linear(width, 2)
        for layer in (self.dense, self.out):
            nn.init.normal_(layer.weight, std=float(config.initializer_range))
            nn.init.zeros_(layer.bias)

    @property
    def base_model(self) -> nn.Module:
        """What is made int8, if that is asked for; the head is not."""
        return self.encoder

    def forward(self, batch: Sequences) -> torch.Tensor:
        """Logits of all units of all sequences, one behind the other."""
        hidden = self.encoder(
            input_ids=batch.ids,
            token_type_ids=batch.types,
            position_ids=batch.positions,
            attention_mask=batch.mask(self.out.weight.dtype),
        ).last_hidden_state
        pooled = self.dropout(_pool(hidden, batch, self.pooling))
        logits: torch.Tensor = self.out(self.dropout(torch.tanh(self.dense(pooled))))
        return logits


def make_shared(path: str, tokenizer: Any, pooling: str = "mean") -> SharedEncoder:
    """An untrained head on a pretrained encoder. Who calls it sets torch's seed."""
    layout = find_layout(AutoConfig.from_pretrained(path), tokenizer)
    encoder = AutoModel.from_pretrained(
        path, add_pooling_layer=False, attn_implementation="sdpa", dtype=torch.float32
    )
    return SharedEncoder(encoder, layout, pooling)


def empty_shared(path: str, tokenizer: Any, pooling: str) -> SharedEncoder:
    """The shape of a judge in a folder, for its weights to be put in."""
    config = AutoConfig.from_pretrained(path)
    layout = find_layout(config, tokenizer)
    encoder = AutoModel.from_config(config, add_pooling_layer=False, attn_implementation="sdpa")
    return SharedEncoder(encoder, layout, pooling)


def find_layout(config: Any, tokenizer: Any) -> Layout:
    """As the model knows pairs; the first token between two texts belongs to the summary."""
    if config.model_type not in SHAPES:
        raise InputError(
            _(
                "A shared judge needs an encoder of the type {shapes}, not "
                "{model_type}. Choose another base, or train on pairs."
            ).format(shapes=", ".join(SHAPES), model_type=config.model_type)
        )
    template = learn_template(tokenizer, config.model_type)
    # RoBERTa's first positions are those of padding.
    first = 0 if config.model_type == "bert" else config.pad_token_id + 1
    return Layout(
        before=tuple(template.before.ids),
        between=tuple(template.between.ids[:1]),
        unit_start=tuple(template.between.ids[1:]),
        after=tuple(template.after.ids),
        first_position=first,
        positions=config.max_position_embeddings - first,
        types=template.text_types or (0, 0),
        padding=config.pad_token_id,
    )


def pack(layout: Layout, texts: Sequence[tuple[Ids, Sequence[Ids]]]) -> Sequences:
    """Summaries with their units, as tokens, one sequence each, padded to the longest."""
    rows = [_row(layout, summary, units) for summary, units in texts]
    longest = max(len(row[0]) for row in rows)
    fills = (layout.padding, 0, layout.first_position, PADDING)
    ids, types, positions, owners = (
        torch.tensor([row[place] + [fill] * (longest - len(row[0])) for row in rows])
        for place, fill in enumerate(fills)
    )
    return Sequences(ids, types, positions, owners, tuple(len(units) for __, units in texts))


def split_units(summary: int, units: Sequence[int], longest: int = LONGEST) -> Iterator[slice]:
    """Places of units that share a sequence, given all lengths.

    Units do not see each other, so it makes no difference how they are split.
    """
    start, total = 0, summary
    for place, length in enumerate(units):
        if place > start and total + length > longest:
            yield slice(start, place)
            start, total = place, summary
        total += length
    yield slice(start, len(units))


def _row(layout: Layout, summary: Ids, units: Sequence[Ids]) -> tuple[list[int], ...]:
    ids = [*layout.before, *summary, *layout.between]
    start = len(ids)
    positions, owners = list(range(start)), [SUMMARY] * start
    for number, unit in enumerate(units, 1):
        part = [*layout.unit_start, *unit, *layout.after]
        ids += part
        positions += range(start, start + len(part))
        owners += [number] * len(part)
    types = [layout.types[int(owner > SUMMARY)] for owner in owners]
    return ids, types, [layout.first_position + place for place in positions], owners


def _pool(hidden: torch.Tensor, batch: Sequences, pooling: str) -> torch.Tensor:
    parts = []
    for row, (vectors, count) in enumerate(zip(hidden, batch.units, strict=True)):
        numbers = torch.arange(1, count + 1, device=hidden.device)
        is_its = batch.owners[row][None, :] == numbers[:, None]
        if pooling == "first":
            parts.append(vectors[is_its.int().argmax(dim=1)])
        else:
            shares = is_its / is_its.sum(dim=1, keepdim=True)
            parts.append(shares.to(vectors.dtype) @ vectors)
    return torch.cat(parts)
