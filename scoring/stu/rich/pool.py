"""All candidate facts of a sentence, each once: more of them than anybody would write."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.stemming import word_set
from scoring.stu.rich import phrases
from scoring.stu.rich.clauses import Fact, clause_facts
from scoring.stu.rich.nouns import noun_facts
from scoring.stu.rich.phrases import Piece
from scoring.stu.rich.tree import Tree
from scoring.stu.rich.verbs import list_clauses

_WHERE = word_set("in at near outside inside")
_PLACES = frozenset(("GPE", "LOC", "FAC"))


def list_facts(tree: Tree) -> list[Fact]:
    """The first of those that are the same but for the order of their words."""
    found: dict[tuple[str, ...], Fact] = {}
    seen: set[tuple[Piece, ...]] = set()  # soon told, and half of all are here already
    for fact in _all(tree):
        if len(fact.pieces) > 1 and fact.pieces not in seen:
            seen.add(fact.pieces)
            said = sorted(tree.lower[p] if isinstance(p, int) else p for p in fact.pieces)
            found.setdefault(tuple(said), fact)
    return list(found.values()) or ([_whole(tree)] if len(tree) else [])


def _whole(tree: Tree) -> Fact:
    """The sentence itself, where no rule finds anything in it."""
    places = [place for place, is_mute in enumerate(tree.is_mute) if not is_mute]
    return Fact("whole", tuple(places or range(len(tree))), 0)


def _all(tree: Tree) -> Iterator[Fact]:
    for clause in list_clauses(tree):
        yield from clause_facts(tree, clause)
    yield from noun_facts(tree)
    yield from _happened(tree)


def _happened(tree: Tree) -> Iterator[Fact]:
    for place, relation in enumerate(tree.relations):
        if relation != "pobj" or tree.entities[place] not in _PLACES:
            continue
        if tree.lower[tree.heads[place]] in _WHERE:
            words = (tree.heads[place], *phrases.short(tree, place))
            yield Fact("happened", ("the", "incident", "happened", *words), place)
