"""Encoders run by torch: vectors of word pieces, each distinct text once.

Texts go through the model in batches of like length. What was encoded is kept, most recent first,
up to so many bytes: a reference that a hundred summaries are compared with is encoded once.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import torch
from transformers import AutoModel, AutoTokenizer

from scoring.backends import minilm
from scoring.backends.encoder_files import choose_layer, find_encoder, sign
from scoring.backends.nli.folder import ModelFolder
from scoring.backends.nli.judge import find_window, reading
from scoring.backends.nli.pairs import Row, collate, refuse_unread
from scoring.errors import InputError
from scoring.metrics.encoding import PRESETS, Encoded, Vectors
from scoring.translation import gettext as _

MOST_TOKENS = 768  # of a batch, padding included; more does not fit a core's cache
KEPT = 256 << 20  # bytes of vectors that an encoder remembers
READ_AT_ONCE = 1024  # texts
LOADED = 4  # encoders that are kept in memory


class Kept:
    """What was encoded last, by the text's hash, up to so many bytes."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.bytes = 0
        self._found: OrderedDict[bytes, Encoded] = OrderedDict()

    def get(self, text: str) -> Encoded | None:
        key = hash_text(text)
        if key in self._found:
            self._found.move_to_end(key)
        return self._found.get(key)

    def put(self, encoded: Encoded) -> None:
        key = hash_text(encoded.text)
        if key in self._found:
            return
        self._found[key] = encoded
        self.bytes += encoded.size
        while self.bytes > self.most and len(self._found) > 1:
            self.bytes -= self._found.popitem(last=False)[1].size


