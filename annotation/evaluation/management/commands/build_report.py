"""`manage.py build_report --project SLUG [--human NAME] [--metric NAME …] [--folder DIR]`."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.corpora.management.base import GizaCommand, find_project, run_here
from annotation.corpora.projects.models import Project
from annotation.evaluation.management.finding import tell_learned
from annotation.evaluation.metrics.sources import ScoreSource
from annotation.evaluation.reports import service as reports_service
from annotation.evaluation.reports.files import write_html
from annotation.evaluation.reports.models import MOST_METRICS, Report
from annotation.evaluation.reports.queries import (
    FIGURE_FORMATS,
    ONE,
    list_report_sources,
    read_reported_scores,
    stream_scores,
    write_figure,
)
from annotation.translation import gettext_lazy
from scoring.metaeval.report import write_latex, write_record
from scoring.metaeval.report.options import RESAMPLES
from scoring.metaeval.report.saying import estimated
from scoring.metaeval.study import EVERY, INPUTS

SAID = ("title", "commentary", "resamples", "seed", "inputs")


class Command(GizaCommand):
    help = gettext_lazy(
        "Compare metrics and judges with human scores and report what may be concluded."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True, help="slug")
        parser.add_argument(
            "--human", default="", help=_("name or key of human scores; default: the newest")
        )
        parser.add_argument(
            "--metric",
            action="append",
            default=[],
            help=_("name or key; repeatable; default: all others, at most 30"),
        )
        parser.add_argument(
            "--system", action="append", default=[], help=_("include only this system; repeatable")
        )
        parser.add_argument(
            "--leave-out", action="append", default=[], help=_("exclude this system; repeatable")
        )
        parser.add_argument("--title", default="")
        parser.add_argument("--commentary", default="", help=_("shown with the report"))
        parser.add_argument("--resamples", type=int, default=RESAMPLES)
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument(
            "--inputs", choices=INPUTS, default=EVERY, help=_("examples to include")
        )
        parser.add_argument(
            "--folder", type=Path, help=_("also write the page and all figures to this folder")
        )
        parser.add_argument("--json", action="store_true", help=_("print the whole record"))

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        human, metrics = self._choose(project, options["human"], options["metric"])
        chosen = {name: options[name] for name in SAID}
        made = reports_service.build_report(
            project=project,
            user=None,
            human=human,
            metrics=metrics,
            systems=_choose_systems(project, options["system"], options["leave_out"]),
            **chosen,
        )
        run_here(made.job, _("{made} could not be built").format(made=made))
        made.refresh_from_db()
        if options["folder"]:
            write_files(made, options["folder"])
        if options["json"]:
            self.stdout.write(write_record(made.found).decode(), ending="")
            return
        self.stdout.write("\n".join(describe(made)))
        tell_learned(self.stdout, made.learned)

    def _choose(self, project: Project, human: str, metrics: list[str]) -> tuple[str, list[str]]:
        """Keys of what was named; people's newest, and what suits best, if nothing was."""
        offered = list_report_sources(project)
        sources = [*offered.people, *offered.others]
        truth = _find(sources, human) if human else next(iter(offered.people), None)
        if truth is None:
            raise CommandError(
                _("The project has no human labels. Choose other scores with --human.")
            )
        if metrics:
            return truth.key, [_find(sources, name).key for name in metrics]
        chosen = [source.key for source in offered.suggest_metrics(truth.key)]
        left = sum(source.key != truth.key for source in offered.others) - len(chosen)
        if left:
            self.stderr.write(
                _(
                    "{chosen} metrics chosen, {left} left out: a report has at most "
                    "{most_metrics}. Choose metrics with --metric."
                ).format(chosen=len(chosen), left=left, most_metrics=MOST_METRICS)
            )
        return truth.key, chosen


def _find(sources: list[ScoreSource], said: str) -> ScoreSource:
    found = next((source for source in sources if said in (source.key, source.name)), None)
    if found is None:
        known = ", ".join(source.name for source in sources) or _("none")
        raise CommandError(
            _("There are no scores '{said}'. Known: {known}.").format(said=said, known=known)
        )
    return found


def _choose_systems(project: Project, only: list[str], without: list[str]) -> list[str]:
    if not without:
        return only
    names = only or list(project.systems.live().values_list("name", flat=True))
    if unknown := sorted(set(without) - set(names)):
        raise CommandError(
            _("There is no system '{unknown}'. Known: {names}.").format(
                unknown=unknown[0], names=", ".join(names)
            )
        )
    return [name for name in names if name not in without]


def write_files(report: Report, folder: Path) -> None:
    """Page, record, scores and LaTeX; each figure as SVG, CSV and two sizes of PDF."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.html").write_text(write_html(report), encoding="utf-8")
    (folder / "report.json").write_bytes(write_record(report.found))
    with (folder / "scores.csv").open("w", encoding="utf-8", newline="") as file:
        file.writelines(stream_scores(read_reported_scores(report)))
    (folder / "correlations.tex").write_text(write_latex(report.found), encoding="utf-8")
    for section in report.found["sections"]:
        for format in FIGURE_FORMATS:
            name = section["figure"]
            (folder / f"{name}.{format}").write_bytes(write_figure(report, name, format))
        (folder / f"{name}-column.pdf").write_bytes(write_figure(report, name, "pdf", ONE))


def describe(report: Report) -> Iterator[str]:
    """What is said in short, and the leaderboard."""
    yield str(report)
    yield from report.found["abstract"]
    width = max(len(row["metric"]) for row in report.found["leaderboard"]) + 2
    yield _("{value:<{width}}{value_2:<22}τ, summary level").format(
        value="", width=width, value_2=_("τ, system level")
    )
    for row in report.found["leaderboard"]:
        system, summary = (estimated(row[level]["kendall"]) for level in ("system", "summary"))
        yield f"{row['metric']:<{width}}{system:<22}{summary}"
    yield report.signature
