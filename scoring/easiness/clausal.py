"""Clauses for the embedded trees: SBAR and S, and a VP for each auxiliary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.easiness.trees import Tree
from scoring.easiness.wording import FINITE, SUBJECTS, VERBS, Words, has_wh

AUXILIARIES = {"aux", "auxpass"}
SMALL = {"oprd", "xcomp"}  # `found guilty`: a clause of one phrase


@dataclass(frozen=True, slots=True)
class _Clause:
    """A verb's neighbours, told apart."""

    verb: int
    intro: list[int]  # `that`, `who`, `when` and what is before
    front: list[int]  # up to the subject, and adverbs after it
    middle: list[int]  # from the first auxiliary to the verb
    after: list[int]  # in the verb's phrase
    trailing: list[int]  # punctuation behind it
    phrases: list[int]  # tied to the verb's phrase by `and`
    clauses: list[int]  # tied to the clause
    is_inverted: bool


def build_clause(words: Words, i: int) -> Tree:
    """A verb with all that hangs on it."""
    own, chain = words.split_chain(i)
    return _wrapped(words, _read(words, i, own, chain))


def build_conjunct(words: Words, i: int) -> Tree:
    """The same without what is tied to it, which stands beside it."""
    clause = _read(words, i, words.split_chain(i)[0], ())
    return _wrapped(words, clause)


def _read(words: Words, i: int, own: Sequence[int], chain: Sequence[int]) -> _Clause:
    left = words.left[i]
    cut = _introduced(words, left)
    intro, rest = left[:cut], left[cut:]
    subject = _last(words, rest, SUBJECTS)
    first = _first(words, rest, AUXILIARIES)
    is_inverted = subject is not None and first is not None and first < subject
    if is_inverted or first is None:
        first = (subject or 0) + 1 if is_inverted else len(rest)
    after, tied = list(own), list(chain)
    trailing: list[int] = []
    end = tied or after
    while end and words.relations[end[-1]] == "punct":
        trailing.insert(0, end.pop())
    phrases, clauses = _levels(words, tied)
    return _Clause(
        i, intro, rest[:first], rest[first:], after, trailing, phrases, clauses, is_inverted
    )


def _introduced(words: Words, left: Sequence[int]) -> int:
    """How many of the words' phrases introduce the clause."""
    for place, item in enumerate(left):
        if words.relations[item] == "mark" or _is_wh(words, item):
            return place + 1
    return 0


def _is_wh(words: Words, i: int) -> bool:
    if words.relations[i] == "prep":
        return any(has_wh(words, item) for item in words.right[i])
    return has_wh(words, i)


def _levels(words: Words, chain: Sequence[int]) -> tuple[list[int], list[int]]:
    """A conjunct with a subject of its own is tied to the clause, others to the verb's phrase."""
    phrases: list[int] = []
    clauses: list[int] = []
    waiting: list[int] = []
    for item in chain:
        waiting.append(item)
        if words.relations[item] != "conj":
            continue
        is_clause = clauses or _last(words, words.around(item), SUBJECTS) is not None
        (clauses if is_clause else phrases).extend(waiting)
        waiting = []
    (clauses or phrases).extend(waiting)
    return phrases, clauses


def _wrapped(words: Words, clause: _Clause) -> Tree:
    """The clause with what introduces it, by its place in the sentence."""
    i = clause.verb
    relation = words.relations[i]
    is_finite = _is_finite(words, i)
    core = _sentence(words, clause)
    if clause.intro:
        intro = [_opening(words, item) for item in clause.intro]
        is_asked = core.label == "SQ"
        return Tree("SBARQ" if is_asked else "SBAR", (*intro, core))
    if is_finite and (relation in ("relcl", "acl") or _is_reported(words, i)):
        return Tree("SBAR", (core,))
    is_reduced = relation == "acl" or (relation in ("relcl", "appos") and not is_finite)
    is_participle = words.tags[i] in ("VBN", "VBG") and not clause.middle
    if is_reduced and is_participle and len(core.children) == 1:
        return core.children[0]
    return core


def _opening(words: Words, i: int) -> Tree:
    """`even` in `even if` is a word, not a phrase."""
    is_alone = not words.left[i] and not words.right[i]
    return words.leaf(i) if is_alone and words.tags[i] == "RB" else words.phrase(i)


def _is_reported(words: Words, i: int) -> bool:
    return words.relations[i] == "ccomp" and i > words.heads[i]


def _is_finite(words: Words, i: int) -> bool:
    helpers = [item for item in words.left[i] if words.relations[item] in AUXILIARIES]
    first = helpers[0] if helpers else i
    return words.tags[first] in FINITE


