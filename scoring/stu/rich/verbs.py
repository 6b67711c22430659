"""The clauses of a sentence: each verb with its subject, found where it is not said beside it.

A relative clause is about the noun it hangs on, a participle too; a verb joined by `and` has the
subject of the first; an infinitive or a participle after a preposition has the subject or the
object of the verb above it.
"""

from __future__ import annotations

from dataclasses import dataclass

from scoring.parses import ROOT
from scoring.stemming import word_set
from scoring.stu.rich import phrases
from scoring.stu.rich.inflection import past, present
from scoring.stu.rich.phrases import Piece
from scoring.stu.rich.tree import NOUNS, RELATIVE, VERBS, Tree

NO_SUBJECT = -1
SUBJECTS = ("nsubj", "nsubjpass", "csubj", "csubjpass", "expl")
_NOT_CLAUSES = frozenset(("aux", "auxpass", "amod", "compound", "prep", "nmod", "pobj", "dobj"))
_GROUP = frozenset(("aux", "auxpass", "neg", "prt"))
_NEGATIVE = word_set("not n't n’t never no neither nor hardly rarely nearly almost")
_UNTRUE = word_set("without from before instead to against")
_SUPPOSED = word_set("if unless whether")
_LIKE_PREPOSITIONS = word_set("following including according regarding concerning")
_OF_OBJECT = word_set("of into")
# Verbs whose object does what the infinitive says.
_ASKING = word_set(
    "ask urge tell allow force order help want get let make encourage persuade invite enable push "
    "press pressure see leave cause expect require convince lead trick warn forbid"
)

Group = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Clause:
    """`subject` is a noun's place or NO_SUBJECT; `group` the words of the verb; `kind` how the
    subject was found; `depth` the number of clauses above it."""

    verb: int
    subject: int
    group: Group
    kind: str
    depth: int


def list_clauses(tree: Tree) -> list[Clause]:
    """From the topmost down, since a clause may take its subject from the one above."""
    found: dict[int, Clause] = {}
    for place in _from_top(tree):
        if tree.tags[place] in VERBS and tree.relations[place] not in _NOT_CLAUSES:
            clause = _clause(tree, place, found)
            if clause is not None:
                found[place] = clause
    return list(found.values())


def _from_top(tree: Tree) -> list[int]:
    found = [place for place, head in enumerate(tree.heads) if head == ROOT]
    for place in found:
        found.extend(tree.children[place])
    return found


def _clause(tree: Tree, verb: int, known: dict[int, Clause]) -> Clause | None:
    relation, above = tree.relations[verb], known.get(tree.heads[verb])
    if any(tree.lower[mark] in _SUPPOSED for mark in tree.related(verb, "mark")):
        return None
    depth = above.depth + 1 if above else 0
    own = next(iter(tree.related(verb, *SUBJECTS)), None)
    if own is not None and tree.tags[own] not in RELATIVE:
        return Clause(verb, own, _group(tree, verb), relation, depth)
    if relation == "relcl":
        return _relative(tree, verb, own, depth + 1)
    if relation == "acl":
        return _participle(tree, verb, depth + 1)
    if relation == "conj" and above is not None:
        return _joined(tree, verb, above)
    if relation in ("xcomp", "advcl", "ccomp", "pcomp"):
        return _controlled(tree, verb, known)
    if above is None:
        return Clause(verb, NO_SUBJECT, _group(tree, verb), "open", 0)
    return None


def _group(tree: Tree, verb: int) -> tuple[int, ...]:
    found = [verb]
    for child in tree.children[verb]:
        if tree.relations[child] in _GROUP or tree.lower[child] in _NEGATIVE:
            found.append(child)
        elif tree.relations[child] == "advmod" and _denies(tree, child):
            found.extend(tree.below(child))
    return tuple(sorted(found))


def _denies(tree: Tree, adverb: int) -> bool:
    return any(tree.lower[child] in _NEGATIVE for child in tree.children[adverb])


def _relative(tree: Tree, verb: int, own: int | None, depth: int) -> Clause | None:
    if own is None:
        return None
    return Clause(verb, tree.heads[verb], _group(tree, verb), "relcl", depth)


