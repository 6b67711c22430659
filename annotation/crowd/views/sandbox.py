"""What the frame of a task may do: which sandbox it has, and which policy the page in it has.

Cookies, storage and scripts of ours are reached from our origin only. So a page that a requester
wrote never has it: what we serve ourselves gets no origin at all, and an application on another
server keeps its own. `docs/security.md` has the threat model.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port, validate_host

from annotation.crowd.market.questions import Question
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
