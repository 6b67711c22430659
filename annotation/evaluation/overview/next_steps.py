"""The one thing to do next in a project, at every state of a study.

The order is written down at the end: work that others wait for comes first, then the stages of a
study one after the other. A draft that nobody has touched when labels are made was left behind by
the study, and is not offered.
"""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.access import ProjectAccess
from annotation.corpora.jobs.models import JobState
from annotation.corpora.projects.models import Project
from annotation.corpora.projects.queries import NEXT_STEPS, NextStep
from annotation.crowd.campaigns.models import Campaign
from annotation.crowd.campaigns.overview import (
    find_draft_campaign,
    find_first_campaign,
    find_open_campaign,
    find_review_work,
    find_stopped_campaign,
    list_unfinished,
)
from annotation.crowd.offline.service import list_frozen_sets
from annotation.evaluation.gold.models import GoldVersion
from annotation.evaluation.labels.answers import list_judged_campaigns
from annotation.evaluation.labels.models import Adjudication, LabelSet
from annotation.evaluation.labels.queries import find_way_anew, list_kept_labels
from annotation.evaluation.metrics.models import ScoreSet
from annotation.evaluation.overview.stages import has_both_scores, is_to_plan
from annotation.evaluation.planning.models import BudgetPlan
from annotation.evaluation.reports.models import Report
from annotation.evaluation.runs.models import JudgeRun
from annotation.units.overview import (
    find_double_work,
    find_last_work,
    find_writing,
    get_current_set,
)
from annotation.wording import counted

WAITS = (JobState.QUEUED, JobState.RUNNING)
STOPPED = (JobState.FAILED, JobState.CANCELLED)


def find_open_writing(access: ProjectAccess) -> NextStep | None:
    """Units to write, check or freeze. A draft that nobody touched may have been left behind."""
    current, labelled_at = (
        get_current_set(access.project, access.user),
        _labelled_at(access.project),
    )
    if current is None or current.is_frozen or labelled_at is None or not access.can_edit:
        return find_writing(access)
    is_left_behind = find_last_work(current) <= current.created_at < labelled_at
    return None if is_left_behind else find_writing(access)


def _labelled_at(project: Project) -> datetime | None:
    """When the newest labels were made."""
    rows = LabelSet.objects.filter(project=project, is_ready=True)
    return rows.values_list("created_at", flat=True).first()


def find_open_draft(access: ProjectAccess) -> NextStep | None:
    return find_draft_campaign(access, since=_labelled_at(access.project))


def find_stopped(access: ProjectAccess) -> NextStep | None:
    return find_stopped_campaign(access, since=_labelled_at(access.project))


def find_plan_work(access: ProjectAccess) -> NextStep | None:
    """A plan, where STUs are all there is of units: it says which sentences people write."""
    project = access.project
    if not access.can_edit or not is_to_plan(project):
        return None
    if not BudgetPlan.objects.filter(project=project).exclude(job__state__in=STOPPED).exists():
        return NextStep(
            _("Plan with a budget"),
            _(
                "Enter a budget to see which sentences people should write, which can use STUs, "
                "and how many crowd judges you need."
            ),
            _("New budget"),
            reverse("evaluation:plan_budget", args=[project.slug]),
        )
    open_plans = BudgetPlan.objects.filter(project=project, chosen="")
    found = open_plans.exclude(job__state__in=STOPPED).first()
    if found is None:
        return None
    url = reverse("evaluation:plan", args=[project.slug, found.pk])
    if not found.is_ready:
        words = _("Plans are being computed. You can leave the page; the job continues.")
        return NextStep(str(found), words, _("Open the job"), url)
    return NextStep(
        _("Choose a plan"),
        _(
            "{found} has {plans}. Using one creates a draft "
            "unit set and a draft campaign; nothing is spent."
        ).format(found=found, plans=counted(len(found.plans), "plan", "plans")),
        _("Open plans"),
        url,
    )


