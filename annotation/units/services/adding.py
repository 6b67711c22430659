"""Units from a file, written into a draft that is there: as its author would type them."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

from django.db import transaction
from django.urls import reverse

from annotation.corpora.models import Example, Reference, User
from annotation.errors import DomainError
from annotation.translation import gettext as _
from annotation.units.models import UnitSet
from annotation.units.services.filling import find_misfit
from annotation.units.services.locks import hold_writing
from annotation.units.services.ops import Op, apply_op
from annotation.units.services.progress import mark_written
from annotation.units.services.reading import Group, list_example_ids, read_groups
from scoring.io import CorpusError, ProblemList
from scoring.types import UnitRecord

MOST_PER_CALL = 5000


def add_units(*, unit_set: UnitSet, user: User, path: Path, format: str = "") -> dict[str, int]:
    """Add every unit of the file after those of its example, and mark these as written.

    All or nothing. For the thousands of units of a whole study, a set is made of the file instead.
    """
    with transaction.atomic():
        held = hold_writing(unit_set)
        examples = list_example_ids(held.project, None)
        counts = {"units": 0, "examples": 0}
        for group in _read(path, format, examples):
            if group.key not in examples:
                raise DomainError(
                    _("{file}: the project has no example '{group}'.").format(
                        file=group.records[0].file, group=group.key
                    ),
                    _("Use the example IDs of the corpus."),
                )
            example = Example.objects.get(pk=examples[group.key])
            _add(held, example, user, group.records)
            counts["units"] += len(group.records)
            counts["examples"] += 1
            if counts["units"] > MOST_PER_CALL:
                raise DomainError(
                    _("The file has more than {most_per_call:,} units.").format(
                        most_per_call=MOST_PER_CALL
                    ),
                    _("Import the file as a new set instead: import_units."),
                    fix=reverse("units:import", args=[held.project.slug]),
                )
    unit_set.refresh_from_db()
    return counts


def _read(path: Path, format: str, examples: dict[str, int]) -> list[Group]:
    problems = ProblemList()
    params: dict[str, Any] = {"path": str(path), "format": format}
    try:
        groups = list(read_groups(params, examples, problems))
        problems.raise_first()
    except CorpusError as error:
        found = error.problem
        line = _(", line {line}").format(line=found.line) if found.line else ""
        raise DomainError(
            f"{found.file}{line}: {found.message}",
            _("Expected {expected}").format(expected=found.expected),
        ) from None
    return groups


def _add(unit_set: UnitSet, example: Example, user: User, records: list[UnitRecord]) -> None:
    references = list(Reference.objects.filter(example=example).order_by("position"))
    changes = [
        {"action": "create", "text": record.text, "spans": _spans(record, references)}
        for record in records
    ]
    op = Op(uuid.uuid4(), "create", changes)
    apply_op(unit_set=unit_set, example=example, user=user, op=op)
    mark_written(unit_set=unit_set, example=example, user=user)


def _spans(record: UnitRecord, references: list[Reference]) -> list[dict[str, int]]:
    lengths = [len(reference.text) for reference in references]
    for item in record.contributors:
        if fault := find_misfit(item, lengths):
            raise DomainError(
                _("Example '{record}': {fault}").format(record=record.key, fault=fault),
                _("Use a range within the reference's text."),
            )
    return [
        {"reference": references[item.reference].pk, "start": item.start, "end": item.end}
        for item in record.contributors
    ]
