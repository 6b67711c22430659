"""What a judge can read: its figures on the probes, by category."""

from __future__ import annotations

from annotation.corpora.jobs.models import Job, JobState
from annotation.evaluation.labels.scores import KEPT_SECONDS
from annotation.evaluation.runs.models import JudgeIdentity, JudgeRun
from annotation.evaluation.stored.queries import Stored
from scoring.judge.probes import PROBES_VERSION, ProbeReport, read_shipped

KIND = "probe_judge"
# Compare words and learned from presence alone, so that none of them sees a contradiction.
UNREADING = ("embedded", "lexical")
REPORTS = Stored("judge-probes", ProbeReport, KEPT_SECONDS)


def name_parts(identity: JudgeIdentity, function: str) -> tuple[object, ...]:
    return (identity.key, function, PROBES_VERSION)


def get_probes(run: JudgeRun) -> ProbeReport | None:
    """Of the run's judge and function; None where they were not measured yet."""
    identity = run.identity
    if identity is None:
        return None
    shipped = read_shipped().get(identity.key)
    if shipped is not None and shipped.function == run.function:
        return shipped
    return REPORTS.find(name_parts(identity, run.function))


def is_unreliable(run: JudgeRun, probes: ProbeReport | None) -> bool:
    """Whether single verdicts of the run's judge can't be relied on, as far as is known."""
    if probes is not None:
        return not probes.reads
    return run.identity is not None and run.identity.kind in UNREADING


def find_probe_job(run: JudgeRun) -> Job | None:
    """One that is still to probe the run's judge."""
    states = [JobState.QUEUED, JobState.RUNNING]
    rows = Job.objects.filter(project=run.project_id, kind=KIND, state__in=states)
    return next((job for job in rows.order_by("-pk")[:50] if job.params == {"run": run.pk}), None)
