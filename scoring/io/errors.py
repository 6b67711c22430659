"""What a reader says when a file is not as it should be."""

from __future__ import annotations

import re

from scoring.errors import InputError
from scoring.types import Problem

LONGEST = 400
_UNFIT = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")


def shown(text: str) -> str:
    """A text from a file as it may stand in a message: whole characters, none invisible, short."""
    short = text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
    return _UNFIT.sub(lambda found: ascii(found.group())[1:-1], short)


class CorpusError(InputError):
    """A source that cannot be read at all; carries the problem it met."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


class ProblemList:
    """Collects problems: the first few whole, the rest as a count."""

    def __init__(self, keep: int = 50) -> None:
        self.keep = keep
        self.count = 0
        self.first: list[Problem] = []

    def add(self, file: str, line: int | None, message: str, expected: str) -> None:
        self.take(Problem(shown(file), line, shown(message), shown(expected)))

    def take(self, problem: Problem) -> None:
        self.count += 1
        if len(self.first) < self.keep:
            self.first.append(problem)

    def raise_first(self) -> None:
        if self.first:
            raise CorpusError(self.first[0])
