"""Reports as their pages, REST and files tell of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import isnan
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation.corpora.projects.models import Project
from annotation.errors import DomainError, NotFound
from annotation.evaluation.labels.answers import get_labelled_answers
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.metrics.sources import (
    PEOPLE,
    ScoreSource,
    list_score_sources,
    read_score_sources,
)
from annotation.evaluation.reports.models import MOST_METRICS, Report
from scoring.figures import ONE_COLUMN, TWO_COLUMNS, write_file, write_pdf
from scoring.io.cells import defuse, row_line
from scoring.metaeval.raw_judgements import RawJudgements, read_judgements
from scoring.metaeval.report import Drawing, ReportOptions, draw_one, draw_report
from scoring.metaeval.study import Study, choose_systems

# Beyond these, a table is only in its file.
MOST_ROWS = 120
MEDIA = {
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "csv": "text/csv; charset=utf-8",
}
FIGURE_FORMATS = tuple(MEDIA)
PARTS = ("precision", "recall")
ONE, TWO = "1", "2"
# How wide a figure is in points, by the columns of a paper that it takes.
COLUMNS = {ONE: ONE_COLUMN, TWO: TWO_COLUMNS}


@dataclass(frozen=True, slots=True)
class ReportSection:
    """A figure with its number and its words."""

    number: int
    words: dict[str, Any]
    drawing: Drawing

    @property
    def has_table(self) -> bool:
        return len(self.drawing.table.rows) <= MOST_ROWS


@dataclass(frozen=True, slots=True)
class SourceChoice:
    """What a report can be made of."""

    people: list[ScoreSource]
    others: list[ScoreSource]

    @property
    def is_enough(self) -> bool:
        return len(self.people) + len(self.others) > 1 and bool(self.others)

    def suggest_metrics(self, human: str = "") -> list[ScoreSource]:
        """All of them; where they are too many, F1 before its parts, and some of each set."""
        offered = [source for source in self.others if source.key != human]
        keys = {source.key for source in offered}
        seen: Counter[tuple[str, ...]] = Counter()
        ranks = {}
        for source in offered:
            kind, number, *__ = source.key.split(":", 2)
            is_part = any(_whole_of(source.key, part) in keys for part in PARTS)
            seen[kind, number] += not is_part
            ranks[source.key] = (is_part, seen[kind, number])
        best = sorted(offered, key=lambda source: ranks[source.key])[:MOST_METRICS]
        return [source for source in offered if source in best]


def _whole_of(key: str, part: str) -> str:
    """The key of the F1 that a precision or recall is a part of."""
    return f"{key.removesuffix(part)}f1" if key.endswith(part) else ""


def list_reports(project: Project) -> QuerySet[Report]:
    """The newest first, those that are still being built among them."""
    return Report.objects.filter(project=project).select_related(
        "project", "job__project", "created_by"
    )


def get_report(project: Project, pk: int) -> Report:
    found = list_reports(project).filter(pk=pk).first()
    if found is None:
        raise NotFound(_("The project has no report {pk}.").format(pk=pk))
    return found


def get_ready_report(project: Project, pk: int) -> Report:
    return _ready(get_report(project, pk))


def get_shared_report(token: str) -> Report:
    """Whoever has the token may read it; that it was ever shared is told to nobody else."""
    rows = Report.objects.filter(share_token=token, is_ready=True)
    found = rows.select_related("project", "created_by").first()
    if found is None:
        raise NotFound(_("No report is shared at this address."))
    return found


def _ready(report: Report) -> Report:
    if not report.is_ready:
        raise DomainError(
            _("{report} is not ready yet.").format(report=report),
            _("Wait for its job to finish."),
            fix=report,
        )
    return report


def list_report_sources(project: Project) -> SourceChoice:
    found = list_score_sources(project)
    people = [source for source in found if source.kind == PEOPLE]
    return SourceChoice(people, [source for source in found if source.kind != PEOPLE])


def read_report_study(
    project: Project, human: str, metrics: list[str], systems: list[str]
) -> tuple[Study, list[ScoreSource]]:
    """The sources' scores side by side, under their names, people's first."""
    read = read_score_sources(project, [human, *metrics])
    sources = [_entitled(source) if source.key == human else source for source in read.sources]
    names = {source.key: source.name for source in sources}
    study = Study(
        systems=read.systems,
        documents=read.examples,
        kinds=dict(read.kinds),
        human=names[human],
        scores={names[key]: table for key, table in read.tables.items()},
    )
    return (choose_systems(study, systems) if systems else study), sources


def read_report_judgements(project: Project, human: str) -> RawJudgements | None:
    """The raw answers behind people's scores; none where the scores came from files."""
    kind, number, *__ = human.split(":")
    if kind != "labels":
        return None
    label_set = LabelSet.objects.filter(project=project, pk=number).first()
    if label_set is None:
        return None
    answers = get_labelled_answers(label_set)
    return None if answers is None else read_judgements(answers)


