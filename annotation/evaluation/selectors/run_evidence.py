"""The sentence of a summary that convinced a judge, so that a reader can see for themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.judge.protocol import contradicted_by
from scoring.overlap import coverage
from scoring.sentences import split_sentences


@dataclass(frozen=True, slots=True)
class Evidence:
    """A summary cut at the sentence; `is_named` if it was the judge who named it.

    Where the judge names none, it is the sentence with most of the unit's words; no sentence at
    all if none has any. `contradicts`: the judge named it as one that contradicts the unit.
    """

    before: str
    sentence: str
    after: str
    is_named: bool
    contradicts: bool = False


def find_evidence(summary: str, unit: str, place: int) -> Evidence:
    spans = split_sentences(summary)
    contradicts = place < -1
    place = contradicted_by(place) if contradicts else place
    is_named = 0 <= place < len(spans)
    chosen = place if is_named else _nearest([summary[a:b] for a, b in spans], unit)
    if chosen is None:
        return Evidence(summary, "", "", False)
    start, end = spans[chosen]
    return Evidence(
        summary[:start], summary[start:end], summary[end:], is_named, is_named and contradicts
    )


def _nearest(sentences: Sequence[str], unit: str) -> int | None:
    """The first of those that have the largest share of the unit's words."""
    shares = [coverage(sentence, unit) for sentence in sentences]
    best = max(shares, default=0.0)
    return shares.index(best) if best else None
