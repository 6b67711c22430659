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
_SAME_IN_PAST = word_set("hit put cut set let shut spread bid burst cost hurt cast quit")
_NOT_VERBS = word_set("men women children people")
_SHORT_FORMS = ("'s", "’s", "'re", "’re", "'ve", "’ve", "'ll", "’ll", "n't", "n’t", "'d", "’d")
# As plurals and people have them, and pasts that no suffix tells.
_BASES = frozenset(IRREGULAR.values()) | word_set("""
    be do use travel play beat face blew sank sunk flown rose shrank swore tore bore bound dug fed
    hung laid lit rang shook shone slid snapped spun stung swept swung wept wound wrote ask accept
    add admit agree aim allow appear apply argue arrive attack attend avoid base belong call cause
    change charge claim climb close compare confirm consider contain continue control create cross
    deal decide demand deny die discover earn embark end enjoy exist expect explain fail fear
    feature finish follow form gather grieve happen hate help hope host include insist invite join
    jump kill lack launch like link listen live look love manage move need offer open order own
    pass pay plan plead point prefer prepare protest provide raise reach receive refuse rely
    remain remember rent report represent require return reveal save search seek seem serve share
    shop sign smoke start stay stop study suffer suggest support talk teach test thank threaten
    touch train treat try turn visit vote wait walk want warn wash watch weigh win wish work worry
""")
# After a verb comes what it governs; after a participle in a noun phrase comes the noun.
_SUBORDINATING = word_set(
    "that which who whose whom where when while if whether how because between both than after "
    "before as what why since until unless"
)
_REPORTING = word_set(
    "said says say told tells tell reported reports believed believes thought thinks claimed "
    "claims according announced announces suggested found saw seen known called named expected"
)
_PREPOSITIONS = word_set("in on at for from by with of to into onto off about against under over")
_DETERMINERS = word_set("the a an his her its their")
SUBJECT = 4  # words that a second subject has at most before its verb
_GOVERNED = word_set(
    "the a an his her their its him them it this that these those to on in at for from by with "
    "into onto off out up down over after before about as against more"
)


def has_verb(tokens: Sequence[Token]) -> bool:
    """Whether any word may be a finite verb; a plural may be one, as `scores` may."""
    return any(_may_be_verb(token.text) for token in tokens)


def _may_be_verb(text: str) -> bool:
    word = fold(text)
    is_short_form = text.casefold().endswith(_SHORT_FORMS)
    is_present = word.endswith("s") and not word.endswith("ss")
    return is_short_form or is_present or word in _BASES or word in _AUXILIARIES or _is_past(word)


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
        if words[i] in _JOINTS and (_opens_clause(words, i + 1) or _joins_clauses(words, i)):
            return tokens[i].start, tokens[i + 1].end
    return None


def _joins_clauses(words: Sequence[str], joint: int) -> bool:
    """Whether a verb stands on both sides: `the dam burst and nobody was hurt`, `sang and danced`.

    What is reported, or hangs on `that`, `who` and the like, may join subjects of one clause.
    """
    before = words[:joint]
    if any(word in _SUBORDINATING or word in _REPORTING for word in before):
        return False
    if not any(_is_verb(words, place) for place in range(1, joint)):
        return False
    if _is_verb(words, joint + 1) and (_is_past(before[-1]) or not _is_past(words[joint + 1])):
        return True
    for place in range(joint + 2, min(joint + SUBJECT + 2, len(words))):
        if words[place - 1] in _PREPOSITIONS:
            return False
        if _is_verb(words, place):
            return True
    return False


def _is_verb(words: Sequence[str], place: int) -> bool:
    """Whether a word is most likely a finite verb: `was`, `fell`, and `sells` before `the`."""
    word, following = words[place], words[place + 1] if place + 1 < len(words) else ""
    is_present = word.endswith("s") and not word.endswith("ss") and following in _DETERMINERS
    return word in _AUXILIARIES or _is_past(word) or is_present


def _opens_clause(words: Sequence[str], i: int) -> bool:
    if words[i] in _AUXILIARIES or words[i] in _SUBJECTS:
        return True
    following = words[i + 1] if i + 1 < len(words) else ""
    return _is_past(words[i]) and following in _GOVERNED


def _is_past(word: str) -> bool:
    is_regular = word.endswith("ed") and len(word) > 4
    return is_regular or word in _SAME_IN_PAST or (word in IRREGULAR and word not in _NOT_VERBS)
