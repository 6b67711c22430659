"""Deleting rows together with everything that refers to them, without loading them into memory.

The models say what refers to a row, so a foreign key that a later app adds needs no further code
here or in any service: what belongs to the row goes with it, what merely names it is emptied, and
what protects it makes the deletion fail with a sentence instead of an IntegrityError.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db import models
from django.db.models import ForeignObjectRel, QuerySet
from django.utils.translation import gettext as _

from annotation.errors import DomainError


def remove_rows(rows: QuerySet[Any]) -> int:
    """Delete the rows and what belongs to them; how many of the rows themselves there were."""
    for relation in list_relations(rows.model):
        children = related_rows(relation, rows)
        first = children.first()
        if first is None:
            continue
        if relation.on_delete is models.CASCADE:
            remove_rows(children)
        elif relation.on_delete is models.SET_NULL:
            children.update(**{relation.field.name: None})
        else:
            raise _still_used(first)
    return int(rows.order_by()._raw_delete(rows.db))


def list_relations(model: type[models.Model]) -> Iterator[Any]:
    """Every foreign key that points at the model, hidden ones and those of later apps included."""
    for field in model._meta.get_fields(include_hidden=True):
        if isinstance(field, ForeignObjectRel) and (field.one_to_many or field.one_to_one):
            yield field


def related_rows(relation: Any, rows: QuerySet[Any]) -> QuerySet[Any]:
    """What refers to the rows by this foreign key."""
    manager = relation.related_model._base_manager
    children: QuerySet[Any] = manager.filter(**{f"{relation.field.name}__in": rows.order_by()})
    return children


def _still_used(row: models.Model) -> DomainError:
    name = str(row._meta.verbose_name)
    return DomainError(
        _("The {name} “{row}” still uses it.").format(name=name, row=row),
        _("Delete the {name} first.").format(name=name),
    )
