"""A unit as the editor, REST and the history write it down."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from annotation.corpora.corpus.models import Example
from annotation.units.sets.models import Unit, UnitSet


def units_with_spans(unit_set: UnitSet, example: Example) -> QuerySet[Unit]:
    """The units of an example in their order, deleted ones included."""
    return (
        Unit.objects.filter(set=unit_set, example=example)
        .select_related("author")
        .prefetch_related("contributors")
        .order_by("position", "pk")
    )


def unit_state(unit: Unit) -> dict[str, Any]:
    return {
        "id": unit.pk,
        "kind": unit.kind,
        "text": unit.text,
        "position": unit.position,
        "revision": unit.revision,
        "deleted": unit.is_deleted,
        "weight": unit.weight,
        "author": unit.author.name if unit.author else "",
        "author_id": unit.author_id,
        "extractor": unit.extractor,
        "extractor_version": unit.extractor_version,
        "promoted_from": unit.promoted_from_id,
        "spans": [
            {
                "reference": span.reference_id,
                "sentence": span.sentence_id,
                "start": span.start,
                "end": span.end,
                "aligned": span.is_aligned,
            }
            for span in unit.contributors.all()
        ],
    }
