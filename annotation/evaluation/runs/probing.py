"""Probing a run's judge: computed by a job, and stored for every run of the same judge."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.kinds import KINDS, JobKind
from annotation.corpora.jobs.models import Job
from annotation.corpora.jobs.service import create_job
from annotation.corpora.jobs.work import Work
from annotation.errors import DomainError
from annotation.evaluation.judges.offered import get_judge, resolve_judge
from annotation.evaluation.runs.models import JudgeRun
from annotation.evaluation.runs.probes import KIND, REPORTS, find_probe_job, get_probes, name_parts
from scoring.judge.probes import probe_judge


def probe_run(*, run: JudgeRun, user: User | None) -> Job | None:
    """The job that probes the run's judge; none where that is done. Asking twice begins it once."""
    if run.identity is None:
        raise DomainError(
            _("{run} has no judge yet.").format(run=run), _("Wait until the run is ready.")
        )
    if get_probes(run) is not None:
        return None
    return find_probe_job(run) or create_job(
        project=run.project,
        user=user,
        kind=KIND,
        title=_("Probe {judge}").format(judge=run.judge),
        params={"run": run.pk},
    )


def run_probe(work: Work) -> dict[str, Any]:
    """The judge must be the one that judged, to the byte."""
    run = JudgeRun.objects.select_related("project", "identity").get(pk=work.job.params["run"])
    assert run.identity is not None
    work.report(0, 1, phase=_("Loading the judge"))
    judge = get_judge(resolve_judge(run.project, run.judge), run.options)
    if judge.identity.key != run.identity.key:
        raise DomainError(
            _("{judge} has changed since the run.").format(judge=run.judge),
            _("Start a new run, and probe its judge."),
        )
    work.report(0, 1, phase=_("Asking the judge"))
    found = REPORTS.keep(
        name_parts(run.identity, run.function), lambda: probe_judge(judge, run.function)
    )
    with work.step():
        work.done = 1
    return {"run": run.pk, "false_rejected": found.total.false_rejected}


KINDS[KIND] = JobKind(run_probe)
