"""Any error of a REST call in the shape in which we tell of it."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler

from annotation.errors import DomainError, as_unavailable, shape


def api_exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """`{"error": {"code", "message", "hint", "fields"}}`, whatever went wrong."""
    error = as_unavailable(error) or error
    if isinstance(error, DomainError):
        body = shape(error.code, error.message, hint=error.hint)
        body["error"].update(error.extra)
        return Response(body, status=error.status, headers=error.headers)
    response = exception_handler(error, context)
    if response is None:
        return None
    if isinstance(error, exceptions.ValidationError):
        response.data = _validation_shape(response.data)
    elif isinstance(error, Http404):
        response.data = shape("not_found", _("There is nothing at this address."))
    elif isinstance(error, PermissionDenied):
        response.data = shape("forbidden", _("This is not allowed."))
    else:
        code = str(getattr(error, "default_code", "error"))
        response.data = shape(OUR_CODES.get(code, code), _detail(response))
    return response


# What the framework calls otherwise than we do.
OUR_CODES = {"permission_denied": "forbidden", "parse_error": "invalid"}


def _detail(response: Response) -> str:
    data = response.data
    return str(data.get("detail", "")) if isinstance(data, dict) else str(data)


def _validation_shape(data: Any) -> dict[str, Any]:
    fields = data if isinstance(data, dict) else {"non_field_errors": data}
    named = {str(name): _sentences(value) for name, value in fields.items()}
    first, sentences = next(iter(named.items()))
    where = "" if first == "non_field_errors" else f"{first}: "
    return shape("invalid", f"{where}{' '.join(sentences)}", fields=named)


def _sentences(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [f"{name}: {' '.join(_sentences(item))}" for name, item in value.items()]
    return [str(item) for item in value] if isinstance(value, list) else [str(value)]
