"""What the STUs themselves tell of a sentence's easiness, beyond its tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import sqrt

from scoring.easiness.probes import GROUPS, find_probes
from scoring.parses import ParsedSentence
from scoring.rouge import f1_of_counts, rouge_words
from scoring.stemming import is_content

LENGTHS = (
    "stus",
    "stus_per_word",
    "stu_length",
    "stu_share",
    "shortest_stu",
    "longest_stu",
    "shortest_share",
    "longest_share",
    "said_times",
    "spread",
)
COVERAGE = (
    "covered",
    "missing_content",
    "missing_share",
    "missing_modifiers",
    "foreign",
    "foreign_share",
)
LIKENESS = ("like_mean", "like_max", "like_min", "alike_mean", "alike_max")
WORDS = (
    "entities",
    "entities_per_word",
    "names_per_word",
    "numbers",
    "verbs",
    "verbs_per_word",
    "stus_per_verb",
    "modifiers",
    "modifiers_per_word",
    "conjuncts",
    "prepositions",
    "prepositions_per_word",
    "appositions",
    "noun_clauses",
    "complement_clauses",
    "adverbial_clauses",
    "passives",
)
PROBES = (
    *(f"{group}_{what}" for group in GROUPS for what in ("facts", "mean", "min", "max")),
    "facts_mean",
)
STU_FEATURES = (*LENGTHS, *COVERAGE, *LIKENESS, *WORDS, *PROBES)

MODIFIERS = ("acl", "amod", "appos", "compound", "nummod", "poss", "relcl")
TYPICAL = 0.6  # likeness where there is nothing to compare: about what sentences have
Bag = Counter[str]


def stu_features(parse: ParsedSentence, stus: Sequence[str]) -> list[float]:
    """In the order of `STU_FEATURES`."""
    words = [_keys(word) for word in parse.words]
    said = [Counter(rouge_words(stu)) for stu in stus] or [Counter()]
    whole = Counter(key for keys in words for key in keys)
    known = set().union(*said)
    size = max(1, whole.total())
    return [
        *_lengths(said, len(stus), size),
        *_coverage(parse, words, whole, known, size),
        *_likeness(said, whole),
        *_words(parse, len(stus), size),
        *_probes(parse, words, said),
    ]


@lru_cache(maxsize=1 << 16)
def _keys(word: str) -> tuple[str, ...]:
    """Kept, since the same words come again and again."""
    return tuple(rouge_words(word))


@lru_cache(maxsize=1 << 16)
def _is_content(word: str) -> bool:
    return is_content(word)


def _lengths(said: Sequence[Bag], stus: int, size: int) -> list[float]:
    lengths = [bag.total() for bag in said]
    mean, low, high = _mean(lengths), min(lengths), max(lengths)
    return [
        stus,
        stus / size,
        mean,
        mean / size,
        low,
        high,
        low / size,
        high / size,
        sum(lengths) / size,
        _deviation(lengths) / size,
    ]


def _coverage(
    parse: ParsedSentence, words: Sequence[Sequence[str]], whole: Bag, known: set[str], size: int
) -> list[float]:
    """Which of the sentence's words some STU has, and what STUs have from elsewhere."""
    content = {key for word in parse.words if _is_content(word) for key in _keys(word)}
    missing = len(content - known)
    modifiers = sum(
        tag[:2] in ("NN", "CD", "JJ") and not known.issuperset(keys)
        for tag, keys in zip(parse.tags, words, strict=True)
    )
    foreign = len(known - whole.keys())
    return [
        1 - missing / max(1, len(content)),
        missing,
        len(whole.keys() - known) / size,
        modifiers,
        foreign,
        foreign / size,
    ]


def _likeness(said: Sequence[Bag], whole: Bag) -> list[float]:
    """Of STUs to the sentence, and of STUs to each other."""
    like = [f1_of_counts(bag, whole) for bag in said]
    alike = [f1_of_counts(one, other) for one, other in combinations(said, 2)] or [1.0]
    return [_mean(like), max(like), min(like), _mean(alike), max(alike)]


def _words(parse: ParsedSentence, stus: int, size: int) -> list[float]:
    relations = Counter(parse.relations)
    entities = sum(parse.opens)
    verbs = sum(tag.startswith("VB") for tag in parse.tags)
    modifiers = sum(relations[name] for name in MODIFIERS)
    return [
        entities,
        entities / size,
        sum(tag.startswith("NNP") for tag in parse.tags) / size,
        parse.tags.count("CD"),
        verbs,
        verbs / size,
        stus / max(1, verbs),
        modifiers,
        modifiers / size,
        relations["conj"],
        relations["prep"],
        relations["prep"] / size,
        relations["appos"],
        relations["relcl"] + relations["acl"],
        relations["ccomp"] + relations["xcomp"],
        relations["advcl"],
        relations["nsubjpass"],
    ]


def _probes(
    parse: ParsedSentence, words: Sequence[Sequence[str]], said: Sequence[Bag]
) -> list[float]:
    """How near STUs come to what might be SCUs."""
    sized = [(bag, bag.total()) for bag in said]
    found: dict[str, list[float]] = {group: [] for group in GROUPS}
    for group, places in find_probes(parse):
        keys = [key for place in places for key in words[place]]
        found[group].append(_nearest(keys, sized))
    rows = [(len(near), *_shape(near)) for near in found.values()]
    every = [value for near in found.values() for value in near]
    return [*(value for row in rows for value in row), _shape(every)[0]]


def _nearest(keys: Sequence[str], said: Sequence[tuple[Bag, int]]) -> float:
    """`best_f1` of counted words. It is asked some fifty times a sentence, so it is spelt out."""
    counts: dict[str, int] = {}
    for key in keys:
        counts[key] = counts.get(key, 0) + 1
    best = 0.0
    for bag, size in said:
        common = 0
        for key, count in counts.items():
            other = bag.get(key, 0)
            common += count if count < other else other
        if common and 2 * common > best * (len(keys) + size):
            best = 2 * common / (len(keys) + size)
    return best


def _shape(values: Sequence[float]) -> tuple[float, float, float]:
    if not values:
        return TYPICAL, TYPICAL, TYPICAL
    return _mean(values), min(values), max(values)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _deviation(values: Sequence[float]) -> float:
    mean = _mean(values)
    return sqrt(sum((value - mean) ** 2 for value in values) / len(values))
