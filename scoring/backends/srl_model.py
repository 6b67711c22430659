"""A transformers model that labels roles: token classification with BIO roles, a verb at a time.

Words and verbs come from the parse; the model is asked once for each verb. Which word is the verb
is told by its token type (1), or, where the model knows one type only, by a second segment that
repeats the verb (Shi & Lin 2019). Which label is which is read off the model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import AutoConfig, AutoModelForTokenClassification, AutoTokenizer

from scoring.backends.nli.folder import ModelFolder, find_folder
from scoring.backends.nli.judge import find_window, reading
from scoring.backends.nli.pairs import PROBE, read_texts
from scoring.errors import InputError
from scoring.parses import ParsedSentence
from scoring.stu.frames import VERB, frame_of_tags
from scoring.stu.rules import spans_of
from scoring.stu.types import Frame, LabelledSentence
from scoring.translation import gettext as _

BATCH = 16
NO_LABEL = "O"
_IMPOSSIBLE = -1e9


class Question(NamedTuple):
    """A verb of a sentence, by the places of both."""

    sentence: int
    verb: int


def load(name: str) -> SrlModel:
    """The model of Hugging Face (owner/model) or of a folder."""
    folder = find_folder(name, None, "")
    with reading(folder):
        config = AutoConfig.from_pretrained(folder.path, trust_remote_code=False)
        tokenizer = AutoTokenizer.from_pretrained(folder.path, trust_remote_code=False)
    if not tokenizer.is_fast:
        raise InputError(
            _("{folder}: its tokenizer doesn't report words. Use a fast tokenizer.").format(
                folder=folder.name
            )
        )
    read_texts(tokenizer, PROBE)
    labels = read_labels(config, folder.name)
    return SrlModel(folder, _load_model(folder), tokenizer, labels)


def read_labels(config: Any, name: str) -> tuple[str, ...]:
    """The model's labels in order; they must be BIO roles, the verb's own among them."""
    labels = tuple(str(config.id2label[place]) for place in range(config.num_labels))
    strange = [label for label in labels if label != NO_LABEL and label[:2] not in ("B-", "I-")]
    if strange or f"B-{VERB}" not in labels or NO_LABEL not in labels:
        known = ", ".join(labels[:6])
        raise InputError(
            _(
                "{name} doesn't label semantic roles: its labels are {known} … "
                "Use a model with the labels O, B-V, B-ARG0, I-ARG0 and so on."
            ).format(name=name, known=known)
        )
    return labels


class SrlModel:
    """Frames by a model; a sentence longer than its window has those of its beginning."""

    needs_parse = True

    def __init__(
        self, folder: ModelFolder, model: Any, tokenizer: Any, labels: Sequence[str]
    ) -> None:
        self.version = f"{folder.name}-{folder.digest()[:12]}"
        self.labels = tuple(labels)
        self._model = model.eval()
        self._tokenizer = tokenizer
        self._window = find_window(model, tokenizer, 0)
        self._marks_type = getattr(model.config, "type_vocab_size", 1) > 1
        self._moves = allowed_moves(labels)

    def label(self, sentences: Sequence[ParsedSentence]) -> list[LabelledSentence]:
        frames: list[list[Frame]] = [[] for __ in sentences]
        questions = [
            Question(place, verb)
            for place, sentence in enumerate(sentences)
            for verb in list_verbs(sentence)
        ]
        for question, tags in zip(questions, self._answer(questions, sentences), strict=True):
            frame = frame_of_tags(sentences[question.sentence].words, tags)
            if frame is not None:
                frames[question.sentence].append(frame)
        return [
            LabelledSentence(sentence.text, spans_of(sentence), tuple(found))
            for sentence, found in zip(sentences, frames, strict=True)
        ]

    def _answer(
        self, questions: Sequence[Question], sentences: Sequence[ParsedSentence]
    ) -> Iterator[list[str]]:
        for start in range(0, len(questions), BATCH):
            batch = questions[start : start + BATCH]
            encoded = self._encode(batch, sentences)
            words = [encoded.word_ids(row) for row in range(len(batch))]
            segments = [encoded.sequence_ids(row) for row in range(len(batch))]
            with torch.inference_mode():
                logits = self._model(**encoded).logits.float().numpy()
            for row, question in enumerate(batch):
                firsts = first_pieces(words[row], segments[row])
                length = len(sentences[question.sentence])
                yield self._tags(logits[row], firsts, length, question.verb)

    def _encode(self, batch: Sequence[Question], sentences: Sequence[ParsedSentence]) -> Any:
        texts = [list(sentences[one.sentence].words) for one in batch]
        verbs = [[sentences[one.sentence].words[one.verb]] for one in batch]
        encoded = self._tokenizer(
            texts,
            None if self._marks_type else verbs,
            is_split_into_words=True,
            padding=True,
            truncation="only_first",
            max_length=self._window,
            return_tensors="pt",
        )
        if self._marks_type:
            marks = [
                [int(word == one.verb) for word in encoded.word_ids(row)]
                for row, one in enumerate(batch)
            ]
            encoded["token_type_ids"] = torch.tensor(marks)
        return encoded

    def _tags(
        self, logits: NDArray[np.float32], firsts: dict[int, int], length: int, verb: int
    ) -> list[str]:
        """One tag a word; the verb is what we asked for, whatever the model says."""
        tags = [NO_LABEL] * length
        scores = logits[list(firsts.values())]
        for word, label in zip(firsts, best_path(scores, self._moves), strict=True):
            tags[word] = self.labels[label]
        tags = [NO_LABEL if tag[2:] == VERB else tag for tag in tags]
        tags[verb] = f"B-{VERB}"
        return tags


def list_verbs(sentence: ParsedSentence) -> list[int]:
    """Words with a verb's tag, auxiliaries left out."""
    return [
        place
        for place, tag in enumerate(sentence.tags)
        if tag.startswith("VB") and sentence.relations[place] not in ("aux", "auxpass")
    ]


