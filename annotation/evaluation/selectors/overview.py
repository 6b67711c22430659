"""What the project's overview says of labels, gold, scores and reports, and what is next."""

from __future__ import annotations

from django.db.models import F
from django.urls import reverse

from annotation.access import ProjectAccess
from annotation.corpora.models import Job, JobState, Project
from annotation.corpora.selectors.jobs import ABOUT, OUTCOMES, About
from annotation.corpora.selectors.projects import NEXT_STEPS, STAGES, NextStep, Stage
from annotation.crowd.models import Campaign
from annotation.crowd.selectors.offline import list_frozen_sets
from annotation.crowd.selectors.overview import find_crowd_work, list_unfinished
from annotation.evaluation.models import (
    Adjudication,
    BudgetPlan,
    GoldVersion,
    JudgeRun,
    LabelSet,
    Report,
    ScoreSet,
)
from annotation.evaluation.selectors.answers import list_judged_campaigns
from annotation.evaluation.selectors.settled import find_way_anew
from annotation.units.models import SetState, UnitSet
from annotation.wording import counted

PLAN = "Which sentences need a person"
GOLD = "Labels that a paper can stand on"
SCORES = "People and models, per system"
REPORT = "How far metrics can be trusted"


def get_plan_stage(project: Project) -> Stage:
    """What was planned, and whether it was taken."""
    url = reverse("evaluation:plans", args=[project.slug])
    rows = BudgetPlan.objects.filter(project=project, is_ready=True)
    newest = rows.order_by(F("chosen_at").desc(nulls_last=True), "-pk").first()
    if newest is None:
        return Stage("Plan", "—", PLAN, "later", url)
    if newest.chosen_plan is None:
        said = counted(len(newest.plans), "plan")
        return Stage("Plan", said, f"None taken of {newest}", "current", url)
    share = 100 - newest.chosen_plan["percentage"]
    return Stage("Plan", f"{share:g} % SCU", str(newest), "done", url)


def get_gold_stage(project: Project) -> Stage:
    url = reverse("evaluation:gold", args=[project.slug])
    newest = GoldVersion.objects.filter(project=project, is_ready=True).first()
    if newest is not None:
        return Stage("Gold", f"v{newest.version}", newest.name, "done", url)
    labels = LabelSet.objects.filter(project=project, is_ready=True).count()
    if labels:
        said = f"{labels:,} label set{'' if labels == 1 else 's'}"
        return Stage("Gold", said, "No gold version yet", "current", url)
    is_ready = bool(list_judged_campaigns(project))
    return Stage("Gold", "None yet", GOLD, "current" if is_ready else "later", url)


def get_scores_stage(project: Project) -> Stage:
    """Runs of judges, and how people have scored."""
    runs = JudgeRun.objects.filter(project=project, is_ready=True).count()
    if runs:
        url = reverse("evaluation:runs", args=[project.slug])
        return Stage("Scores", counted(runs, "run"), "By judges, beside people", "done", url)
    newest = LabelSet.objects.filter(project=project, is_ready=True).first()
    if newest is None:
        return Stage("Scores", "—", SCORES, "later")
    url = reverse("evaluation:scores", args=[project.slug, newest.pk])
    systems = len(newest.figures.get("systems", []))
    return Stage("Scores", f"{systems:,} systems", f"By people, {newest}", "done", url)


def get_report_stage(project: Project) -> Stage:
    """The newest report, or that one can be built."""
    url = reverse("evaluation:reports", args=[project.slug])
    rows = Report.objects.filter(project=project)
    ready = rows.filter(is_ready=True)
    newest = ready.first()
    if newest is not None:
        return Stage("Report", counted(ready.count(), "report"), newest.title, "done", url)
    if rows.filter(job__state__in=[JobState.QUEUED, JobState.RUNNING]).exists():
        return Stage("Report", "Draft", "Being built", "current", url)
    has_people = LabelSet.objects.filter(project=project, is_ready=True).exists()
    has_scores = (
        JudgeRun.objects.filter(project=project, is_ready=True).exists()
        or ScoreSet.objects.filter(project=project, is_ready=True).exists()
    )
    if has_people and has_scores:
        return Stage("Report", "None yet", "Scores wait to be held against people", "current", url)
    return Stage("Report", "—", REPORT, "later", url)


def find_plan_work(access: ProjectAccess) -> NextStep | None:
    """A plan, where STUs are all there is of units: it says which sentences people write."""
    project = access.project
    if not access.can_edit or BudgetPlan.objects.filter(project=project).exists():
        return None
    sets = UnitSet.objects.filter(project=project)
    has_stus = sets.filter(state=SetState.FROZEN).exclude(extractor="").exists()
    is_begun = sets.filter(extractor="").exists() or _has_campaigns(project)
    if is_begun or not has_stus:
        return None
    return NextStep(
        "Plan with a budget",
        "Say what you can spend. A plan says which sentences people write, where STUs stand in, "
        "and who judges.",
        "New budget",
        reverse("evaluation:plan_budget", args=[project.slug]),
    )


def _has_campaigns(project: Project) -> bool:
    return Campaign.objects.filter(project=project).exists()


def find_gold_work(access: ProjectAccess) -> NextStep | None:
    """Answers without labels, an expert's word that no labels heed, or labels without gold.

    A crowd's answers that are all there come before labels that were brought in from elsewhere.
    """
    if not access.can_edit:
        return None
    if step := _heed_crowd(access.project):
        return step
    newest = LabelSet.objects.filter(project=access.project, is_ready=True).first()
    if newest is None:
        return _first(access)
    return _heed_experts(newest) or _publish(newest)


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
        "Turn judgements into labels",
        f"The answers of {campaign} are in. Try rules for noisy work and votes, see what they "
        "change, and keep what you choose.",
        "Open what-if",
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
        f"{counted(settled, 'statement')} settled since {newest}",
        "An expert’s word stands above votes in labels that are made anew.",
        "Make labels anew",
        way,
    )