def hash_text(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def load(name: str, layer: int, depth: int) -> TorchEncoder:
    """The encoder as its files are now; one whose files changed is loaded anew."""
    chosen = choose_layer(name, layer, find_encoder(name))
    if not 1 <= depth <= chosen + 1:
        raise InputError(
            _("{name}: there are not {depth} layers up to layer {chosen}. Use fewer.").format(
                name=name, depth=depth, chosen=chosen
            )
        )
    return load_signed(name, chosen, depth, sign(name, layer, depth))


@lru_cache(maxsize=LOADED)
def load_signed(name: str, layer: int, depth: int, signature: str) -> TorchEncoder:
    """On one thread: processes of one thread each use several cores better."""
    folder = find_encoder(name)
    if name in PRESETS and PRESETS[name].package == minilm.PACKAGE:
        minilm.check_weights(folder.path)
    torch.set_num_threads(1)
    return TorchEncoder(folder, layer, depth, signature)


class TorchEncoder:
    """One layer of a model, or the last few up to it. `runs` counts texts that went through."""

    def __init__(self, folder: ModelFolder, layer: int, depth: int, signature: str) -> None:
        with reading(folder):
            self._tokenizer = AutoTokenizer.from_pretrained(folder.path, trust_remote_code=False)
            model = AutoModel.from_pretrained(
                folder.path, use_safetensors=True, trust_remote_code=False, dtype=torch.float32
            )
        _check_tokenizer(self._tokenizer, folder.name)
        self._window = find_window(model, self._tokenizer, 0)
        self._model = _shorten(_encoding_half(model).eval(), layer)
        self._layers = (layer - depth + 1, layer)
        self.signature = signature
        self.kept = Kept(KEPT)
        self.runs = 0

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        found: dict[str, Encoded] = {}
        missing = []
        for text in dict.fromkeys(texts):
            known = self.kept.get(text)
            if known is None:
                missing.append(text)
            else:
                found[text] = known
        for start in range(0, len(missing), READ_AT_ONCE):
            for encoded in self._run(missing[start : start + READ_AT_ONCE]):
                found[encoded.text] = encoded
                self.kept.put(encoded)
        return [found[text] for text in texts]

    def read(self, texts: Sequence[str]) -> list[list[int]]:
        ids: list[list[int]] = self._tokenize(texts)["input_ids"]
        return ids

    def embed_words(self, words: Sequence[str]) -> Vectors:
        if not words:
            return np.zeros((0, self._model.config.hidden_size), dtype=np.float32)
        table = self._model.get_input_embeddings().weight
        read = self._tokenizer([f" {word}" for word in words], add_special_tokens=False)
        with torch.inference_mode():
            rows = [table[torch.tensor(ids or [0])].mean(dim=0) for ids in read["input_ids"]]
            return torch.stack(rows).numpy()

    def _tokenize(self, texts: Sequence[str]) -> Any:
        return self._tokenizer(
            [text.strip() for text in texts],
            truncation=True,
            max_length=self._window,
            padding=False,
            return_offsets_mapping=True,
            return_special_tokens_mask=True,
            return_token_type_ids=False,
        )

    def _run(self, texts: Sequence[str]) -> list[Encoded]:
        read = self._tokenize(texts)
        for text, ids, marks in zip(
            texts, read["input_ids"], read["special_tokens_mask"], strict=True
        ):
            pieces = [piece for piece, mark in zip(ids, marks, strict=True) if not mark]
            refuse_unread(self._tokenizer, text, pieces)
        lengths = [len(ids) for ids in read["input_ids"]]
        found: list[Encoded] = []
        for places in cut_batches(lengths):
            vectors = self._forward([read["input_ids"][place] for place in places])
            for place, rows in zip(places, vectors, strict=True):
                found.append(_gather(texts[place], read, place, rows))
        self.runs += len(texts)
        return found

    def _forward(self, ids: list[list[int]]) -> list[Vectors]:
        batch = collate([Row(one, []) for one in ids], self._tokenizer)
        is_left = self._tokenizer.padding_side == "left"
        with torch.inference_mode():
            states = self._model(**batch, output_hidden_states=True).hidden_states
            first, last = self._layers
            rows = _join(states[first : last + 1]).numpy()
        cuts = [slice(-len(one), None) if is_left else slice(len(one)) for one in ids]
        # Copies: a slice would keep the whole batch in memory.
        return [row[cut].copy() for row, cut in zip(rows, cuts, strict=True)]


def cut_batches(lengths: Sequence[int]) -> list[list[int]]:
    """Places of the texts by length, in batches of at most so many tokens."""
    batches: list[list[int]] = []
    for place in sorted(range(len(lengths)), key=lambda place: lengths[place]):
        if not batches or (len(batches[-1]) + 1) * lengths[place] > MOST_TOKENS:
            batches.append([])
        batches[-1].append(place)
    return batches


def _gather(text: str, read: Any, place: int, vectors: Vectors) -> Encoded:
    spans = np.array(read["offset_mapping"][place], dtype=np.int64).reshape(-1, 2)
    marks = np.array(read["special_tokens_mask"][place], dtype=np.bool_)
    shift = len(text) - len(text.lstrip())
    words = [-1 if word is None else word for word in read.word_ids(place)]
    begins = np.diff(np.array([-1, *words])) != 0
    return Encoded(
        text=text,
        ids=np.array(read["input_ids"][place], dtype=np.int64),
        spans=np.where(marks[:, np.newaxis], 0, spans + shift),
        is_mark=marks,
        begins=begins & ~marks,
        vectors=vectors,
    )


def _join(states: Sequence[torch.Tensor]) -> torch.Tensor:
    """One layer as it is; of several, mean, highest and lowest value side by side."""
    if len(states) == 1:
        return states[0]
    stacked = torch.stack(list(states))
    return torch.cat([stacked.mean(dim=0), stacked.amax(dim=0), stacked.amin(dim=0)], dim=-1)


def _encoding_half(model: Any) -> Any:
    """The encoder of a model that also has a decoder."""
    return model.get_encoder() if getattr(model.config, "is_encoder_decoder", False) else model


def _shorten(model: Any, layers: int) -> Any:
    """Without the layers that come after the one wanted, where they stand in a list."""
    for module in model.modules():
        for name, part in module.named_children():
            is_stack = isinstance(part, torch.nn.ModuleList)
            if is_stack and len(part) == model.config.num_hidden_layers:
                setattr(module, name, part[:layers])
                return model
    return model


def _check_tokenizer(tokenizer: Any, name: str) -> None:
    if not tokenizer.is_fast or tokenizer.pad_token_id is None:
        raise InputError(
            _(
                "{name}: its tokenizer doesn't report offsets, or has no padding token. "
                "Save it as tokenizer.json, with a pad_token."
            ).format(name=name)
        )
    if not tokenizer("")["input_ids"]:
        raise InputError(
            _(
                "{name}: its tokenizer adds no special tokens, so an empty text has no tokens. "
                "Use an encoder such as BERT or RoBERTa."
            ).format(name=name)
        )
