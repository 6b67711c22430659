"""Pages of requesters that leave the form to the marketplace, as layouts of MTurk do."""

from __future__ import annotations

import re

from django.utils.html import format_html

# A form of its own, or a script that makes one or knows where to send it.
HAS_FORM = re.compile(
    r"<(?:crowd-)?form\b|createElement\(\s*[\"'`]form|externalSubmit|turkSubmitTo", re.IGNORECASE
)
HAS_BUTTON = re.compile(r"\btype\s*=\s*[\"']?submit\b", re.IGNORECASE)
# Where the content begins, the surest sign first; and where it ends.
STARTS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (r"<body\b[^>]*>", r"</head\s*>", r"<html\b[^>]*>", r"<!doctype\b[^>]*>")
]
ENDS = ("</body", "</html")


def wrap_in_form(html: str, *, action: str, assignment_id: str, is_preview: bool) -> str:
    """The page within a form with a button, by the names that scripts of layouts look for."""
    if HAS_FORM.search(html):
        return html
    start, end = _find_content(html)
    opening = format_html(
        '<form name="mturk_form" method="post" id="mturk_form" action="{}">'
        '<input type="hidden" name="assignmentId" id="assignmentId" value="{}">',
        action,
        assignment_id,
    )
    button = "" if HAS_BUTTON.search(html) else _button(is_preview)
    return f"{html[:start]}{opening}{html[start:end]}{button}</form>{html[end:]}"


def _find_content(html: str) -> tuple[int, int]:
    found = next(filter(None, (pattern.search(html) for pattern in STARTS)), None)
    start = found.end() if found else 0
    lower = html.lower()
    ends = [position for tag in ENDS if (position := lower.rfind(tag)) >= start]
    return start, min(ends, default=len(html))


def _button(is_preview: bool) -> str:
    state = ' value="Accept the HIT to submit" disabled' if is_preview else ' value="Submit"'
    return f'<p><input type="submit" id="submitButton"{state}></p>'
