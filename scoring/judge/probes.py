"""Probes: what a judge can read, by category.

A probe is a short text with a statement that it makes and the statement's false twin, which shares
nearly all its words. A judge that reads accepts the one and refuses the other; one that compares
words accepts both. Each statement is asked on its own. Probes are the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from scoring.judge.functions import read_presence
from scoring.judge.probe_texts import (
    AROUND,
    CLUBS,
    GOODS,
    GROUPS,
    NAMES,
    OCCASIONS,
    SPELLED,
    TOWNS,
    WORDINGS,
)
from scoring.judge.protocol import Judge, Question

PER_WORDING = 8
VERSION = 1
# From here on a judge's single verdicts can be relied on where texts contradict units.
LEAST_REJECTED = 0.6
ADVICE = "Good for ranking systems; don't rely on single verdicts."


@dataclass(frozen=True, slots=True)
class Probe:
    """A text, a statement that follows from it, and one that doesn't."""

    category: str
    text: str
    true: str
    false: str


@dataclass(frozen=True, slots=True)
class ProbeFigure:
    """How often a judge accepts true statements and refuses false ones, in one category."""

    category: str
    pairs: int
    true_found: float
    false_rejected: float
    # Pairs whose true statement has the higher presence.
    ordered: float


@dataclass(frozen=True, slots=True)
class ProbeReport:
    """All categories, and everything together."""

    judge: str
    key: str
    function: str
    categories: tuple[ProbeFigure, ...]
    total: ProbeFigure

    @property
    def reads(self) -> bool:
        """Whether single verdicts can be relied on."""
        return self.total.false_rejected >= LEAST_REJECTED

    def to_json(self) -> dict[str, Any]:
        return {
            "version": VERSION,
            "judge": self.judge,
            "key": self.key,
            "function": self.function,
            "categories": [asdict(row) for row in self.categories],
            "total": asdict(self.total),
        }

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> ProbeReport:
        return cls(
            found["judge"],
            found["key"],
            found["function"],
            tuple(ProbeFigure(**row) for row in found["categories"]),
            ProbeFigure(**found["total"]),
        )


def list_probes() -> list[Probe]:
    return [
        probe
        for category, wordings in WORDINGS.items()
        for number, wording in enumerate(wordings)
        for probe in _fill(category, number, wording)
    ]


def _fill(category: str, number: int, wording: Any) -> Iterator[Probe]:
    for turn in range(PER_WORDING):
        slots = _choose(number * PER_WORDING + turn + 5 * list(WORDINGS).index(category))
        text, true, false = (
            part.format(**slots) for part in (wording.text, wording.true, wording.false)
        )
        # Three quarters stand between other sentences, as in a summary.
        around = AROUND[turn % len(AROUND)]
        text = (text, f"{around} {text}", f"{text} {around}", f"{around} {text} {AROUND[turn - 2]}")[turn % 4]
        yield Probe(category, _capitalise(text), _capitalise(true), _capitalise(false))


def _choose(turn: int) -> dict[str, str]:
    """Other fillers with every turn; no two slots of a kind are the same."""
    n, m = 17 + 3 * turn, 24 + 3 * turn
    return {
        "a": _at(NAMES, turn), "b": _at(NAMES, turn + 7), "c": _at(NAMES, turn + 13),
        "t": _at(TOWNS, turn), "u": _at(TOWNS, turn + 9), "k": _at(CLUBS, turn), "l": _at(CLUBS, turn + 5),
        "g": _at(GROUPS, turn), "h": _at(GROUPS, turn + 5), "o": _at(GOODS, turn), "p": _at(GOODS, turn + 7),
        "e": _at(OCCASIONS, turn), "n": str(n), "m": str(m), "w": _at(SPELLED, turn), "v": _at(SPELLED, turn + 3),
    }  # fmt: skip


def _at(words: Sequence[str], place: int) -> str:
    return words[place % len(words)]


def _capitalise(text: str) -> str:
    return text[0].upper() + text[1:]


def probe_judge(judge: Judge, function: str = "", probes: Sequence[Probe] = ()) -> ProbeReport:
    """Ask a judge of every statement of every probe."""
    function = function or judge.default_function
    probes = probes or list_probes()
    asked = [Question(one.text, (said,)) for one in probes for said in (one.true, one.false)]
    presence = [read_presence(function, verdict.logits) for [verdict] in judge.judge(asked)]
    pairs = list(zip(presence[::2], presence[1::2], strict=True))
    figures = [
        _figure(category, [pair for probe, pair in zip(probes, pairs, strict=True) if probe.category == category])
        for category in dict.fromkeys(probe.category for probe in probes)
    ]
    identity = judge.identity
    return ProbeReport(identity.name, identity.key, function, tuple(figures), _figure("all", pairs))


def _figure(category: str, pairs: Sequence[tuple[float, float]]) -> ProbeFigure:
    """A statement counts as present from one half on."""
    return ProbeFigure(
        category,
        len(pairs),
        sum(true >= 0.5 for true, _ in pairs) / len(pairs),
        sum(false < 0.5 for _, false in pairs) / len(pairs),
        sum(true > false for true, false in pairs) / len(pairs),
    )
