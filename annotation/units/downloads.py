"""A set of units as the answer to a request; pages and REST send the same."""

from __future__ import annotations

import re

from django.http import StreamingHttpResponse

from annotation.units.models import UnitSet
from annotation.units.selectors.exports import get_unit_format, stream_units


def units_response(unit_set: UnitSet, format: str) -> StreamingHttpResponse:
    chosen = get_unit_format(format)
    response = StreamingHttpResponse(stream_units(unit_set, format), content_type=chosen.media_type)
    plain = re.sub(r"[^A-Za-z0-9._ -]", "-", unit_set.name)
    name = f"{unit_set.project.slug}-{plain}-v{unit_set.version}.{chosen.suffix}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