def read_reported_scores(report: Report) -> Study:
    """The very scores that a report is of, under the names that they had when it was asked for."""
    study, sources = read_report_study(report.project, report.human, report.metrics, report.systems)
    now = {source.key: source.content_hash for source in sources}
    if now != {row["key"]: row["hash"] for row in report.sources}:
        raise DomainError(
            _("The scores used in this report have changed since."), _("Build a new report.")
        )
    names = dict(zip(study.scores, [row["name"] for row in report.sources], strict=True))
    scores = {names[name]: table for name, table in study.scores.items()}
    return replace(study, human=names[study.human], scores=scores)


def stream_scores(study: Study) -> Iterator[str]:
    """A row for each score, as `python -m scoring metaeval` reads it; none where there is none."""
    yield row_line("doc_id", "system", "metric", "score")
    for metric, table in study.scores.items():
        for system, row in zip(study.systems, table.tolist(), strict=True):
            for document, score in zip(study.documents, row, strict=True):
                if not isnan(score):
                    names = map(defuse, (document, system, metric))
                    yield row_line(*names, repr(score))


def _entitled(source: ScoreSource) -> ScoreSource:
    """People's labels are called by what they are of, not just people."""
    return replace(source, name=source.title) if source.kind == PEOPLE else source


def report_options(report: Report) -> ReportOptions:
    lower = [row["name"] for row in report.sources if row["lower"] and row["key"] in report.metrics]
    return ReportOptions(**report.options, lower=tuple(lower))


def list_report_sections(report: Report) -> list[ReportSection]:
    drawn = draw_report(report.found)
    return [
        ReportSection(number, words, drawn[words["figure"]])
        for number, words in enumerate(report.found["sections"], start=1)
    ]


def write_figure(report: Report, name: str, format: str, columns: str = "") -> bytes:
    """One figure as a file: its picture, as wide as one or two columns of a paper, or its data."""
    if format not in MEDIA:
        raise NotFound(
            _("There is no format '{format}'.").format(format=format[:20]),
            _("Known: {media}.").format(media=", ".join(MEDIA)),
        )
    if columns not in ("", *COLUMNS):
        raise NotFound(
            _("columns: '{columns}' is not one of {columns_2}.").format(
                columns=columns[:20], columns_2=", ".join(COLUMNS)
            )
        )
    drawing = draw_one(report.found, name)
    if drawing is None:
        known = ", ".join(row["figure"] for row in report.found["sections"])
        raise NotFound(
            _("The report has no figure '{name}'.").format(name=name[:40]),
            _("Known: {known}.").format(known=known),
        )
    if format == "csv":
        return drawing.table.to_csv().encode()
    drawn = drawing.narrow if columns == ONE else drawing.wide
    if format == "pdf":
        return write_pdf(drawn, width=COLUMNS[columns or TWO])
    return write_file(drawn, width=COLUMNS.get(columns)).encode()
