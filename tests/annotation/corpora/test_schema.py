"""REST keeps every promise of its own description, whatever it is sent."""

from __future__ import annotations

import os
import subprocess
import sys
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, settings
from schemathesis.core.parameters import ParameterLocation

from annotation.corpora import services
from annotation.corpora.models import Project, User
from deploy.wsgi import application
from tests.annotation.corpora.places import Places, make_places, undone
from tests.annotation.units.places import UnitPlaces, make_unit_places
from tests.servers import ROOT

DESCRIPTION = SchemaGenerator().get_schema(public=True)
schema = schemathesis.openapi.from_dict(DESCRIPTION)
schema.app = application
# A text that may be empty has no pattern in the description, so it can't tell that NUL is refused.
# The key is ours to send: one that the generator makes up would be replaced before it is sent.
schema.config.generation.update(allow_x00=False, with_security_parameters=False)


@schema.hook
def filter_body(context: Any, body: Any) -> bool:
    """Leave out empty files: the generator's client, unlike any other, sends them as fields."""
    files = body.get("files") if isinstance(body, dict) else None
    given = files if isinstance(files, list) else []
    return not any(getattr(file, "data", None) == b"" for file in given)


@pytest.fixture(autouse=True)
def one_connection() -> Iterator[None]:
    """Keep the test's transaction, which a server would end with each request."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


@pytest.fixture
def places(corpus: Project, owner: User, tmp_path: Path) -> Places:
    return make_places(corpus, owner, tmp_path)


@pytest.fixture
def units(corpus: Project, tmp_path: Path) -> UnitPlaces:
    return make_unit_places(corpus, tmp_path)


@pytest.fixture
def key(owner: User) -> str:
    return services.create_token(user=owner, name="fuzz")[1]


@pytest.fixture
def answers(request: pytest.FixtureRequest) -> Iterator[Counter[int]]:
    """How often each status was answered; a call that never succeeded was not really tried.

    Files of units are told apart by their names, and the generator gives its files none.
    """
    statuses: Counter[int] = Counter()
    yield statuses
    least = 409 if "unit-sets/import/" in request.node.name else 200
    assert any(least <= status < least + 100 for status in statuses), statuses


def id_at(path: str, places: Places) -> int:
    """The id with which an address succeeds; the more particular addresses come first."""
    ids = {
        "/tokens/{id}/": places.token.pk,
        "/members/{id}/": places.bystander.pk,
        "/invitations/{id}/": places.invitation.pk,
        "/examples/{id}/": places.example.pk,
        "/systems/{id}/": places.system.pk,
        "/imports/{id}/undo/": places.done.pk,
        "/imports/{id}/": places.ready.pk,
        "/jobs/{id}/cancel/": places.queued.pk,
        "/jobs/{id}/": places.failed.pk,
    }
    return next(pk for part, pk in ids.items() if part in path)


def unit_ids_at(path: str, units: UnitPlaces) -> dict[str, int]:
    """The same for addresses of units."""
    ids = {
        "/comments/{id}/": units.comment.pk,
        "/unit-sets/{id}/draft/": units.reviewed.pk,
        "/unit-sets/{id}/next-version/": units.frozen.pk,
        "/unit-sets/{id}/": units.checked.pk,
    }
    found = [pk for part, pk in ids.items() if part in path]
    return {"example": units.example.pk, "other": units.frozen.pk} | (
        {"id": found[0]} if found else {}
    )


def lead_home(case: Any, places: Places, units: UnitPlaces) -> None:
    """Three times of four, send a case with a well-formed address to something that exists."""
    place = case.meta.components.get(ParameterLocation.PATH)
    values = case.path_parameters
    told = repr((values, case.query, case.body)).encode()
    if place is None or place.mode.is_negative or zlib.crc32(told) % 4 == 0:
        return
    known = {"slug": places.project.slug, **unit_ids_at(case.path, units)}
    if "id" in values and "id" not in known:
        known["id"] = id_at(case.path, places)
    values.update({name: value for name, value in known.items() if name in values})


def lead_body(case: Any, units: UnitPlaces) -> None:
    """Let well-formed bodies name people and units that exist."""
    place = case.meta.components.get(ParameterLocation.BODY)
    if place is None or place.mode.is_negative or not isinstance(case.body, dict):
        return
    known = {
        "author": units.writer.pk,
        "reviewer": None,
        "unit": units.units[0].pk,
        "first": 1,
    }
    if zlib.crc32(repr(case.body).encode()) % 2:
        case.body.update({name: known[name] for name in known if name in case.body})


@schema.parametrize()
@settings(
    max_examples=20,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
def test_it_keeps_its_promises(
    case: Any, key: str, places: Places, units: UnitPlaces, answers: Counter[int]
):
    lead_home(case, places, units)
    lead_body(case, units)
    with undone():
        response = case.call_and_validate(headers={"Authorization": f"Bearer {key}"})
        if case.method == case.operation.method.upper():
            answers[response.status_code] += 1


def test_it_is_described_without_a_warning(tmp_path: Path):
    command = ["manage.py", "spectacular", "--validate", "--fail-on-warn"]
    ran = subprocess.run(
        [sys.executable, *command, "--file", str(tmp_path / "schema.yaml")],
        cwd=ROOT,
        env={**os.environ, "DATA_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert (tmp_path / "schema.yaml").read_text().startswith("openapi: 3.")


def test_it_names_every_error_of_every_call():
    for path, calls in DESCRIPTION["paths"].items():
        for method, call in calls.items():
            missing = {"400", "401", "403", "404", "405", "409", "429"} - set(call["responses"])
            assert missing == set(), f"{method} {path}"


def test_it_gives_every_call_a_name_and_a_sentence():
    calls = [call for path in DESCRIPTION["paths"].values() for call in path.values()]
    names = [call["operationId"] for call in calls]
    assert len(set(names)) == len(names)
    assert [call["operationId"] for call in calls if not call.get("description")] == []


def test_it_is_explained_to_people():
    """docs/rest.md names every address, and no address that is not there."""
    text = (ROOT / "docs" / "rest.md").read_text()
    rows = {
        (method, path)
        for line in text.splitlines()
        if line.startswith("| `")
        for method, path in [line.split("`")[1].split(" ", 1)]
    }
    described = {
        (method.upper(), path.removeprefix("/api/v1"))
        for path, calls in DESCRIPTION["paths"].items()
        for method in calls
    }
    assert rows == described
