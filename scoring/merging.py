"""Propose which units of different references say the same, for a person to confirm.

In a pyramid the contributors of one meaning form one unit, whose weight is the number of
references that carry it (Nenkova & Passonneau 2004). Likeness is the share of the words' weight
that two units have in common; a word that many units have weighs little. Two units with different
numbers or names, or of which one denies what the other says, are never proposed.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from scoring.errors import InputError
from scoring.facts import find_names, is_negated, number_set
from scoring.overlap import tokenize
from scoring.stemming import content_stems, stems
from scoring.translation import gettext as _

MIN_LIKENESS = 0.3  # of every pair within a cluster; set on pyramids of DUC 2007


@dataclass(frozen=True, slots=True)
class UnitText:
    """A unit, and the reference it was written from."""

    id: str
    reference: int
    text: str


@dataclass(frozen=True, slots=True)
class Cluster:
    """Units of the same meaning, in the order they were given; the score is their mean likeness."""

    members: tuple[str, ...]
    score: float
    label: str


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A unit with what it is compared by.

    `names` are the stems of its capitalised words that no unit has in small letters: `Author
    Wally Lamb` opens with a capital, but an author is no name.
    """

    position: int
    unit: UnitText
    words: frozenset[str]
    numbers: frozenset[str]
    names: frozenset[str]
    negated: bool

    @classmethod
    def of(cls, position: int, unit: UnitText, common: set[str]) -> _Candidate:
        names = find_names(tokenize(unit.text))
        return cls(
            position=position,
            unit=unit,
            words=frozenset(content_stems(unit.text)),
            numbers=frozenset(number_set([unit.text])),
            names=frozenset(key for token in names for key in stems(token.text)) - common,
            negated=is_negated(unit.text),
        )

    def contradicts(self, other: _Candidate) -> bool:
        """Whether the two can't be one fact: each says which number or name, or one denies it."""
        return (
            self.negated != other.negated
            or _differ(self.numbers, other.numbers)
            or _differ(self.names - other.words, other.names - self.words)
        )


def _differ(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether each has something the other lacks; one that merely says less is no contradiction."""
    return bool(one - other) and bool(other - one)


Pair = tuple[int, int]


def propose_clusters(units: Sequence[UnitText]) -> list[Cluster]:
    """Clusters of at least two units, best first, no two of the same reference in one.

    Pairs are joined from the most alike down; a cluster grows only while all of its units are
    alike. The same units in the same order give the same clusters.
    """
    _expect_unique(units)
    common = _common_words(units)
    candidates = [_Candidate.of(position, unit, common) for position, unit in enumerate(units)]
    likeness = _likeness(candidates)
    groups = _join(candidates, likeness)
    clusters = [_cluster(group, likeness) for group in groups if len(group) > 1]
    first = {unit.id: position for position, unit in enumerate(units)}
    return sorted(clusters, key=lambda it: (-it.score, first[it.members[0]]))


def pyramid_tiers(weights: Iterable[int]) -> list[int]:
    """How many units each tier has, from the highest weight down to 1, empty tiers included."""
    counts = Counter(weights)
    if any(weight < 1 for weight in counts):
        raise InputError(
            _("a weight is {counts}; weights are at least 1").format(counts=min(counts))
        )
    return [counts[weight] for weight in range(max(counts, default=0), 0, -1)]


def _expect_unique(units: Sequence[UnitText]) -> None:
    twice = [key for key, count in Counter(unit.id for unit in units).items() if count > 1]
    if twice:
        raise InputError(_("the id '{twice}' belongs to two units").format(twice=twice[0]))


def _common_words(units: Sequence[UnitText]) -> set[str]:
    tokens = (token.text for unit in units for token in tokenize(unit.text))
    return {key for word in tokens if word[:1].islower() for key in stems(word)}


def _likeness(candidates: Sequence[_Candidate]) -> dict[Pair, float]:
    """The likeness of every pair that may stand in one cluster."""
    weights = _weights(candidates)
    found: dict[Pair, float] = {}
    for i, j in _sharing(candidates):
        one, other = candidates[i], candidates[j]
        if one.unit.reference == other.unit.reference or one.contradicts(other):
            continue
        score = _dice(one.words, other.words, weights)
        if score >= MIN_LIKENESS:
            found[i, j] = score
    return found


def _weights(candidates: Sequence[_Candidate]) -> dict[str, float]:
    counts = Counter(word for candidate in candidates for word in candidate.words)
    return {word: math.log(1 + len(candidates) / count) for word, count in counts.items()}


def _sharing(candidates: Sequence[_Candidate]) -> Iterator[Pair]:
    """Pairs with a word in common, found by word: most pairs have none."""
    holders: dict[str, list[int]] = defaultdict(list)
    for candidate in candidates:
        for word in candidate.words:
            holders[word].append(candidate.position)
    pairs = {pair for listed in holders.values() for pair in combinations(listed, 2)}
    yield from sorted(pairs)


def _dice(one: frozenset[str], other: frozenset[str], weights: dict[str, float]) -> float:
    # An exact sum: a set has no order, and with a plain sum ties would hang on the last digit.
    shared, mine, theirs = (
        math.fsum(weights[word] for word in words) for words in (one & other, one, other)
    )
    return 2 * shared / (mine + theirs)


def _join(candidates: Sequence[_Candidate], likeness: dict[Pair, float]) -> list[list[_Candidate]]:
    groups = {candidate.position: [candidate] for candidate in candidates}
    for i, j in sorted(likeness, key=lambda pair: (-likeness[pair], pair)):
        one, other = groups[i], groups[j]
        if one is not other and _may_join(one, other, likeness):
            joined = sorted(one + other, key=lambda candidate: candidate.position)
            for candidate in joined:
                groups[candidate.position] = joined
    unique = {id(group): group for group in groups.values()}
    return list(unique.values())


def _may_join(
    one: Sequence[_Candidate], other: Sequence[_Candidate], likeness: dict[Pair, float]
) -> bool:
    return all(_pair(a, b) in likeness for a in one for b in other)


def _pair(a: _Candidate, b: _Candidate) -> Pair:
    return min(a.position, b.position), max(a.position, b.position)


def _cluster(group: Sequence[_Candidate], likeness: dict[Pair, float]) -> Cluster:
    scores = [likeness[_pair(a, b)] for a, b in combinations(group, 2)]
    members = tuple(candidate.unit.id for candidate in group)
    return Cluster(members, math.fsum(scores) / len(scores), _label(group))


def _label(group: Sequence[_Candidate]) -> str:
    """The shortest member that has all words which at least two members share, or most of them."""
    counts = Counter(word for candidate in group for word in candidate.words)
    shared = {word for word, count in counts.items() if count > 1}
    best = min(group, key=lambda it: (-len(shared & it.words), len(it.unit.text), it.position))
    return best.unit.text
