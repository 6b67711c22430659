"""A study's power, from the answers at hand as a pilot: computed by a job, and stored with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotation.corpora.models import Job, Project, User
from annotation.corpora.services.jobs import KINDS, JobKind, Work, create_job
from annotation.errors import Invalid
from annotation.evaluation.selectors.answers import get_collected, get_judged_campaigns
from annotation.evaluation.selectors.power import KIND, find_power
from annotation.translation import gettext as _
from scoring.estimation.power import Pilot

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
