"""Models that ask questions and answer them, for the overlap of answers.

The one that asks is a sequence-to-sequence model that writes a question to an answer in its
sentence; the one that answers marks a stretch of a text, or says that there is none, as models
trained on SQuAD 2.0 do. Both are named by owner/model or by a folder.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import AutoModelForQuestionAnswering, AutoModelForSeq2SeqLM, AutoTokenizer

from scoring.backends.encoder_files import HASHED, find_encoder
from scoring.backends.nli.folder import ModelFolder
from scoring.backends.nli.judge import find_window, reading
from scoring.backends.nli.pairs import PROBE, read_texts
from scoring.errors import InputError
from scoring.metrics.qa_overlap import Found
from scoring.translation import gettext as _

MOST_WORDS = 48  # tokens of a question
LONGEST = 30  # tokens of an answer
AT_ONCE = 16
LOADED = 2


def sign(name: str) -> str:
    """Name and hash of all files."""
    folder = find_encoder(name)
    return f"{folder.name}@{folder.digest()[:HASHED]}"


@lru_cache(maxsize=LOADED)
def load_asker(name: str, signature: str) -> Asker:
    torch.set_num_threads(1)
    return Asker(find_encoder(name))


@lru_cache(maxsize=LOADED)
def load_answerer(name: str, signature: str) -> Answerer:
    torch.set_num_threads(1)
    return Answerer(find_encoder(name))


class Asker:
    """Writes the likeliest question, word by word."""

    def __init__(self, folder: ModelFolder) -> None:
        self._tokenizer, self._model = _load(folder, AutoModelForSeq2SeqLM)

    def ask(self, prompts: Sequence[str]) -> list[str]:
        """A question for each prompt; what the model says before its question is taken off."""
        found: list[str] = []
        for start in range(0, len(prompts), AT_ONCE):
            batch = self._tokenizer(
                list(prompts[start : start + AT_ONCE]),
                padding=True,
                truncation=True,
                max_length=find_window(self._model, self._tokenizer, 0),
                return_tensors="pt",
                return_token_type_ids=False,
            )
            with torch.inference_mode():
                written = self._model.generate(
                    **batch, max_new_tokens=MOST_WORDS, num_beams=1, do_sample=False
                )
            found += self._tokenizer.batch_decode(written, skip_special_tokens=True)
        return [text.strip().removeprefix("question:").strip() for text in found]


class Answerer:
    """Marks the likeliest answer in a text."""

    def __init__(self, folder: ModelFolder) -> None:
        self._tokenizer, self._model = _load(folder, AutoModelForQuestionAnswering)
        self._window = find_window(self._model, self._tokenizer, 0)

    def answer(self, questions: Sequence[str], text: str) -> list[Found]:
        """For each question what the text says; of a long text, its beginning is read."""
        return [self._answer(question, text) for question in questions]

    def _answer(self, question: str, text: str) -> Found:
        read = self._tokenizer(
            question,
            text,
            truncation="only_second",
            max_length=self._window,
            return_offsets_mapping=True,
            return_tensors="pt",
        )
        spans = read.pop("offset_mapping")[0].numpy()
        inside = np.array([part == 1 for part in read.sequence_ids(0)])
        with torch.inference_mode():
            said = self._model(**read)
        first, last = (part[0].float().numpy() for part in (said.start_logits, said.end_logits))
        return choose_span(first, last, inside, spans, text)


def choose_span(
    first: NDArray[np.float32],
    last: NDArray[np.float32],
    inside: NDArray[np.bool_],
    spans: NDArray[np.int64],
    text: str,
) -> Found:
    """The stretch with the highest sum of logits; the first token's sum says that there is none."""
    places = np.flatnonzero(inside)
    if not len(places):
        return Found("", False)
    sums = first[places][:, np.newaxis] + last[places]
    size = len(places)
    allowed = np.triu(np.ones((size, size), dtype=np.bool_)) & ~np.triu(
        np.ones((size, size), dtype=np.bool_), k=LONGEST
    )
    sums = np.where(allowed, sums, -np.inf)
    start, end = np.unravel_index(int(sums.argmax()), sums.shape)
    marked = text[spans[places[start], 0] : spans[places[end], 1]].strip()
    return Found(marked, bool(sums[start, end] > first[0] + last[0]))


def _load(folder: ModelFolder, kind: Any) -> tuple[Any, Any]:
    with reading(folder):
        tokenizer = AutoTokenizer.from_pretrained(folder.path, trust_remote_code=False)
        model, report = kind.from_pretrained(
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
                "{folder} has no weights for {missing}, so it was not trained for questions. "
                "Choose one that was."
            ).format(folder=folder.name, missing=missing)
        )
    read_texts(tokenizer, PROBE)
    return tokenizer, model.eval()
