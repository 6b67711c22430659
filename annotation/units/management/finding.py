"""What a command was told to work on: a project, a unit set; and jobs that it runs itself.

- The double annotation that a command was given, by its name or number, and its parts.
"""

from __future__ import annotations

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.corpora.corpus.models import Example
from annotation.corpora.projects.models import Project
from annotation.translation import gettext_lazy
from annotation.units.double.models import DoubleAnnotation, DoubleAuthor
from annotation.units.double.queries import list_double_examples, list_doubles
from annotation.units.sets.models import UnitSet


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


NAME = gettext_lazy("name or number of the double annotation")


def find_double(project: Project, name: str) -> DoubleAnnotation:
    rows = list_doubles(project)
    found = rows.filter(name=name).first()
    if found is None and name.isdecimal():
        found = rows.filter(pk=int(name)).first()
    if found is None:
        known = ", ".join(row.name for row in rows[:10]) or _("none")
        raise CommandError(
            _("Unknown double annotation '{name}'. Known: {known}.").format(name=name, known=known)
        )
    return found


def find_side(double: DoubleAnnotation, email: str) -> DoubleAuthor:
    """That of the author with this e-mail."""
    authors = list(double.authors.select_related("set", "user"))
    for author in authors:
        if author.user and author.user.email.lower() == email.lower():
            return author
    known = ", ".join(author.user.email for author in authors if author.user)
    raise CommandError(
        _("{email} is not an author of {double}. Authors: {known}.").format(
            email=email, double=double, known=known
        )
    )


def find_example(double: DoubleAnnotation, key: str) -> Example:
    found = list_double_examples(double).filter(key=key).first()
    if found is None:
        raise CommandError(_("Example '{key}' is not in {double}.").format(key=key, double=double))
    return found