def find_labels_to_import(access: ProjectAccess) -> NextStep | None:
    """Labels that came with the corpus, once units are frozen that they can be about."""
    project = access.project
    has_units = list_frozen_sets(project).filter(extractor="").exists()
    is_open = has_units and not _has_labels(project)
    if not access.can_edit or not is_open or Campaign.objects.filter(project=project).exists():
        return None
    kept = list_kept_labels(project)
    if not kept:
        return None
    return NextStep(
        _("Import the labels that came with the corpus"),
        _("The corpus includes {files}.").format(
            files=counted(sum(number for __, number in kept), "label file", "label files")
        ),
        _("Import labels"),
        reverse("evaluation:import_labels", args=[project.slug]),
    )


def _has_labels(project: Project) -> bool:
    """Made, or being made."""
    rows = LabelSet.objects.filter(project=project)
    return rows.filter(Q(is_ready=True) | Q(job__state__in=WAITS)).exists()


def find_campaign_to_start(access: ProjectAccess) -> NextStep | None:
    """A first campaign, unless labels are there already."""
    return None if _has_labels(access.project) else find_first_campaign(access)


def find_gold_work(access: ProjectAccess) -> NextStep | None:
    """Answers without labels, an expert's word that no labels heed, or labels without gold.

    A crowd's answers that are all there come before labels that were brought in from elsewhere.
    """
    project = access.project
    rows = LabelSet.objects.filter(project=project)
    if not access.can_edit or rows.filter(is_ready=False, job__state__in=WAITS).exists():
        return None
    if step := _heed_crowd(project):
        return step
    newest = rows.filter(is_ready=True).first()
    return (_heed_experts(newest) or _publish(newest)) if newest else None


def _heed_crowd(project: Project) -> NextStep | None:
    """The newest campaign whose answers are all in, and that no labels were made of."""
    used = LabelSet.objects.filter(project=project).exclude(campaigns=None)
    labelled = set(used.values_list("campaigns", flat=True))
    awaited = {row.pk for row in list_unfinished(project)}
    for campaign in list_judged_campaigns(project):
        if campaign.pk not in labelled | awaited:
            return _label(project, campaign)
    return None


def _label(project: Project, campaign: Campaign) -> NextStep:
    return NextStep(
        _("Create labels from judgements"),
        _(
            "The answers of {campaign} are in. Try rules for noisy work and ties, see what they "
            "change, and save what you choose."
        ).format(campaign=campaign),
        _("Open what-if analysis"),
        f"{reverse('evaluation:whatif', args=[project.slug])}?campaign={campaign.pk}",
    )


def _heed_experts(newest: LabelSet) -> NextStep | None:
    settled = Adjudication.objects.filter(
        project=newest.project,
        unit__set=newest.unit_set_id,
        undone_at=None,
        made_at__gt=newest.created_at,
    ).count()
    way = find_way_anew(newest) if settled else ""
    if not way:
        return None
    return NextStep(
        _("{decisions} since {newest}").format(
            decisions=counted(settled, "expert decision", "expert decisions"), newest=newest
        ),
        _("Rebuild the labels to include these decisions, which override the vote."),
        _("Rebuild labels"),
        way,
    )


def _publish(newest: LabelSet) -> NextStep | None:
    """Labels of which no gold version was made, nor of any that came after them."""
    project = newest.project
    made = GoldVersion.objects.filter(project=project, created_at__gt=newest.created_at)
    if made.filter(Q(is_ready=True) | Q(job__state__in=WAITS)).exists():
        return None
    return NextStep(
        _("Publish {newest}").format(newest=newest),
        _(
            "A gold version contains texts, units and labels in one file with a hash, ready to "
            "share."
        ),
        _("Create gold version"),
        reverse("evaluation:create_gold", args=[project.slug, newest.pk]),
    )


def find_run_work(access: ProjectAccess) -> NextStep | None:
    """A run that needs somebody, or the first one. One that was done again needs nobody."""
    project = access.project
    if not access.can_edit:
        return None
    runs = JudgeRun.objects.filter(project=project)
    done = runs.filter(is_ready=True).values_list("created_at", flat=True).first()
    stuck = runs.filter(is_ready=False, job__state__in=[JobState.PAUSED, JobState.FAILED])
    stuck = stuck.select_related("job", "unit_set")
    if run := (stuck.filter(created_at__gt=done) if done else stuck).first():
        state = run.job.get_state_display().lower() if run.job else ""
        url = reverse("evaluation:run", args=[project.slug, run.pk])
        words = _("Judged pairs are cached. The run continues from there.")
        return NextStep(
            _("{run} is {state}").format(run=run, state=state), words, _("Open run"), url
        )
    if _begun_runs(project) or not _can_run(project):
        return None
    return NextStep(
        _("Score the summaries with a judge"),
        _(
            "A model predicts which units each summary contains. Comparing it with human labels "
            "shows how accurate it is."
        ),
        _("New run"),
        reverse("evaluation:start_run", args=[project.slug]),
    )


