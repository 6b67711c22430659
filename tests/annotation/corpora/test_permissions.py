"""Who may do what: every address, by every method, as everybody.

An address without a row in the table below fails the test, and so does one whose answer differs.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, resolve, reverse

import scoring.backends
from annotation.corpora.accounts.models import User
from annotation.model_guard import BACKENDS, ModelGuard, is_model
from tests import factories
from tests.annotation.conftest import make_member, sign_in
from tests.annotation.corpora.places import Places, undone
from tests.annotation.crowd import permissions as crowd
from tests.annotation.crowd.campaigns.places import keep_busy
from tests.annotation.crowd.wire import Wire
from tests.annotation.evaluation import api_permissions as evaluation_api
from tests.annotation.evaluation import judge_permissions as judges
from tests.annotation.evaluation import permissions as evaluation
from tests.annotation.evaluation import plan_permissions as plans
from tests.annotation.evaluation import report_permissions as reports
from tests.annotation.evaluation import run_permissions as runs
from tests.annotation.evaluation import sample_permissions as samples
from tests.annotation.evaluation import score_permissions as scores
from tests.annotation.evaluation import study_permissions as studies
from tests.annotation.roles import (
    EDITOR,
    EVERYBODY,
    MEMBERS,
    METHODS,
    OWNER,
    SIGNED_IN,
    VIEWER,
    Row,
    but,
    call,
    everybody,
    let_in,
    page,
    project,
    signed_in,
)
from tests.annotation.units import permissions as units
from tests.annotation.world import World
from tests.factories import PASSWORD
from tests.servers import ROOT


def mine(row: Row, method: str) -> Row:
    """What belongs to the owner's account is not there for others."""
    return but(row, method, editor=404, annotator=404, viewer=404, outsider=404)


OWN_FILES = {"'none'", "'self'"}
ALREADY_IN = dict.fromkeys(SIGNED_IN, 302)
ALREADY_MEMBER = dict.fromkeys(MEMBERS, 409)

