"""How often two sources of scores prefer different systems on an example, by pair of systems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.computed import Computed
from annotation.corpora.models import Project
from annotation.errors import Invalid
from annotation.evaluation.selectors.score_sources import (
    PEOPLE,
    ScoreSource,
    SourceTables,
    get_score_source,
    list_score_sources,
    read_score_sources,
)
from annotation.evaluation.selectors.scores import KEPT_SECONDS
from annotation.translation import gettext as _
from scoring.io.cells import defuse, row_line
from scoring.metrics.disagreement import Disagreement, count_disagreements

HEADER = ("first_system", "second_system", "examples", "agree", "disagree", "tied")
SORTS = ("share", "name")


@dataclass(frozen=True, slots=True)
class PairCount:
    """Two systems; `examples` are those that both sources have scores of for both."""

    first: str
    second: str
    examples: int
    agree: int
    disagree: int
    tied: int

    @property
    def share(self) -> float | None:
        """Of the examples, on how many the sources disagree."""
        return self.disagree / self.examples if self.examples else None


# Neither source changes once it is ready.
PAIRS = Computed("metric-disagreements", list[PairCount], KEPT_SECONDS)


@dataclass(frozen=True, slots=True)
class Disagreements:
    first: ScoreSource
    second: ScoreSource
    pairs: list[PairCount]

    def total(self, name: str) -> int:
        return sum(getattr(row, name) for row in self.pairs)

    @property
    def share(self) -> float | None:
        """Over all pairs."""
        examples = self.total("examples")
        return self.total("disagree") / examples if examples else None


def count_source_disagreements(
    project: Project, first: str, second: str, sort: str = "share"
) -> Disagreements:
    """Of two sources by their keys; those that disagree most often come first, or by name."""
    if first == second:
        raise Invalid(_("second: expected scores different from the first."))
    one, two = (get_score_source(project, key) for key in (first, second))
    parts = tuple(part for row in (one, two) for part in (row.key, row.content_hash))
    pairs = PAIRS.get((project.pk, *parts), lambda: _count(project, first, second))
    if sort == "share":
        pairs.sort(key=lambda row: -(row.share or 0))
    return Disagreements(one, two, pairs)


def _count(project: Project, first: str, second: str) -> list[PairCount]:
    read = read_score_sources(project, [first, second])
    one, other = (_turned(read, source) for source in read.sources)
    pairs = [_pair(row) for row in count_disagreements(read.systems, one, other)]
    return [row for row in pairs if row.examples]


def _turned(read: SourceTables, source: ScoreSource) -> NDArray[np.float64]:
    """So that more is better."""
    table = read.tables[source.key]
    return -table if source.is_lower_better else table


def _pair(row: Disagreement) -> PairCount:
    examples = row.agree + row.disagree + row.tied
    return PairCount(row.first, row.second, examples, row.agree, row.disagree, row.tied)


def choose_pair(project: Project, first: str, second: str) -> tuple[list[ScoreSource], str, str]:
    """All sources, and the keys of two: those named, else the newest scores and people's."""
    sources = list_score_sources(project)
    keys = [source.key for source in _preferred(sources)]
    first = first or next((key for key in keys if key != second), "")
    second = second or next((key for key in reversed(keys) if key != first), "")
    return sources, first, second


def _preferred(sources: Sequence[ScoreSource]) -> list[ScoreSource]:
    """Metrics and judges first, people last."""
    return sorted(sources, key=lambda source: source.kind == PEOPLE)


def stream_disagreements(found: Disagreements) -> Iterator[str]:
    """A line for each pair of systems."""
    yield row_line(*HEADER)
    for row in found.pairs:
        counts = (row.examples, row.agree, row.disagree, row.tied)
        yield row_line(defuse(row.first), defuse(row.second), *map(str, counts))
