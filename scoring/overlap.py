"""Make visible what a summary shares with a reference: words, and runs of words.

The reference becomes a set of its runs of `min_run` words; a word of the summary belongs to a
shared phrase when it stands inside such a run. Two passes over the words, no alignment.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from scoring.errors import InputError
from scoring.translation import gettext as _

Kind = Literal["none", "word", "phrase"]

_LISTED = """
    a about above after again against all also although am among an and any are as at be because
    been before being below between both but by can could did do does doing down during each few
    for from further had has have having he her here hers herself him himself his how i if in into
    is it its itself just may me might more most must my myself no nor not now of off on once only
    or other our ours out over own per same shall she should since so some such than that the
    their theirs them themselves then there these they this those through to too under until up
    upon us very was we were what when where which while who whom whose why will with within
    without would you your yours yourself s t d ll re ve m n't
"""
STOP_WORDS = frozenset(_LISTED.split())  # words that carry no content of their own


def _combining_marks() -> str:
    """The combining marks, as ranges of a character class; `re` has none for them."""
    found = [code for code in range(0x300, 0x10000) if unicodedata.category(chr(code))[0] == "M"]
    known = set(found)
    starts = [code for code in found if code - 1 not in known]
    ends = [code for code in found if code + 1 not in known]
    return "".join(f"{chr(a)}-{chr(b)}" for a, b in zip(starts, ends, strict=True))


IDEOGRAPHS = "\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # written without spaces
_JOINS = (
    r"['’\-‐‑׳״\u200c\u200d]"  # don't, one-year, 6-1
    r"|(?<=\d)[.,:](?=\d)"  # 3.5, 1,000, 20:45
    r"|(?<=\b[A-Z])\.(?=[A-Z]\b)"  # U.S
)
_POSSESSIVE = re.compile(r"['’]s?$")


@dataclass(frozen=True, slots=True)
class Token:
    """A word and where it stands."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a text and how much of it the reference shares."""

    text: str
    kind: Kind


@cache
def _token() -> re.Pattern[str]:
    """What is read. It is made at the first text: the marks are looked for among all characters.

    REALSumm's marks and a possessive set off by a space are read, and are no words.
    """
    letters = rf"(?:[^\W_{IDEOGRAPHS}][{_combining_marks()}]*)+"
    word = rf"[{IDEOGRAPHS}]|{letters}(?:(?:{_JOINS}){letters})*"
    return re.compile(rf"</?t>|(?<=\s)['’]s\b|(?P<word>{word})")


def tokenize(text: str) -> list[Token]:
    """Return the words of *text*, in order, with their places."""
    return [
        Token(found["word"], found.start(), found.end())
        for found in _token().finditer(text)
        if found["word"] is not None
    ]


def overlap_segments(text: str, reference: str, *, min_run: int = 2) -> list[Segment]:
    """Cut the whole of *text* into segments by what *reference* shares of them.

    A `phrase` is a run of at least *min_run* words that the reference has in the same order,
    without gaps; a `word` is a lone content word that it has anywhere. Case does not count.
    Joined together, the segments' texts are *text* again.
    """
    if min_run < 1:
        raise InputError(_("min_run must be at least 1, not {min_run}").format(min_run=min_run))
    tokens = tokenize(text)
    keys, wanted = [_key(token.text) for token in tokens], _keys(reference)
    runs = _shared_runs(keys, wanted, min_run)
    return list(_segments(text, tokens, _shared_words(keys, set(wanted), runs)))


def coverage(text: str, reference: str) -> float:
    """Share of the reference's distinct content words that *text* has; 0.0 if it has none."""
    wanted = set(_keys(reference)) - STOP_WORDS
    return len(wanted.intersection(_keys(text))) / len(wanted) if wanted else 0.0


def _key(word: str) -> str:
    """What two spellings of one word have in common."""
    folded = _POSSESSIVE.sub("", word.casefold())
    return folded if folded.isascii() else unicodedata.normalize("NFC", folded)


def _keys(text: str) -> list[str]:
    return [_key(token.text) for token in tokenize(text)]


def _shared_runs(keys: Sequence[str], wanted: Sequence[str], length: int) -> list[range]:
    """Maximal stretches of words covered by shared runs of *length* that overlap each other."""
    known = {tuple(wanted[i : i + length]) for i in range(len(wanted) - length + 1)}
    runs: list[range] = []
    for i in range(len(keys) - length + 1):
        if tuple(keys[i : i + length]) not in known:
            continue
        if runs and i < runs[-1].stop:
            runs[-1] = range(runs[-1].start, i + length)
        else:
            runs.append(range(i, i + length))
    return runs


Found = tuple[int, int, Kind]


def _shared_words(keys: Sequence[str], wanted: set[str], runs: list[range]) -> Iterator[Found]:
    """Yield first word, last word and kind of everything shared, in order."""
    position = 0
    for run in [*runs, range(len(keys), len(keys))]:
        for i in range(position, run.start):
            if keys[i] in wanted and keys[i] not in STOP_WORDS:
                yield i, i, "word"
        if run:
            yield run.start, run.stop - 1, "phrase"
        position = run.stop


def _segments(text: str, tokens: Sequence[Token], shared: Iterator[Found]) -> Iterator[Segment]:
    position = 0
    for first, last, kind in shared:
        start, end = tokens[first].start, tokens[last].end
        if position < start:
            yield Segment(text[position:start], "none")
        yield Segment(text[start:end], kind)
        position = end
    if position < len(text):
        yield Segment(text[position:], "none")
