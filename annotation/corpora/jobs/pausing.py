"""Work that rests half-done, and goes on from there."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.jobs import service as jobs
from annotation.corpora.jobs.models import Job, JobState
from annotation.errors import DomainError


def can_pause(job: Job) -> bool:
    """Whether work of this kind may rest half-done."""
    return job.kind in jobs.KINDS and jobs.KINDS[job.kind].can_pause


def pause_job(*, job: Job) -> None:
    """A queued job rests at once; a running one after its next step."""
    if not can_pause(job):
        raise DomainError(_("This job can't be paused."), _("Wait until it is done, or cancel it."))
    waiting = Job.objects.filter(pk=job.pk, state=JobState.QUEUED)
    running = Job.objects.filter(pk=job.pk, state=JobState.RUNNING)
    with transaction.atomic():
        if not (
            waiting.update(state=JobState.PAUSED, pause_requested=True)
            or running.update(pause_requested=True)
        ):
            raise DomainError(_("Only a queued or running job can be paused."))
        text = f"paused “{job}”"
        record_activity(project=job.project, verb=Verb.PAUSE, target=job, text=text)


def resume_job(*, job: Job) -> None:
    """Go on from where the job rests; one that was about to rest just goes on."""
    with transaction.atomic():
        text = f"resumed “{job}”"
        record_activity(project=job.project, verb=Verb.RESUME, target=job, text=text)
        resting = Job.objects.filter(pk=job.pk, state=JobState.PAUSED)
        again = {"attempts": 0, "told_at": None, "waiting_for": "", "retry_at": None}
        if resting.update(state=JobState.QUEUED, pause_requested=False, **again):
            transaction.on_commit(lambda: jobs.enqueue_job(job_id=job.pk))
            return
        about_to = Job.objects.filter(pk=job.pk, state=JobState.RUNNING, pause_requested=True)
        if not about_to.update(pause_requested=False):
            raise DomainError(_("This job is not paused."), _("Reload the page."))
