"""No form loses what was entered, error pages keep the navigation, refusals lead on.

Every form of every page is filled in, sent and refused.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import resolve

from annotation.corpora.accounts.models import User
from annotation.errors import DomainError
from annotation.refill import TOKEN, Control, Form, read_forms
from annotation.refusals import RefusalMiddleware
from tests import factories
from tests.annotation.conftest import make_member, sign_in
from tests.annotation.corpora.pages import HOSTILE, page_of
from tests.annotation.corpora.places import undone
from tests.annotation.corpora.test_permissions import PARTS, TABLE, address, crowd, keep_files
from tests.annotation.crowd.wire import Wire
from tests.annotation.world import World
from tests.servers import ROOT

MESSAGE, MEND = "The dam says no.", "Ask the dam."
# Buttons around a task, whose page is not made again: it would load the task anew.
NOTHING_TYPED = {"crowd:work_accept", "crowd:work_return"}


class Refusing:
    """Refuses every form."""

    def __init__(self, get_response: Any) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *view: Any) -> HttpResponse | None:
        if request.method != "POST":
            return None
        refusals = RefusalMiddleware(self.get_response)
        return refusals.process_exception(request, DomainError(MESSAGE, MEND))


def forms_of(html: str) -> list[Form]:
    found = read_forms(html)
    assert len(found) == html.count("<form"), "a form was overlooked"
    return [form for form in found if form.is_post]


def is_typed(control: Control) -> bool:
    return bool(control.name) and not control.is_kept


def enter(form: Form) -> dict[str, list[str]]:
    """Something else in every field, with what the page itself sends along."""
    sent: dict[str, list[str]] = {}
    for control in form.controls:
        for value in entered(control):
            sent.setdefault(control.name, []).append(value)
    sent.pop(TOKEN, None)
    return sent


def entered(control: Control) -> list[str]:
    if not control.name or control.kind in ("file", "password", "submit", "button"):
        return []
    if not is_typed(control):
        return [control.value]
    if control.kind == "checkbox":
        return [] if "checked" in control.attributes else [control.value]
    if control.kind == "radio":
        return []
    if control.tag == "select":
        return [option.value for option in control.options[-1:]]
    return ["7"] if control.kind == "number" else [f"one & <two> {HOSTILE}"]


def shown(form: Form) -> dict[str, list[str]]:
    """What a browser would send of the fields that can be typed into."""
    sent: dict[str, list[str]] = {}
    for control in filter(is_typed, form.controls):
        for value in values_of(control):
            sent.setdefault(control.name, []).append(value)
    return sent


def values_of(control: Control) -> list[str]:
    if control.kind in ("checkbox", "radio"):
        return [control.value] if "checked" in control.attributes else []
    if control.tag == "select":
        return [row.value for row in control.options if "selected" in row.attributes]
    return [control.text.removeprefix("\n") if control.tag == "textarea" else control.value]


def check_refusal(client: Client, page: str, form: Form) -> set[str]:
    """The name of the address, if its form did not come back on its page."""
    is_bare = 'class="topbar"' not in client.get(page).content.decode()
    target = urljoin(page, form.action)
    sent = enter(form)
    response = client.post(target, sent, headers={"referer": f"http://testserver{page}"})
    html = response.content.decode()
    assert response.status_code == 409, target
    assert MESSAGE in html
    assert MEND in html
    assert is_bare or 'class="topbar"' in html, target
    if page.startswith("/p/"):
        assert {"/p/study/crowd/", "/p/study/jobs/"} <= set(page_of(response, 409).links), target
    return check_kept(html, page, form, sent)


def check_kept(html: str, page: str, form: Form, sent: dict[str, list[str]]) -> set[str]:
    target = urljoin(page, form.action)
    typed = {name for name in (row.name for row in form.controls if is_typed(row)) if name in sent}
    back = [row for row in forms_of(html) if urljoin(page, row.action) == target]
    if any({name: shown(row).get(name) for name in typed} == pick(sent, typed) for row in back):
        return set()
    kept = {row.name: row.text.removeprefix("\n") for form in back for row in form.controls}
    assert {name: [kept.get(name)] for name in typed} == pick(sent, typed), target
    return {resolve(target.partition("?")[0]).view_name}


def check_return(client: Client, page: str, form: Form) -> set[str]:
    """Sent after the session had ended, it is there again once somebody has signed in."""
    target, sent = urljoin(page, form.action), enter(form)
    response = Client().post(target, sent, headers={"referer": f"http://testserver{page}"})
    if response.status_code != 401:
        assert target == "/sign-out/" or "/sign-in/" not in response.get("Location", ""), target
        return set()
    (unsent,) = re.findall(r'name="unsent" value="([^"]+)"', response.content.decode())
    back = client.post("/sign-in/", {"unsent": unsent}, follow=True)
    assert len(back.redirect_chain) == 1, target
    assert "You were signed out" in back.content.decode(), target
    return check_kept(back.content.decode(), page, form, sent)


def pick(sent: dict[str, list[str]], names: set[str]) -> dict[str, list[str] | None]:
    return {name: sent.get(name) for name in names}


@pytest.fixture(scope="module")
def people(kept_world: World) -> dict[str, User]:
    project = kept_world.corpus.project
    owner = User.objects.get(email="owner@example.org")
    names = ("Editor", "Annotator", "Viewer")
    members = {name.lower(): make_member(project, name) for name in names}
    return {"owner": owner, **members, "outsider": factories.make_outsider("Outsider")}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("files")


@pytest.fixture(autouse=True)
def same_files(uploads: Path, gold_files: Path, folder: Path, monkeypatch: Any) -> None:
    """Where the places have theirs."""
    keep_files(monkeypatch, folder)


@pytest.fixture(scope="class")
def places(
    request: pytest.FixtureRequest,
    kept_world: World,
    people: dict[str, User],
    folder: Path,
) -> Iterator[Any]:
    part = request.cls.part
    with undone(), pytest.MonkeyPatch.context() as patch:
        keep_files(patch, folder)
        Wire().put_in(patch)
        known = {who: User.objects.get(pk=user.pk) for who, user in people.items()}
        yield part.make_places(kept_world.corpus.project, known) if part else None


class Walk:
    part: crowd.Part | None = None

    def test_no_form_loses_what_was_entered(
        self, places: Any, world: World, people: dict[str, User], settings: Any, wire: Any
    ) -> None:
        settings.MIDDLEWARE = [*settings.MIDDLEWARE, f"{__name__}.Refusing"]
        assert self.send_every_form(places, world, people, check_refusal) <= NOTHING_TYPED

    def test_no_form_is_lost_with_the_session(
        self, places: Any, world: World, people: dict[str, User], wire: Any
    ) -> None:
        assert self.send_every_form(places, world, people, check_return) <= NOTHING_TYPED

    def send_every_form(
        self, places: Any, world: World, people: dict[str, User], check: Callable[..., set[str]]
    ) -> set[str]:
        clients = {who: sign_in(people[who]) for who in ("owner", "outsider")}
        elsewhere: set[str] = set()
        seen: set[tuple[str, frozenset[str]]] = set()
        for name in pages(self.part):
            knock = crowd.make_knock(name, self.part, places)
            here = address(name, world, knock.values if knock else {})
            for client in clients.values():
                with undone():
                    page = client.get(here)
                    html = b"".join(page).decode(errors="replace")
                    if page.status_code != 200 or "text/html" not in page["Content-Type"]:
                        continue
                    for form in forms_of(html):
                        if (key := key_of(form, here)) not in seen:
                            elsewhere |= check(client, here, form)
                        seen.add(key)
        return elsewhere


def key_of(form: Form, page: str) -> tuple[str, frozenset[str]]:
    view = resolve(urljoin(page, form.action).partition("?")[0]).view_name
    return view, frozenset(row.name for row in form.controls)


def pages(part: crowd.Part | None) -> Iterator[str]:
    """What the owner or the worker may read."""
    for name, row in sorted(TABLE.items()):
        is_read = 200 in (row["GET"]["owner"], row["GET"]["outsider"])
        if is_read and "api" not in name and crowd.find_part(name, PARTS) is part:
            yield name


# A hint that sends people to another page than the one that they are on.
ELSEWHERE = re.compile(
    r"its job|their job|the job|[Ff]reeze it|Raise the|^Import|[Dd]elete the \w+ first"
)


def hints() -> Iterator[tuple[str, str, bool]]:
    """Of every refusal in the source: where it is, its hint, and whether it has a link."""
    refusals = {"DomainError", "Invalid", "Forbidden", "NotFound", "OverBudget"}
    for path in sorted((ROOT / "annotation").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in refusals:
                for hint in node.args[1:2]:
                    text = ast.unparse(hint).strip("f'\"")
                    linked = any(given.arg == "fix" for given in node.keywords)
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", text, linked


# Where no page is meant: a file on the server, or a corpus that the caller doesn't know.
UNLINKED = {"Import the corpus first."}


def test_a_refusal_links_to_where_it_can_be_fixed() -> None:
    found = [(place, hint) for place, hint, linked in hints() if not linked]
    assert [row for row in found if ELSEWHERE.search(row[1]) and row[1] not in UNLINKED] == []
    assert sum(linked for *_, linked in hints()) > 50


for number, one in enumerate([None, *PARTS]):
    globals()[f"TestPart{number}"] = type(f"TestPart{number}", (Walk,), {"part": one})
