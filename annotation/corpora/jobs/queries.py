"""What a job is about, so that its page leads on to it.

- When a worker was last seen.
- A worker's sign of life: one small row, renewed at each round of its sweeps.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from django.apps import apps
from django.db.models import DurationField, ExpressionWrapper, F
from django.db.models.functions import Now
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.corpora.imports.models import Import
from annotation.corpora.jobs.models import Job, JobState, WorkerBeat


@dataclass(frozen=True, slots=True)
class Subject:
    """Where a job's page leads, and in which words."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class About:
    """A parameter of jobs holds the id of one of these, which has a page of its own."""

    model: str
    page: str
    label: str


# By the name of the parameter. Later apps tell of theirs here.
ABOUT: dict[str, About] = {}


# By the kind of job: what came of it, in lines, once it is done. Later apps tell of theirs here.
OUTCOMES: dict[str, Callable[[Job], list[str]]] = {}
# By the kind of job: where whoever started it came from.
ORIGINS: dict[str, Callable[[Job], Subject | None]] = {}


def list_outcome(job: Job) -> list[str]:
    tell = OUTCOMES.get(job.kind)
    return tell(job) if tell and job.state == JobState.DONE else []


def get_origin(job: Job) -> Subject | None:
    find = ORIGINS.get(job.kind)
    return find(job) if find else None


def get_subject(job: Job) -> Subject:
    """The import, set, campaign, run … of a job; of a whole project, its overview."""
    if "folder" in job.params:
        return _import(job)
    for name, about in ABOUT.items():
        if found := _find(job, name, about):
            return found
    return _project(job)


def _project(job: Job) -> Subject:
    return Subject(_("The project"), reverse("corpora:project", args=[job.project.slug]))


def _import(job: Job) -> Subject:
    found = Import.objects.filter(project=job.project_id, folder=job.params["folder"]).first()
    if found is None:
        return _project(job)
    url = reverse("corpora:import", args=[job.project.slug, found.pk])
    return Subject(_("The import of {name}").format(name=found.name), url)


def _find(job: Job, name: str, about: About) -> Subject | None:
    pk = job.params.get(name) or job.result.get(name)
    rows = apps.get_model(about.model).objects.filter(project=job.project_id)
    if not isinstance(pk, int) or not rows.filter(pk=pk).exists():
        return None
    return Subject(about.label, reverse(about.page, args=[job.project.slug, pk]))


def get_time_since_beat() -> timedelta | None:
    """Since the last sign of life of any worker; None if there never was one."""
    age = ExpressionWrapper(Now() - F("seen_at"), output_field=DurationField())
    newest = WorkerBeat.objects.order_by("-seen_at").annotate(age=age)
    return newest.values_list("age", flat=True).first()


# A random name: nothing about the machine is stored.
NAME = uuid.uuid4().hex
FORGOTTEN_AFTER = timedelta(days=1)


def note_worker_beat() -> None:
    """By the database's clock, so that machines need not agree about the time."""
    made = WorkerBeat.objects.get_or_create(worker=NAME, defaults={"seen_at": Now()})[1]
    if made:
        WorkerBeat.objects.filter(seen_at__lt=Now() - FORGOTTEN_AFTER).delete()
    else:
        WorkerBeat.objects.filter(worker=NAME).update(seen_at=Now())
