"""Pronouns and names that mean the same, by rule: the default without a coreference model.

Names are joined by their words ("Rose" to "Justin Rose"). A pronoun, an age ("the 62-year-old") and
a role ("the striker") go to the person who is spoken of most at that place: the subject of this
sentence or of the one before it, then whoever else was named. Where nobody fits they stay alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from scoring.parses import ParsedSentence, list_children
from scoring.stu.people import FEMALE, MALE, ROLES, TITLES
from scoring.stu.types import Cluster, Mention

HE = frozenset({"he", "him", "his", "himself"})
SHE = frozenset({"she", "her", "hers", "herself"})
PERSON, GROUPS = "PERSON", frozenset({"ORG", "GPE", "NORP"})
PRONOUN, ROLE = "pronoun", "role"
_AGE = re.compile(r"\b(?:the\s+)?\d{1,3}\s?-\s?year\s?-\s?olds?\b", re.IGNORECASE)
_INDEFINITE = frozenset({"a", "an", "one", "another", "some", "no", "any", "each", "every", "two"})
_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_PRONOUNS = HE | SHE


@dataclass(frozen=True, slots=True)
class _Found:
    """A mention in the text; `clause` is the verb whose subject or object it is, or -1."""

    mention: Mention
    kind: str
    words: tuple[str, ...]
    is_subject: bool
    clause: int = -1


@dataclass(slots=True)
class _Thing:
    """A person or group spoken of so far."""

    kind: str
    words: frozenset[str]
    name: Mention
    gender: str
    mentions: list[Mention] = field(default_factory=list)
    names: list[Mention] = field(default_factory=list)
    salience: int = 0
    subject_of: tuple[int, int] = (-1, -1)

    def take(self, found: _Found) -> None:
        mention = found.mention
        if not self.words < frozenset(found.words) or found.kind == ROLE:
            self.mentions.append(mention)  # a fuller name than ours is left as it is
        if found.kind != PRONOUN:
            self.names.append(mention)
        # The subject of the sentence before weighs more than what this one names by the way.
        self.salience = max(self.salience, 2 * mention.sentence + 3 * found.is_subject)
        if found.is_subject:
            self.subject_of = mention.sentence, found.clause


class RuleCoreference:
    """Clusters by these rules."""

    version = "names-1"
    needs_parse = True
    keeps_pronouns = True  # "Ann says she won": whom she means is said already

    def find(self, sentences: Sequence[ParsedSentence]) -> list[Cluster]:
        things: list[_Thing] = []
        for place, sentence in enumerate(sentences):
            for found in _mentions(sentence, place, things):
                _place(found, things)
        return [
            Cluster(tuple(thing.mentions), thing.name, tuple(thing.names))
            for thing in things
            if len(thing.mentions) > 1 or len(thing.names) > 1
        ]


def _mentions(sentence: ParsedSentence, place: int, things: Sequence[_Thing]) -> list[_Found]:
    taken: set[int] = set()
    found = list(_entities(sentence, place, taken))
    found += _known_names(sentence, place, taken, things)
    found += _ages(sentence, place, taken)
    found += _roles(sentence, place, taken)
    found += _pronouns(sentence, place)
    return sorted(found, key=lambda one: one.mention.start)


def _entities(sentence: ParsedSentence, place: int, taken: set[int]) -> Iterator[_Found]:
    for start, opens in enumerate(sentence.opens):
        kind = sentence.entities[start]
        if opens and (kind == PERSON or kind in GROUPS):
            first, end = _name_within(sentence, start)
            if first < end:
                taken.update(range(first, end))
                yield _found(sentence, place, first, end, kind)


def _name_within(sentence: ParsedSentence, start: int) -> tuple[int, int]:
    """An entity without an article, a title, a role before it or a possessive's mark after it."""
    end = start + 1
    while end < len(sentence) and sentence.entities[end] and not sentence.opens[end]:
        end += 1
    while end > start and sentence.tags[end - 1] in ("POS", "``", "''"):
        end -= 1
    while start < end - 1 and sentence.words[start].lower() in ROLES:
        start += 1
    while start < end and sentence.tags[start] == "DT":
        start += 1
    return start, end


def _found(sentence: ParsedSentence, place: int, start: int, end: int, kind: str) -> _Found:
    head = next((w for w in range(start, end) if not start <= sentence.heads[w] < end), end - 1)
    relation = sentence.relations[head]
    words = tuple(word.lower() for word in sentence.words[start:end])
    owns = sentence.tags[start] == "PRP$"
    mention = Mention(place, sentence.starts[start], sentence.end_of(end - 1), owns)
    clause = sentence.heads[head] if relation in _SUBJECTS or relation == "dobj" else -1
    return _Found(mention, kind, words, relation in _SUBJECTS, clause)


