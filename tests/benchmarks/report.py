"""A measured figure, the bound it is held to, and how both are printed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """`at_least` and `at_most` are bounds; a figure without one is told, not judged."""

    name: str
    value: float
    unit: str = ""
    at_least: float | None = None
    at_most: float | None = None

    @property
    def is_met(self) -> bool:
        low = self.at_least is None or self.value >= self.at_least
        high = self.at_most is None or self.value <= self.at_most
        return low and high

    def __str__(self) -> str:
        bound = ""
        if self.at_least is not None:
            bound = f"at least {self.at_least:g}"
        if self.at_most is not None:
            bound = f"at most {self.at_most:g}"
        verdict = "" if not bound else ("met" if self.is_met else "MISSED")
        return f"  {self.name:<58}{self.value:>12,.2f} {self.unit:<6}{bound:<16}{verdict}"


def show(figures: list[Figure]) -> list[Figure]:
    for figure in figures:
        print(figure, flush=True)
    return figures
