"""A true-caser that is learned from a study's own texts.

Many systems write without capitals, and workers read such text badly. The caser knows of each word
the form in which it stands most often within sentences: `Kathmandu`, `CNN`, `McDonald`. The first
word of a sentence tells nothing of its own case and is not counted; neither is a text that has no
small letters or no capitals at all, nor a sentence in which every longer word has a capital, as
headlines have.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from scoring.abbreviations import LONGEST, LOW_TITLES
from scoring.sentences import split_sentences

# Initials such as U.S., or a word with what an apostrophe or a hyphen does not part.
_WORD = re.compile(r"(?:[^\W\d_]\.){2,}|[^\W\d_]+(?:['’][^\W\d_]+)*")
_POSSESSIVE = re.compile(r"['’]s$", re.IGNORECASE)
# What sets a sentence off in texts that are cut into words; there the splitter has no capitals
# to go by.
_START = re.compile(r"(?:^|(?<![^\W\d_]\.[^\W\d_])[.!?]\s+(?:''|[\"”)]\s+)?|\n)[^\w…]*")
_LAST_WORD = re.compile(r"([^\W\d_]+)\s*\Z")
# `(CNN)` and the like stand before the first word and are not it.
_DATELINE = re.compile(r"(?:^|\n)\s*\([^()]{1,40}\)[^\w…]*")
# Tokens of systems, which are no words.
_TOKEN = re.compile(r"-[lr][rsc]b-|<[^<>\s]{1,20}>|\[[A-Za-z_]{2,8}\]", re.IGNORECASE)
LONG_WORD, LEAST_IN_HEADLINE = 4, 3


@dataclass(frozen=True, slots=True)
class Caser:
    """`forms` are the words that are not written small, by how they are written small."""

    forms: Mapping[str, str]

    @property
    def content_hash(self) -> str:
        lines = "".join(f"{word}\t{form}\n" for word, form in sorted(self.forms.items()))
        return hashlib.sha256(lines.encode()).hexdigest()

    def case(self, word: str) -> str:
        """The word as it is usually written; a word that is not known is written small."""
        small = word.lower()
        if small in self.forms:
            return self.forms[small]
        if mark := _POSSESSIVE.search(small):
            stem = small[: mark.start()]
            return self.forms.get(stem, stem) + mark[0]
        return "I" + small[1:] if small == "i" or small[:2] in ("i'", "i’") else small


def has_case(text: str) -> bool:
    """Whether a text has both capitals and small letters, so that its case tells something."""
    return any(map(str.isupper, text)) and any(map(str.islower, text))


def learn_case(texts: Iterable[str]) -> Caser:
    """The most frequent form of each word; of forms as frequent, the small one, then by letters."""
    counts: dict[str, Counter[str]] = {}
    for text in texts:
        for word in _list_evidence(text) if has_case(text) else ():
            counts.setdefault(word.lower(), Counter())[word] += 1
    forms = {word: _most_frequent(word, found) for word, found in counts.items()}
    return Caser({word: form for word, form in forms.items() if form != word})


def _most_frequent(small: str, counts: Counter[str]) -> str:
    return min(counts, key=lambda form: (-counts[form], form != small, form))


def _list_evidence(text: str) -> Iterator[str]:
    for start, end in split_sentences(text):
        words = _WORD.findall(text[start:end])
        longer = [word for word in words if len(word) >= LONG_WORD]
        is_headline = len(longer) >= LEAST_IN_HEADLINE and not any(map(str.islower, longer))
        if not is_headline:
            yield from words[1:]


def list_case_changes(text: str, caser: Caser) -> list[tuple[int, int, str]]:
    """Places of a text without case, and what shall stand there; none where it has its own."""
    if has_case(text):
        return []
    starts = _find_starts(text)
    tokens = {place for mark in _TOKEN.finditer(text) for place in range(*mark.span())}
    found = []
    for mark in _WORD.finditer(text):
        if mark.start() in tokens:
            continue
        cased = caser.case(mark[0])
        if mark.start() in starts:
            cased = cased[:1].upper() + cased[1:]
        if cased != mark[0]:
            found.append((mark.start(), mark.end(), cased))
    return found


def _find_starts(text: str) -> set[int]:
    """Where sentences begin; not after a title such as `mr.`."""
    found = {mark.end() for mark in _DATELINE.finditer(text)}
    for mark in _START.finditer(text):
        before = _LAST_WORD.search(text, max(mark.start() - LONGEST, 0), mark.start())
        if before is None or before[1].lower() not in LOW_TITLES:
            found.add(mark.end())
    return found
