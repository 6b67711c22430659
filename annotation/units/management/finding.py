"""What a command was told to work on: a project, a unit set; and jobs that it runs itself."""

from __future__ import annotations

from django.core.management.base import CommandError

from annotation.corpora.models import Project
from annotation.translation import gettext as _
from annotation.units.models import UnitSet


def find_set(project: Project, said: str) -> UnitSet:
    """`NAME` is its newest version, `NAME@2` the second one."""
    name, at, version = said.rpartition("@") if "@" in said else (said, "", "")
    rows = UnitSet.objects.filter(project=project, name=name).order_by("-version")
    if at:
        rows = rows.filter(version=int(version)) if version.isdecimal() else rows.none()
    found = rows.select_related("project", "job").first()
    if found is None:
        known = ", ".join(str(row) for row in project.unit_sets.all()[:10]) or _("none")
        raise CommandError(
            _("Unknown unit set '{said}'. Known: {known}.").format(said=said, known=known)
        )
    return found