TABLE: dict[str, Row] = {
    "healthz": everybody(GET=200),
    "live": everybody(GET=200),
    "ready": everybody(GET=200),
    "api_schema": everybody(GET=200),
    "api_docs": everybody(GET=200),
    "js_messages": everybody(GET=200),
    "corpora:glossary": everybody(GET=200),
    "corpora:sign_in": but(
        but(everybody(GET=200, POST=422), "GET", **ALREADY_IN), "POST", **ALREADY_IN
    ),
    "corpora:sign_in_code": everybody(GET=302, POST=302),
    "corpora:second_factor": signed_in(302, GET=200, POST=422),
    "corpora:disable_second_factor": signed_in(302, POST=422),
    "corpora:renew_recovery_codes": signed_in(302, POST=422),
    "corpora:sign_out": everybody(POST=302),
    "corpora:invitation": but(
        everybody(GET=200, POST=302), "POST", **ALREADY_MEMBER, anonymous=422
    ),
    "corpora:projects": signed_in(302, GET=200),
    "corpora:create_project": let_in(signed_in(302, GET=200, POST=302), "GET", "POST"),
    "corpora:account": signed_in(302, GET=200, POST=302),
    "corpora:change_password": signed_in(302, POST=422),
    "corpora:reset_links": signed_in(302, GET=404, POST=404),
    "corpora:forgot_password": everybody(GET=200, POST=200),
    "corpora:reset_sent": everybody(GET=200),
    # A link that was never made: whoever opens it reads that it isn't valid.
    "corpora:new_password": everybody(GET=200, POST=200),
    "corpora:create_token": signed_in(302, POST=302),
    "corpora:revoke_token": mine(signed_in(302, POST=302), "POST"),
    "corpora:choose_mail": signed_in(302, POST=302),
    "corpora:notifications": signed_in(302, GET=200),
    "corpora:bell": signed_in(302, GET=200),
    "corpora:notification": mine(signed_in(302, GET=302), "GET"),
    "corpora:mark_read": mine(signed_in(302, POST=302), "POST"),
    "corpora:mark_all_read": signed_in(302, POST=302),
    "corpora:project": page(VIEWER, GET=200),
    "corpora:activity": page(EDITOR, GET=200),
    "corpora:download_activity": page(EDITOR, GET=200),
    "corpora:project_settings": page(OWNER, GET=200, POST=302),
    "corpora:delete_project": page(OWNER, POST=302),
    "corpora:members": page(VIEWER, GET=200),
    "corpora:create_invitation": page(OWNER, POST=302),
    "corpora:revoke_invitation": page(OWNER, POST=302),
    "corpora:change_role": page(OWNER, POST=302),
    "corpora:remove_member": project(302, VIEWER, POST=(OWNER, 302)),
    "corpora:search": page(VIEWER, GET=200),
    "corpora:examples": page(VIEWER, GET=200),
    "corpora:example": page(VIEWER, GET=200),
    "corpora:systems": project(302, VIEWER, GET=(VIEWER, 200), POST=(EDITOR, 302)),
    "corpora:system": project(302, VIEWER, GET=(VIEWER, 200), POST=(EDITOR, 302)),
    "corpora:imports": page(VIEWER, GET=200),
    "corpora:create_import": page(EDITOR, GET=200, POST=302),
    "corpora:import": page(VIEWER, GET=200),
    "corpora:write_import": page(EDITOR, POST=302),
    "corpora:choose_columns": page(EDITOR, POST=302),
    "corpora:undo_import": page(EDITOR, POST=302),
    "corpora:drop_import": page(EDITOR, POST=302),
    "corpora:export": page(VIEWER, GET=200),
    "corpora:download": page(VIEWER, GET=200),
    "corpora:jobs": page(VIEWER, GET=200),
    "corpora:job": page(VIEWER, GET=200),
    "corpora:cancel_job": page(EDITOR, POST=302),
    "corpora:retry_job": page(EDITOR, POST=302),
    "api:me": signed_in(401, GET=200),
    "api:tokens": signed_in(401, GET=200, POST=201),
    "api:token": mine(signed_in(401, DELETE=204), "DELETE"),
    "api:notifications": signed_in(401, GET=200),
    "api:mark_all_read": signed_in(401, POST=200),
    "api:mark_read": mine(signed_in(401, POST=200), "POST"),
    "api:activity": call(GET=(EDITOR, 200)),
    "api:export_activity": call(GET=(EDITOR, 200)),
    "api:projects": let_in(signed_in(401, GET=200, POST=201), "POST"),
    "api:project": call(GET=(VIEWER, 200), PATCH=(OWNER, 200), DELETE=(OWNER, 204)),
    "api:members": call(GET=(VIEWER, 200)),
    "api:member": call(PATCH=(OWNER, 200), DELETE=(OWNER, 204)),
    "api:invitations": call(GET=(OWNER, 200), POST=(OWNER, 201)),
    "api:invitation": call(DELETE=(OWNER, 204)),
    "api:accept_invitation": but(signed_in(401, POST=409), "POST", outsider=201),
    "api:search": call(GET=(VIEWER, 400)),
    "api:examples": call(GET=(VIEWER, 200)),
    "api:example": call(GET=(VIEWER, 200)),
    "api:systems": call(GET=(VIEWER, 200)),
    "api:system": call(GET=(VIEWER, 200), PATCH=(EDITOR, 200)),
    "api:system_summaries": call(GET=(VIEWER, 200)),
    "api:export": call(GET=(VIEWER, 200)),
    "api:imports": call(GET=(VIEWER, 200), POST=(EDITOR, 202)),
    "api:import": call(GET=(VIEWER, 200), DELETE=(EDITOR, 204)),
    "api:write_import": call(POST=(EDITOR, 202)),
    "api:choose_columns": call(POST=(EDITOR, 202)),
    "api:undo_import": call(POST=(EDITOR, 202)),
    "api:jobs": call(GET=(VIEWER, 200)),
    "api:job": call(GET=(VIEWER, 200)),
    "api:cancel_job": call(POST=(EDITOR, 202)),
    "api:retry_job": call(POST=(EDITOR, 202)),
    **units.TABLE,
    **crowd.TABLE,
    **evaluation.TABLE,
    **evaluation_api.TABLE,
    **runs.TABLE,
    **judges.TABLE,
    **plans.TABLE,
    **reports.TABLE,
    **samples.TABLE,
    **scores.TABLE,
    **studies.TABLE,
}

