"""An NLI model as a judge."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from transformers import AutoConfig, AutoModelForSequenceClassification, AutoTokenizer
from transformers.utils import logging

from scoring.backends.nli.folder import ModelFolder, find_folder, stated_labels
from scoring.backends.nli.labels import read_columns
from scoring.backends.nli.pairs import PairReader, Row, collate, cut_batches
from scoring.backends.nli.precision import check_options, describe, place_model
from scoring.errors import InputError
from scoring.judge.catalogue import JudgeOptions, Preset
from scoring.judge.functions import check_function, read_presence
from scoring.judge.protocol import Identity, Logits, Question, Verdict
from scoring.sentences import split_sentences
from scoring.translation import gettext as _

UNREADABLE = (OSError, ValueError, KeyError, TypeError, RuntimeError, ImportError, SafetensorError)


def load(name: str, preset: Preset | None, options: JudgeOptions) -> NliJudge:
    """Load the model of a preset, of Hugging Face (owner/model) or of a folder."""
    check_options(options)
    folder = find_folder(name, preset, options.revision)
    config, tokenizer = _read(folder)
    columns = read_columns(config, stated_labels(folder.card, preset), folder.name)
    function = _default_function(folder, preset, len(columns))
    model = _load_model(folder)
    window = find_window(model, tokenizer, options.window)
    identity = Identity(
        name=folder.name,
        kind="nli",
        weights=folder.digest(_("columns {columns}").format(columns=columns)),
        revision=folder.revision,
        options={"window": window} | describe(options),
    )
    return NliJudge(
        model=place_model(model, options),
        reader=PairReader(tokenizer, window, folder.name),
        columns=columns,
        identity=identity,
        default_function=function,
        options=options,
    )


class NliJudge:
    """Judges a summary's units in batches of their own, padded to the longest."""

    def __init__(
        self,
        *,
        model: Any,
        reader: PairReader,
        columns: Sequence[int],
        identity: Identity,
        default_function: str,
        options: JudgeOptions,
    ) -> None:
        self.identity = identity
        self.classes = len(columns)
        self.default_function = default_function
        self._model = model
        self._reader = reader
        self._columns = list(columns)
        self._device = options.device
        self._wants_evidence = options.evidence

    def judge(self, questions: Iterable[Question]) -> Iterator[list[Verdict]]:
        for question in questions:
            yield self._answer(question)

    def _answer(self, question: Question) -> list[Verdict]:
        [logits] = self._ask([question.summary], question.units)
        sentences = self._find_evidence(question)
        return [Verdict(*pair) for pair in zip(logits, sentences, strict=True)]

    def _find_evidence(self, question: Question) -> list[int]:
        """For each unit, the sentence that says it most surely when it stands alone."""
        spans = split_sentences(question.summary) if self._wants_evidence else []
        if len(spans) < 2:
            return [len(spans) - 1] * len(question.units)
        logits = self._ask([question.summary[start:end] for start, end in spans], question.units)
        # Labels would tie, so probabilities decide: of three classes if the labels have three.
        function = f"p{self.default_function[1:]}"
        presence = [[read_presence(function, pair) for pair in row] for row in logits]
        return [int(place) for place in np.argmax(presence, axis=0)]

    def _ask(self, premises: Sequence[str], units: Sequence[str]) -> list[list[Logits]]:
        """By premise and unit, the logits of each window."""
        pairs = self._reader.rows(premises, units)
        flat = [row for units_rows in pairs for rows in units_rows for row in rows]
        found = iter(self._run(flat))
        return [
            [np.stack([next(found) for __ in rows]) for rows in units_rows] for units_rows in pairs
        ]

    def _run(self, rows: Sequence[Row]) -> Logits:
        found = np.empty((len(rows), self.classes), dtype=np.float32)
        for places in cut_batches([len(row.ids) for row in rows]):
            batch = collate([rows[place] for place in places], self._reader.tokenizer)
            with torch.inference_mode():
                logits = self._model(
                    **{key: value.to(self._device) for key, value in batch.items()}
                ).logits
            found[places] = logits[:, self._columns].float().cpu().numpy()
        return found


def find_window(model: Any, tokenizer: Any, wanted: int) -> int:
    """How many tokens a pair may have: what model and tokenizer take, or fewer if so wanted."""
    bounds = [tokenizer.model_max_length, *_positions(model)]
    bounds += [wanted] if wanted else []
    return int(min(sys.maxsize, *bounds))


def _positions(model: Any) -> Iterator[int]:
    """The positions that a model has learnt.

    RoBERTa's first ones stand for padding: positions count from `padding_idx` + 1 on.
    """
    for name, module in model.named_modules():
        if name.endswith("position_embeddings") and isinstance(module, torch.nn.Embedding):
            skipped = 0 if module.padding_idx is None else module.padding_idx + 1
            yield module.num_embeddings - skipped
    stated = getattr(model.config, "max_position_embeddings", None)
    if stated and stated > 0:
        yield stated


def _default_function(folder: ModelFolder, preset: Preset | None, classes: int) -> str:
    """A fine-tuned judge was trained for p2c; a zero-shot one does best by its labels (§4.2)."""
    usual = "l3c" if classes == 3 and not folder.card else "p2c"
    stated = folder.card.get("function") or (preset.function if preset else "")
    return check_function(str(stated or usual), classes)


def _read(folder: ModelFolder) -> tuple[Any, Any]:
    with reading(folder):
        config = AutoConfig.from_pretrained(folder.path, trust_remote_code=False)
        tokenizer = AutoTokenizer.from_pretrained(folder.path, trust_remote_code=False)
    if tokenizer.pad_token_id is None:
        raise InputError(
            _(
                "{folder}: its tokenizer has no padding token. Set pad_token in its "
                "tokenizer_config.json."
            ).format(folder=folder.name)
        )
    return config, tokenizer


def _load_model(folder: ModelFolder) -> Any:
    with reading(folder):
        model, report = AutoModelForSequenceClassification.from_pretrained(
            folder.path,
            use_safetensors=True,
            trust_remote_code=False,
            dtype=torch.float32,
            output_loading_info=True,
        )
    if report["missing_keys"]:
        missing = ", ".join(sorted(report["missing_keys"])[:3])
        raise InputError(
            _(
                "{folder} has no weights for {missing}. It was not trained to classify pairs. "
                "Use a model that was, or fine-tune this one first."
            ).format(folder=folder.name, missing=missing)
        )
    return model


@contextmanager
def reading(folder: ModelFolder) -> Iterator[None]:
    """Without the library's progress bars, and with its errors told as ours."""
    was_shown, level = logging.is_progress_bar_enabled(), logging.get_verbosity()
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    try:
        yield
    except UNREADABLE as error:
        raise InputError(
            _("{folder} can't be loaded from {path}: {error}").format(
                folder=folder.name, path=folder.path, error=error
            )
        ) from error
    finally:
        logging.set_verbosity(level)
        if was_shown:
            logging.enable_progress_bar()
