"""A set of units as the answer to a request; pages and REST send the same."""

from __future__ import annotations

import re

from django.http import StreamingHttpResponse

from annotation.corpora.services import record_export
from annotation.headers import attach_as
from annotation.units.models import Unit, UnitKind, UnitSet
from annotation.units.selectors.exports import get_only_peer, get_unit_format, stream_units
from annotation.units.selectors.files import UnitFileFormat
from scoring.io.units import peer_file_name

SINGLE_PAN = "application/xml"


def units_response(unit_set: UnitSet, format: str) -> StreamingHttpResponse:
    chosen = get_unit_format(format)
    blocks = stream_units(unit_set, format)
    record_export(project=unit_set.project, what=str(unit_set), format=format, target=unit_set)
    only = get_only_peer(unit_set) if format == "pan" else None
    if only is None:
        media_type = chosen.media_type
        name = f"{unit_set.project.slug}-{unit_set.name}-v{unit_set.version}"
        name += _ending(unit_set, chosen)
    else:
        media_type, name = SINGLE_PAN, peer_file_name(only.example.key, only.name)
    response = StreamingHttpResponse(blocks, content_type=media_type)
    plain = re.sub(r"[^A-Za-z0-9._ -]", "-", name)
    attach_as(response, plain)
    return response


def _ending(unit_set: UnitSet, chosen: UnitFileFormat) -> str:
    """A line file is known by its name alone, so that says which units it holds."""
    if chosen.value != "lines":
        return f".{chosen.suffix}"
    has_scus = Unit.objects.filter(set=unit_set, is_deleted=False, kind=UnitKind.SCU).exists()
    return "-SCUs.txt" if has_scus else "-STUs.txt"
