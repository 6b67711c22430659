"""AutoSummENG (Giannakopoulos et al. 2008): graphs of runs of characters, and how alike they are.

A vertex is a run of n characters. Runs that start at most *window* characters apart are neighbours,
and an edge weighs as often as they are. Of two graphs with edges E and F, value similarity is
Σ min(w, v) / max(w, v) over common edges, divided by max(|E|, |F|); divided by min(|E|, |F|) / max
as well it is normalised; containment is the number of common edges by min(|E|, |F|). Several n are
weighted by n.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.errors import InputError
from scoring.metrics.catalogue import Option
from scoring.metrics.pairs import BEST, MEAN, compare_all, fold_references
from scoring.metrics.protocol import (
    REFERENCES,
    MetricTable,
    Texts,
    Value,
    check_texts,
    sign_metric,
)

OPTIONS: tuple[Option, ...] = (
    Option("shortest", 3, "length of the shortest character n-grams"),
    Option("longest", 3, "length of the longest character n-grams"),
    Option("window", 3, "maximum distance between neighbouring n-grams, in characters"),
    Option("lowercase", False, "ignore case"),
    Option("several", MEAN, "with several references: the mean or the nearest", (MEAN, BEST)),
)
LONGEST, WIDEST = 20, 50  # a graph grows with both
Edge = tuple[str, str]
Graphs = tuple[Counter[Edge], ...]


@dataclass(frozen=True, slots=True)
class AutoSummENG:
    """Value similarity, the same without the effect of size, and containment."""

    shortest: int
    longest: int
    window: int
    lowercase: bool
    several: str
    name: str = "autosummeng"
    columns: tuple[str, ...] = ("autosummeng", "autosummeng_normalised", "autosummeng_containment")
    needs: frozenset[str] = frozenset({REFERENCES})
    lower: frozenset[str] = frozenset()

    @property
    def signature(self) -> str:
        names = ("shortest", "longest", "window", "lowercase", "several")
        return sign_metric(self.name, {name: getattr(self, name) for name in names})

    def score(self, summaries: Sequence[str], references: Texts, documents: Texts) -> MetricTable:
        summaries, references, documents = check_texts(self, summaries, references, documents)
        found = compare_all(summaries, references, self._prepare, self._row, len(self.columns))
        return MetricTable(self.columns, found)

    def _lengths(self) -> range:
        return range(self.shortest, self.longest + 1)

    def _prepare(self, text: str) -> Graphs:
        plain = " ".join((text.lower() if self.lowercase else text).split())
        return tuple(build_graph(plain, length, self.window) for length in self._lengths())

    def _row(self, summary: Graphs, references: list[Graphs]) -> Sequence[float]:
        return fold_references([self._compare(summary, one) for one in references], self.several)

    def _compare(self, summary: Graphs, reference: Graphs) -> list[float]:
        """Over all lengths, each weighted by itself."""
        found = [compare_graphs(*pair) for pair in zip(summary, reference, strict=True)]
        total = sum(self._lengths())
        return [
            sum(length * value for length, value in zip(self._lengths(), values, strict=True))
            / total
            for values in zip(*found, strict=True)
        ]


def build_graph(text: str, length: int, window: int) -> Counter[Edge]:
    """Edges without direction, so that looking ahead alone finds every pair once."""
    runs = [text[start : start + length] for start in range(len(text) - length + 1)]
    return Counter(
        (first, second) if first <= second else (second, first)
        for apart in range(1, window + 1)
        for first, second in zip(runs, runs[apart:], strict=False)
    )


def compare_graphs(mine: Counter[Edge], theirs: Counter[Edge]) -> tuple[float, float, float]:
    small, large = sorted((mine, theirs), key=len)
    common = [(weight, large[edge]) for edge, weight in small.items() if edge in large]
    if not common:
        return 0.0, 0.0, 0.0
    value = sum(min(pair) / max(pair) for pair in common)
    return value / len(large), value / len(small), len(common) / len(small)


def check(options: Mapping[str, Value]) -> None:
    shortest, longest, window = _numbers(options)
    if not 1 <= shortest <= longest <= LONGEST:
        raise InputError(
            f"autosummeng: n-grams can't have {shortest} to {longest} characters. Expected 1 to "
            f"{LONGEST}, and longest no less than shortest."
        )
    if not 1 <= window <= WIDEST:
        raise InputError(f"autosummeng: option window can't be {window}. Expected 1 to {WIDEST}.")


def _numbers(options: Mapping[str, Value]) -> list[int]:
    return [int(options[name]) for name in ("shortest", "longest", "window")]


def load(options: Mapping[str, Value]) -> AutoSummENG:
    shortest, longest, window = _numbers(options)
    lowercase, several = bool(options["lowercase"]), str(options["several"])
    return AutoSummENG(shortest, longest, window, lowercase, several)
