"""Pages that need no project."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def glossary(request: HttpRequest) -> HttpResponse:
    return render(request, "corpora/glossary.html")
