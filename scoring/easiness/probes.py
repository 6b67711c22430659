"""Facts that a writer might make SCUs of, as groups of words: what STUs are tried against.

These are no units that anybody reads. A verb with its subject and each complement, a noun with each
modifier, a word with each prepositional phrase: how near the nearest STU comes to them says much
about how near it comes to SCUs.
"""

from __future__ import annotations

from collections.abc import Iterator

from scoring.parses import ROOT, ParsedSentence, list_children

GROUPS = ("verb", "modifier", "preposition")
SUBJECTS = ("nsubj", "nsubjpass")
COMPLEMENTS = {
    "acomp",
    "advcl",
    "agent",
    "attr",
    "ccomp",
    "dobj",
    "npadvmod",
    "prep",
    "xcomp",
}
MODIFIERS = {"acl", "amod", "appos", "compound", "nummod", "poss", "relcl"}
SHARED = ("acl", "advcl", "conj", "relcl", "xcomp")  # a verb here has the subject of its head
HELPERS = ("amod", "aux", "auxpass")

Children = list[list[int]]


def find_probes(sentence: ParsedSentence) -> Iterator[tuple[str, list[int]]]:
    """The kind of each fact and the places of its words."""
    children = list_children(sentence)
    for i, relation in enumerate(sentence.relations):
        head = sentence.heads[i]
        if sentence.tags[i].startswith("VB") and relation not in HELPERS:
            for words in _facts_of_verb(sentence, children, i):
                yield "verb", words
        if head == ROOT:
            continue
        if relation in MODIFIERS:
            name = [item for item in children[head] if sentence.relations[item] == "compound"]
            yield "modifier", _joined([head, *name], children, i)
        elif relation == "prep":
            yield "preposition", _joined([head], children, i)


def _facts_of_verb(sentence: ParsedSentence, children: Children, verb: int) -> Iterator[list[int]]:
    start = [verb, *_subject_of(sentence, children, verb)]
    complements = [
        item for item in children[verb] if item > verb and sentence.relations[item] in COMPLEMENTS
    ]
    for item in complements:
        yield _joined(start, children, item)
    if not complements:
        yield sorted(set(start))


def _subject_of(sentence: ParsedSentence, children: Children, verb: int) -> list[int]:
    """Its own, or that of the verb or noun above which it shares."""
    place = verb
    while True:
        own = [item for item in children[place] if sentence.relations[item] in SUBJECTS]
        if own:
            return own[:1]
        if place != verb and sentence.tags[place].startswith("N"):
            return [place]
        if sentence.relations[place] not in SHARED or sentence.heads[place] == ROOT:
            return []
        place = sentence.heads[place]


def _joined(start: list[int], children: Children, top: int) -> list[int]:
    """Some words and all that hangs on another, in order."""
    found, waiting = set(start), [top]
    while waiting:
        place = waiting.pop()
        found.add(place)
        waiting += children[place]
    return sorted(found)
