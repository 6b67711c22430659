"""Small words that change what a sentence says: cues of how a unit and a sentence differ.

Words that carry content decide what a unit is about; whether it is so hangs on a few others: *not*,
*may*, *if*, *most*, *before*, *by*. For each family of them, cues count those of the unit
and those that its nearest sentence has near the words they share. Others say whether shared words
stand in another order, and which numbers and names differ.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import numpy as np

from scoring.overlap import STOP_WORDS
from scoring.stemming import stem, word_set

_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+(?:[.,:]\d+)*|[£$€%]")

FAMILIES: dict[str, frozenset[str]] = {
    family: word_set(words)
    for family, words in json.loads(
        files("scoring.judge").joinpath("cues.json").read_text(encoding="utf-8")
    ).items()
}
NEAR = 4  # words around those that are shared
NUMBERS = word_set("""
    one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety
    hundred thousand million billion first second third fourth fifth sixth seventh eighth ninth
    tenth
""")
SMALL = ("negation", "possibility", "all", "before", "after")  # families that carry no content
NAMES = (
    *(f"cue, {family}: {whose}" for family in FAMILIES for whose in ("unit", "sentence", "differ")),
    "cue: words of the unit",
    "cue: share of content words in the sentence",
    "cue: content words of the unit that the sentence lacks",
    "cue: content words between shared ones that the unit lacks",
    "cue: share of pairs of shared words in another order",
    "cue: the first and the last shared word have changed places",
    "cue: words in the order of the longest shared run, share of the unit",
    "cue: numbers that the sentence lacks",
    "cue: numbers near shared words that the unit lacks",
    "cue: capitalised words that the sentence lacks",
    "cue: capitalised words that the whole summary lacks",
    "cue: share of content words in the summary",
    "cue: last content word is shared",
    "cue: first content word is shared",
    "cue: the words around the verb are the same",
)


@dataclass(frozen=True, slots=True)
class Words:
    """A text's words in small letters, their stems, and which of them carry content."""

    words: tuple[str, ...]
    stems: tuple[str, ...]
    content: tuple[int, ...]
    names: frozenset[str]


@lru_cache(maxsize=1024)
def read_words(text: str) -> Words:
    plain = text.replace("’", "'").replace(" n't", "n't")
    words = tuple(
        part
        for found in _WORD.findall(plain.lower())
        for part in ((found[:-3], "n't") if found.endswith("n't") else (found,))
        if part
    )
    content = tuple(
        i for i, word in enumerate(words) if word not in STOP_WORDS and not _is_small(word)
    )
    names = frozenset(word.lower() for word in re.findall(r"\b[A-Z][a-z]+", plain))
    return Words(words, tuple(stem(word) for word in words), content, names)


@lru_cache(maxsize=4096)
def _is_small(word: str) -> bool:
    return any(word in FAMILIES[name] for name in SMALL)


def cue_features(sentence: str, summary: str, unit: str) -> list[float]:
    """The row of one unit, in the order of `NAMES`."""
    text, said = read_words(sentence), read_words(unit)
    where = _align(text, said)
    near = _near(text, where)
    row: list[float] = []
    for family in FAMILIES.values():
        ours = sum(word in family for word in said.words)
        theirs = sum(text.words[place] in family for place in near)
        row += [ours, theirs, ours - theirs]
    return row + _order(text, said, where, near, read_words(summary))


def _align(text: Words, said: Words) -> dict[int, int]:
    """For each content word of the unit, the place of the same stem in the sentence; of several,
    the one that follows the word before."""
    places: dict[str, list[int]] = {}
    for place, item in enumerate(text.stems):
        places.setdefault(item, []).append(place)
    found: dict[int, int] = {}
    last = -1
    for place in said.content:
        options = places.get(said.stems[place], ())
        if options:
            found[place] = min(options, key=lambda other: (other <= last, abs(other - last)))
            last = found[place]
    return found


def _near(text: Words, where: dict[int, int]) -> list[int]:
    """Places from the first shared word to the last, and a few around them."""
    if not where:
        return list(range(len(text.words)))
    start, end = min(where.values()) - NEAR, max(where.values()) + NEAR + 1
    return list(range(max(start, 0), min(end, len(text.words))))


def _order(
    text: Words, said: Words, where: dict[int, int], near: Sequence[int], whole: Words
) -> list[float]:
    content = said.content or (0,)
    found = np.array(list(where.values()))
    pairs = (
        np.sign(found[None, :] - found[:, None])[np.triu_indices(len(found), 1)]
        if len(found)
        else found
    )
    stems = set(said.stems)
    known, everywhere = set(text.words), set(whole.words)
    between = [
        place
        for place in (text.content if len(found) else ())
        if found.min() < place < found.max() and text.stems[place] not in stems
    ]
    numbers = {word for word in said.words if _is_number(word)}
    theirs = {text.words[place] for place in near if _is_number(text.words[place])}
    all_stems = set(whole.stems)
    return [
        len(said.words),
        len(where) / len(content),
        len(content) - len(where),
        len(between),
        float((pairs < 0).mean()) if len(pairs) else 0.0,
        float(len(found) > 1 and found[0] > found[-1]),
        _longest_run(said, text) / max(len(said.words), 1),
        len(numbers - known),
        len(theirs - set(said.words)),
        len(said.names - known),
        len(said.names - everywhere),
        sum(said.stems[place] in all_stems for place in said.content) / len(content),
        float(content[-1] in where),
        float(content[0] in where),
        float(any(_same_around(said, text, place, other) for place, other in where.items())),
    ]


def _is_number(word: str) -> bool:
    return word[0].isdigit() or word in NUMBERS


def _longest_run(said: Words, text: Words) -> int:
    """Of words of the unit that stand in the sentence one behind the other."""
    best, before = 0, [0] * (len(text.stems) + 1)
    for item in said.stems:
        now = [0] * (len(text.stems) + 1)
        for place, other in enumerate(text.stems, 1):
            if item == other:
                now[place] = before[place - 1] + 1
                best = max(best, now[place])
        before = now
    return best


def _same_around(said: Words, text: Words, place: int, other: int) -> bool:
    """Whether the words before and behind are the same ones."""
    if not 0 < place < len(said.stems) - 1 or not 0 < other < len(text.stems) - 1:
        return False
    return (said.stems[place - 1], said.stems[place + 1]) == (
        text.stems[other - 1],
        text.stems[other + 1],
    )