SENT: dict[str, dict[str, Any]] = {
    "corpora:create_project": {"name": "New", "slug": "new-one"},
    "corpora:account": {
        "name": "Somebody",
        "email": "somebody@example.org",
        "password": PASSWORD,
    },
    "corpora:create_token": {"name": "notebook", "scope": "read"},
    "corpora:project_settings": {"name": "Other"},
    "corpora:delete_project": {"confirm": "study"},
    "corpora:create_invitation": {"role": "viewer"},
    "corpora:change_role": {"role": "editor"},
    "corpora:system": {"name": "lead-1", "kind": "extractive"},
    "api:choose_columns": {"columns": {"bart": "ignore"}},
    "api:tokens": {"name": "notebook"},
    "api:projects": {"name": "New", "slug": "new-one"},
    "api:project": {"name": "Other"},
    "api:member": {"role": "editor"},
    "api:invitations": {"role": "viewer"},
    "api:system": {"name": "lead-1"},
}
UPLOADS = (
    {"corpora:create_import", "api:imports"}
    | units.UPLOADS
    | crowd.UPLOADS
    | evaluation.UPLOADS
    | evaluation_api.UPLOADS
    | scores.UPLOADS
)
PARTS = [
    *crowd.PARTS,
    *evaluation.PARTS,
    *evaluation_api.PARTS,
    *runs.PARTS,
    *judges.PARTS,
    *plans.PARTS,
    *reports.PARTS,
    *samples.PARTS,
    *scores.PARTS,
    *studies.PARTS,
]


def patterns_of(patterns: list[Any], prefix: str = "") -> Iterator[tuple[str, list[str]]]:
    """The name of every address, with the names of what it takes."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            inner = f"{pattern.namespace}:" if pattern.namespace else ""
            for name, takes in patterns_of(pattern.url_patterns, prefix + inner):
                yield name, [*pattern.pattern.converters, *takes]
        elif isinstance(pattern, URLPattern):
            yield f"{prefix}{pattern.name}", list(pattern.pattern.converters)


@cache
def addresses() -> dict[str, list[str]]:
    return dict(patterns_of(get_resolver().url_patterns))


def test_it_has_a_row_for_every_address():
    assert set(addresses()) == set(TABLE)


def test_it_sends_only_to_addresses_that_exist():
    assert set(SENT) | UPLOADS <= set(TABLE)


@pytest.fixture(scope="module")
def kept_people(kept_world: World) -> dict[str, User]:
    project = kept_world.corpus.project
    owner = User.objects.get(email="owner@example.org")
    members = [make_member(project, name) for name in ("Editor", "Annotator", "Viewer")]
    people = [owner, *members, factories.make_outsider("Outsider")]
    return dict(zip(SIGNED_IN, people, strict=True))


@pytest.fixture(scope="module")
def kept_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("files")


@pytest.fixture(scope="class")
def kept_places(
    request: pytest.FixtureRequest,
    kept_world: World,
    kept_people: dict[str, User],
    kept_folder: Path,
) -> Iterator[Any]:
    """The places of one part of the table, made once for all of its addresses."""
    part: crowd.Part | None = request.cls.part
    if part is None:
        yield None
        return
    with undone():
        with pytest.MonkeyPatch.context() as patch:
            keep_files(patch, kept_folder)
            Wire().put_in(patch)
            people = {who: User.objects.get(pk=user.pk) for who, user in kept_people.items()}
            places = part.make_places(kept_world.corpus.project, people)
        yield places


def keep_files(patch: pytest.MonkeyPatch, folder: Path) -> None:
    patch.setattr(settings, "IMPORTS_DIR", folder / "imports")
    patch.setattr(settings, "GOLD_DIR", folder / "gold")


@pytest.fixture(autouse=True)
def as_they_are(
    uploads: Path, gold_files: Path, kept_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the places have theirs; and what they have begun is not given up."""
    keep_files(monkeypatch, kept_folder)
    keep_busy(monkeypatch)


