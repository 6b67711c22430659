"""Whatever scores a project has, under one roof: metrics, people's labels, runs of judges.

A source is known by its key: `scores:<pk>:<column>`, `labels:<pk>` or `run:<pk>`. Each is read as
systems × examples, so that any can be held against any other.

- Which metrics a project can be scored by, and what it lacks for the others.
- How often two sources of scores prefer different systems on an example, by pair of systems.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from annotation.computed import Computed
from annotation.corpora.corpus.models import Document, Reference, System
from annotation.corpora.projects.models import Project
from annotation.errors import Invalid, NotFound
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.labels.scores import KEPT_SECONDS, get_table
from annotation.evaluation.metrics.models import ScoreSet
from annotation.evaluation.metrics.queries import get_score_table
from annotation.evaluation.runs.models import JudgeRun
from annotation.evaluation.runs.queries import get_run_table
from annotation.translation import gettext_lazy
from scoring.io.cells import defuse, row_line
from scoring.metrics import METRICS
from scoring.metrics.catalogue import Entry
from scoring.metrics.disagreement import Disagreement, count_disagreements
from scoring.metrics.protocol import DOCUMENTS, REFERENCES
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


MODELS = gettext_lazy("needs models that this server doesn’t offer")


@dataclass(frozen=True, slots=True)
class MetricChoice:
    """A metric; `lack` is empty, or what keeps it from scoring anything here."""

    name: str
    what: str
    lack: str
    is_quick: bool


def list_metric_choices(project: Project) -> list[MetricChoice]:
    """All metrics, each as it is without options."""
    has = {
        REFERENCES: Reference.objects.filter(example__project=project).exists(),
        DOCUMENTS: Document.objects.filter(example__project=project).exists(),
    }
    missing = [kind for kind, is_there in has.items() if not is_there]
    return [
        MetricChoice(name, row.what, _lack(row, missing), row.is_quick)
        for name, row in METRICS.items()
    ]


def _lack(entry: Entry, missing: list[str]) -> str:
    if entry.needs_models:
        return str(MODELS)
    lacking = [kind for kind in missing if kind in entry.needs]
    return (
        _("reads {lacking}, and no example has any").format(lacking=" and ".join(lacking))
        if lacking
        else ""
    )


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
