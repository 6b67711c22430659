"""A noun phrase in the lengths that facts need: a name, a core, with what stands before or after.

`short` is the name, or the noun with its article and what it is made up of; `plain` has all that
stands before the noun; `full` has the prepositions after it too; `bare` is `the` and the noun.
"""

from __future__ import annotations

from collections.abc import Callable

from scoring.stemming import word_set
from scoring.stu.rich.tree import CLAUSAL, JOINED, NOUNS, PROPER, Tree, Words

Piece = int | str

HONORIFICS = word_set("sir mr mr. mrs mrs. ms ms. dr dr. dame lord lady prince princess king queen")
# Nouns that only say how much there is of the noun after `of`.
AMOUNTS = word_set(
    "number percentage thousands hundreds dozens millions one two most half part lot some many "
    "couple group series majority all none any third quarter pair rate use lots tens dozen more"
)
_NAMED = word_set("PERSON ORG GPE LOC FAC NORP PRODUCT EVENT WORK_OF_ART")
_CORE = word_set("det compound poss nummod case neg predet nmod quantmod")
_LONG = CLAUSAL | JOINED
_PLAIN = _LONG | {"prep"}


def name_start(tree: Tree, head: int) -> int | None:
    """Where the name that ends with a noun begins, with an honorific; None if it is no name."""
    if tree.tags[head] not in PROPER:
        return None
    span = tree.names[head]
    start = head
    if span is not None and tree.entities[head] in _NAMED:
        start = next(place for place in range(span[0], head + 1) if tree.tags[place] in PROPER)
    else:
        while start and tree.tags[start - 1] in PROPER and _hangs(tree, start - 1, head):
            start -= 1
    return start - 1 if start and tree.lower[start - 1] in HONORIFICS else start


def _hangs(tree: Tree, word: int, head: int) -> bool:
    return tree.heads[word] == head or tree.heads[tree.heads[word]] == head


def _name(tree: Tree, head: int, start: int) -> Words:
    """A name to its end, which may lie beyond the head (`Bank of Scotland`), and its article."""
    span = tree.names[head]
    end = span[1] if span else head + 1
    if start and tree.relations[start - 1] == "det":
        start -= 1
    return [place for place in range(start, max(end, head + 1)) if not tree.is_mute[place]]


def short(tree: Tree, head: int) -> Words:
    return _kept(tree, "short", head, _short)


def plain(tree: Tree, head: int) -> Words:
    return _kept(tree, "plain", head, _plain)


def full(tree: Tree, head: int) -> Words:
    return _kept(tree, "full", head, lambda tree, head: tree.phrase(head, _LONG))


def whole(tree: Tree, head: int) -> Words:
    return _kept(tree, "whole", head, lambda tree, head: tree.below(head))


def _kept(tree: Tree, form: str, head: int, make: Callable[[Tree, int], Words]) -> Words:
    found = tree.phrases.get((form, head))
    if found is None:
        found = make(tree, head) if head not in tree.mentions else mention(tree, head)
        tree.phrases[form, head] = found
    return found


def mention(tree: Tree, head: int) -> Words:
    """The words of a mention that gives way to a name."""
    renaming = tree.mentions[head]
    return [w for w, other in tree.mentions.items() if other is renaming and not tree.is_mute[w]]


def _short(tree: Tree, head: int) -> Words:
    start = name_start(tree, head)
    if start is not None:
        return _name(tree, head, start)
    if tree.tags[head] not in NOUNS:
        return tree.phrase(head, _LONG if tree.lower[head] in AMOUNTS else _PLAIN)
    found = [head]
    for child in tree.children[head]:
        relation = tree.relations[child]
        counts = relation == "prep" and tree.lower[child] == "of" and tree.lower[head] in AMOUNTS
        if (counts or relation in _CORE) and not tree.is_mute[child]:
            found.extend(tree.below(child, CLAUSAL))
    return sorted(found)


def _plain(tree: Tree, head: int) -> Words:
    return tree.phrase(head, _LONG if tree.lower[head] in AMOUNTS else _PLAIN)


def bare(tree: Tree, head: int) -> list[Piece]:
    """A name, a pronoun or an amount stays as it is."""
    is_noun = tree.tags[head] in ("NN", "NNS") and head not in tree.mentions
    if not is_noun or tree.lower[head] in AMOUNTS:
        return list(short(tree, head))
    before = head - 1
    is_part = head > 0 and tree.heads[before] == head and tree.relations[before] == "compound"
    if is_part and tree.tags[before] in NOUNS and not tree.entities[before]:
        return ["the", before, head]
    return ["the", head]


def all_members(tree: Tree, head: int) -> Words:
    """The members of a coordination, each short, with what joins them."""
    found: set[int] = set()
    for member in tree.members(head):
        found.update(short(tree, member))
        found.update(tree.related(member, "cc", "preconj"))
    return sorted(found)
