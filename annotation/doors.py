"""Through which door the work at hand came in, and who sent it.

Set by the doors themselves, around whatever they call; read when an act is written down. What
nobody let in by a page, a REST call or a job is a command.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Door

REST_PATHS = ("/api/", "/mturk")


def _nobody() -> User | None:
    return None


@dataclass(frozen=True, slots=True)
class Visit:
    """`find_actor` is asked late: REST learns from the key who calls after it was let in."""

    door: Door = Door.COMMAND
    find_actor: Callable[[], User | None] = _nobody


BY_HAND = Visit()
_visit: ContextVar[Visit] = ContextVar("visit", default=BY_HAND)


@contextmanager
def through(door: Door, find_actor: Callable[[], User | None] = _nobody) -> Iterator[None]:
    """Everything inside comes in by this door."""
    token = _visit.set(Visit(door, find_actor))
    try:
        yield
    finally:
        _visit.reset(token)


def current_door() -> Door:
    return _visit.get().door


def current_actor() -> User | None:
    return _visit.get().find_actor()


class DoorMiddleware:
    """Tells pages from REST calls, for what they will write down."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        door = Door.REST if request.path.startswith(REST_PATHS) else Door.PAGE
        with through(door, lambda: _signed_in(request)):
            return self.get_response(request)


def _signed_in(request: HttpRequest) -> User | None:
    user = getattr(request, "user", None)
    return user if isinstance(user, User) else None
