"""Tell by its joints whether a sentence holds a second clause, without a parser.

Few false alarms matter more than finding every case: names, noun phrases and quotations are
joined by `and` too, and only what clearly opens another verb or clause is taken for one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from scoring.overlap import Token
from scoring.sentences import split_sentences
from scoring.stemming import IRREGULAR, fold, word_set
from scoring.types import Span

_SEMICOLON = re.compile(r";\s*(?=\S*\w)")
_COMMA_CLAUSE = re.compile(r",\s+(?:but|while|whereas|although|though|yet|who|which)\b")
_JOINTS = frozenset(("and", "but"))
_SUBJECTS = word_set("he she it they we i who then")
_AUXILIARIES = word_set(
    "is are was were has have had will would can could did does may might must should"
)
_SAME_IN_PAST = word_set("hit put cut set let shut spread bid")
_NOT_VERBS = word_set("men women children people")
# After a verb comes what it governs; after a participle in a noun phrase comes the noun.
_GOVERNED = word_set(
    "the a an his her their its him them it this that these those to on in at for from by with "
    "into onto off out up down over after before about as against more"
)


def find_second_fact(text: str, tokens: Sequence[Token]) -> Span | None:
    """Where a second clause, or a second verb of the same subject, seems to begin."""
    return _second_sentence(text) or _after_punctuation(text) or _after_joint(tokens)


def _second_sentence(text: str) -> Span | None:
    spans = split_sentences(text)
    return spans[1] if len(spans) > 1 else None


def _after_punctuation(text: str) -> Span | None:
    found = _SEMICOLON.search(text) or _COMMA_CLAUSE.search(text)
    if found is None:
        return None
    return found.start(), _end_of_word(text, found.end())


def _end_of_word(text: str, position: int) -> int:
    while position < len(text) and not text[position].isspace():
        position += 1
    return position


def _after_joint(tokens: Sequence[Token]) -> Span | None:
    words = [fold(token.text) for token in tokens]
    for i in range(1, len(words) - 1):
        if words[i] in _JOINTS and _opens_clause(words, i + 1):
            return tokens[i].start, tokens[i + 1].end
    return None


def _opens_clause(words: Sequence[str], i: int) -> bool:
    if words[i] in _AUXILIARIES or words[i] in _SUBJECTS:
        return True
    following = words[i + 1] if i + 1 < len(words) else ""
    return _is_past(words[i]) and following in _GOVERNED


def _is_past(word: str) -> bool:
    is_regular = word.endswith("ed") and len(word) > 4
    return is_regular or word in _SAME_IN_PAST or (word in IRREGULAR and word not in _NOT_VERBS)
