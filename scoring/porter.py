"""Porter's stemmer (1980), with the extensions that ROUGE's reference program stems by.

Scores that are to be compared with published ones need these very stems. What a person should
see as one word is `scoring.stemming`'s business.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise

Rule = tuple[str, str, Callable[[str], bool]]

_WHOLE = {
    "sky": "sky", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news",
    "innings": "inning", "inning": "inning", "outings": "outing", "outing": "outing",
    "cannings": "canning", "canning": "canning", "howe": "howe", "proceed": "proceed",
    "exceed": "exceed", "succeed": "succeed",
}  # fmt: skip
_SHORTEST = 3  # shorter words are their own stems


@lru_cache(maxsize=1 << 16)
def porter_stem(word: str) -> str:
    """The stem of one word in lower case."""
    if word in _WHOLE:
        return _WHOLE[word]
    if len(word) < _SHORTEST:
        return word
    for step in (_plural, _past, _final_y, _double_suffix, _third, _fourth, _final_e):
        word = step(word)
    return word


def _is_consonant(word: str, i: int) -> bool:
    if word[i] == "y":
        return i == 0 or not _is_consonant(word, i - 1)
    return word[i] not in "aeiou"


def _measure(stem: str) -> int:
    """How often a vowel is followed by a consonant: Porter's m."""
    kinds = [_is_consonant(stem, i) for i in range(len(stem))]
    return sum(not before and after for before, after in pairwise(kinds))


def _has_syllable(stem: str) -> bool:
    return _measure(stem) > 0


def _has_two(stem: str) -> bool:
    return _measure(stem) > 1


def _has_vowel(stem: str) -> bool:
    return any(not _is_consonant(stem, i) for i in range(len(stem)))


def _is_short(word: str) -> bool:
    """Ends in consonant, vowel, consonant other than w, x, y; or is a vowel and a consonant."""
    if len(word) == 2:
        return not _is_consonant(word, 0) and _is_consonant(word, 1)
    if len(word) < 3 or word[-1] in "wxy":
        return False
    first, second, third = (_is_consonant(word, len(word) + i) for i in (-3, -2, -1))
    return first and not second and third


def _apply(word: str, rules: Sequence[Rule]) -> str:
    """The first rule whose ending fits decides, whether its condition holds or not."""
    for ending, replacement, holds in rules:
        if word.endswith(ending):
            stem = word[: len(word) - len(ending)]
            return stem + replacement if holds(stem) else word
    return word


def _always(stem: str) -> bool:
    return True


def _plural(word: str) -> str:
    if word.endswith("ies") and len(word) == 4:
        return word[:-1]
    rules = [("sses", "ss"), ("ies", "i"), ("ss", "ss"), ("s", "")]
    return _apply(word, [(*rule, _always) for rule in rules])


def _past(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _has_syllable(word[:-3]) else word
    for ending in ("ed", "ing"):
        stem = word[: -len(ending)]
        if word.endswith(ending) and _has_vowel(stem):
            return _restore_ending(stem)
    return word


def _restore_ending(stem: str) -> str:
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    is_double = len(stem) > 1 and stem[-1] == stem[-2] and _is_consonant(stem, len(stem) - 1)
    if is_double:
        return stem if stem[-1] in "lsz" else stem[:-1]
    return stem + "e" if _measure(stem) == 1 and _is_short(stem) else stem


def _final_y(word: str) -> str:
    is_changed = len(word) > 2 and word.endswith("y") and _is_consonant(word, len(word) - 2)
    return word[:-1] + "i" if is_changed else word


_DOUBLE: list[Rule] = [
    (ending, replacement, _has_syllable)
    for ending, replacement in (
        ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"),
        ("izer", "ize"), ("bli", "ble"), ("alli", "al"), ("entli", "ent"), ("eli", "e"),
        ("ousli", "ous"), ("ization", "ize"), ("ation", "ate"), ("ator", "ate"), ("alism", "al"),
        ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al"),
        ("iviti", "ive"), ("biliti", "ble"), ("fulli", "ful"),
    )
]  # fmt: skip
# The l belongs to the stem that is measured: `geologi` has two syllables, `logi` has one.
_DOUBLE.append(("logi", "log", lambda stem: _has_syllable(stem + "l")))
_THIRD: list[Rule] = [
    (ending, replacement, _has_syllable)
    for ending, replacement in (
        ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"),
        ("ful", ""), ("ness", ""),
    )
]  # fmt: skip
_FOURTH: list[Rule] = [
    *((ending, "", _has_two) for ending in ("al", "ance", "ence", "er", "ic", "able", "ible")),
    *((ending, "", _has_two) for ending in ("ant", "ement", "ment", "ent")),
    ("ion", "", lambda stem: _has_two(stem) and stem[-1] in "st"),
    *((ending, "", _has_two) for ending in ("ou", "ism", "ate", "iti", "ous", "ive", "ize")),
]


def _double_suffix(word: str) -> str:
    if word.endswith("alli") and _has_syllable(word[:-4]):
        return _double_suffix(word[:-2])
    return _apply(word, _DOUBLE)


def _third(word: str) -> str:
    return _apply(word, _THIRD)


def _fourth(word: str) -> str:
    return _apply(word, _FOURTH)


def _final_e(word: str) -> str:
    if word.endswith("e"):
        stem = word[:-1]
        count = _measure(stem)
        if count > 1 or (count == 1 and not _is_short(stem)):
            word = stem
    return word[:-1] if word.endswith("ll") and _has_two(word[:-1]) else word