def _sentence(words: Words, clause: _Clause) -> Tree:
    front = [words.phrase(item) for item in clause.front]
    trailing = [words.phrase(item) for item in clause.trailing]
    behind = _first(words, clause.after, SUBJECTS)
    if behind is not None:
        label, parts = _turned(words, clause, behind)
    else:
        label = _label(words, clause)
        parts = [_verb_phrase(words, clause)]
    core = Tree(label, (*front, *parts, *(trailing if not clause.clauses else ())))
    if not clause.clauses:
        return core
    return Tree("S", (core, *(_tied(words, item) for item in clause.clauses), *trailing))


def _label(words: Words, clause: _Clause) -> str:
    if not clause.is_inverted:
        return "S"
    return "SQ" if clause.intro or words.is_question else "SINV"


def _turned(words: Words, clause: _Clause, behind: int) -> tuple[str, list[Tree]]:
    """The subject follows the verb: `…, said the king`, `Is he guilty?`."""
    inside, rest = clause.after[:behind], clause.after[behind:]
    others = [_complement(words, item) for item in rest]
    others += [_tied(words, item) for item in clause.phrases]
    if words.is_question:
        before = [words.phrase(item) for item in clause.middle]
        after = [words.phrase(item) for item in inside]
        return "SQ", [*before, words.leaf(clause.verb), *after, *others]
    verb = Tree("VP", (words.leaf(clause.verb), *(_complement(words, item) for item in inside)))
    return "SINV", [_nested(words, clause.middle, verb), *others]


def _verb_phrase(words: Words, clause: _Clause) -> Tree:
    """The verb with its complements, what is tied to it, and the auxiliaries around."""
    i, tied = clause.verb, clause.phrases
    if flat := _flat_verbs(words, clause):
        return _nested(words, clause.middle, flat)
    after = (_complement(words, item) for item in clause.after)
    inner = Tree("VP", (words.leaf(i), *after))
    if not tied:
        return _nested(words, clause.middle, inner)
    rest = [_tied(words, item) for item in tied]
    if any(_has_auxiliary(words, item) for item in tied):
        return Tree("VP", (_nested(words, clause.middle, inner), *rest))
    return _nested(words, clause.middle, Tree("VP", (inner, *rest)))


def _flat_verbs(words: Words, clause: _Clause) -> Tree | None:
    """`attacked and killed a cyclist`: two bare verbs share what follows."""
    if clause.after or len(clause.phrases) != 2:
        return None
    link, other = clause.phrases
    if words.relations[link] != "cc" or words.left[other] or words.tags[other] not in VERBS:
        return None
    after = [_complement(words, item) for item in words.split_chain(other)[0]]
    return Tree("VP", (words.leaf(clause.verb), words.phrase(link), words.leaf(other), *after))


def _tied(words: Words, i: int) -> Tree:
    """A conjunct: a clause if it has a subject, else a verb's phrase."""
    if words.relations[i] != "conj":
        return words.phrase(i)
    found = words.conjunct(i)
    has_subject = _last(words, words.around(i), SUBJECTS) is not None
    if has_subject or found.label != "S":
        return found
    *before, verb = found.children
    if verb.label != "VP":
        return found
    return Tree("VP", (*before, *verb.children)) if before else verb


def _nested(words: Words, middle: Sequence[int], inner: Tree) -> Tree:
    """`has also been seen`: each auxiliary has a phrase, with the adverbs that follow it."""
    waiting: list[Tree] = []
    for item in reversed(middle):
        if words.relations[item] in AUXILIARIES:
            inner = Tree("VP", (*_spelt(words, item), *reversed(waiting), inner))
            waiting = []
        else:
            waiting.append(words.phrase(item))
    return Tree("VP", (*reversed(waiting), *inner.children)) if waiting else inner


def _spelt(words: Words, i: int) -> list[Tree]:
    """A word, and beside it what a parser's slip hung on it."""
    left = [words.phrase(item) for item in words.left[i]]
    return [*left, words.leaf(i), *(words.phrase(item) for item in words.right[i])]


def _complement(words: Words, i: int) -> Tree:
    found = words.phrase(i)
    is_small = words.relations[i] in SMALL and found.label in ("ADJP", "NP", "PP")
    return Tree("S", (found,)) if is_small else found


def _has_auxiliary(words: Words, i: int) -> bool:
    if words.relations[i] != "conj":
        return False
    return any(words.relations[item] in AUXILIARIES for item in words.left[i])


def _first(words: Words, items: Sequence[int], relations: set[str]) -> int | None:
    return next(
        (place for place, item in enumerate(items) if words.relations[item] in relations), None
    )


def _last(words: Words, items: Sequence[int], relations: set[str]) -> int | None:
    found = [place for place, item in enumerate(items) if words.relations[item] in relations]
    return found[-1] if found else None
