"""Overlap of answers in the manner of QAEval (Deutsch, Bedrax-Weiss and Roth 2021).

Every noun phrase of a reference is an answer; a model writes the question to it from its sentence,
and another one answers it from the summary. A summary is as good as its answers are like the
reference's. Both models have to be named: none is embedded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np

from scoring.errors import InputError
from scoring.metrics.catalogue import Option
from scoring.metrics.hybrid import cut_sentences
from scoring.metrics.protocol import (
    REFERENCES,
    Floats,
    MetricTable,
    Texts,
    Value,
    check_texts,
    sign_metric,
)
from scoring.parses import ParsedSentence, Parser, load_parser
from scoring.rouge import f1_of_counts, rouge_words
from scoring.translation import gettext as _
from scoring.translation import gettext_lazy

PROMPT = "answer: {answer} context: {sentence}"
OPTIONS: tuple[Option, ...] = (
    Option(
        "asker",
        "",
        gettext_lazy("question-generation model: owner/model or a folder"),
        is_outside=True,
    ),
    Option(
        "answerer",
        "",
        gettext_lazy("question-answering model: owner/model or a folder"),
        is_outside=True,
    ),
    Option(
        "prompt",
        PROMPT,
        gettext_lazy("input of the question-generation model"),
    ),
    Option(
        "parser",
        "",
        gettext_lazy("a spaCy pipeline by name or folder; default: the embedded one"),
        is_outside=True,
    ),
)
COLUMNS = ("exact", "f1", "answered")
BEFORE = frozenset({"det", "amod", "compound", "nummod", "poss", "quantmod", "nmod"})
ARTICLES = frozenset({"a", "an", "the"})


@dataclass(frozen=True, slots=True)
class Found:
    """What a text answers; `is_known` is whether it says anything about it at all."""

    text: str
    is_known: bool


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and the answer that the reference gives."""

    text: str
    answer: str


class Asking(Protocol):
    def ask(self, prompts: Sequence[str]) -> list[str]: ...


class Answering(Protocol):
    def answer(self, questions: Sequence[str], text: str) -> list[Found]: ...


@dataclass(frozen=True)
class QaOverlap:
    """Means over a reference's questions, then over references; no answer where it has none."""

    options: Mapping[str, Value]
    name: str = "qa_overlap"
    columns: tuple[str, ...] = COLUMNS
    needs: frozenset[str] = frozenset({REFERENCES})
    lower: frozenset[str] = field(default_factory=frozenset)

    def _model(self, role: str) -> str:
        """The signature of the model of a role."""
        from scoring.backends.questions import sign

        named = str(self.options[role])
        return sign(named) if named else "none"

    @cached_property
    def parser(self) -> Parser:
        return load_parser(str(self.options["parser"]))

    @cached_property
    def signature(self) -> str:
        models = {role: self._model(role) for role in ("asker", "answerer")}
        parser = f"{self.parser.name}@{self.parser.version}"
        return sign_metric(self.name, {**self.options, **models, "parser": parser})

    @cached_property
    def models(self) -> tuple[Asking, Answering]:
        from scoring.backends.questions import load_answerer, load_asker

        asker, answerer = (str(self.options[role]) for role in ("asker", "answerer"))
        if not asker or not answerer:
            raise InputError(
                _(
                    "qa_overlap needs a model that asks and one that answers. Name both: "
                    "asker=owner/model and answerer=owner/model, or folders."
                )
            )
        return load_asker(asker, self._model("asker")), load_answerer(
            answerer, self._model("answerer")
        )

    def score(self, summaries: Sequence[str], references: Texts, documents: Texts) -> MetricTable:
        summaries, references, documents = check_texts(self, summaries, references, documents)
        asker, answerer = self.models
        asked = {
            text: self._write(text, asker)
            for text in dict.fromkeys(text for texts in references for text in texts)
        }
        rows = [
            score_summary(summary, [asked[text] for text in texts], answerer)
            for summary, texts in zip(summaries, references, strict=True)
        ]
        return MetricTable(self.columns, np.array(rows).reshape(-1, len(COLUMNS)))

    def _write(self, reference: str, asker: Asking) -> list[Question]:
        parsed = self.parser.parse(cut_sentences(reference))
        pairs = [(parse.text, answer) for parse in parsed for answer in list_phrases(parse)]
        template = str(self.options["prompt"])
        prompts = [
            template.replace("{answer}", answer).replace("{sentence}", sentence)
            for sentence, answer in pairs
        ]
        written = asker.ask(prompts) if prompts else []
        return [
            Question(text, answer)
            for text, (__, answer) in zip(written, pairs, strict=True)
            if text
        ]


def list_phrases(parse: ParsedSentence) -> Iterator[str]:
    """Noun phrases: a noun with what stands before it and hangs on it; a part of a name is none."""
    for place, tag in enumerate(parse.tags):
        if not tag.startswith("NN") or parse.relations[place] == "compound":
            continue
        start = place
        while start > 0 and _belongs(parse, start - 1, place):
            start -= 1
        yield parse.text[parse.starts[start] : parse.end_of(place)]


def _belongs(parse: ParsedSentence, place: int, noun: int) -> bool:
    """Whether a word is part of a noun's phrase, by itself or through another part of it."""
    while parse.relations[place] in BEFORE:
        place = parse.heads[place]
        if place == noun:
            return True
    return False


def score_summary(
    summary: str, references: Sequence[Sequence[Question]], answerer: Answering
) -> Floats:
    found = [_score(summary, questions, answerer) for questions in references if questions]
    return np.mean(found, axis=0) if found else np.full(len(COLUMNS), np.nan)


def _score(summary: str, questions: Sequence[Question], answerer: Answering) -> Floats:
    """Exact, F1 of words and whether there is an answer, over the questions."""
    if not summary.strip():
        return np.zeros(len(COLUMNS))
    said = answerer.answer([question.text for question in questions], summary)
    rows = [
        (*compare_answers(one.text, question.answer), 1.0) if one.is_known else (0.0, 0.0, 0.0)
        for one, question in zip(said, questions, strict=True)
    ]
    return np.mean(rows, axis=0)


def compare_answers(said: str, expected: str) -> tuple[float, float]:
    """Whether they are the same words, and the F1 of those they share; articles do not count."""
    first, second = (
        [word for word in rouge_words(text, is_stemmed=False) if word not in ARTICLES]
        for text in (said, expected)
    )
    return float(first == second), f1_of_counts(Counter(first), Counter(second))


def load(options: Mapping[str, Value]) -> QaOverlap:
    missing = [part for part in ("{answer}", "{sentence}") if part not in str(options["prompt"])]
    if missing:
        raise InputError(_("qa_overlap: the prompt lacks {missing}.").format(missing=missing[0]))
    return QaOverlap(dict(options))