def _begun_runs(project: Project) -> bool:
    rows = JudgeRun.objects.filter(project=project)
    return rows.exclude(is_ready=False, job__state=JobState.CANCELLED).exists()


def _can_run(project: Project) -> bool:
    return project.summary_count > 0 and list_frozen_sets(project).exists()


def find_metric_work(access: ProjectAccess) -> NextStep | None:
    """Other metrics next to the first judge, until there is a report."""
    project = access.project
    has_scores = ScoreSet.objects.filter(project=project).exclude(job__state__in=STOPPED).exists()
    has_reports = Report.objects.filter(project=project).exclude(job__state__in=STOPPED).exists()
    if not access.can_edit or has_scores or has_reports or not _begun_runs(project):
        return None
    return NextStep(
        _("Compute other metrics"),
        _(
            "ROUGE and others score the same summaries; a report then shows which agree with "
            "people."
        ),
        _("Compute a metric"),
        reverse("evaluation:score_metric", args=[project.slug]),
    )


def find_report_work(access: ProjectAccess) -> NextStep | None:
    """The first report, once labels can be compared with something; another for newer labels."""
    project = access.project
    if not access.can_edit:
        return None
    newest = Report.objects.filter(project=project, is_ready=True).first()
    labelled_at = _labelled_at(project)
    is_old = newest is not None and labelled_at is not None and newest.created_at < labelled_at
    is_building = Report.objects.filter(project=project, job__state__in=WAITS).exists()
    if is_building or not (is_old or (newest is None and has_both_scores(project))):
        return None
    return NextStep(
        _("Build a report on the newest labels")
        if is_old
        else _("Check how reliable the scores are"),
        _(
            "A report compares judges and metrics with human scores, and states what may be "
            "concluded."
        ),
        _("New report"),
        reverse("evaluation:build_report", args=[project.slug]),
    )


def find_reading(access: ProjectAccess) -> NextStep | None:
    """What readers came for."""
    project = access.project
    report = Report.objects.filter(project=project, is_ready=True).first()
    if report is None or access.can_edit:
        return None
    url = reverse("evaluation:report", args=[project.slug, report.pk])
    return NextStep(_("Read the report"), report.title, _("Open report"), url)


def find_end(access: ProjectAccess) -> NextStep | None:
    """Gold and a report are there: what is left is to give them to others."""
    project = access.project
    gold = GoldVersion.objects.filter(project=project, is_ready=True).first()
    if gold is None or not Report.objects.filter(project=project, is_ready=True).exists():
        return None
    open_ones = list_unfinished(project)
    title = _("Gold dataset and report are ready") if open_ones else _("The study is complete")
    words = _(
        "You can publish {gold} and its report. The dataset is one file, identified by its hash."
    ).format(gold=gold)
    if open_ones:
        words = f"{words} {_tell_open(open_ones)}"
    url = reverse("evaluation:version", args=[project.slug, gold.pk])
    return NextStep(title, words, _("Open {gold}").format(gold=gold), url)


def _tell_open(campaigns: list[Campaign]) -> str:
    named = campaigns[0]
    more = (
        _(" and {campaigns:,} more").format(campaigns=len(campaigns) - 1)
        if len(campaigns) > 1
        else ""
    )
    return _("Not finished: {named} is {state}{more}.").format(
        named=named, state=named.get_state_display().lower(), more=more
    )


NEXT_STEPS += [
    find_double_work,
    find_open_writing,
    find_review_work,
    find_stopped,
    find_open_draft,
    find_plan_work,
    find_labels_to_import,
    find_campaign_to_start,
    find_gold_work,
    find_run_work,
    find_metric_work,
    find_report_work,
    find_reading,
    find_end,
    find_open_campaign,
]
