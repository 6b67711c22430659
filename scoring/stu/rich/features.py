"""What the ranker reads of a candidate, and how alike two candidates are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from scoring.rouge import rouge_words
from scoring.stemming import word_set
from scoring.stu.rich.clauses import Fact
from scoring.stu.rich.pool import list_facts
from scoring.stu.rich.tree import Tree
from scoring.stu.rich.wording import list_words

Floats = NDArray[np.float32]

RULES = (
    "core", "subject", "member", "member added", "object", "split", "prep", "agent", "npadvmod",
    "advmod", "on object", "only prep", "only agent", "only npadvmod", "only advmod", "complement",
    "clause", "said", "title", "origin", "role", "role of", "quality", "age", "number", "kind",
    "apposition", "owner", "has", "preposition", "named", "naming", "happened", "whole",
)  # fmt: skip
RELATIONS = (
    "ROOT", "ccomp", "relcl", "acl", "advcl", "xcomp", "conj", "pcomp", "dobj", "pobj", "nsubj",
    "nsubjpass",
)  # fmt: skip
# Kinds of words that are counted in a candidate, by their Penn tags.
KINDS = {
    "names": ("NNP", "NNPS"),
    "nouns": ("NN", "NNS"),
    "verbs": ("VB", "VBD", "VBG", "VBN", "VBP", "VBZ"),
    "prepositions": ("IN",),
    "adjectives": ("JJ", "JJR", "JJS", "RB"),
    "numbers": ("CD",),
    "articles": ("DT",),
    "pronouns": ("PRP", "PRP$"),
}
OF_WORDS = (*KINDS, "entities")
OF_CANDIDATE = (
    "words", "inserted", "share", "depth", "first", "last", "about", "spread", "gaps", "distinct",
    "opens with a pronoun", "opens with an article", "opens with a name", "ends open",
    "common verb", "relation",
)  # fmt: skip
OF_POOL = ("nearest", "mean likeness", "alike", "held by others", "holds others")
OF_SENTENCE = ("length", "candidates", "sentences", "place", "verbs of the sentence", "quotes")
FEATURES = (
    *(f"rule {rule}" for rule in RULES), *OF_WORDS, *OF_CANDIDATE, *OF_POOL, *OF_SENTENCE,
)  # fmt: skip
ALIKE = 0.7
_RULES_END = len(RULES)
_WORDS_END = _RULES_END + len(OF_WORDS)
_OWN_END = _WORDS_END + len(OF_CANDIDATE)
_POOL_END = _OWN_END + len(OF_POOL)
_RULE = {rule: place for place, rule in enumerate(RULES)}
_RELATION = {relation: place for place, relation in enumerate(RELATIONS, 1)}
_KIND = {tag: place for place, tags in enumerate(KINDS.values()) for tag in tags}
_PRONOUNS = word_set("he she it they we i you this that who which him her them")
_COMMON = frozenset(("be", "have", "say"))
_OPEN_ENDS = frozenset(("IN", "TO", "DT"))
_QUOTES = frozenset(("``", "''"))


@dataclass(frozen=True, slots=True)
class Pool:
    """The candidates of a sentence, how alike they are (0 to 1), and a row of features for each."""

    tree: Tree
    facts: tuple[Fact, ...]
    likeness: Floats
    rows: Floats


def build_pool(tree: Tree, *, place: int = 0, sentences: int = 1) -> Pool:
    """The pool of the sentence that has a *place* among the *sentences* of its reference."""
    facts = tuple(list_facts(tree))
    stems = [_stems(tree, fact) for fact in facts]
    shared, sizes = _count_shared(stems)
    likeness = 2 * shared / np.maximum(sizes[:, None] + sizes[None, :], 1)
    told = _sentence_values(tree, len(facts), place, sentences)
    rows = np.zeros((len(facts), len(FEATURES)), dtype=np.float32)
    if facts:
        rows[:, :_RULES_END] = _rule_values(facts)
        rows[:, _RULES_END:_WORDS_END] = _word_values(tree, facts)
        rows[:, _WORDS_END:_OWN_END] = [
            _values(tree, fact, words, max(told[0], 1))
            for fact, words in zip(facts, stems, strict=True)
        ]
        rows[:, _OWN_END:_POOL_END] = _pool_values(likeness, shared, sizes)
        rows[:, _POOL_END:] = told
    return Pool(tree, facts, likeness, rows)


@lru_cache(maxsize=1 << 15)
def stems_of(word: str) -> tuple[str, ...]:
    return tuple(rouge_words(word))


def _stems(tree: Tree, fact: Fact) -> list[str]:
    return [stem for word in list_words(tree, fact) for stem in stems_of(word)]


def _count_shared(stems: Sequence[Sequence[str]]) -> tuple[Floats, Floats]:
    """How many distinct stems each two candidates share, and how many each has."""
    known: dict[str, int] = {}
    columns = [[known.setdefault(word, len(known)) for word in words] for words in stems]
    table = np.zeros((len(stems), len(known) + 1), dtype=np.float32)
    for row, places in zip(table, columns, strict=True):
        row[places] = 1
    return table @ table.T, table.sum(axis=1)


def _rule_values(facts: Sequence[Fact]) -> Floats:
    found = np.zeros((len(facts), len(RULES)), dtype=np.float32)
    found[np.arange(len(facts)), [_RULE[fact.rule] for fact in facts]] = 1
    return found


def _word_values(tree: Tree, facts: Sequence[Fact]) -> Floats:
    """How many words of each kind are in each candidate."""
    kinds = np.zeros((len(tree), len(OF_WORDS)), dtype=np.float32)
    for place, (tag, entity) in enumerate(zip(tree.tags, tree.entities, strict=True)):
        kind = _KIND.get(tag)
        if kind is not None:
            kinds[place, kind] = 1
        if entity:
            kinds[place, -1] = 1
    said = np.zeros((len(facts), len(tree)), dtype=np.float32)
    for row, fact in zip(said, facts, strict=True):
        row[[piece for piece in fact.pieces if isinstance(piece, int)]] = 1
    return said @ kinds


def _values(tree: Tree, fact: Fact, stems: Sequence[str], length: float) -> list[float]:
    places = [piece for piece in fact.pieces if isinstance(piece, int)] or [fact.about]
    first, last = places[0], places[-1]
    opening = tree.lower[first] if first == fact.pieces[0] else str(fact.pieces[0])
    return [
        len(stems),
        len(fact.pieces) - len(places),
        len(stems) / length,
        fact.depth,
        first / length,
        last / length,
        fact.about / length,
        last - first + 1,
        sum(later != one + 1 for one, later in pairwise(places)),
        len(set(stems)) / max(len(stems), 1),
        opening in _PRONOUNS,
        tree.tags[first] == "DT",
        tree.tags[first] in KINDS["names"],
        tree.tags[last] in _OPEN_ENDS,
        tree.lemmas[fact.about] in _COMMON,
        _RELATION.get(tree.relations[fact.about], 0),
    ]


def _pool_values(likeness: Floats, shared: Floats, sizes: Floats) -> Floats:
    others = likeness - np.eye(len(likeness), dtype=np.float32)
    held = shared / np.maximum(sizes[:, None], 1)
    return np.stack(
        [
            others.max(axis=1, initial=0),
            others.mean(axis=1),
            (others > ALIKE).sum(axis=1),
            held.mean(axis=1),
            held.mean(axis=0),
        ],
        axis=1,
    )


def _sentence_values(tree: Tree, candidates: int, place: int, sentences: int) -> list[float]:
    return [
        sum(not is_mute for is_mute in tree.is_mute),
        candidates,
        sentences,
        place,
        sum(tag in KINDS["verbs"] for tag in tree.tags),
        sum(tag in _QUOTES for tag in tree.tags),
    ]
