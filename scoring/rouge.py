"""ROUGE-1 between short texts (Lin 2004), with the words and stems of the usual program."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from scoring.porter import porter_stem

_WORDS = re.compile(r"[a-z0-9]+")
_UNSTEMMED = 3  # words up to this length are kept as they are


def rouge_words(text: str, *, is_stemmed: bool = True) -> list[str]:
    """Runs of a–z and 0–9 in lower case; longer words by their stems."""
    words = _WORDS.findall(text.lower())
    if not is_stemmed:
        return words
    return [porter_stem(word) if len(word) > _UNSTEMMED else word for word in words]


def rouge1_f1(first: str, second: str, *, is_stemmed: bool = True) -> float:
    """F1 of the words that two texts share; 0 where one has none."""
    counts = (Counter(rouge_words(text, is_stemmed=is_stemmed)) for text in (first, second))
    return f1_of_counts(*counts)


def f1_of_counts(first: Counter[str], second: Counter[str]) -> float:
    """The same from counted words, for who compares a text with many."""
    common = sum(min(count, second[word]) for word, count in first.items() if word in second)
    return 2 * common / (first.total() + second.total()) if common else 0.0


def recall_of_counts(wanted: Counter[str], text: Counter[str]) -> float:
    """The share of the wanted words that the text has; 0 where none is wanted."""
    common = sum(min(count, text[word]) for word, count in wanted.items() if word in text)
    return common / wanted.total() if common else 0.0


def best_f1(text: str, others: Iterable[str], *, is_stemmed: bool = True) -> float:
    """ROUGE-1 F1 with the one of *others* that is nearest; 0 if there is none."""
    words = Counter(rouge_words(text, is_stemmed=is_stemmed))
    counted = (Counter(rouge_words(other, is_stemmed=is_stemmed)) for other in others)
    return max((f1_of_counts(words, other) for other in counted), default=0.0)
