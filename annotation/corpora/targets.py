"""The kinds of things that acts are done to, and where each has its page.

Every app names its own. A row that tells of a thing keeps the kind and the id; whether the thing is
still there is asked when a link to it is shown.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from django.db import models
from django.urls import reverse

from annotation.corpora.accounts.models import ApiToken, User
from annotation.corpora.corpus.models import Example, System
from annotation.corpora.imports.models import Import
from annotation.corpora.jobs.models import Job
from annotation.corpora.projects.models import Invitation, Membership, Project
from annotation.translation import gettext_lazy

Link = Callable[[str, int], str]
Subject = tuple[str, int]


@dataclass(frozen=True, slots=True)
class TargetKind:
    """`link` makes an address of the project's slug and the thing's id.

    `param` is the name under which a job keeps the id of the thing that it is about. What is of
    no project has a page all the same if `is_global`.
    """

    name: str
    title: str
    model: type[models.Model]
    link: Link
    param: str = ""
    is_global: bool = False


KINDS: dict[str, TargetKind] = {}
_by_model: dict[type[models.Model], str] = {}


class Told(Protocol):
    """A row that tells of a thing."""

    target_kind: str
    target_id: int | None


def add_kind(
    name: str,
    title: str,
    model: type[models.Model],
    link: Link,
    *,
    param: str = "",
    is_global: bool = False,
) -> None:
    KINDS[name] = TargetKind(name, title, model, link, param, is_global)
    _by_model[model] = name


def at_id(route: str) -> Link:
    """The page of one thing: `/p/<slug>/…/<id>/`."""
    return lambda slug, pk: reverse(route, args=[slug, pk])


def new_import(project: Project) -> str:
    """Where what a project lacks is brought in."""
    return reverse("corpora:create_import", args=[project.slug])


def at_list(route: str) -> Link:
    """Things without a page of their own are shown in a list of the project."""
    return lambda slug, pk: reverse(route, args=[slug])


def name_kind(target: models.Model) -> str:
    """The kind of a thing; one that no app has named is a mistake of ours."""
    model = target.__class__  # of what is wrapped, where a request's user is loaded late
    if model not in _by_model:
        raise LookupError(f"{model.__name__} is not a kind of target. Register it with add_kind.")
    return _by_model[model]


def name_target(target: models.Model) -> Subject:
    return name_kind(target), target.pk


def find_subject(job: Job) -> Subject:
    """What a job is about, as far as its params tell; else the job itself."""
    for kind in KINDS.values():
        if kind.param and isinstance(found := job.params.get(kind.param), int):
            return kind.name, found
    if import_ := job.imports.first():
        return "import", import_.pk
    return "job", job.pk


def find_links(rows: Iterable[Told], slug: str) -> dict[Subject, str]:
    """Addresses of those things that are still there, one query for each kind."""
    wanted: dict[str, set[int]] = defaultdict(set)
    for row in rows:
        if row.target_kind in KINDS and row.target_id is not None:
            wanted[row.target_kind].add(row.target_id)
    return {
        (name, pk): KINDS[name].link(slug, pk)
        for name, ids in wanted.items()
        for pk in _list_present(KINDS[name].model, ids)
    }


def _list_present(model: type[models.Model], ids: set[int]) -> list[int]:
    return list(model._default_manager.filter(pk__in=ids).order_by().values_list("pk", flat=True))


add_kind("project", gettext_lazy("Project"), Project, at_list("corpora:project"))
add_kind("member", gettext_lazy("Member"), Membership, at_list("corpora:members"))
add_kind("invitation", gettext_lazy("Invitation"), Invitation, at_list("corpora:members"))
add_kind("account", gettext_lazy("Account"), User, lambda slug, pk: reverse("corpora:account"))
add_kind("token", gettext_lazy("Key"), ApiToken, lambda slug, pk: reverse("corpora:account"))
add_kind("example", gettext_lazy("Example"), Example, at_id("corpora:example"))
add_kind("system", gettext_lazy("System"), System, at_id("corpora:system"))
add_kind("import", gettext_lazy("Import"), Import, at_id("corpora:import"))
add_kind("job", gettext_lazy("Job"), Job, at_id("corpora:job"))
