"""Facts that verbs tell: who did what, and each thing that is added to it, one at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scoring.stemming import word_set
from scoring.stu.rich import phrases
from scoring.stu.rich.phrases import Piece
from scoring.stu.rich.tree import CLAUSAL, JOINED, NOUNS, RELATIVE, Tree, Words
from scoring.stu.rich.verbs import NO_SUBJECT, Clause

Pieces = Sequence[Piece]

SAYING = word_set(
    "say tell warn claim report suggest announce believe reveal hear rule show state confirm "
    "admit insist think add argue find write"
)
_OBJECTS = ("dobj", "attr", "acomp", "oprd", "dative")
_ADDED = frozenset(("prep", "agent", "npadvmod", "advmod"))
_ON_OBJECT = ("prep", "npadvmod")
_LONGEST_SUBJECT = 8
_TIMES = word_set("now later today yesterday tomorrow ago recently currently once twice again")
_TRIMMED = CLAUSAL | {"prep", "amod", "advmod"}
_REST = JOINED | {"advcl", "parataxis", "mark", "relcl"}


@dataclass(frozen=True, slots=True)
class Fact:
    """A candidate: places of its sentence and words put in, and the word that it is about."""

    rule: str
    pieces: tuple[Piece, ...]
    about: int
    depth: int = 0


def clause_facts(tree: Tree, clause: Clause) -> Iterator[Fact]:
    """The candidates of one clause."""
    speaker = _Speaker(tree, clause)
    if not speaker.needs_complement():
        yield from speaker.about_subjects()
    yield from speaker.about_objects()
    yield from speaker.about_added()
    yield from speaker.about_complements()
    rest = _rest(tree, clause)
    if rest or not speaker.needs_complement():
        yield speaker.fact("clause", speaker.main, rest)
    if tree.lemmas[clause.verb] in SAYING and tree.related(clause.verb, "ccomp"):
        yield speaker.fact("said", speaker.main, ["this"])
        if clause.subject != NO_SUBJECT:
            yield speaker.fact("said", phrases.plain(tree, clause.subject), ["this"])


class _Speaker:
    """The parts of a clause, and the facts that are made of them."""

    def __init__(self, tree: Tree, clause: Clause) -> None:
        self.tree, self.clause = tree, clause
        self.objects = _objects(tree, clause)
        self.core = _merged(_short_object(tree, one) for one in self.objects)
        self.added = list(_list_added(tree, clause, self.objects))
        self.members = _members(tree, clause.subject)
        self.main: Pieces = self._main()

    def _main(self) -> Pieces:
        if self.clause.subject == NO_SUBJECT:
            return _before(self.tree, self.clause) or self.tree.topic.split()
        if self.clause.kind in ("relcl", "acl"):
            return phrases.bare(self.tree, self.clause.subject)
        if len(self.members) > 1:
            return phrases.all_members(self.tree, self.clause.subject)
        return phrases.short(self.tree, self.clause.subject)

    def fact(self, rule: str, subject: Pieces, *rest: Pieces) -> Fact:
        pieces = (*subject, *self.clause.group, *(piece for part in rest for piece in part))
        if len(set(pieces)) < len(pieces):
            pieces = _once(pieces)
        return Fact(rule, pieces, self.clause.verb, self.clause.depth)

    def needs_complement(self) -> bool:
        """`A court has ruled`, `he decided`: no sentence without what follows."""
        tree, verb = self.tree, self.clause.verb
        is_passive = bool(tree.related(verb, "auxpass"))
        return not self.core and not is_passive and bool(tree.related(verb, "ccomp", "xcomp"))

    def about_subjects(self) -> Iterator[Fact]:
        yield self.fact("core", self.main, self.core)
        if len(self.members) > 1:
            for member in self.members:
                subject = phrases.short(self.tree, member)
                yield self.fact("member", subject, self.core)
                for _, added in self.added:
                    yield self.fact("member added", subject, self.core, added)
        elif self.clause.subject != NO_SUBJECT:
            for form in (phrases.short, phrases.plain, phrases.full, phrases.bare):
                yield self.fact("subject", form(self.tree, self.clause.subject), self.core)

    def about_objects(self) -> Iterator[Fact]:
        tree = self.tree
        for form in (phrases.plain, phrases.full, phrases.whole) if self.objects else ():
            yield self.fact("object", self.main, _merged(form(tree, one) for one in self.objects))
        for one in self.objects:
            members = tree.members(one)
            for member in members if len(members) > 1 else ():
                yield self.fact("split", self.main, phrases.plain(tree, member))

    def about_added(self) -> Iterator[Fact]:
        for relation, added in self.added:
            yield self.fact(relation, self.main, self.core, added)
            if self.objects and relation != "on object" and not self._is_predicate():
                yield self.fact("only " + relation, self.main, added)

    def _is_predicate(self) -> bool:
        """`is dead`: the verb says nothing without it."""
        return any(self.tree.relations[one] in ("attr", "acomp") for one in self.objects)

    def about_complements(self) -> Iterator[Fact]:
        tree, verb = self.tree, self.clause.verb
        for child in tree.related(verb, "xcomp", "ccomp", "advcl"):
            if child > verb:
                core = [word for word in self.core if word < child]
                for without in (_TRIMMED, CLAUSAL, frozenset[str]()):
                    words = [w for w in tree.below(child, without) if w > verb and w not in core]
                    yield self.fact("complement", self.main, core, words)


def _once(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """A place that is in two parts is said once."""
    places: set[Piece] = set()
    found = []
    for piece in pieces:
        if isinstance(piece, str) or piece not in places:
            found.append(piece)
        places.add(piece)
    return tuple(found)


def _before(tree: Tree, clause: Clause) -> Words:
    """What stands before a verb at the head of a sentence, where the parser saw no subject."""
    if clause.kind != "open":
        return []
    first = min(piece for piece in clause.group if isinstance(piece, int))
    found = [word for word in range(first) if not tree.is_mute[word]]
    has_noun = any(tree.tags[word] in NOUNS for word in found)
    return found if has_noun and len(found) <= _LONGEST_SUBJECT else []


def _members(tree: Tree, subject: int) -> Words:
    return [] if subject == NO_SUBJECT else tree.members(subject)


def _objects(tree: Tree, clause: Clause) -> Words:
    found = [c for c in tree.related(clause.verb, *_OBJECTS) if tree.tags[c] not in RELATIVE]
    return [one for one in found if one not in clause.group]


def _merged(parts: Iterator[Words]) -> Words:
    return sorted({word for part in parts for word in part})


def _short_object(tree: Tree, one: int) -> Words:
    if tree.relations[one] in ("acomp", "oprd"):
        return tree.below(one, CLAUSAL | JOINED | {"prep", "xcomp", "ccomp"})
    return phrases.short(tree, one)


def _rest(tree: Tree, clause: Clause) -> Words:
    """All that follows the verb, but for other clauses."""
    said = set(clause.group)
    return [w for w in tree.below(clause.verb, _REST) if w > clause.verb and w not in said]


def _list_added(
    tree: Tree, clause: Clause, objects: Sequence[int]
) -> Iterator[tuple[str, list[Piece]]]:
    """Prepositions, agents and adverbs of the verb; prepositions of its objects too."""
    verb = clause.verb
    for child in tree.children[verb]:
        relation = tree.relations[child]
        is_said = child > verb or relation != "advmod" or tree.lower[child] in _TIMES
        if relation in _ADDED and is_said and child not in clause.group:
            yield from ((relation, added) for added in list_forms(tree, child))
    for one in objects:
        for child in tree.related(one, *_ON_OBJECT):
            yield from (("on object", added) for added in list_forms(tree, child))


def list_forms(tree: Tree, child: int) -> Iterator[list[Piece]]:
    """A preposition with its object in each length, and with each further member of it."""
    if tree.tags[child] in RELATIVE:
        return
    objects = tree.related(child, "pobj", "pcomp")
    inner = tree.related(child, "prep")
    if not objects and inner:
        yield from ([child, *rest] for rest in list_forms(tree, inner[0]))
    elif not objects or tree.relations[objects[-1]] == "pcomp":
        yield list(tree.below(child, CLAUSAL))
    else:
        yield from _object_forms(tree, child, objects[-1])


def _object_forms(tree: Tree, preposition: int, one: int) -> Iterator[list[Piece]]:
    if tree.tags[one] in RELATIVE:
        return
    before = [w for c in tree.children[preposition] if c < one and c != one for w in tree.below(c)]
    for form in (phrases.short, phrases.plain, phrases.full):
        yield [*sorted([*before, preposition]), *form(tree, one)]
    for member in tree.members(one)[1:]:
        yield [*sorted([*before, preposition]), *phrases.plain(tree, member)]
