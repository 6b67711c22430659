"""Easiness of a sentence: how well STUs stand for its SCUs (Zhang & Bansal 2021, §3.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from scoring.errors import InputError
from scoring.rouge import f1_of_counts, rouge_words
from scoring.translation import gettext as _
from scoring.types import Span


def align_scus(sentences: Sequence[str], scus: Sequence[str]) -> list[int]:
    """The sentence that shares most distinct words with each SCU: the first of equals, else 0."""
    if scus and not sentences:
        raise InputError(_("There are SCUs, but no sentences that they could belong to."))
    known = [set(rouge_words(sentence, is_stemmed=False)) for sentence in sentences]
    return [_most_shared(set(rouge_words(scu, is_stemmed=False)), known) for scu in scus]


def align_scus_by_span(
    sentences: Sequence[Span],
    scus: Sequence[str],
    spans: Sequence[Sequence[Span]],
    text: str,
) -> list[int]:
    """The sentence that most characters of each SCU's spans lie in; the first of equals.

    All spans are characters of *text*. An SCU without one, or whose spans touch no sentence, goes
    by the words it shares.
    """
    by_words = align_scus([text[start:end] for start, end in sentences], scus)
    found = []
    for own, place in zip(spans, by_words, strict=True):
        shared = [sum(_overlap(sentence, span) for span in own) for sentence in sentences]
        best = max(shared, default=0)
        found.append(shared.index(best) if best else place)
    return found


def unit_accuracies(
    scus: Sequence[str], stus: Sequence[str], *, is_stemmed: bool = True
) -> list[float]:
    """ROUGE-1 F1 of each SCU with the nearest STU of its reference; 0 where there is none."""
    counted = [Counter(rouge_words(stu, is_stemmed=is_stemmed)) for stu in stus]
    return [
        max((f1_of_counts(words, stu) for stu in counted), default=0.0)
        for words in (Counter(rouge_words(scu, is_stemmed=is_stemmed)) for scu in scus)
    ]


def sentence_easiness(
    sentences: Sequence[str],
    scus: Sequence[str],
    stus: Sequence[str],
    *,
    places: Sequence[int] | None = None,
    is_stemmed: bool = True,
) -> list[float | None]:
    """Mean accuracy over each sentence's SCUs; None for a sentence that has none.

    *places* says which sentence each SCU belongs to; without it, words decide.
    """
    places = align_scus(sentences, scus) if places is None else places
    found: list[list[float]] = [[] for __ in sentences]
    accuracies = unit_accuracies(scus, stus, is_stemmed=is_stemmed)
    for place, accuracy in zip(places, accuracies, strict=True):
        if not 0 <= place < len(sentences):
            raise InputError(
                _("An SCU belongs to sentence {place}, but there are only {sentences}.").format(
                    place=place, sentences=len(sentences)
                )
            )
        found[place].append(accuracy)
    return [sum(values) / len(values) if values else None for values in found]


def _most_shared(words: set[str], known: Sequence[set[str]]) -> int:
    return max(range(len(known)), key=lambda place: len(words & known[place]))


def _overlap(one: Span, other: Span) -> int:
    return max(0, min(one[1], other[1]) - max(one[0], other[0]))