def first_pieces(words: Sequence[int | None], segments: Sequence[int | None]) -> dict[int, int]:
    """For each word of the sentence the place of its first piece."""
    found: dict[int, int] = {}
    for place, (word, segment) in enumerate(zip(words, segments, strict=True)):
        if word is not None and segment == 0:
            found.setdefault(word, place)
    return found


def allowed_moves(labels: Sequence[str]) -> NDArray[np.float32]:
    """0 where a label may follow another, else next to minus infinity; the last row: at the start.

    Only `I-X` is choosy: it goes on from `B-X` or `I-X`.
    """
    moves = np.zeros((len(labels) + 1, len(labels)), dtype=np.float32)
    for place, label in enumerate(labels):
        if label.startswith("I-"):
            before = [one[2:] == label[2:] and one != NO_LABEL for one in labels]
            moves[~np.array([*before, False]), place] = _IMPOSSIBLE
    return moves


def best_path(scores: NDArray[np.float32], moves: NDArray[np.float32]) -> list[int]:
    """The most likely labels that may follow one another (Viterbi)."""
    if not len(scores):
        return []
    best = scores[0] + moves[-1]
    back = []
    for row in scores[1:]:
        reached = best[:, None] + moves[:-1]
        back.append(reached.argmax(axis=0))
        best = reached.max(axis=0) + row
    path = [int(best.argmax())]
    for step in reversed(back):
        path.append(int(step[path[-1]]))
    return path[::-1]


def _load_model(folder: ModelFolder) -> Any:
    with reading(folder):
        model, report = AutoModelForTokenClassification.from_pretrained(
            folder.path,
            use_safetensors=True,
            trust_remote_code=False,
            dtype=torch.float32,
            output_loading_info=True,
        )
    if report["missing_keys"]:
        missing = ", ".join(sorted(report["missing_keys"])[:3])
        raise InputError(
            _("{folder} has no weights for {missing}: it was not trained to label words.").format(
                folder=folder.name, missing=missing
            )
        )
    return model
