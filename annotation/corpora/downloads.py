"""Files as the answer to a request; pages and REST send the same."""

from __future__ import annotations

from django.http import StreamingHttpResponse

from annotation.corpora.models import Project
from annotation.corpora.selectors.activity import (
    ActivityFilter,
    get_activity_format,
    list_activity,
    stream_activity,
)
from annotation.corpora.selectors.exports import get_export_format, stream_export
from annotation.corpora.services import record_export
from annotation.headers import attach_as
from annotation.translation import gettext as _


def export_response(project: Project, format: str) -> StreamingHttpResponse:
    """The corpus as a download; what does not fit into the format is said before it begins."""
    chosen = get_export_format(format)
    blocks = stream_export(project, format)
    record_export(project=project, what=_("the corpus"), format=format)
    response = StreamingHttpResponse(blocks, content_type=chosen.media_type)
    name = f"{project.slug}.{chosen.suffix}"
    attach_as(response, name)
    return response


def activity_response(
    project: Project, asked: ActivityFilter, format: str
) -> StreamingHttpResponse:
    """What was done in a project, as far as the filters ask for it."""
    media_type = get_activity_format(format)
    record_export(project=project, what=_("the activity"), format=format)
    lines = (line.encode() for line in stream_activity(list_activity(project, asked), format))
    response = StreamingHttpResponse(lines, content_type=media_type)
    name = f"{project.slug}-activity.{format}"
    attach_as(response, name)
    return response