@pytest.fixture(scope="module")
def kept_cast(kept_people: dict[str, User]) -> dict[str, Client]:
    """Everybody, signed in once; whatever a call makes of that is taken back."""
    return {name: sign_in(kept_people.get(name)) for name in EVERYBODY}


def address(name: str, world: World, more: dict[str, Any]) -> str:
    values = {
        "slug": world.corpus.project.slug,
        "token": world.corpus.invitation.token,
        "format": "jsonl",
        "uidb64": "MQ",
        "pk": id_for(name.partition(":")[2], world.corpus),
    }
    if name in units.TABLE:
        values |= units.values_for(name, world.units)
    values |= more
    return reverse(name, kwargs={taken: values[taken] for taken in addresses()[name]})


def id_for(last: str, places: Places) -> int | None:
    """The id with which an address succeeds."""
    return {
        "token": places.token.pk,
        "revoke_token": places.token.pk,
        "invitation": places.invitation.pk,
        "revoke_invitation": places.invitation.pk,
        "change_role": places.bystander.pk,
        "remove_member": places.bystander.pk,
        "member": places.bystander.pk,
        "example": places.example.pk,
        "system": places.system.pk,
        "system_summaries": places.system.pk,
        "import": places.ready.pk,
        "write_import": places.ready.pk,
        "drop_import": places.ready.pk,
        "choose_columns": places.table.pk,
        "undo_import": places.done.pk,
        "job": places.failed.pk,
        "retry_job": places.failed.pk,
        "cancel_job": places.queued.pk,
        "notification": places.notification.pk,
        "mark_read": places.notification.pk,
    }.get(last)


def upload_to(name: str) -> dict[str, Any]:
    if name in units.UPLOADS:
        return units.upload()
    if name in crowd.UPLOADS:
        return crowd.upload()
    if name in evaluation.UPLOADS:
        return evaluation.upload(name)
    if name in evaluation_api.UPLOADS:
        return evaluation_api.upload(name)
    if name in scores.UPLOADS:
        return scores.upload()
    line = json.dumps(factories.example("e7")).encode()
    return {"files": SimpleUploadedFile("corpus.jsonl", line)}


def send(client: Client, name: str, method: str, url: str, data: dict[str, Any]) -> int:
    """The status of one call, with everything it has changed taken back."""
    with undone(), same_cookies(client):
        if name in UPLOADS and method == "POST":
            response = client.post(url, {**data, **upload_to(name)})
        elif "api:" in name:
            response = client.generic(
                method, url, json.dumps(data), content_type="application/json"
            )
        elif method == "POST":
            response = client.post(url, data)
        else:
            response = client.generic(method, url)
        b"".join(response)
    assert_it_runs_our_own_files_alone(response)
    return response.status_code


@contextmanager
def same_cookies(client: Client) -> Iterator[None]:
    kept = client.cookies.output()
    yield
    client.cookies.clear()
    client.cookies.load(kept.replace("Set-Cookie: ", ""))


