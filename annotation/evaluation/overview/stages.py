"""What the project's overview says of plans, labels, gold, scores and reports."""

from __future__ import annotations

from dataclasses import replace

from django.db.models import F
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.jobs.queries import ABOUT, OUTCOMES, About
from annotation.corpora.projects.models import Project
from annotation.corpora.projects.queries import STAGES, Stage
from annotation.crowd.campaigns.models import Campaign
from annotation.crowd.campaigns.overview import get_crowd_stage
from annotation.evaluation.gold.models import GoldVersion
from annotation.evaluation.labels.answers import list_judged_campaigns
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.metrics.models import ScoreSet
from annotation.evaluation.planning.models import BudgetPlan
from annotation.evaluation.reports.models import Report
from annotation.evaluation.runs.models import JudgeRun
from annotation.translation import gettext_lazy
from annotation.units.sets.models import SetState, UnitSet
from annotation.wording import counted

PLAN = gettext_lazy("Which sentences need a person")
GOLD = gettext_lazy("Labels for publication")
SCORES = gettext_lazy("People and models, per system")
REPORT = gettext_lazy("How reliable metrics are")


def get_plan_stage(project: Project) -> Stage:
    """What was planned, and whether it was taken."""
    url = reverse("evaluation:plans", args=[project.slug])
    rows = BudgetPlan.objects.filter(project=project, is_ready=True)
    newest = rows.order_by(F("chosen_at").desc(nulls_last=True), "-pk").first()
    if newest is None:
        return Stage(_("Plan"), "—", PLAN, "current" if is_to_plan(project) else "later", url)
    if newest.chosen_plan is None:
        said = counted(len(newest.plans), "plan", "plans")
        return Stage(
            _("Plan"), said, _("{newest}: no plan in use yet").format(newest=newest), "current", url
        )
    share = 100 - newest.chosen_plan["percentage"]
    return Stage(_("Plan"), f"{share:g} % SCU", str(newest), "done", url)


def is_to_plan(project: Project) -> bool:
    """STUs are all there is of units: a plan comes before people judge."""
    sets = UnitSet.objects.filter(project=project)
    has_stus = sets.filter(state=SetState.FROZEN).exclude(extractor="").exists()
    is_begun = sets.filter(extractor="").exists()
    return has_stus and not is_begun and not Campaign.objects.filter(project=project).exists()


def get_judging_stage(project: Project) -> Stage:
    """The crowd's stage; nobody needs to be asked where labels came from files."""
    stage = get_crowd_stage(project)
    if is_to_plan(project):
        stage = replace(stage, state="later")
    labels = LabelSet.objects.filter(project=project, is_ready=True).count()
    if not labels or Campaign.objects.filter(project=project).exists():
        return stage
    figure = counted(labels, "label set", "label sets")
    return Stage(_("Crowd"), figure, _("Imported: no campaign needed"), "done", stage.url)


def get_gold_stage(project: Project) -> Stage:
    url = reverse("evaluation:gold", args=[project.slug])
    newest = GoldVersion.objects.filter(project=project, is_ready=True).first()
    if newest is not None:
        return Stage(_("Gold"), f"v{newest.version}", newest.name, "done", url)
    labels = LabelSet.objects.filter(project=project, is_ready=True).count()
    if labels:
        said = counted(labels, "label set", "label sets")
        return Stage(_("Gold"), said, _("No gold version yet"), "current", url)
    is_ready = bool(list_judged_campaigns(project))
    return Stage(_("Gold"), _("None yet"), GOLD, "current" if is_ready else "later", url)


def get_scores_stage(project: Project) -> Stage:
    """Runs of judges, and how people have scored."""
    runs = JudgeRun.objects.filter(project=project, is_ready=True).count()
    if runs:
        url = reverse("evaluation:runs", args=[project.slug])
        return Stage(
            _("Scores"),
            counted(runs, "run", "runs"),
            _("By judges, next to human scores"),
            "done",
            url,
        )
    newest = LabelSet.objects.filter(project=project, is_ready=True).first()
    if newest is None:
        return Stage(_("Scores"), "—", SCORES, "later")
    url = reverse("evaluation:scores", args=[project.slug, newest.pk])
    systems = len(newest.figures.get("systems", []))
    return Stage(
        _("Scores"),
        _("{systems:,} systems").format(systems=systems),
        _("Human labels: {newest}").format(newest=newest),
        "done",
        url,
    )


def get_report_stage(project: Project) -> Stage:
    """The newest report, or that one can be built."""
    url = reverse("evaluation:reports", args=[project.slug])
    rows = Report.objects.filter(project=project)
    ready = rows.filter(is_ready=True)
    newest = ready.first()
    if newest is not None:
        return Stage(
            _("Report"), counted(ready.count(), "report", "reports"), newest.title, "done", url
        )
    if rows.filter(job__state__in=[JobState.QUEUED, JobState.RUNNING]).exists():
        return Stage(_("Report"), _("Draft"), _("In progress"), "current", url)
    if has_both_scores(project):
        return Stage(
            _("Report"), _("None yet"), _("Scores ready to compare with people"), "current", url
        )
    return Stage(_("Report"), "—", REPORT, "later", url)


def has_both_scores(project: Project) -> bool:
    """Whether there are scores by people, and others that a report may compare with them."""
    return LabelSet.objects.filter(project=project, is_ready=True).exists() and (
        JudgeRun.objects.filter(project=project, is_ready=True).exists()
        or ScoreSet.objects.filter(project=project, is_ready=True).exists()
    )


def tell_restored(job: Job) -> list[str]:
    """The hash is compared before anything is kept: a study that came back is the very same."""
    found = job.result.get("hash")
    return (
        [_("Restored completely. The hash matches the file: {found}.").format(found=found)]
        if found
        else []
    )


ABOUT |= {
    "plan": About("evaluation.BudgetPlan", "evaluation:plan", gettext_lazy("The budget")),
    "curves": About("evaluation.CurveRun", "evaluation:curves", gettext_lazy("The curves")),
    "label_set": About("evaluation.LabelSet", "evaluation:labels", gettext_lazy("The labels")),
    "gold": About("evaluation.GoldVersion", "evaluation:version", gettext_lazy("The gold version")),
    "run": About("evaluation.JudgeRun", "evaluation:run", gettext_lazy("The run")),
    "judge": About(
        "evaluation.TrainedJudge", "evaluation:trained_judge", gettext_lazy("The judge")
    ),
    "estimate": About(
        "evaluation.ScoreEstimate", "evaluation:estimate", gettext_lazy("The estimate")
    ),
    "score_set": About("evaluation.ScoreSet", "evaluation:score_set", gettext_lazy("The scores")),
    "study": About(
        "evaluation.RobustnessStudy", "evaluation:robustness", gettext_lazy("The study")
    ),
    "report": About("evaluation.Report", "evaluation:report", gettext_lazy("The report")),
}
OUTCOMES["restore_gold"] = tell_restored
STAGES["plan"] = get_plan_stage
STAGES["crowd"] = get_judging_stage
STAGES["gold"] = get_gold_stage
STAGES["scores"] = get_scores_stage
STAGES["report"] = get_report_stage
