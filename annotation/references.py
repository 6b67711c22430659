"""Defects of the program: the log has the traceback, the person a number to quote."""

from __future__ import annotations

import logging
import secrets

from django.http import HttpRequest
from django.utils.translation import gettext as _

SERVER_ERROR = 500


def make_reference() -> str:
    """Short enough to be read out on the telephone."""
    return secrets.token_hex(4)


def describe_defect(reference: str) -> str:
    return _(
        "Something went wrong. The error has been logged. "
        "Give the administrators of this server the reference {reference}."
    ).format(reference=reference)


def reference_of(request: HttpRequest) -> str:
    """The same for the page that says so and the log line about it."""
    found: str | None = getattr(request, "defect_reference", None)
    if found is None:
        found = make_reference()
        request.defect_reference = found  # type: ignore[attr-defined]
    return found


class AddReference(logging.Filter):
    """Puts the reference of a request that failed into the line that Django logs of it."""

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        status = getattr(record, "status_code", None)
        if isinstance(request, HttpRequest) and status == SERVER_ERROR:
            record.msg = _("{getMessage} (reference {reference_of})").format(
                getMessage=record.getMessage(), reference_of=reference_of(request)
            )
            record.args = ()
        return True
