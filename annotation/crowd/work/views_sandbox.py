"""What the frame of a task may do: which sandbox it has, and which policy the page in it has.

Cookies, storage and scripts of ours are reached from our origin only. So a page that a requester
wrote never has it: what we serve ourselves gets no origin at all, and an application on another
server keeps its own. `docs/security.md` has the threat model.

- A requester's HTML as it is served: addresses written for MTurk lead here, and our scripts
  join.
- Pages that differ in a few words only: rendered once, the words put in afterwards, escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port, validate_host
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.html import escape, format_html_join

from annotation.crowd.market.question_forms import Question
from annotation.headers import write_policy
from annotation.origins import PORTS, Origin, read_origin

# Without allow-same-origin a document has no origin; without allow-top-navigation it can't
# replace the page around it. Modals are alert, confirm and prompt.
SANDBOX = "allow-scripts allow-forms allow-popups allow-modals"
EXTERNAL_SANDBOX = f"{SANDBOX} allow-same-origin allow-popups-to-escape-sandbox"
SUBMIT_PATH = "/mturk/externalSubmit"


@dataclass(frozen=True, slots=True)
class Frame:
    """The sandbox of a task's frame, and what the page around it may show in it.

    `server` is the origin of an external task, which the page asks whether it is there, and
    `height` the least height that its requester asks for.
    """

    sandbox: str
    sources: list[str]
    server: str = ""
    height: int = 0


def frame_for(request: HttpRequest, question: Question) -> Frame:
    """For an external task, or for a page that we serve if the question has no address.

    An external task may lead its frame to any https address, as sign-in and survey servers do.
    """
    if not question.url:
        return Frame(SANDBOX, ["'self'"])
    origin = read_origin(question.url)
    server = str(origin)
    if is_ours(origin, request):
        # Our judging page fits any window; the height that it names is for other marketplaces.
        return Frame(SANDBOX, ["'self'", server], server)
    sources = ["'self'", "https:"] if origin.scheme == "https" else ["'self'", server, "https:"]
    return Frame(EXTERNAL_SANDBOX, sources, server, question.frame_height)


def is_ours(origin: Origin, request: HttpRequest) -> bool:
    """Whether this server may be what answers there. In doubt it is."""
    here, port = split_domain_port(request.get_host())
    public = read_origin(settings.PUBLIC_URL)
    # Behind a proxy, the port that we listen on is another one than the port of the address.
    listening = request.get_port()
    ports = {public.port, int(port) if port else PORTS[request.scheme or "http"]}
    ports |= {int(listening)} if listening.isdecimal() else set()
    if origin.is_loopback:
        # All loopback addresses are one machine, where ports distinguish the programs.
        return origin.port in ports
    names = [here, public.host, *settings.ALLOWED_HOSTS]
    return origin.port in ports | set(PORTS.values()) and validate_host(origin.host, names)


def task_policy(origin: str) -> str:
    """What a requester's page may do: look as it likes, and send answers to us only.

    Addresses such as `//cdn.example.org/a.js` mean http on a server without https.
    """
    web = ["https:"] if origin.startswith("https:") else ["https:", "http:"]
    directives = {
        "default-src": ["'none'"],
        "script-src": ["'unsafe-inline'", "'unsafe-eval'", "blob:", *web],
        "style-src": ["'unsafe-inline'", *web],
        "img-src": ["data:", "blob:", *web],
        "font-src": ["data:", *web],
        "media-src": ["data:", "blob:", *web],
        "connect-src": ["https:", "wss:", "data:", "blob:"],
        "worker-src": ["blob:"],
        "frame-src": ["https:"],
        **_sent_home(origin),
    }
    return write_policy(directives, sandbox=SANDBOX)


def own_policy(origin: str, *, images: Iterable[str] = ()) -> str:
    """For our own pages in the frame, which are in the same sandbox."""
    directives = {
        "default-src": ["'none'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:", *images],
        "script-src": ["'self'"],
        **_sent_home(origin),
    }
    return write_policy(directives, sandbox=SANDBOX)


def _sent_home(origin: str) -> dict[str, list[str]]:
    return {
        "form-action": [f"{origin}{SUBMIT_PATH}"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'self'"],
    }


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


_PLACE = re.compile(r"gizaplace-([a-z_]+)-")


class Shell:
    """A template whose values are plain texts, shown as they are.

    The template may put them anywhere, into addresses too, but must neither test nor filter them.
    """

    def __init__(self, template: str, names: Iterable[str]) -> None:
        self.template = template
        self.names = list(names)
        self._pieces: list[str] = []

    def render(self, **values: str) -> str:
        if not self._pieces or settings.DEBUG:
            self._pieces = self._render_pieces()
        # Every second piece is the name of a value.
        filled = list(self._pieces)
        filled[1::2] = [escape(values[name]) for name in self._pieces[1::2]]
        return "".join(filled)

    def _render_pieces(self) -> list[str]:
        places = {name: f"gizaplace-{name}-" for name in self.names}
        return _PLACE.split(render_to_string(self.template, places))