def _known_names(
    sentence: ParsedSentence, place: int, taken: set[int], things: Sequence[_Thing]
) -> Iterator[_Found]:
    """Words of a person's name that the parser did not see as a name."""
    known = {word for thing in things if thing.kind == PERSON for word in thing.words}
    for word, tag in enumerate(sentence.tags):
        if tag == "NNP" and word not in taken and sentence.words[word].lower() in known:
            taken.add(word)
            yield _found(sentence, place, word, word + 1, PERSON)


def _pronouns(sentence: ParsedSentence, place: int) -> Iterator[_Found]:
    for word, tag in enumerate(sentence.tags):
        if tag in ("PRP", "PRP$") and sentence.words[word].lower() in _PRONOUNS:
            yield _found(sentence, place, word, word + 1, PRONOUN)


def _ages(sentence: ParsedSentence, place: int, taken: set[int]) -> Iterator[_Found]:
    if "year" not in sentence.text:
        return
    for match in _AGE.finditer(sentence.text):
        starts = enumerate(sentence.starts)
        inside = [word for word, start in starts if match.start() <= start < match.end()]
        if inside and not taken.intersection(inside) and not _goes_on(sentence, inside[-1] + 1):
            taken.update(inside)
            yield _found(sentence, place, inside[0], inside[-1] + 1, ROLE)


def _goes_on(sentence: ParsedSentence, place: int) -> bool:
    """Is the age no name but said of a noun that follows?"""
    return place < len(sentence) and sentence.tags[place][:2] in ("NN", "JJ")


def _roles(sentence: ParsedSentence, place: int, taken: set[int]) -> Iterator[_Found]:
    """Subjects such as "the striker" and "Former Barcelona man"."""
    heads = [
        head
        for head, relation in enumerate(sentence.relations)
        if relation in _SUBJECTS
        and sentence.tags[head] in ("NN", "NNP")
        and sentence.words[head].lower() in ROLES
        and head not in taken
    ]
    if not heads:
        return
    children = list_children(sentence)
    for head in heads:
        left = [child for child in children[head] if child < head]
        if _is_someones(sentence, left) or _is_described(sentence, children[head]):
            continue
        found = _found(sentence, place, min([*left, head]), head + 1, ROLE)
        is_new = any(sentence.words[child].lower() in _INDEFINITE for child in left)
        yield _Found(found.mention, "new" if is_new else ROLE, found.words, True, found.clause)


def _is_someones(sentence: ParsedSentence, left: Sequence[int]) -> bool:
    """ "his wife", "two men": no name of somebody known; but "Ireland's prisoner" may be one."""
    return any(
        sentence.relations[child] == "nummod"
        or (sentence.relations[child] == "poss" and sentence.entities[child] not in GROUPS)
        for child in left
    )


def _is_described(sentence: ParsedSentence, children: Sequence[int]) -> bool:
    return any(sentence.relations[c] in ("appos", "relcl", "conj", "prep", "acl") for c in children)


def _place(found: _Found, things: list[_Thing]) -> None:
    thing = _thing_of(found, things)
    if thing is None and found.kind != PRONOUN:
        kind = found.kind if found.kind in GROUPS else PERSON
        words = frozenset(found.words) - TITLES
        thing = _Thing(kind, words, found.mention, _gender(found))
        things.append(thing)
    if thing is not None:
        thing.take(found)
        thing.gender = thing.gender or _gender(found)


def _thing_of(found: _Found, things: Sequence[_Thing]) -> _Thing | None:
    if found.kind in (PRONOUN, ROLE):
        return _most_salient(found, things)
    return None if found.kind == "new" else _namesake(found, things)


def _namesake(found: _Found, things: Sequence[_Thing]) -> _Thing | None:
    words = frozenset(found.words) - TITLES
    for thing in reversed(things):
        if not words or not (words <= thing.words or thing.words <= words):
            continue
        if thing.kind == found.kind or words == thing.words:
            return thing
    return None


def _most_salient(found: _Found, things: Sequence[_Thing]) -> _Thing | None:
    """Whom a pronoun or a role means: nobody of the other gender, no subject of the same verb."""
    gender = _gender(found)
    clause = found.mention.sentence, found.clause
    fitting = [
        thing
        for thing in things
        if thing.kind == PERSON
        and (not gender or not thing.gender or thing.gender == gender)
        and (found.clause < 0 or thing.subject_of != clause)
    ]
    return max(fitting, key=lambda thing: thing.salience, default=None)


def _gender(found: _Found) -> str:
    # A last name may look like a given one: Paul Simon, Mary James.
    for word in found.words[:-1] if found.kind == PERSON and found.words[1:] else found.words:
        if word in HE or word in MALE:
            return "he"
        if word in SHE or word in FEMALE:
            return "she"
    return ""
