"""Probes: what a judge can read, by category.

A probe is a short text with a statement that it makes and the statement's false twin, which shares
nearly all its words. A judge that reads accepts the one and refuses the other; one that compares
words accepts both. Each statement is asked on its own. Probes are the same on every machine.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from scoring.judge.functions import read_presence
from scoring.judge.protocol import Judge, Question

PER_WORDING = 8
PROBES_VERSION = 1
SHIPPED, TEXTS = "probes.json", "probes.json"
# From here on a judge's single verdicts can be relied on where texts contradict units.
LEAST_REJECTED = 0.7
ADVICE = "Good for ranking systems; don't rely on single verdicts."


@dataclass(frozen=True, slots=True)
class Wording:
    """A text, a statement that it makes, and the statement's false twin, with slots.

    `a` to `c` are people, `t` and `u` towns, `k` and `l` clubs, `g` people of a trade, `o` and `p`
    things, `e` an occasion, `n` and `m` numbers, `w` and `v` numbers in words.
    """

    text: str
    true: str
    false: str


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
    categories: list[ProbeFigure]
    total: ProbeFigure

    @property
    def reads(self) -> bool:
        """Whether single verdicts can be relied on."""
        return self.total.false_rejected >= LEAST_REJECTED

    def to_json(self) -> dict[str, Any]:
        return {
            "version": PROBES_VERSION,
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
            [ProbeFigure(**row) for row in found["categories"]],
            ProbeFigure(**found["total"]),
        )


@cache
def read_shipped() -> dict[str, ProbeReport]:
    """Figures of the judges that come with Giza, by the key of their identity."""
    text = files("scoring.backends.models").joinpath(SHIPPED).read_text(encoding="utf-8")
    reports = [ProbeReport.from_json(row) for row in json.loads(text)]
    return {report.key: report for report in reports}


@cache
def _read_texts() -> dict[str, Any]:
    """Words and wordings that no judge is trained on; a test compares them with the reader's."""
    text = files("scoring.judge").joinpath(TEXTS).read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def list_probes() -> list[Probe]:
    return [
        probe
        for start, (category, wordings) in enumerate(_read_texts()["wordings"].items())
        for number, wording in enumerate(wordings)
        for probe in _fill(category, number * PER_WORDING + 5 * start, Wording(**wording))
    ]


def _fill(category: str, start: int, wording: Wording) -> Iterator[Probe]:
    around = _read_texts()["around"]
    for turn in range(PER_WORDING):
        slots = _choose(start + turn)
        text, true, false = (
            part.format(**slots) for part in (wording.text, wording.true, wording.false)
        )
        # Three quarters stand between other sentences, as in a summary.
        before, after = (_at(around, turn + step) for step in (0, 3))
        frames = (text, f"{before} {text}", f"{text} {after}", f"{before} {text} {after}")
        yield Probe(category, *map(_capitalise, (frames[turn % 4], true, false)))


def _choose(turn: int) -> dict[str, str]:
    """Other fillers with every turn; no two slots of a kind are the same."""
    words = _read_texts()["fillers"]
    # By slot: the list, and how far ahead of the others of the kind it is.
    places = {
        "a": ("names", 0),
        "b": ("names", 7),
        "c": ("names", 13),
        "t": ("towns", 0),
        "u": ("towns", 9),
        "k": ("clubs", 0),
        "l": ("clubs", 5),
        "g": ("groups", 0),
        "o": ("goods", 0),
        "p": ("goods", 7),
        "e": ("occasions", 0),
        "w": ("spelled", 0),
        "v": ("spelled", 3),
    }
    found = {slot: _at(words[kind], turn + ahead) for slot, (kind, ahead) in places.items()}
    return found | {"n": str(17 + 3 * turn), "m": str(24 + 3 * turn)}


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
    by_category: dict[str, list[tuple[float, float]]] = {}
    for probe, pair in zip(probes, pairs, strict=True):
        by_category.setdefault(probe.category, []).append(pair)
    figures = [_figure(category, found) for category, found in by_category.items()]
    identity = judge.identity
    return ProbeReport(identity.name, identity.key, function, figures, _figure("all", pairs))


def _figure(category: str, pairs: Sequence[tuple[float, float]]) -> ProbeFigure:
    """A statement counts as present from one half on."""
    return ProbeFigure(
        category,
        len(pairs),
        sum(true >= 0.5 for true, _ in pairs) / len(pairs),
        sum(false < 0.5 for _, false in pairs) / len(pairs),
        sum(true > false for true, false in pairs) / len(pairs),
    )
