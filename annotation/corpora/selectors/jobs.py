"""What a job is about, so that its page leads on to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.apps import apps
from django.urls import reverse

from annotation.corpora.models import Import, Job, JobState
from annotation.translation import gettext as _


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
