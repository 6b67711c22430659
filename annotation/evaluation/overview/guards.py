"""What others must ask before they let go of what labels refer to."""

from __future__ import annotations

from django.db.models import Model
from django.utils.translation import gettext as _

from annotation.corpora.imports.models import Import
from annotation.corpora.imports.writing import REFUSALS
from annotation.corpora.jobs.models import JobState
from annotation.corpora.projects.models import Project
from annotation.corpora.projects.service import REMOVE_FIRST
from annotation.crowd.campaigns.models import Campaign
from annotation.crowd.campaigns.service import CAMPAIGN_REFUSALS
from annotation.errors import DomainError
from annotation.evaluation.estimates.models import ScoreEstimate
from annotation.evaluation.gold.models import GoldVersion
from annotation.evaluation.judges.models import TrainedJudge
from annotation.evaluation.judges.service import remove_files
from annotation.evaluation.labels.models import Adjudication, Decision, LabelSet, SummaryLabels
from annotation.evaluation.metrics.models import ExampleScores, ScoreSet
from annotation.evaluation.planning.models import BudgetPlan, CurveRun
from annotation.evaluation.planning.taken import forget_set
from annotation.evaluation.robustness.models import ExampleDrops, RobustnessStudy
from annotation.evaluation.runs.models import JudgeRun, SummaryPresence
from annotation.evaluation.samples.models import Sample, SampledExample
from annotation.removal import remove_rows
from annotation.units.sets.service import SET_REFUSALS

# In this order: a later one may be what an earlier one protects.
OF_A_PROJECT: tuple[type[Model], ...] = (
    ScoreEstimate,
    Sample,
    CurveRun,
    BudgetPlan,
    TrainedJudge,
    GoldVersion,
    Adjudication,
    Decision,
    LabelSet,
    RobustnessStudy,
    ScoreSet,
    JudgeRun,
)
NOT_OVER = (JobState.QUEUED, JobState.RUNNING, JobState.PAUSED)


def refuse_if_labelled(import_: Import) -> None:
    row = SummaryLabels.objects.filter(summary__source=import_).select_related("label_set").first()
    if row is not None:
        raise DomainError(
            _("Summaries of this import are labelled in {label_set}.").format(
                label_set=row.label_set
            ),
            _("Delete the labels first. Labels used by a gold version can't be deleted."),
            fix=row.label_set,
        )


def refuse_if_judged(import_: Import) -> None:
    """A run that is under way may have any of the project's summaries in hand."""
    done = SummaryPresence.objects.filter(summary__source=import_).select_related("run")
    row = done.first()
    open_runs = JudgeRun.objects.filter(project=import_.project, job__state__in=NOT_OVER)
    run = row.run if row is not None else open_runs.first()
    if run is not None:
        raise DomainError(
            _("Summaries of this import are judged by {run}.").format(run=run),
            _("Cancel or delete the run first."),
            fix=run,
        )


def refuse_if_scored(import_: Import) -> None:
    """Scores are about the summaries of systems on examples; both may be this import's."""
    open_sets = ScoreSet.objects.filter(project=import_.project, job__state__in=NOT_OVER)
    row = ExampleScores.objects.filter(
        example__summaries__source=import_, score_set__project=import_.project
    ).select_related("score_set")
    scored = row.first()
    found = scored.score_set if scored is not None else open_sets.first()
    if found is not None:
        raise DomainError(
            _("Summaries of this import are in {found}.").format(found=found),
            _("Cancel or delete the scores first."),
            fix=found,
        )


def refuse_if_sampled(import_: Import) -> None:
    """A sample stands against the whole population that it was drawn from."""
    row = SampledExample.objects.filter(example__source=import_).select_related("sample").first()
    if row is not None:
        raise DomainError(
            _("Examples of this import are in {sample}.").format(sample=row.sample),
            _("Delete the sample first."),
            fix=row.sample,
        )


def refuse_if_perturbed(import_: Import) -> None:
    """A study that is under way may have any of the project's texts in hand."""
    open_studies = RobustnessStudy.objects.filter(
        project=import_.project, job__state__in=NOT_OVER
    ).first()
    row = (
        ExampleDrops.objects.filter(
            example__summaries__source=import_, study__project=import_.project
        )
        .select_related("study")
        .first()
    )
    found = row.study if row is not None else open_studies
    if found is not None:
        raise DomainError(
            _("Summaries of this import are in {found}.").format(found=found),
            _("Cancel or delete the study first."),
            fix=found,
        )


def refuse_if_used(campaign: Campaign) -> None:
    """Labels and samples say which campaigns' answers they are made of."""
    found = campaign.label_sets.first() or campaign.samples.first()
    if found is not None:
        raise DomainError(
            _("{found} uses the answers of {campaign}.").format(found=found, campaign=campaign),
            _("Delete that first. Labels used by a gold version can't be deleted."),
        )


def remove_labels(project: Project) -> None:
    """A project that goes takes its labels, gold files, trained judges, scores and plans along."""
    for judge in TrainedJudge.objects.filter(project=project):
        remove_files(judge)
    for gold in GoldVersion.objects.filter(project=project):
        gold.path.unlink(missing_ok=True)
    for model in OF_A_PROJECT:
        remove_rows(model._default_manager.filter(project=project))


REFUSALS += [
    refuse_if_labelled,
    refuse_if_judged,
    refuse_if_scored,
    refuse_if_sampled,
    refuse_if_perturbed,
]
SET_REFUSALS.append(forget_set)
CAMPAIGN_REFUSALS.append(refuse_if_used)
# Before campaigns and units, which labels refer to.
REMOVE_FIRST.insert(0, remove_labels)
