"""The judge that reads each summary once for all its units; one that Giza trains itself.

It lies in a folder: `model.safetensors`, the encoder's `config.json`, its tokenizer and the card,
`judge.json`. How it reads is told in `prefix_sharing`. A summary that is longer than the window is
judged by overlapping windows; how long those are depends on the summary and the unit alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from transformers import AutoTokenizer

from scoring.backends.prefix_sharing import (
    Ids,
    SharedEncoder,
    empty_shared,
    pack,
    split_units,
    split_windows,
)
from scoring.judge.catalogue import CARD, JudgeOptions, Preset, read_card
from scoring.judge.functions import read_presence
from scoring.judge.protocol import Identity, Logits, Question, Verdict
from scoring.sentences import split_sentences

KIND = "shared"
WEIGHTS = "model.safetensors"
PRECISIONS = {"fp32": torch.float32, "bf16": torch.bfloat16}
LEAST_SUMMARY = 8  # tokens of a summary that a unit must leave room for


def load(name: str, preset: Preset | None, options: JudgeOptions) -> SharedJudge:
    """The judge in the folder *name*."""
    folder = Path(preset.path if preset else name).expanduser()
    card = read_card(folder)
    if card.get("kind") != KIND or not (folder / WEIGHTS).is_file():
        raise ValueError(
            f"{folder} holds no shared judge: it has no {WEIGHTS}, or its {CARD} does not say "
            f"'{KIND}'. Give the folder that fine-tuning with sharing wrote."
        )
    if options.precision not in PRECISIONS:
        raise ValueError(
            f"A shared judge runs in {' or '.join(PRECISIONS)}, not in {options.precision}."
        )
    if options.threads:
        torch.set_num_threads(options.threads)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = empty_shared(str(folder), tokenizer, card.get("pooling", "mean"))
    _fill(model, folder)
    model.to(options.device, PRECISIONS[options.precision]).eval()
    return SharedJudge(name, folder, model, tokenizer, options)


class SharedJudge:
    """A judge of two classes."""

    classes = 2
    default_function = "p2c"

    def __init__(
        self,
        name: str,
        folder: Path,
        model: SharedEncoder,
        tokenizer: Any,
        options: JudgeOptions,
    ) -> None:
        self.model = model
        self.tokenizer = tokenizer
        self.device = torch.device(options.device)
        self.evidence = options.evidence
        self.room = find_room(model, options.window)
        self.identity = Identity(
            name=name,
            kind=KIND,
            weights=hash_folder(folder),
            options={
                "window": self.room,
                "precision": options.precision,
                "pooling": model.pooling,
            },
        )

    def judge(self, questions: Iterable[Question]) -> Iterator[list[Verdict]]:
        for question in questions:
            logits = self._logits(question.summary, question.units)
            sentences = self._sentences(question) if self.evidence else [-1] * len(logits)
            yield [Verdict(*pair) for pair in zip(logits, sentences, strict=True)]

    def _sentences(self, question: Question) -> list[int]:
        """The sentence that convinces most when it is judged alone, for each unit."""
        text = question.summary
        parts = [text[start:end] for start, end in split_sentences(text)]
        presence = [
            [read_presence("p2c", logits) for logits in self._logits(part, question.units)]
            if part.strip()
            else [-1.0] * len(question.units)
            for part in parts
        ]
        return [int(place) for place in np.argmax(np.array(presence), axis=0)]

    def _logits(self, summary: str, units: Sequence[str]) -> list[Logits]:
        """For each unit, a row for each window of the summary."""
        [tokens] = tokenize(self.tokenizer, [summary])
        written = tokenize(self.tokenizer, units)
        found: list[Logits] = [np.zeros((0, 2), np.float32)] * len(units)
        for size, places in self._by_window(units, written).items():
            rows = [
                self._ask(window, [written[place] for place in places])
                for window in split_windows(tokens, size)
            ]
            for place, logits in zip(places, np.stack(rows, axis=1), strict=True):
                found[place] = logits
        return found

    def _by_window(self, units: Sequence[str], written: Sequence[Ids]) -> dict[int, list[int]]:
        """Places of units by how many of the summary's tokens they leave room for.

        A quarter of the room is kept for the unit. One that is longer takes what it needs.
        """
        found: dict[int, list[int]] = {}
        for place, tokens in enumerate(written):
            size = self.room - max(len(tokens), self.room // 4)
            if size < LEAST_SUMMARY:
                raise ValueError(
                    f"The unit “{units[place][:80]}” has {len(tokens)} tokens, too many for a "
                    f"judge with room for {self.room}. Split it into shorter ones."
                )
            found.setdefault(size, []).append(place)
        return found

    def _ask(self, summary: Ids, units: Sequence[Ids]) -> Logits:
        special = self.model.layout.special
        lengths = [len(unit) + special for unit in units]
        with torch.inference_mode():
            parts = [
                self.model(pack(self.model.layout, [(summary, units[part])]).to(self.device))
                for part in split_units(len(summary) + special, lengths)
            ]
        return torch.cat(parts).float().cpu().numpy()


def find_room(model: SharedEncoder, window: int) -> int:
    """Tokens for summary and unit together, special ones apart."""
    layout = model.layout
    room = min(window or layout.positions, layout.positions) - layout.special
    if room < 2 * LEAST_SUMMARY:
        raise ValueError(
            f"A window of {window} tokens is too small. Give at least "
            f"{2 * LEAST_SUMMARY + layout.special}, or 0 for as many as the model takes."
        )
    return room


def tokenize(tokenizer: Any, texts: Sequence[str]) -> list[Ids]:
    """Tokens without special ones. Long texts are not cut."""
    if not texts:
        return []
    ids: list[Ids] = tokenizer(
        list(texts), add_special_tokens=False, truncation=False, verbose=False
    ).input_ids
    return ids


def save_shared(model: SharedEncoder, tokenizer: Any, folder: Path) -> None:
    """All but the card."""
    folder.mkdir(parents=True, exist_ok=True)
    encoder: Any = model.encoder
    encoder.config.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    save_file(dict(model.state_dict()), folder / WEIGHTS)


def hash_folder(folder: Path) -> str:
    """Of every file by name and content, the card apart: it tells of the judge, and is not it."""
    digest = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        if path.is_file() and path.name != CARD:
            with path.open("rb") as file:
                part = hashlib.file_digest(file, "sha256").hexdigest()
            digest.update(f"{path.name}\0{part}\n".encode())
    return digest.hexdigest()


def _fill(model: SharedEncoder, folder: Path) -> None:
    try:
        model.load_state_dict(load_file(folder / WEIGHTS))
    except (OSError, RuntimeError, SafetensorError) as error:
        raise ValueError(f"{folder / WEIGHTS} does not fit {folder / 'config.json'}.") from error
