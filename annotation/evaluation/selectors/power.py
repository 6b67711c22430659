"""A study's power as pages and REST read it: jobs, their results, and what follows from them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

from annotation.corpora.models import Job, JobState, Project
from annotation.errors import NotFound
from annotation.translation import gettext as _
from annotation.wording import counted
from scoring.estimation.power import ENOUGH, conclude_power
from scoring.figures.curves import Series, draw_curves
from scoring.figures.display import Figure
from scoring.figures.scale import NARROW, WIDE
from scoring.io.cells import row_line

KIND = "compute_power"
STATES = (JobState.QUEUED, JobState.RUNNING, JobState.PAUSED, JobState.DONE)
COLUMNS = (
    *("difference", "examples", "annotators", "power", "low", "high", "pairs", "made_up"),
    *("level", "rounds", "seed"),
)


def list_power(project: Project) -> QuerySet[Job]:
    """The newest first, failed ones among them."""
    rows = Job.objects.filter(project=project, kind=KIND).select_related("project")
    return rows.order_by("-pk")


def find_power(project: Project, params: dict[str, Any]) -> Job | None:
    """One that has computed just this, or is about to."""
    rows = list_power(project).filter(state__in=STATES)[:50]
    return next((job for job in rows if job.params == params), None)


def get_power(project: Project, pk: int | None = None) -> Job:
    """That one; without a number, the newest that is done."""
    rows = list_power(project)
    found = (rows.filter(pk=pk) if pk else rows.filter(state=JobState.DONE)).first()
    if found is None:
        raise NotFound(
            _("The project has no power analysis {pk}.").format(pk=pk)
            if pk
            else _("No power analysis has been computed yet."),
            _("Compute one on the page Power of a study, or by POST."),
        )
    return found


def conclude(job: Job) -> str:
    return conclude_power(job.result["rows"]) if job.state == JobState.DONE else ""


def draw_power(job: Job) -> list[Figure]:
    """Power by examples, a curve for each difference and number of annotators; two widths."""
    curves: dict[tuple[float, int], list[dict[str, Any]]] = {}
    for row in job.result["rows"]:
        curves.setdefault((row["difference"], row["annotators"]), []).append(row)
    if min(map(len, curves.values())) < 2:
        return []
    series = [
        Series(
            f"{counted(annotators, 'annotator', 'annotators')}, {difference:g}",
            *(tuple(row[name] for row in rows) for name in ("examples", "power", "low", "high")),
        )
        for (difference, annotators), rows in curves.items()
    ]
    return [
        draw_curves(
            series,
            name="power",
            title=_("Power by number of examples; {enough:g} is a usual goal").format(
                enough=ENOUGH
            ),
            across="examples",
            up="power",
            width=width,
        )
        for width in (WIDE, NARROW)
    ]


def stream_power(job: Job) -> Iterator[str]:
    yield row_line(*COLUMNS)
    for row in job.result["rows"]:
        yield row_line(*(repr(row[name]) for name in COLUMNS))
