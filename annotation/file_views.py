"""Which views take files; the web server lets large bodies through to no others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from django.urls import Resolver404, resolve
from rest_framework.parsers import MultiPartParser

View = TypeVar("View", bound=Callable[..., Any])
MARK = "takes_files"


def takes_files(view: View) -> View:
    """Mark a view that reads `request.FILES`."""
    setattr(view, MARK, True)
    return view


def is_for_files(path: str) -> bool:
    try:
        view = resolve(path).func
    except Resolver404:
        return False
    parsers = getattr(getattr(view, "cls", None), "parser_classes", ())
    return hasattr(view, MARK) or list(parsers) == [MultiPartParser]
