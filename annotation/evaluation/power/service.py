"""A study's power as pages and REST read it: jobs, their results, and what follows from them.

- A study's power, from the answers at hand as a pilot: computed by a job, and stored with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.kinds import KINDS, JobKind
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.jobs.service import create_job
from annotation.corpora.jobs.work import Work
from annotation.corpora.projects.models import Project
from annotation.errors import Invalid, NotFound
from annotation.evaluation.labels.answers import get_collected, get_judged_campaigns
from annotation.wording import counted
from scoring.estimation.power import ENOUGH, Pilot, conclude_power
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


# Each design takes about a second.
MOST_DESIGNS = 60
MOST_EXAMPLES, MOST_ANNOTATORS, MOST_COMPARISONS, MOST_SEED = 5000, 20, 10_000, 2**32 - 1


def compute_power(
    *,
    project: Project,
    user: User | None,
    differences: Sequence[float],
    examples: Sequence[int],
    annotators: Sequence[int],
    comparisons: int = 1,
    seed: int = 0,
) -> Job:
    """The job that computes it; asking for the same answers twice computes it once."""
    _check(differences, examples, annotators, comparisons, seed)
    campaigns = get_judged_campaigns(project, ())
    params = {
        "campaigns": sorted(campaign.pk for campaign in campaigns),
        "answers": get_collected(campaigns).answers.content_hash(),
        "differences": sorted(set(map(float, differences))),
        "examples": sorted(set(examples)),
        "annotators": sorted(set(annotators)),
        "comparisons": comparisons,
        "seed": seed,
    }
    return find_power(project, params) or create_job(
        project=project, user=user, kind=KIND, title=_("Compute power"), params=params
    )


def _check(
    differences: Sequence[float],
    examples: Sequence[int],
    annotators: Sequence[int],
    comparisons: int,
    seed: int,
) -> None:
    designs = len(differences) * len(examples) * len(annotators)
    if not 1 <= designs <= MOST_DESIGNS:
        raise Invalid(
            _(
                "{designs} designs: give 1 to {most_designs} combinations of differences, examples "
                "and annotators."
            ).format(designs=designs, most_designs=MOST_DESIGNS)
        )
    if not all(0 < value <= 1 for value in differences):
        raise Invalid(_("differences: expected numbers above 0 and up to 1."))
    for name, values, least, most in (
        ("examples", examples, 2, MOST_EXAMPLES),
        ("annotators", annotators, 1, MOST_ANNOTATORS),
        ("comparisons", [comparisons], 1, MOST_COMPARISONS),
        ("seed", [seed], 0, MOST_SEED),
    ):
        if not all(least <= value <= most for value in values):
            raise Invalid(
                _("{name}: expected whole numbers from {least} to {most:,}.").format(
                    name=name, least=least, most=most
                )
            )


def run_power(work: Work) -> dict[str, Any]:
    """A design a step: what a killed worker had computed stays."""
    params = work.job.params
    collected = get_collected(get_judged_campaigns(work.job.project, params["campaigns"]))
    pilot = Pilot(collected.answers.keep(~collected.rejected), seed=params["seed"])
    designs = [
        (difference, examples, annotators)
        for difference in params["differences"]
        for annotators in params["annotators"]
        for examples in params["examples"]
    ]
    rows: list[dict[str, Any]] = work.cursor.get("rows", [])
    for difference, examples, annotators in designs[len(rows) :]:
        work.report(
            len(rows),
            len(designs),
            phase=_("Drawing studies of {examples:,} examples").format(examples=examples),
        )
        found = pilot.power(
            difference,
            examples=examples,
            annotators=annotators,
            comparisons=params["comparisons"],
        )
        with work.step():
            rows = [*rows, found.to_json()]
            work.cursor = {"rows": rows}
            work.done = len(rows)
    return {"documents": len(pilot.documents), "systems": len(pilot.systems), "rows": rows}


KINDS[KIND] = JobKind(run_power, is_long=True)
