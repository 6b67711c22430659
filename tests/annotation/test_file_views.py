"""Large bodies reach the views that take files, and nothing else."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.test import RequestFactory
from django.urls import URLPattern, URLResolver, get_resolver
from rest_framework.parsers import MultiPartParser

from annotation.body_limit import account_of, most_bytes
from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Membership, Project, Role
from annotation.file_views import MARK, is_for_files


def patterns(resolver: URLResolver) -> Iterator[URLPattern]:
    for one in resolver.url_patterns:
        if isinstance(one, URLResolver):
            yield from patterns(one)
        else:
            yield one


def test_the_pages_that_read_files_are_marked() -> None:
    views: list[Any] = [one.callback for one in patterns(get_resolver())]
    pages = [view for view in views if not hasattr(view, "cls") and inspect.isroutine(view)]
    ours = [view for view in pages if view.__module__.startswith("annotation.")]
    reading = {v for v in ours if "request.FILES" in inspect.getsource(inspect.unwrap(v))}
    assert len(reading) == 7
    assert reading == {view for view in views if hasattr(view, MARK)}


def test_the_calls_of_rest_that_read_files_are_found() -> None:
    """Their parser says so, whatever their code calls what it reads."""
    views = {one.callback for one in patterns(get_resolver()) if hasattr(one.callback, "cls")}
    found = {view.cls for view in views if list(view.cls.parser_classes) == [MultiPartParser]}
    assert len(found) == 6
    for view in {view.cls for view in views} - found:
        assert "FILES" not in inspect.getsource(view), view


@pytest.mark.parametrize(
    ("path", "is_large"),
    [
        ("/p/a/imports/new/", True),
        ("/import-gold/", True),
        ("/api/v1/gold/import/", True),
        ("/api/v1/projects/a/imports/", True),
        ("/api/v1/me/", False),
        ("/nowhere/", False),
        ("/", False),
    ],
)
@pytest.mark.django_db
def test_only_they_take_large_bodies(path: str, is_large: bool) -> None:
    assert is_for_files(path) == is_large
    request = RequestFactory().post(path, b"", content_type="application/json")
    request.user = User(pk=7, can_create_projects=True)
    most = most_bytes(request)
    assert (most > settings.MAX_UPLOAD_MB * 2**20) == is_large
    assert most >= settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    assert account_of(request) == "7"


@pytest.mark.parametrize(
    ("role", "is_large"),
    [(None, False), (Role.VIEWER, False), (Role.ANNOTATOR, True), (Role.OWNER, True)],
)
@pytest.mark.django_db
def test_only_people_with_something_to_import_send_them(
    role: Role | None, is_large: bool, project: Project
) -> None:
    """A worker has an account, and needs no files."""
    request = RequestFactory().post("/import-gold/", b"", content_type="application/json")
    request.user = User.objects.create_user("walt@example.org", "correct-horse", name="Walt")
    if role:
        Membership.objects.create(project=project, user=request.user, role=role)
    assert (most_bytes(request) > settings.MAX_UPLOAD_MB * 2**20) == is_large