def _publish(newest: LabelSet) -> NextStep | None:
    """Labels of which no gold version was made, nor of any that came after them."""
    project = newest.project
    if GoldVersion.objects.filter(project=project, created_at__gt=newest.created_at).exists():
        return None
    return NextStep(
        f"Publish {newest}",
        "A gold version holds texts, units and labels under one hash, ready to be shared.",
        "Make a gold version",
        reverse("evaluation:create_gold", args=[project.slug, newest.pk]),
    )


def _first(access: ProjectAccess) -> NextStep | None:
    if not list_judged_campaigns(access.project):
        return None
    return NextStep(
        "Turn judgements into labels",
        "Try rules for noisy work and votes, see what they change, and keep what you choose.",
        "Open what-if",
        reverse("evaluation:whatif", args=[access.project.slug]),
    )


def find_run_work(access: ProjectAccess) -> NextStep | None:
    """A run that needs somebody, or the first one."""
    project = access.project
    if not access.can_edit:
        return None
    stuck = JudgeRun.objects.filter(
        project=project, is_ready=False, job__state__in=[JobState.PAUSED, JobState.FAILED]
    ).select_related("job", "unit_set")
    if run := stuck.first():
        state = run.job.get_state_display().lower() if run.job else ""
        url = reverse("evaluation:run", args=[project.slug, run.pk])
        words = "What was judged is stored; it goes on from there."
        return NextStep(f"{run} is {state}", words, "Look at the run", url)
    if JudgeRun.objects.filter(project=project).exists() or not _can_run(project):
        return None
    return NextStep(
        "Let a judge score the summaries",
        "A model says which units each summary carries; beside people’s labels it shows how far "
        "it can be trusted.",
        "New run",
        reverse("evaluation:start_run", args=[project.slug]),
    )


def find_metric_work(access: ProjectAccess) -> NextStep | None:
    """Other metrics beside the first judge, until there is a report."""
    project = access.project
    is_over = ScoreSet.objects.filter(project=project).exists() or _has_reports(project)
    has_runs = JudgeRun.objects.filter(project=project, is_ready=True).exists()
    if not access.can_edit or is_over or not has_runs:
        return None
    return NextStep(
        "Score with other metrics",
        "ROUGE and others read the same summaries; a report then says which goes with people.",
        "Score by a metric",
        reverse("evaluation:score_metric", args=[project.slug]),
    )


def _has_reports(project: Project) -> bool:
    return Report.objects.filter(project=project).exists()


def find_end(access: ProjectAccess) -> NextStep | None:
    """Gold and a report are there: what is left is to give them to others."""
    project = access.project
    gold = GoldVersion.objects.filter(project=project, is_ready=True).first()
    if gold is None or not Report.objects.filter(project=project, is_ready=True).exists():
        return None
    open_ones = list_unfinished(project)
    title = "Gold and a report are there" if open_ones else "The study is done"
    words = f"Publish {gold} and its report: the dataset is one file, and comes back with its hash."
    if open_ones:
        words = f"{words} {_tell_open(open_ones)}"
    url = reverse("evaluation:version", args=[project.slug, gold.pk])
    return NextStep(title, words, f"Open {gold}", url)


def _tell_open(campaigns: list[Campaign]) -> str:
    named = campaigns[0]
    more = f" and {len(campaigns) - 1:,} more" if len(campaigns) > 1 else ""
    return f"Not all is over: {named} is {named.get_state_display().lower()}{more}."


def find_report_work(access: ProjectAccess) -> NextStep | None:
    """The first report, once there are labels and something to hold against them."""
    project = access.project
    if not access.can_edit or get_report_stage(project).figure != "None yet":
        return None
    return NextStep(
        "See how far the scores can be trusted",
        "A report holds judges and metrics against people, and says what may be concluded.",
        "New report",
        reverse("evaluation:build_report", args=[project.slug]),
    )


def tell_restored(job: Job) -> list[str]:
    """The hash is compared before anything is kept: a study that came back is the very same."""
    found = job.result.get("hash")
    return [f"Restored whole, with the very hash that the file has: {found}."] if found else []


def _can_run(project: Project) -> bool:
    return project.summary_count > 0 and list_frozen_sets(project).exists()


ABOUT |= {
    "plan": About("evaluation.BudgetPlan", "evaluation:plan", "The budget"),
    "curves": About("evaluation.CurveRun", "evaluation:curves", "The curves"),
    "label_set": About("evaluation.LabelSet", "evaluation:labels", "The labels"),
    "gold": About("evaluation.GoldVersion", "evaluation:version", "The gold version"),
    "run": About("evaluation.JudgeRun", "evaluation:run", "The run"),
    "judge": About("evaluation.TrainedJudge", "evaluation:trained_judge", "The judge"),
    "estimate": About("evaluation.ScoreEstimate", "evaluation:estimate", "The estimate"),
    "score_set": About("evaluation.ScoreSet", "evaluation:score_set", "The scores"),
    "study": About("evaluation.RobustnessStudy", "evaluation:robustness", "The study"),
    "report": About("evaluation.Report", "evaluation:report", "The report"),
}
OUTCOMES["restore_gold"] = tell_restored
STAGES["Plan"] = get_plan_stage
STAGES["Gold"] = get_gold_stage
STAGES["Scores"] = get_scores_stage
STAGES["Report"] = get_report_stage
NEXT_STEPS.insert(NEXT_STEPS.index(find_crowd_work), find_plan_work)
NEXT_STEPS += [find_gold_work, find_run_work, find_metric_work, find_report_work, find_end]
