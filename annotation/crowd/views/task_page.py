"""A requester's HTML as it is served: addresses written for MTurk lead here, and our scripts join.

The text of a form is led home for browsers without scripts. `frontend/static/js/task-page.js` does
the same when a form is sent, whatever put its address together, and `task-size.js` reports how tall
the page is. Of scripts nothing is changed but the name of MTurk's server, so that no answer goes
there.
"""

from __future__ import annotations

import re
from urllib.parse import urlencode, urlsplit

from django.templatetags.static import static
from django.utils.html import format_html_join

from annotation.crowd.views.sandbox import SUBMIT_PATH

# Slashes and quotes may be escaped, as they are in JSON and in scripts.
HOST = r"(?P<scheme>https?:)?\\?/\\?/(?:www|worker|workersandbox)\.mturk\.com"
PATH = r"\\?/mturk\\?/externalSubmit/?(?![\w-])"
IN_FORM = re.compile(
    r"(?P<before><(?:crowd-form|form|button|input)\b[^<>]*?[\s\"'](?:form)?action\s*=\s*\\?[\"']?)"
    rf"(?:{HOST})?{PATH}(?P<query>\?)?",
    re.IGNORECASE,
)
ANYWHERE = re.compile(HOST + PATH, re.IGNORECASE)
SCRIPTS = ("js/task-page.js", "js/task-size.js")


def prepare_page(html: str, origin: str, assignment_id: str) -> str:
    """A page of this assignment, on a server with this origin."""
    # At the end, so that what the page begins with stays its beginning.
    return lead_home(html, origin, assignment_id) + format_html_join(
        "",
        '<script src="{}" data-assignment="{}"></script>',
        [(f"{origin}{static(name)}", assignment_id) for name in SCRIPTS],
    )


def home(origin: str, assignment_id: str) -> str:
    return f"{origin}{SUBMIT_PATH}?{urlencode({'assignmentId': assignment_id})}"


def lead_home(html: str, origin: str, assignment_id: str) -> str:
    """MTurk's addresses for submissions as ours; those of forms name the assignment, too."""

    def fill(found: re.Match[str]) -> str:
        return f"{found['before']}{home(origin, assignment_id)}{'&' if found['query'] else ''}"

    def rename(found: re.Match[str]) -> str:
        # A script may put the scheme before what begins with two slashes.
        start = origin if found["scheme"] else f"//{urlsplit(origin).netloc}"
        return f"{start}{SUBMIT_PATH}"

    led = IN_FORM.sub(fill, html)
    # Looking for the pattern takes a hundred times as long as looking for the word.
    return ANYWHERE.sub(rename, led) if "mturk.com" in led.lower() else led
