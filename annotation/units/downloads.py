"""A set of units as the answer to a request; pages and REST send the same."""

from __future__ import annotations

import re

from django.http import StreamingHttpResponse

from annotation.units.models import Unit, UnitKind, UnitSet
from annotation.units.selectors.exports import get_unit_format, stream_units
from annotation.units.selectors.files import UnitFileFormat


def units_response(unit_set: UnitSet, format: str) -> StreamingHttpResponse:
    chosen = get_unit_format(format)
    response = StreamingHttpResponse(stream_units(unit_set, format), content_type=chosen.media_type)
    plain = re.sub(r"[^A-Za-z0-9._ -]", "-", unit_set.name)
    name = f"{unit_set.project.slug}-{plain}-v{unit_set.version}{_ending(unit_set, chosen)}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _ending(unit_set: UnitSet, chosen: UnitFileFormat) -> str:
    """A line file is known by its name alone, so that says which units it holds."""
    if chosen.value != "lines":
        return f".{chosen.suffix}"
    has_scus = Unit.objects.filter(set=unit_set, is_deleted=False, kind=UnitKind.SCU).exists()
    return "-SCUs.txt" if has_scus else "-STUs.txt"
