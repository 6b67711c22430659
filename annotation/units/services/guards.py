"""What the corpus must ask before it lets go of examples that units were written on."""

from __future__ import annotations

from functools import partial

from django.db import transaction

from annotation.corpora.models import Import, Project
from annotation.corpora.services.import_removal import REFUSALS
from annotation.corpora.services.projects import REMOVE_FIRST
from annotation.errors import DomainError
from annotation.removal import remove_rows
from annotation.translation import gettext as _
from annotation.units.models import Unit, UnitSet
from annotation.units.services.received import forget_files


def refuse_if_units_are_written(import_: Import) -> None:
    unit = Unit.objects.filter(example__source=import_).select_related("set").first()
    if unit is not None:
        raise DomainError(
            _("{set} contains units of this import's examples.").format(set=unit.set),
            _("Delete the unit set first. If it is frozen, the import can't be undone."),
            fix=unit.set,
        )


def remove_units(project: Project) -> None:
    for job in project.jobs.filter(kind="import_units"):
        transaction.on_commit(partial(forget_files, job.params))
    remove_rows(UnitSet.objects.filter(project=project))


REFUSALS.append(refuse_if_units_are_written)
REMOVE_FIRST.append(remove_units)
