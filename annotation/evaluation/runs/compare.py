"""Large runs compared with people's labels: computed by a job, and stored for the run's pages."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.kinds import KINDS, JobKind
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.jobs.service import create_job
from annotation.corpora.jobs.work import Work
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.runs.comparison import is_compared, keep_comparison, list_labels_beside
from annotation.evaluation.runs.models import JudgeRun
from annotation.evaluation.runs.review import keep_review
from annotation.evaluation.runs.summaries import keep_gaps

KIND = "compare_run"


def compare_run(*, run: JudgeRun, label_set: LabelSet, user: User | None) -> Job | None:
    """The job that compares them; none where that is done. Asking twice begins it once."""
    if is_compared(run, label_set):
        return None
    return find_comparison_job(run, label_set) or create_job(
        project=run.project,
        user=user,
        kind=KIND,
        title=_("Compare run {run} with {label_set}").format(run=run.pk, label_set=label_set),
        params={"run": run.pk, "label_set": label_set.pk},
    )


def find_comparison_job(run: JudgeRun, label_set: LabelSet) -> Job | None:
    """One that is still to compare these."""
    states = [JobState.QUEUED, JobState.RUNNING]
    rows = Job.objects.filter(project=run.project_id, kind=KIND, state__in=states)
    wanted = {"run": run.pk, "label_set": label_set.pk}
    return next((job for job in rows.order_by("-pk")[:50] if job.params == wanted), None)


def compare_newest(run: JudgeRun) -> None:
    """Once a run is done: its pages show it next to the newest labels."""
    if newest := list_labels_beside(run).first():
        compare_run(run=run, label_set=newest, user=run.created_by)


def compare_newest_run(label_set: LabelSet) -> None:
    """Once labels are made: the newest run of their units is shown next to them."""
    rows = JudgeRun.objects.filter(unit_set=label_set.unit_set_id, is_ready=True)
    if newest := rows.select_related("project").first():
        compare_run(run=newest, label_set=label_set, user=label_set.created_by)


def run_compare(work: Work) -> dict[str, Any]:
    """Each part is stored once it is computed; a killed job begins again."""
    params = work.job.params
    run = JudgeRun.objects.select_related("project", "unit_set").get(pk=params["run"])
    label_set = LabelSet.objects.select_related("unit_set").get(pk=params["label_set"])
    work.report(0, 2, phase=_("Ranking differences"))
    # First, as pages take the comparison for the sign that all of it is there.
    keep_gaps(run, label_set)
    keep_review(run, label_set)
    work.report(1, 2, phase=_("Comparing"))
    keep_comparison(run, label_set)
    with work.step():
        work.done = 2
    return {"run": run.pk, "label_set": label_set.pk}


KINDS[KIND] = JobKind(run_compare)
