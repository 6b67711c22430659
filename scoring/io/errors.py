"""What a reader says when a file is not as it should be."""

from __future__ import annotations

from scoring.types import Problem


class CorpusError(ValueError):
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
        self.count += 1
        if len(self.first) < self.keep:
            self.first.append(Problem(file, line, message, expected))

    def raise_first(self) -> None:
        if self.first:
            raise CorpusError(self.first[0])
