"""Whatever scores a project has, under one roof: metrics, people's labels, runs of judges.

A source is known by its key: `scores:<pk>:<column>`, `labels:<pk>` or `run:<pk>`. Each is read as
systems × examples, so that any can be held against any other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from annotation.corpora.models import Project, System
from annotation.errors import NotFound
from annotation.evaluation.models import JudgeRun, LabelSet, ScoreSet
from annotation.evaluation.selectors.run_scores import get_run_table
from annotation.evaluation.selectors.score_tables import get_score_table
from annotation.evaluation.selectors.scores import get_table
from annotation.translation import gettext as _
from scoring.pyramid import ScoreTable

METRIC, PEOPLE, JUDGE = "metric", "people", "judge"

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ScoreSource:
    """Scores to choose from. `name` is short and the project's only one; `title` says more.

    `is_named` says that a person chose the name.
    """

    key: str
    kind: str
    name: str
    title: str
    is_lower_better: bool
    signature: str
    content_hash: str
    metric: str = ""
    is_named: bool = False

    @property
    def label(self) -> str:
        """Its name with its metric, for lists where many metrics stand side by side."""
        return self.name if self.is_named else _name_with_metric(self).name


@dataclass(frozen=True, slots=True)
class SourceTables:
    """Several sources on the same systems and examples, by key; nan where one has no score."""

    systems: tuple[str, ...]
    examples: tuple[str, ...]
    kinds: Mapping[str, str]
    sources: tuple[ScoreSource, ...]
    tables: Mapping[str, Floats]


def list_score_sources(project: Project) -> list[ScoreSource]:
    """Everything that is ready: people's first, then judges', then metrics', the newest first."""
    found = [*_people(project), *_judges(project), *_metrics(project)]
    for name_longer in (_name_with_metric, _name_with_number):
        often = Counter(source.name for source in found)
        found = [
            name_longer(source) if often[source.name] > 1 and not source.is_named else source
            for source in found
        ]
    return found


def _name_with_metric(source: ScoreSource) -> ScoreSource:
    """Many metrics have a precision: bertscore precision."""
    is_told = source.name.startswith(source.metric)
    return source if is_told else replace(source, name=f"{source.metric} {source.name}")


def _name_with_number(source: ScoreSource) -> ScoreSource:
    return replace(source, name=f"{source.name} #{source.key.split(':')[1]}")


def get_score_source(project: Project, key: str) -> ScoreSource:
    [found] = _choose(project, [key])
    return found


def _choose(project: Project, keys: Sequence[str]) -> list[ScoreSource]:
    """The sources of these keys, each once, in the order of the keys."""
    known = {source.key: source for source in list_score_sources(project)}
    for key in keys:
        if key not in known:
            raise NotFound(
                _("The project has no scores '{key}'.").format(key=key[:200]),
                _("Choose one of its sources."),
            )
    return [known[key] for key in dict.fromkeys(keys)]


def read_score_source(project: Project, key: str) -> ScoreTable:
    """Systems × examples in the corpus's order; nan where there is no score."""
    return _read(get_score_source(project, key))


def _read(source: ScoreSource) -> ScoreTable:
    kind, number, *column = source.key.split(":", 2)
    if kind == "labels":
        return get_table(LabelSet.objects.select_related("unit_set").get(pk=number))
    if kind == "run":
        return get_run_table(JudgeRun.objects.get(pk=number))
    return get_score_table(ScoreSet.objects.get(pk=number), column[0])


def read_score_sources(project: Project, keys: Sequence[str]) -> SourceTables:
    """On all systems and examples that any of them has a score of."""
    sources = _choose(project, keys)
    read = {source.key: _read(source) for source in sources}
    systems = sorted({name for table in read.values() for name in table.systems})
    examples = _order(project, {name for table in read.values() for name in table.documents})
    kinds = dict(System.objects.filter(project=project).values_list("name", "kind"))
    return SourceTables(
        tuple(systems),
        tuple(examples),
        {name: kinds[name] for name in systems if name in kinds},
        tuple(sources),
        {key: _spread(table, systems, examples) for key, table in read.items()},
    )


def _order(project: Project, keys: set[str]) -> list[str]:
    rows = project.examples.order_by("position", "pk").values_list("key", flat=True)
    return [key for key in rows if key in keys]


def _spread(table: ScoreTable, systems: Sequence[str], examples: Sequence[str]) -> Floats:
    rows = {name: place for place, name in enumerate(systems)}
    columns = {name: place for place, name in enumerate(examples)}
    kept = [place for place, name in enumerate(table.documents) if name in columns]
    found = np.full((len(systems), len(examples)), np.nan)
    at = np.ix_(
        [rows[name] for name in table.systems], [columns[table.documents[place]] for place in kept]
    )
    found[at] = table.scores[:, kept]
    return found


def _people(project: Project) -> Iterator[ScoreSource]:
    rows = LabelSet.objects.filter(project=project, is_ready=True).select_related("unit_set")
    for row in rows:
        yield ScoreSource(
            f"labels:{row.pk}", PEOPLE, "people", str(row), False, row.signature, row.content_hash
        )


def _judges(project: Project) -> Iterator[ScoreSource]:
    rows = JudgeRun.objects.filter(project=project, is_ready=True).select_related("unit_set")
    for row in rows:
        yield ScoreSource(
            f"run:{row.pk}",
            JUDGE,
            row.title,
            str(row),
            False,
            row.signature,
            row.content_hash,
            is_named=bool(row.display_name),
        )


def _metrics(project: Project) -> Iterator[ScoreSource]:
    for row in ScoreSet.objects.filter(project=project, is_ready=True):
        for column in row.columns:
            yield ScoreSource(
                f"scores:{row.pk}:{column}",
                METRIC,
                row.name_column(column),
                _("{column} of {row}").format(column=column, row=row),
                column in row.lower,
                row.signature,
                row.content_hash,
                row.metric,
                column in row.display_names,
            )
