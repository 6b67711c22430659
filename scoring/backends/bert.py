"""BERT's encoder in plain torch, for the embedded judge.

The library of models gives the same numbers to the bit, and loads compilers and much else before
the first of them: two seconds and a hundred megabytes of each process that judges.
"""

from __future__ import annotations

import json
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor
from torch.nn import functional

from scoring.errors import InputError
from scoring.translation import gettext as _


class Bert:
    """A model's folder as Hugging Face lays it out; its weights stay in the file until needed."""

    def __init__(self, folder: Path) -> None:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        if config["model_type"] != "bert" or config["hidden_act"] != "gelu":
            raise InputError(
                _("{folder} doesn't contain a BERT model with GELU.").format(folder=folder)
            )
        self._heads: int = config["num_attention_heads"]
        self._layers: int = config["num_hidden_layers"]
        self._epsilon: float = config["layer_norm_eps"]
        self._weights = load_file(folder / "model.safetensors")

    def __call__(self, ids: list[int]) -> list[Tensor]:
        """The vectors of every piece: as they are looked up, then as each layer leaves them."""
        with torch.inference_mode():
            states = [self._embed(torch.tensor([ids]))]
            for number in range(self._layers):
                states.append(self._pass(states[-1], f"encoder.layer.{number}"))
        return [state[0] for state in states]

    def _embed(self, ids: Tensor) -> Tensor:
        words, kinds, places = (
            self._weights[f"embeddings.{name}_embeddings.weight"]
            for name in ("word", "token_type", "position")
        )
        found = functional.embedding(ids, words) + kinds[0] + places[: ids.shape[1]]
        return self._normalize(found, "embeddings")

    def _pass(self, state: Tensor, layer: str) -> Tensor:
        attended = self._linear(self._attend(state, layer), f"{layer}.attention.output.dense")
        attended = self._normalize(attended + state, f"{layer}.attention.output")
        wide = functional.gelu(self._linear(attended, f"{layer}.intermediate.dense"))
        narrow = self._linear(wide, f"{layer}.output.dense")
        return self._normalize(narrow + attended, f"{layer}.output")

    def _attend(self, state: Tensor, layer: str) -> Tensor:
        query, key, value = (
            self._linear(state, f"{layer}.attention.self.{name}")
            .view(*state.shape[:2], self._heads, -1)
            .transpose(1, 2)
            for name in ("query", "key", "value")
        )
        found = functional.scaled_dot_product_attention(query, key, value)
        return found.transpose(1, 2).reshape(state.shape)

    def _linear(self, state: Tensor, name: str) -> Tensor:
        weights = self._weights
        return functional.linear(state, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def _normalize(self, state: Tensor, name: str) -> Tensor:
        weight, bias = (self._weights[f"{name}.LayerNorm.{part}"] for part in ("weight", "bias"))
        return functional.layer_norm(state, weight.shape, weight, bias, self._epsilon)
