"""Refusals as pages: nothing that was entered is lost, and the navigation stays.

A form that is refused comes back on its own page, with what was entered and with the reason at the
top. Where that can't be, because the form stood on a page that is not there any more or was only an
answer to another form, a page of its own carries what was entered, to be sent again.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import Resolver404, resolve
from django.utils.datastructures import MultiValueDict

from annotation.access import get_access
from annotation.corpora.projects.access import project_context
from annotation.corpora.targets import KINDS, name_kind
from annotation.errors import DomainError, Unavailable, as_unavailable, error_response, read_fields
from annotation.refill import TOKEN, refill

# A page that shows the refusal has this in it.
MARK = 'id="refusal"'
PROJECT = "corpora/project_base.html"
WORK = "crowd/work/base.html"
PLAIN = "base.html"


class RefusalMiddleware:
    """Turns a domain error of a page view, or a fault that passes, into a page."""

    def __init__(self, get_response: Any) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response: HttpResponse = self.get_response(request)
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        found = as_unavailable(error) or error
        if not isinstance(found, DomainError):
            return None
        if isinstance(found, Unavailable):
            # Its page sends the form again by itself until it is taken.
            return error_response(request, found)
        return show_form_again(request, found) or error_response(request, found)


@dataclass(frozen=True, slots=True)
class Sent:
    """A form as somebody sent it."""

    # Path and query of the page that it stood on; empty if that is not known.
    page: str
    # Path and query that it was sent to.
    target: str
    fields: list[tuple[str, str]]
    # Without files and passwords; then it can't be sent again as it is.
    is_whole: bool
    content_type: str

    @property
    def path(self) -> str:
        return urlsplit(self.target).path


def read_sent(request: HttpRequest) -> Sent:
    fields, is_whole = read_fields(request)
    rows = [row for row in fields if row[0] != TOKEN]
    content_type = request.META.get("CONTENT_TYPE", "")
    return Sent(find_sender(request), request.get_full_path(), rows, is_whole, content_type)


def show_form_again(
    request: HttpRequest, error: DomainError, sent: Sent | None = None
) -> HttpResponse | None:
    """The page from which the form was sent, by its own view, with what was entered."""
    if sent is None:
        if request.method != "POST" or request.headers.get("HX-Request"):
            return None
        sent = read_sent(request)
    page = _read_page(request, sent, error) if sent.page else None
    if page is None or MARK not in (html := page.content.decode()):
        return None
    filled = refill(html, sent.page, sent.path, sent.fields)
    if filled is None:
        return None
    page.content = filled.encode()
    page.status_code = error.status
    page["Cache-Control"] = "no-store"
    for name, value in error.headers.items():
        page[name] = value
    return page


def find_sender(request: HttpRequest) -> str:
    """Path and query of the page that the request was sent from, if it is one of ours."""
    sender = urlsplit(request.headers.get("Referer", ""))
    if sender.netloc != request.get_host():
        return ""
    return f"{sender.path}?{sender.query}" if sender.query else sender.path


def _read_page(request: HttpRequest, sent: Sent, error: DomainError) -> HttpResponse | None:
    """What its view answers to a GET by the same person; None if that is not a page."""
    parts = urlsplit(sent.page)
    try:
        match = resolve(parts.path)
        again = _as_get(request, parts.path, parts.query)
        again.META["CONTENT_TYPE"] = sent.content_type
        again.resolver_match = match
        again.refusal = error  # type: ignore[attr-defined]
        again.fix = find_fix(error)  # type: ignore[attr-defined]
        response = match.func(again, *match.args, **match.kwargs)
    except (Resolver404, DomainError):
        return None
    is_page = response.status_code == 200 and not response.streaming
    is_html = response.headers.get("Content-Type", "").startswith("text/html")
    return response if is_page and is_html else None


def _as_get(request: HttpRequest, path: str, query: str) -> HttpRequest:
    """The same session, person and messages."""
    again = copy.copy(request)
    again.method = "GET"
    again.META = {**request.META, "REQUEST_METHOD": "GET", "QUERY_STRING": query, "PATH_INFO": path}
    again.path = again.path_info = path
    again.GET = QueryDict(query)
    again.POST = QueryDict()
    again._files = MultiValueDict()  # type: ignore[attr-defined]
    return again


def find_fix(error: DomainError) -> str:
    """The page where it can be fixed, if the error names one."""
    if isinstance(error.fix, str):
        return error.fix
    kind = KINDS[name_kind(error.fix)]
    project = getattr(error.fix, "project", None)
    return kind.link(project.slug if project else "", error.fix.pk)


def render_refusal(
    request: HttpRequest, error: DomainError, sent: Sent | None = None
) -> HttpResponse:
    """A page of its own, within the navigation; it carries what was entered."""
    sent = sent or read_sent(request)
    context = {
        "error": error,
        "fix": find_fix(error),
        "fields": sent.fields if sent.is_whole else [],
        "action": sent.target,
        "above": find_above(sent.path),
        **find_layout(request, sent.path),
    }
    response = render(request, "corpora/error.html", context, status=error.status)
    for name, value in error.headers.items():
        response[name] = value
    return response


def find_layout(request: HttpRequest, path: str) -> dict[str, Any]:
    """The navigation of the project or of the worker, where the address is theirs."""
    user = getattr(request, "user", AnonymousUser())
    if not user.is_authenticated:
        return {"layout": PLAIN}
    first, slug = [*path.strip("/").split("/"), ""][:2]
    if first == "p":
        try:
            access = get_access(user, slug)
        except DomainError:
            return {"layout": PLAIN}
        return project_context(access, "error", layout=PROJECT)
    worker = getattr(user, "worker_account", None)
    return {"layout": WORK, "worker": worker} if first == "work" and worker else {"layout": PLAIN}


def find_above(path: str) -> str:
    """The nearest page that the address stands under, where there is one."""
    path = path.rstrip("/")
    while path := path.rpartition("/")[0]:
        try:
            resolve(f"{path}/")
        except Resolver404:
            continue
        return f"{path}/"
    return "/"
