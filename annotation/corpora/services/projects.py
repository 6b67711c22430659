"""Making, renaming and deleting projects, and correcting what is said of a system."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from django.db import IntegrityError, transaction

from annotation import append_only
from annotation.access import require_project_creator
from annotation.corpora.models import (
    Example,
    ImportState,
    Membership,
    Project,
    Role,
    System,
    SystemKind,
    User,
    Verb,
)
from annotation.corpora.services.activity import record_activity
from annotation.corpora.services.import_files import remove_files
from annotation.errors import DomainError, Invalid
from annotation.removal import remove_rows
from annotation.translation import gettext as _
from annotation.wording import counted

CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def create_project(*, user: User | None, name: str, slug: str, description: str = "") -> Project:
    if user is not None:
        require_project_creator(user)
    try:
        with transaction.atomic():
            project = Project.objects.create(name=name, slug=slug, description=description)
            if user is not None:
                Membership.objects.create(project=project, user=user, role=Role.OWNER)
            record_activity(
                project=project,
                actor=user,
                verb=Verb.CREATE,
                target=project,
                text=_("created the project"),
            )
    except IntegrityError:
        raise DomainError(
            _("The address '{slug}' is taken.").format(slug=slug),
            _("Choose another one, for instance with a year."),
        ) from None
    return project


def update_project(*, project: Project, name: str, description: str) -> None:
    project.name = name
    project.description = description
    with transaction.atomic():
        project.save(update_fields=["name", "description"])
        text = _("changed the project's name or description")
        record_activity(project=project, verb=Verb.CHANGE, target=project, text=text)


# What later apps hang on a project's examples, to be removed before them.
REMOVE_FIRST: list[Callable[[Project], None]] = []


def delete_project(*, project: Project) -> None:
    """Delete the project, everything in it and its uploads; texts first, without loading them."""
    busy = project.imports.filter(state__in=[ImportState.WRITING, ImportState.REMOVING])
    if busy.exists():
        raise DomainError(
            _("An import to this project is in progress."),
            _("Wait until it is done, or cancel it."),
        )
    imports = list(project.imports.all())
    with transaction.atomic(), append_only.suspended():
        for remove in REMOVE_FIRST:
            remove(project)
        remove_rows(Example.objects.filter(project=project))
        # What was done in the project goes with it; that it went is told outside of it.
        text = _("deleted the project {slug}").format(slug=project.slug)
        record_activity(project=None, verb=Verb.DELETE, target=project, text=text)
        project.delete()
    for import_ in imports:
        remove_files(import_)


def update_system(*, system: System, user: User | None, name: str, kind: SystemKind) -> None:
    if CONTROL.search(name):
        raise Invalid(_("name: a system's name can't contain control characters."))
    before = f"{system.name} ({system.kind})"
    system.name, system.kind = name, kind
    try:
        with transaction.atomic():
            system.save(update_fields=["name", "kind"])
            text = _("changed system {before} to {name} ({kind})").format(
                before=before, name=name, kind=kind
            )
            record_activity(
                project=system.project, actor=user, verb=Verb.CHANGE, target=system, text=text
            )
    except IntegrityError:
        raise DomainError(
            _("This project already has a system called '{name}'.").format(name=name)
        ) from None


def set_system_kinds(*, project: Project, user: User | None, kinds: Mapping[int, str]) -> int:
    """Set the kinds of several systems at once; how many have changed."""
    rows = System.objects.live().filter(project=project, pk__in=kinds)
    changed = [row for row in rows if row.kind != kinds[row.pk]]
    for row in changed:
        row.kind = SystemKind(kinds[row.pk])
    if changed:
        listed = ", ".join(f"{row.name} ({row.kind})" for row in changed)
        text = _("set the kinds of {systems}: {listed}").format(
            systems=counted(len(changed), "system", "systems"), listed=listed
        )[:300]
        with transaction.atomic():
            System.objects.bulk_update(changed, ["kind"], batch_size=500)
            record_activity(
                project=project, actor=user, verb=Verb.CHANGE, target=project, text=text
            )
    return len(changed)
