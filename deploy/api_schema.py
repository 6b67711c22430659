"""The description of the REST interface: built once by each process, as that takes a second."""

from __future__ import annotations

import hashlib
import threading
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.encoding import force_bytes
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request


@dataclass(frozen=True, slots=True)
class Rendered:
    content: bytes
    etag: str


class Description:
    """One for all: who calls makes no difference, nor what stands in the query."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._schema: Any = None
        self._rendered: dict[type[BaseRenderer], Rendered] = {}

    def render(self, renderer: BaseRenderer) -> Rendered:
        """Whoever comes while it is built waits for it, instead of building it too."""
        kind = type(renderer)
        if kind not in self._rendered:
            with self._lock:
                if kind not in self._rendered:
                    self._rendered[kind] = self._build(renderer)
        return self._rendered[kind]

    def _build(self, renderer: BaseRenderer) -> Rendered:
        if self._schema is None:
            self._schema = SchemaGenerator().get_schema(request=None, public=True)
        content = force_bytes(renderer.render(self._schema, renderer_context={}))
        return Rendered(content, f'"{hashlib.sha256(content).hexdigest()[:32]}"')


DESCRIPTION = Description()


class SchemaView(SpectacularAPIView):
    description: Description = DESCRIPTION

    @extend_schema(exclude=True)
    def get(self, request: Request, *_: Any, **__: Any) -> HttpResponse:
        renderer = request.accepted_renderer
        rendered = self.description.render(renderer)
        response = HttpResponse(rendered.content, content_type=renderer.media_type)
        # Kept by browsers, and asked for again: it changes with the program alone.
        patch_cache_control(response, no_cache=True)
        http_request: HttpRequest = request._request
        found = get_conditional_response(http_request, etag=rendered.etag, response=response)
        found = found or response
        found["ETag"] = rendered.etag
        return found
