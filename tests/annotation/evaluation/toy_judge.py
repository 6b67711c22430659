"""A judge for tests: words in common, nothing learnt. It remembers what it was asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from scoring.errors import InputError
from scoring.judge import PRESETS, Identity, JudgeOptions, Preset, Question, Verdict
from scoring.judge.protocol import CONTEXT
from scoring.overlap import coverage
from scoring.sentences import split_sentences

MODULE = __name__
ASKED: list[Question] = []
LOADED: list[str] = []


@dataclass(frozen=True, slots=True)
class ToyJudge:
    """`toy` has three classes and names no sentence, `toy2` two and names the nearest.

    `toy-context2` is like the latter, and says that it reads all units of a summary.
    """

    name: str
    classes: int
    options: JudgeOptions

    @property
    def identity(self) -> Identity:
        options: dict[str, str | int | float] = {"toy": 1}
        options |= {CONTEXT: "units"} if "context" in self.name else {}
        return Identity(self.name, "toy", f"{self.name}-weights", options=options)

    @property
    def default_function(self) -> str:
        return "l3c" if self.classes == 3 else "p2c"

    def judge(self, questions: Iterable[Question]) -> Iterator[list[Verdict]]:
        for question in questions:
            ASKED.append(question)
            yield [self.verdict(question.summary, unit) for unit in question.units]

    def verdict(self, summary: str, unit: str) -> Verdict:
        shares = [
            coverage(summary[start:end], unit) for start, end in split_sentences(summary)
        ] or [0.0]
        # As many decimals as fit: a bit that is lost on the way is seen.
        logit = 6 * (max(shares) - 0.5) + len(unit) / 977
        row = [logit, 0.3, -0.2][: self.classes]
        best = int(np.argmax(shares)) if self.classes == 2 else -1
        return Verdict(np.array([row], dtype=np.float32), best)


def load(name: str, preset: Preset | None, options: JudgeOptions) -> ToyJudge:
    LOADED.append(name)
    if preset is not None and preset.path == "broken":
        raise InputError("The toy is broken. Mend it.")
    return ToyJudge(name, 2 if name.endswith("2") else 3, options)


def toys() -> dict[str, Preset]:
    return {
        name: Preset(name, "Words in common.", MODULE, path)
        for name, path in (
            ("toy", ""),
            ("toy2", ""),
            ("toy-context2", ""),
            ("toy-broken", "broken"),
        )
    }


@contextmanager
def installed() -> Iterator[None]:
    """Known in this process for a while."""
    PRESETS.update(toys())
    try:
        yield
    finally:
        for name in toys():
            del PRESETS[name]
