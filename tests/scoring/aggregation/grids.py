"""Small campaigns written down as marks: `p` present, `n` not present, `-` no answer.

A grid has, for each `document/system`, a line of marks for each worker.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from hypothesis import strategies as st

from scoring.aggregation import AnswerRow, Answers, Drop, build_answers

Grid = dict[str, dict[str, str]]


def rows_of(grid: Grid) -> Iterator[AnswerRow]:
    for summary, people in grid.items():
        document, system = summary.split("/")
        for worker, marks in people.items():
            for unit, mark in enumerate(marks):
                if mark != "-":
                    yield AnswerRow(document, system, f"u{unit}", worker, "", mark == "p")


def answers_of(grid: Grid) -> Answers:
    return build_answers(rows_of(grid))


def dropped_keys(answers: Answers, drops: Sequence[Drop]) -> list[str]:
    return [answers.assignment_keys[drop.assignment] for drop in drops]


def counts_of(grid: Grid) -> dict[tuple[str, int], tuple[int, int]]:
    """By summary and unit, how many say absent and present; counted one by one."""
    found: dict[tuple[str, int], tuple[int, int]] = {}
    for summary, people in grid.items():
        for marks in people.values():
            for unit, mark in enumerate(marks):
                if mark != "-":
                    absent, present = found.get((summary, unit), (0, 0))
                    found[summary, unit] = (absent + (mark == "n"), present + (mark == "p"))
    return found


def statement_of(answers: Answers, code: int) -> tuple[str, int]:
    summary = answers.summary_keys[answers.statement_summaries[code]]
    return summary, int(answers.statement_keys[code][1:])


def ratings_of(people: dict[str, str]) -> np.ndarray:
    """A matrix of people × units as the krippendorff package takes it, nan for no answer."""
    values = {"p": 1.0, "n": 0.0, "-": np.nan}
    return np.array([[values[mark] for mark in marks] for marks in people.values()])


@st.composite
def grids(draw: st.DrawFn, *, least_people: int = 1) -> Grid:
    """A few summaries, each with its own people and units; every campaign has some answer."""
    documents = draw(st.integers(1, 3))
    systems = draw(st.integers(1, 2))
    grid: Grid = {}
    for document in range(documents):
        units = draw(st.integers(1, 5))
        for system in range(systems):
            people = draw(
                st.lists(st.integers(0, 6), min_size=least_people, max_size=6, unique=True)
            )
            lines = st.text("pn-", min_size=units, max_size=units)
            grid[f"d{document}/s{system}"] = {f"w{code}": draw(lines) for code in people}
    if not counts_of(grid):
        grid["d0/s0"] = {"w0": "p" * len(next(iter(grid["d0/s0"].values())))}
    return grid
