"""The judge that reads each summary once for all its units; one that Giza trains itself.

It lies in a folder: `model.safetensors`, the encoder's `config.json`, its tokenizer and the card,
`judge.json`. How it reads is told in `prefix_sharing`. A summary that is longer than the window is
judged by overlapping windows; how long those are depends on the summary and the unit alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoTokenizer

from scoring.backends.nli.folder import ModelFolder, find_folder
from scoring.backends.nli.judge import reading
from scoring.backends.nli.pairs import Ids, cut_windows, read_texts
from scoring.backends.nli.precision import check_options, describe, place_model
from scoring.backends.prefix_sharing import Layout, SharedEncoder, empty_shared, pack, split_units
from scoring.errors import InputError
from scoring.judge.catalogue import CARD, JudgeOptions, Preset
from scoring.judge.functions import read_presence
from scoring.judge.protocol import Identity, Logits, Question, Verdict
from scoring.sentences import split_sentences
from scoring.translation import gettext as _

KIND = "shared"
WEIGHTS = "model.safetensors"
LEAST_SUMMARY = 8  # tokens of a summary that a unit must leave room for


def load(name: str, preset: Preset | None, options: JudgeOptions) -> SharedJudge:
    """The judge in the folder *name*."""
    check_options(options)
    folder = find_folder(name, preset, options.revision)
    if folder.card.get("kind") != KIND:
        raise InputError(
            _(
                "{path} doesn't contain a shared judge: its {card} doesn't say '{kind}'. Give "
                "the output folder of fine-tuning with sharing."
            ).format(path=folder.path, card=CARD, kind=KIND)
        )
    with reading(folder):
        tokenizer = AutoTokenizer.from_pretrained(folder.path)
        model = empty_shared(str(folder.path), tokenizer, folder.card.get("pooling", "mean"))
        model.load_state_dict(load_file(folder.path / WEIGHTS))
    return SharedJudge(folder, place_model(model, options), tokenizer, options)


class SharedJudge:
    """A judge of two classes."""

    classes = 2
    default_function = "p2c"

    def __init__(
        self, folder: ModelFolder, model: SharedEncoder, tokenizer: Any, options: JudgeOptions
    ) -> None:
        self.model = model
        self.tokenizer = tokenizer
        self.device = torch.device(options.device)
        self.wants_evidence = options.evidence
        self.room = find_room(model.layout, options.window)
        self.identity = Identity(
            name=folder.name,
            kind=KIND,
            weights=folder.digest(_("pooling {pooling}").format(pooling=model.pooling)),
            options={"window": self.room + model.layout.special} | describe(options),
        )

    def judge(self, questions: Iterable[Question]) -> Iterator[list[Verdict]]:
        for question in questions:
            logits = self._logits(question.summary, question.units)
            sentences = self._find_evidence(question)
            yield [Verdict(*pair) for pair in zip(logits, sentences, strict=True)]

    def _find_evidence(self, question: Question) -> list[int]:
        """For each unit, the sentence that says it most surely when it stands alone."""
        spans = split_sentences(question.summary) if self.wants_evidence else []
        if len(spans) < 2:
            return [len(spans) - 1] * len(question.units)
        presence = [
            [
                read_presence(self.default_function, logits)
                for logits in self._logits(question.summary[start:end], question.units)
            ]
            for start, end in spans
        ]
        return [int(place) for place in np.argmax(presence, axis=0)]

    def _logits(self, summary: str, units: Sequence[str]) -> list[Logits]:
        """For each unit, a row for each window of the summary."""
        [tokens] = read_texts(self.tokenizer, [summary])
        written = read_texts(self.tokenizer, units)
        found: list[Logits] = [np.zeros((0, 2), np.float32)] * len(units)
        for size, places in self._by_window(units, written).items():
            rows = [
                self._ask(tokens[window], [written[place] for place in places])
                for window in cut_windows(len(tokens), size)
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
                raise InputError(
                    _(
                        "The unit “{units}” has {tokens} tokens, too many for a "
                        "judge with space for {room}. Split it into shorter units."
                    ).format(units=units[place][:80], tokens=len(tokens), room=self.room)
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


def find_room(layout: Layout, window: int) -> int:
    """Tokens for summary and unit together, special ones apart."""
    room = min(window or layout.positions, layout.positions) - layout.special
    if room < 2 * LEAST_SUMMARY:
        raise InputError(
            _(
                "A window of {window} tokens is too small. Give at least "
                "{value}, or 0 for the model's maximum."
            ).format(window=window, value=2 * LEAST_SUMMARY + layout.special)
        )
    return room


def save_shared(model: SharedEncoder, tokenizer: Any, folder: Path) -> None:
    """All but the card."""
    folder.mkdir(parents=True, exist_ok=True)
    encoder: Any = model.encoder
    encoder.config.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    save_file(dict(model.state_dict()), folder / WEIGHTS)