def _participle(tree: Tree, verb: int, depth: int) -> Clause | None:
    """`a bomb confiscated by` → `was confiscated by`; a headline's only verb as it is."""
    noun, tag = tree.heads[verb], tree.tags[verb]
    if tag not in ("VBN", "VBG", "VBD") or tree.tags[noun] not in NOUNS:
        return None
    if tree.lower[verb] in _LIKE_PREPOSITIONS:
        return None
    group = tuple(p for p in _group(tree, verb) if tree.lower[p] != "being")
    if tree.heads[noun] == ROOT and tree.relations[noun] == "ROOT":
        return Clause(verb, noun, group, "headline", depth)
    forms = ("is", "are") if tag == "VBG" and len(group) == 1 else ("was", "were")
    return Clause(verb, noun, (forms[tree.is_plural(noun)], *group), "acl", depth)


def _joined(tree: Tree, verb: int, first: Clause) -> Clause:
    """The second verb shares what stands before the first, unless it is finite or has its own."""
    group: Group = _group(tree, verb)
    if tree.tags[verb] in ("VBN", "VB", "VBG") and not tree.related(verb, "aux", "auxpass"):
        at = next((i for i, p in enumerate(first.group) if p == first.verb), 0)
        group = (*first.group[:at], *group)
    return Clause(verb, first.subject, group, first.kind, first.depth)


def _controlled(tree: Tree, verb: int, known: dict[int, Clause]) -> Clause | None:
    head, preposition = tree.heads[verb], ""
    if tree.relations[verb] == "pcomp":
        preposition, head = tree.lower[head], tree.heads[head]
    above = known.get(head)
    if above is None or preposition in _UNTRUE:
        return None
    objects = tree.related(head, "dobj", "dative")
    if tree.relations[verb] == "xcomp" and not _is_purpose(tree, head, verb):
        return _chained(tree, verb, above, objects)
    if _is_unreal(tree, verb, above):
        return None
    has_object = bool(objects) and preposition in _OF_OBJECT
    subject = objects[-1] if has_object else above.subject
    group = _finite(tree, verb, subject, above)
    return Clause(verb, subject, group, "controlled", above.depth + 1)


def _is_unreal(tree: Tree, verb: int, above: Clause) -> bool:
    """What should be done to help has not helped."""
    is_infinitive = any(tree.tags[child] == "TO" for child in tree.children[verb])
    words = [piece for piece in above.group if isinstance(piece, int)]
    is_open = any(tree.tags[word] == "MD" or tree.lower[word] in _NEGATIVE for word in words)
    return is_infinitive and is_open


def _is_purpose(tree: Tree, head: int, verb: int) -> bool:
    """`flew to Cyprus to celebrate`, not `vowed to tackle` and not `asked him to leave`."""
    between = [c for c in tree.related(head, "dobj", "prep", "dative") if head < c < verb]
    return bool(between) and tree.lemmas[head] not in _ASKING


def _chained(tree: Tree, verb: int, above: Clause, objects: list[int]) -> Clause:
    """`has vowed to tackle` is one verb; an object between the two is said too."""
    between = [w for o in objects if above.verb < o < verb for w in phrases.short(tree, o)]
    group = (*above.group, *between, *_group(tree, verb))
    return Clause(verb, above.subject, group, "chained", above.depth)


def _finite(tree: Tree, verb: int, subject: int, above: Clause) -> Group:
    """The verb in the tense of the one above: present only where that is."""
    is_plural = subject != NO_SUBJECT and tree.are_many(subject)
    group = [p for p in _group(tree, verb) if tree.tags[p] != "TO"]
    first = group[0]
    if first != verb and tree.tags[first] in ("MD", "VBD", "VBZ", "VBP"):
        return tuple(group)
    if first != verb and tree.relations[first] in ("aux", "auxpass"):
        forms = ("has", "have") if tree.lower[first] == "having" else ("was", "were")
        return (forms[is_plural], *group[1:])
    if tree.tags[verb] not in ("VB", "VBG"):
        be = ("was", "were")[is_plural]
        return (be, *group) if tree.tags[verb] == "VBN" else tuple(group)
    lemma = tree.lemmas[verb].lower()
    is_present = above.group[0] == above.verb and tree.tags[above.verb] in ("VBZ", "VBP")
    word = present(lemma, is_plural=is_plural) if is_present else past(lemma)
    return tuple(word if p == verb else p for p in group)
