"""A corpus as the answer to a request; pages and REST send the same."""

from __future__ import annotations

from django.http import StreamingHttpResponse

from annotation.corpora.models import Project
from annotation.corpora.selectors.exports import get_export_format, stream_export


def export_response(project: Project, format: str) -> StreamingHttpResponse:
    """The corpus as a download; what does not fit into the format is said before it begins."""
    chosen = get_export_format(format)
    blocks = stream_export(project, format)
    response = StreamingHttpResponse(blocks, content_type=chosen.media_type)
    name = f"{project.slug}.{chosen.suffix}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
