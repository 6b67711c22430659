"""Texts said in other words: a share of their content words replaced by synonyms (Akter et al. §6).

A word is replaced alike wherever it stands in the texts of one example, so that a sentence that a
summary took from its source is still the source's.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from scoring.overlap import tokenize
from scoring.sentences import split_sentences
from scoring.stemming import is_content, word_set

# Of a word among other words of the same example.
Synonyms = Callable[[str, frozenset[str]], Sequence[str]]


_CAPITALS = re.compile(r"[A-Z][\w’-]+(?: [A-Z][\w’-]+)*")
_CALENDAR = word_set("""
    monday tuesday wednesday thursday friday saturday sunday january february march april may june
    july august september october november december
""")


def find_names(text: str) -> list[tuple[int, int]]:
    """Runs of capital words, without words that begin sentences, and days and months."""
    starts = {start for start, _ in split_sentences(text)}
    found = []
    for match in _CAPITALS.finditer(text):
        start, words = match.start(), match.group().split(" ")
        while words and not is_content(words[0]):
            start += len(words.pop(0)) + 1
        if not words or (len(words) == 1 and start in starts):
            continue
        if not _CALENDAR & {word.lower() for word in words}:
            found.append((start, match.end()))
    return found


def choose_replacements(
    texts: Sequence[str], synonyms: Synonyms, share: float, rng: np.random.Generator
) -> dict[str, str]:
    """For words drawn at random, one of their synonyms each, until so many are replaced.

    Words of names stay.
    """
    counts = Counter(
        token.text.casefold()
        for text in texts
        for token in tokenize(text)
        if is_content(token.text)
    )
    wanted, replaced, context = share * counts.total(), 0, frozenset(counts)
    names = {
        word.casefold()
        for text in texts
        for start, end in find_names(text)
        for word in text[start:end].split(" ")
    }
    found: dict[str, str] = {}
    for word in rng.permutation(sorted(counts)):
        options = synonyms(word, context) if replaced < wanted and word not in names else ()
        if options:
            found[str(word)] = str(rng.choice(options))
            replaced += counts[word]
    return found


def replace_words(text: str, replacements: dict[str, str]) -> str:
    """The text with those words replaced; a capital at the beginning stays one."""
    parts: list[str] = []
    position = 0
    for token in tokenize(text):
        other = replacements.get(token.text.casefold())
        if other is None:
            continue
        first = token.text[0]
        parts += [text[position : token.start], other.capitalize() if first.isupper() else other]
        position = token.end
    return "".join([*parts, text[position:]])
