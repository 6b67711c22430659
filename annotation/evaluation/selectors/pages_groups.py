"""Which systems can't be told apart, as groups that a letter or a bracket can stand for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from annotation.evaluation.selectors.scores import PairRow, Scores


def list_groups(scores: Scores) -> list[list[int]]:
    """Groups of places among the scored rows; two places share one if they are not separable.

    A system that differs from all others is in no group of two, and is left out.
    """
    names = [row.system for row in scores.rows if row.score is not None]
    place = {name: number for number, name in enumerate(names)}
    apart = [
        (place[pair.first], place[pair.second]) for pair in _known(scores.pairs, place)
    ]
    return [group for group in find_groups(len(names), apart) if len(group) > 1]


def _known(pairs: Sequence[PairRow], place: dict[str, int]) -> list[PairRow]:
    return [
        pair
        for pair in pairs
        if pair.is_separable and pair.first in place and pair.second in place
    ]


def find_groups(size: int, apart: Iterable[tuple[int, int]]) -> list[list[int]]:
    """The largest sets without a separable pair (insert and absorb, Piepho 2004)."""
    groups: list[frozenset[int]] = [frozenset(range(size))] if size else []
    for one, other in apart:
        split = [group for group in groups if one in group and other in group]
        parts = {group - {gone} for group in split for gone in (one, other)}
        kept = [group for group in groups if group not in split]
        groups = kept + [
            part
            for part in parts
            if not any(part <= group for group in kept)
            and not any(part < wider for wider in parts)
        ]
    return sorted(sorted(group) for group in groups)
