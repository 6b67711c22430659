"""The words that fix a fact: its numbers, its names, and whether it is denied."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from scoring.overlap import Token, tokenize
from scoring.stemming import NUMBER_WORDS, fold, is_content, word_set

_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_NEGATIONS = word_set("no not never nor neither none nobody nothing without cannot")
# "One of them", "zero in on": a word of these is seldom a number.
_NOT_COUNTED = frozenset(("one", "zero"))


def find_numbers(tokens: Sequence[Token]) -> Iterator[tuple[str, int, int]]:
    """Value and place of every number, in digits or, up to a hundred, in words."""
    for token in tokens:
        folded = fold(token.text)
        if folded in NUMBER_WORDS and folded not in _NOT_COUNTED:
            yield NUMBER_WORDS[folded], token.start, token.end
        for found in _DIGITS.finditer(token.text):
            value = found.group().replace(",", "")
            yield value, token.start + found.start(), token.start + found.end()


def number_set(texts: Iterable[str]) -> set[str]:
    """The values of all numbers of *texts*, words that may be numbers included."""
    found: set[str] = set()
    for text in texts:
        tokens = tokenize(text)
        found.update(value for value, _, _ in find_numbers(tokens))
        words = (fold(part) for token in tokens for part in token.text.split("-"))
        found.update(NUMBER_WORDS[word] for word in words if word in NUMBER_WORDS)
    return found


def find_names(tokens: Sequence[Token]) -> list[Token]:
    """Capitalised words that are not so for opening the sentence.

    The first word counts as a name when another capitalised word follows it.
    """
    names = [token for token in tokens[1:] if _is_capitalised(token)]
    opens_name = len(tokens) > 1 and _is_capitalised(tokens[0]) and _is_capitalised(tokens[1])
    return [tokens[0], *names] if opens_name else names


def is_negated(text: str) -> bool:
    """Whether an odd number of words deny something: two of them cancel out."""
    words = [fold(token.text) for token in tokenize(text)]
    return sum(word in _NEGATIONS or word.endswith("n't") for word in words) % 2 == 1


def _is_capitalised(token: Token) -> bool:
    return token.text[:1].isupper() and is_content(token.text)
