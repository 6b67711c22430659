"""A set of units as the answer to a request; pages and REST send the same."""

from __future__ import annotations

from django.http import StreamingHttpResponse

from annotation.units.models import UnitSet
from annotation.units.selectors.exports import get_unit_format, stream_units


def units_response(unit_set: UnitSet, format: str) -> StreamingHttpResponse:
    chosen = get_unit_format(format)
    response = StreamingHttpResponse(stream_units(unit_set, format), content_type=chosen.media_type)
    name = f"{unit_set.project.slug}-{unit_set.name}-v{unit_set.version}".replace('"', "")
    ascii_name = name.encode("ascii", "replace").decode().replace("/", "-").replace("?", "-")
    response["Content-Disposition"] = f'attachment; filename="{ascii_name}.{chosen.suffix}"'
    return response