def assert_it_runs_our_own_files_alone(response: Any) -> None:
    """Whatever is answered, to whomever: no page runs or paints what stands in the page itself."""
    policy = dict(rule.split(" ", 1) for rule in response["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == "'none'"
    for kind in ("script-src", "style-src"):
        for source in policy.get(kind, "'none'").split():
            assert source in OWN_FILES or source.startswith("'sha256-"), f"{kind}: {source}"


@pytest.fixture
def short_description(monkeypatch: pytest.MonkeyPatch) -> None:
    """REST's takes a second to make, and whoever may read it reads the same."""
    path = "drf_spectacular.generators.SchemaGenerator.get_schema"
    monkeypatch.setattr(path, lambda *_, **__: {"openapi": "3.0.3"})


@pytest.fixture
def web_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a web process, no page and no call can load a model; what is loaded is put aside."""
    loaded = [name for name in sys.modules if name.startswith(BACKENDS) and is_model(name)]
    for name in loaded:
        monkeypatch.delattr(scoring.backends, name.removeprefix(BACKENDS), raising=False)
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [ModelGuard(), *sys.meta_path])


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each address is a case of the part that it belongs to."""
    if metafunc.cls is not None:
        names = [name for name in TABLE if crowd.find_part(name, PARTS) is metafunc.cls.part]
        metafunc.parametrize("name", sorted(names))


@pytest.mark.usefixtures("short_description", "wire", "web_process")
class Answers:
    part: crowd.Part | None = None

    def test_it_answers_everybody_as_the_table_says(
        self, name: str, kept_cast: dict[str, Client], kept_places: Any, world: World
    ) -> None:
        knock = crowd.make_knock(name, self.part, kept_places)
        url = address(name, world, knock.values if knock else {})
        data = SENT.get(name) or (knock.sent if knock else units.sent_to(name, world.units))
        answered = {
            method: {
                who: send(kept_cast[who], name, method, url, data) for who in askers(name, method)
            }
            for method in METHODS
        }
        assert answered == {
            method: {who: TABLE[name][method][who] for who in askers(name, method)}
            for method in METHODS
        }


def askers(name: str, method: str) -> list[str]:
    """The owner alone, if the address does not take the method from them; else strangers, and of
    the members those where the answer changes from one role to the next, or the least of them.

    What a page shows to owners is tested with the page.
    """
    answers = [TABLE[name][method][who] for who in MEMBERS]
    if answers[0] == 405:
        return ["owner"]
    steps = {place for place in range(1, len(MEMBERS)) if answers[place] != answers[place - 1]}
    asked = [who for place, who in enumerate(MEMBERS) if steps & {place, place + 1}]
    return [*(asked or MEMBERS[-1:]), "outsider", "anonymous"]


# A class for each part: the places of a class are made once. A parametrized fixture's are not.
for number, one in enumerate([None, *PARTS]):
    globals()[f"TestPart{number}"] = type(f"TestPart{number}", (Answers,), {"part": one})


ANYTHING = {"slug": "study", "format": "jsonl", "figure": "scatter"} | dict.fromkeys(
    ["id", "example", "other", "worker", "entry", "message"], 1
)


def documented_roles() -> Iterator[tuple[str, str, str]]:
    """Address, method and least role, as docs/rest.md has them."""
    for line in (ROOT / "docs" / "rest.md").read_text().splitlines():
        if line.startswith("| `") and "/{slug}/" in line:
            call, role = (cell.strip(" `") for cell in line.split("|")[1:3])
            method, path = call.split(" ")
            filled = path.format_map(ANYTHING)
            yield resolve(f"/api/v1{filled}").view_name, method, role


def test_it_needs_the_role_that_is_documented():
    rows = list(documented_roles())
    assert len(rows) > 20
    for name, method, role in rows:
        # Whoever is told that the call lacks something has been let in.
        allowed = [member for member in MEMBERS if TABLE[name][method][member] <= 400]
        assert allowed[-1] == role, f"{method} {name}"
