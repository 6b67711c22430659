"""The fields of a submitted task, within a bound of bytes, fields and memory."""

from __future__ import annotations

from urllib.parse import unquote_to_bytes

from django.conf import settings
from django.core.exceptions import TooManyFieldsSent
from django.http import HttpRequest

from annotation.body_limit import TYPED_FORM, is_too_large
from annotation.errors import TOO_LARGE_FORMS, describe_form_limits
from annotation.translation import gettext as _

Fields = dict[str, list[str]]
PIECE_BYTES = 2**16
# "%", and two digits.
ESCAPE_BYTES = 3


def read_fields(request: HttpRequest) -> Fields:
    """Raises TooLarge if the web server, Django or this function finds that it is too large."""
    too_large = describe_form_limits()
    if is_too_large(request):
        raise too_large
    try:
        if request.content_type == TYPED_FORM:
            return parse_typed_form(request.body)
        return {name: request.POST.getlist(name) for name in request.POST}
    except TOO_LARGE_FORMS:
        raise too_large from None


def parse_typed_form(body: bytes) -> Fields:
    """A form as browsers write it by default, `a=1&b=%22`.

    Python's parser makes two objects of every escape, which takes some eighty times the memory of
    the form. Strangers may send forms of several megabytes here.
    """
    if body.count(b"&") >= settings.DATA_UPLOAD_MAX_NUMBER_FIELDS:
        raise TooManyFieldsSent(_("The form has too many fields."))
    fields: Fields = {}
    for field in filter(None, body.split(b"&")):
        name, __, value = field.partition(b"=")
        fields.setdefault(_decode(name), []).append(_decode(value))
    return fields


def _decode(text: bytes) -> str:
    text = text.replace(b"+", b" ")
    decoded, start = bytearray(), 0
    while start < len(text):
        end = _find_end(text, start + PIECE_BYTES)
        decoded += unquote_to_bytes(text[start:end])
        start = end
    return decoded.decode(errors="replace")


def _find_end(text: bytes, end: int) -> int:
    """Where a piece may end: not within an escape."""
    if end >= len(text):
        return len(text)
    begun = text.rfind(b"%", end - ESCAPE_BYTES + 1, end)
    return end if begun < 0 else begun
