"""Words brought to a common form, so that `agreed`, `agrees` and `agreement` meet.

A suffix stripper in the manner of Porter (1980), much reduced: it serves to compare an English
sentence with the one it was written from, where two forms of a word that fail to meet cost more
than two words that meet by accident. A stem is a key, not a word to show anyone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from scoring.overlap import STOP_WORDS, Token, tokenize


def word_set(listed: str) -> frozenset[str]:
    """A list of words as it is easiest to read and to edit."""
    return frozenset(listed.split())


_POSSESSIVE = re.compile(r"['’]s?$")
_NOT_VERBAL = re.compile(r"[^a-z]")
_VOWEL = re.compile(r"[aeiouy]")
_UNDOUBLED = re.compile(r"([bdfgmnprt])\1$")
_SHORTEST = 3  # letters that a stem keeps at least

# Past forms that no suffix tells; the verbs of news, mostly.
_IRREGULAR = """
    ate:eat became:become began:begin begun:begin bought:buy broke:break broken:break
    brought:bring built:build came:come caught:catch chose:choose chosen:choose dealt:deal
    drew:draw drawn:draw drove:drive driven:drive fell:fall fallen:fall felt:feel fled:flee
    flew:fly flown:fly fought:fight found:find gave:give given:give got:get went:go gone:go
    going:go goes:go grew:grow grown:grow heard:hear held:hold hid:hide hidden:hide kept:keep
    knew:know known:know led:lead left:leave lent:lend lost:lose made:make meant:mean met:meet
    paid:pay ran:run rode:ride rose:rise risen:rise said:say sang:sing sat:sit saw:see seen:see
    sent:send shot:shoot showed:show shown:show slept:sleep sold:sell sought:seek spent:spend
    spoke:speak spoken:speak stole:steal stolen:steal stood:stand stuck:stick struck:strike
    swam:swim taken:take took:take taught:teach thought:think threw:throw thrown:throw told:tell
    understood:understand woke:wake won:win wore:wear worn:wear wrote:write written:write men:man
    women:woman children:child people:person died:die dying:die lying:lie tying:tie
"""
_UNCHANGED = word_set("news series species always perhaps whereas texas wales paris")
_SEAM = re.compile(r"[-‐‑]|(?<=\d)(?=[^\W\d])")  # one-year, 40ft
IRREGULAR = dict(pair.split(":") for pair in _IRREGULAR.split())
_COUNTED = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen
"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety hundred"
NUMBER_WORDS = {word: str(number) for number, word in enumerate(_COUNTED.split())} | {
    word: str(10 * number) for number, word in enumerate(_TENS.split(), 2)
}

# Longest first within a family: the first ending that leaves enough of the word is dropped.
_ENDINGS = (
    ("ization", "iz"), ("isation", "iz"), ("ational", ""), ("fulness", ""), ("iveness", ""),
    ("ication", "y"), ("ation", ""), ("ition", ""), ("ment", ""), ("ness", ""), ("ance", ""),
    ("ence", ""), ("ancy", ""), ("ency", ""), ("able", ""), ("ible", ""), ("ally", ""),
    ("sion", "s"), ("tion", "t"), ("ity", ""), ("ful", ""), ("ise", "iz"), ("ize", "iz"),
    ("ive", ""), ("ate", ""), ("ant", ""), ("ent", ""), ("ian", ""), ("ist", ""), ("ly", ""),
    ("al", ""), ("er", ""), ("or", ""), ("ic", ""), ("an", ""),
)  # fmt: skip


def fold(word: str) -> str:
    """What two spellings of one word have in common: case, possessive and accents' coding aside."""
    folded = _POSSESSIVE.sub("", word.casefold()).replace("’", "'")
    return folded if folded.isascii() else unicodedata.normalize("NFC", folded)


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """The key under which the forms of *word* meet.

    Numbers meet by value where that is plain: `seven` with `7`, `1,000` with `1000`.
    """
    folded = fold(word)
    if folded[:1].isdigit():
        return folded.replace(",", "")
    folded = IRREGULAR.get(folded, NUMBER_WORDS.get(folded, folded))
    if len(folded) <= _SHORTEST or folded in _UNCHANGED or _NOT_VERBAL.search(folded):
        return folded
    return _tidy(_derived(_inflected(_singular(folded))))


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _inflected(word: str) -> str:
    """Drop `ed` and `ing` where a syllable stands before them, and the doubling they caused."""
    if word.endswith("eed"):
        return word[:-1] if len(word) > 5 else word  # agreed, but need
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= 2 and _VOWEL.search(rest):
            return f"{rest}e" if len(rest) == 2 else _UNDOUBLED.sub(r"\1", rest)
    return word


def _derived(word: str) -> str:
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST + 1:
            return _UNDOUBLED.sub(r"\1", word[: -len(ending)]) + instead
    return word


def _tidy(word: str) -> str:
    """A last `e` comes and goes with suffixes, and `y` turns into `i`."""
    if word.endswith("e") and len(word) > _SHORTEST:
        word = word[:-1]
    return word[:-1] + "i" if word.endswith("y") and len(word) > _SHORTEST else word


@lru_cache(maxsize=1 << 16)
def stems(word: str) -> frozenset[str]:
    """The stem of *word*, and those of its parts where it is put together."""
    parts = _SEAM.split(word)
    if len(parts) == 1:
        return frozenset((stem(word),))
    return frozenset((stem(word), *(stem(part) for part in parts if is_content(part))))


def is_content(word: str) -> bool:
    """Whether the word carries content of its own, as `the`, `of` and `was` do not."""
    folded = fold(word)
    return bool(word) and folded not in STOP_WORDS and not folded.endswith("n't")


def content_tokens(text: str) -> list[Token]:
    return [token for token in tokenize(text) if is_content(token.text)]


def content_stems(text: str) -> list[str]:
    """The stems of the content words of *text*, in order, repeats included."""
    return [stem(token.text) for token in content_tokens(text)]


def stem_set(texts: Iterable[str]) -> set[str]:
    """The stems of all words of *texts*, parts of words put together included."""
    return {key for text in texts for token in tokenize(text) for key in stems(token.text)}
