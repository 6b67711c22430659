"""REST keeps every promise of its own description, whatever it is sent."""

from __future__ import annotations

import os
import subprocess
import sys
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
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
from annotation.corpora.models import User
from deploy.wsgi import application
from tests.annotation.corpora.places import Places, undone
from tests.annotation.crowd.campaigns.places import CampaignPlaces, make_campaign_places
from tests.annotation.crowd.wire import Wire
from tests.annotation.evaluation.places import (
    JudgePlaces,
    LabelPlaces,
    RunPlaces,
    make_judge_places,
    make_label_places,
    make_run_places,
)
from tests.annotation.units.places import UnitPlaces
from tests.annotation.world import World
from tests.servers import PATIENCE, ROOT

DESCRIPTION = SchemaGenerator().get_schema(public=True)
# Bodies with so many fields that trying every edge of each takes a minute; a table of wrong
# settings does that (test_api.py of campaigns, test_api_labels.py), so that these are only sent
# what comes by chance.
MANY_FIELDS = [
    "create_campaign",
    "update_campaign",
    "keep_labels",
    "preview_labels",
    "start_run",
    "score_texts",
    "train_judge",
]


@dataclass(frozen=True, slots=True)
class Everywhere:
    """What addresses and bodies can name."""

    world: World
    crowd: CampaignPlaces | None
    labels: LabelPlaces | None
    runs: RunPlaces | None
    judges: JudgePlaces | None


def load() -> Any:
    loaded = schemathesis.openapi.from_dict(DESCRIPTION)
    loaded.app = application
    # A text that may be empty has no pattern in the description, so it can't tell that NUL is
    # refused. The key is ours to send: one that is made up would be replaced before it is sent.
    loaded.config.generation.update(allow_x00=False, with_security_parameters=False)
    return loaded


schema, wide_schema = load(), load()
wide_schema.config.phases.update(phases=["fuzzing"])


@schema.hook
def filter_body(context: Any, body: Any) -> bool:
    """Leave out empty files: the generator's client, unlike any other, sends them as fields.

    So are versions without an extractor: the description can't say that one needs the other.
    """
    sent = body if isinstance(body, dict) else {}
    files = sent.get("files")
    given = [sent.get("file"), *(files if isinstance(files, list) else [])]
    is_nameless = "extractor_version" in sent and not str(sent.get("extractor", "")).strip()
    return not is_nameless and not any(getattr(file, "data", file) == b"" for file in given)


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
def key(owner: User) -> str:
    return services.create_token(user=owner, name="fuzz")[1]


@pytest.fixture
def answers(request: pytest.FixtureRequest) -> Iterator[Counter[int]]:
    """How often each status was answered; a call that never succeeded was not really tried.

    Some files are told apart by their names, and the generator gives its files none.
    """
    statuses: Counter[int] = Counter()
    yield statuses
    least = 409 if "/import/" in request.node.name else 200
    assert any(least <= status < least + 100 for status in statuses), statuses


@pytest.fixture
def crowd(
    request: pytest.FixtureRequest, wire: Wire, world: World, owner: User
) -> CampaignPlaces | None:
    """Only where they are asked for: a project with a campaign that is out can't be deleted."""
    is_asked = "/campaigns/" in request.node.name
    return make_campaign_places(world.corpus.project, owner) if is_asked else None


LABEL_PARTS = ("labels", "contested", "adjudications", "decisions", "workers", "judges", "gold")


@pytest.fixture
def labels(request: pytest.FixtureRequest, world: World, owner: User) -> LabelPlaces | None:
    """Only where they are asked for, since they take a second to make."""
    parts = request.node.name.split("{slug}/")[-1].split("/")
    return make_label_places(world.corpus.project, owner) if parts[0] in LABEL_PARTS else None


@pytest.fixture
def runs(request: pytest.FixtureRequest, world: World, owner: User) -> RunPlaces | None:
    """The same for runs of judges."""
    parts = request.node.name.split("{slug}/")[-1].split("/")
    is_asked = parts[0] in ("runs", "score")
    return make_run_places(world.corpus.project, owner) if is_asked else None


@pytest.fixture
def judges(request: pytest.FixtureRequest, world: World, owner: User) -> JudgePlaces | None:
    """The same for judges that a project trains."""
    is_asked = "/trained-judges/" in request.node.name
    return make_judge_places(world.corpus.project, owner) if is_asked else None


@pytest.fixture
def places(
    world: World,
    crowd: CampaignPlaces | None,
    labels: LabelPlaces | None,
    runs: RunPlaces | None,
    judges: JudgePlaces | None,
) -> Everywhere:
    return Everywhere(world, crowd, labels, runs, judges)


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
        "/unit-sets/{id}/freeze/": units.reviewed.pk,
        "/unit-sets/{id}/next-version/": units.frozen.pk,
        "/unit-sets/{id}/": units.checked.pk,
    }
    found = [pk for part, pk in ids.items() if part in path]
    return {"example": units.example.pk, "other": units.frozen.pk} | (
        {"id": found[0]} if found else {}
    )


def crowd_ids_at(path: str, crowd: CampaignPlaces) -> dict[str, int]:
    """The same for addresses of campaigns."""
    last = path.rstrip("/").rpartition("/")[2]
    places = dict.fromkeys(["{id}", "cost", "publish"], crowd.draft) | {"resume": crowd.paused}
    campaign = places.get(last, crowd.live)
    return {"id": campaign.pk, "worker": crowd.worker.pk, "entry": crowd.entry.pk}


def label_ids_at(path: str, labels: LabelPlaces) -> dict[str, int]:
    """The same for addresses of labels and gold versions."""
    ids = {
        "/labels/{id}/": labels.spare.pk,
        "/adjudications/{id}/": labels.adjudication.pk,
        "/decisions/{id}/": labels.decision.pk,
        "/gold/{id}/": labels.gold.pk,
    }
    found = [pk for part, pk in ids.items() if part in path]
    return {"id": found[0]} if found else {}


def run_ids_at(path: str, runs: RunPlaces) -> dict[str, int]:
    """The same for addresses of runs."""
    last = path.rstrip("/").rpartition("/")[2]
    places = {"pause": runs.queued, "cancel": runs.queued, "resume": runs.paused}
    return {"id": (places | {"retry": runs.failed}).get(last, runs.ready).pk}


def lead_home(case: Any, places: Everywhere) -> None:
    """Three times of four, send a case with a well-formed address to something that exists."""
    place = case.meta.components.get(ParameterLocation.PATH)
    values = case.path_parameters
    told = repr((values, case.query, case.body)).encode()
    if place is None or place.mode.is_negative or zlib.crc32(told) % 4 == 0:
        return
    world = places.world
    known = {"slug": world.corpus.project.slug, **unit_ids_at(case.path, world.units)}
    if places.crowd is not None:
        known |= crowd_ids_at(case.path, places.crowd)
    if places.labels is not None:
        known |= label_ids_at(case.path, places.labels)
    if places.runs is not None:
        known |= run_ids_at(case.path, places.runs)
    if places.judges is not None:
        known["id"] = places.judges.judge.pk
    if "id" in values and "id" not in known:
        known["id"] = id_at(case.path, world.corpus)
    values.update({name: value for name, value in known.items() if name in values})


def lead_body(case: Any, places: Everywhere) -> None:
    """Let well-formed bodies name people, units and work that exist."""
    place = case.meta.components.get(ParameterLocation.BODY)
    if place is None or place.mode.is_negative or not isinstance(case.body, dict):
        return
    units = places.world.units
    known = {
        "author": units.writer.pk,
        "reviewer": None,
        "unit": units.units[0].pk,
        "first": 1,
        **(known_to_crowd(places.crowd) if places.crowd else {}),
        **(known_to_labels(places.labels) if places.labels else {}),
        **(known_to_runs(places.runs) if places.runs else {}),
    }
    if zlib.crc32(repr(case.body).encode()) % 2:
        case.body.update({name: known[name] for name in known if name in case.body})
        if places.judges is not None:
            case.body.pop("gold", None)
            case.body |= known_to_judges(places.judges)


def known_to_crowd(crowd: CampaignPlaces) -> dict[str, Any]:
    return {
        "unit_set": crowd.unit_set.pk,
        "scope": {"systems": [crowd.more.pk]},
        "systems": [crowd.more.pk],
        "examples": [crowd.unit_set.units.earliest("pk").example_id],
        "assignments": [crowd.assignment.pk],
        "workers": [crowd.worker.pk],
    }


def known_to_labels(labels: LabelPlaces) -> dict[str, Any]:
    return {
        "unit_set": labels.labels.unit_set_id,
        "campaigns": [labels.campaign.pk],
        "labels": labels.labels.pk,
        "summary": labels.work.hit.summary_id,
        "unit": labels.adjudication.unit_id,
        "worker": labels.other.pk,
        "assignment": labels.work.pk,
    }


def known_to_runs(runs: RunPlaces) -> dict[str, Any]:
    document = {"units": ["The dam burst."], "summary": "A dam burst."}
    return {
        "unit_set": runs.labels.unit_set_id,
        "judge": "lexical",
        "function": "p2c",
        "systems": ["lead"],
        "documents": [document],
    }


def known_to_judges(judges: JudgePlaces) -> dict[str, Any]:
    """Labels or a gold version are needed, and not both; folds as many as the corpus has room."""
    return {"name": "dams", "base": "lexical", "labels": judges.labels.pk, "folds": 2}


CHANCE = settings(
    max_examples=8,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)


@schema.exclude(operation_id=MANY_FIELDS).parametrize()
@CHANCE
def test_it_keeps_its_promises(case: Any, key: str, places: Everywhere, answers: Counter[int]):
    check(case, key, places, answers)


@wide_schema.include(operation_id=MANY_FIELDS).parametrize()
@settings(CHANCE, max_examples=24)
def test_it_keeps_its_promises_about_many_fields(
    case: Any, key: str, places: Everywhere, answers: Counter[int]
):
    check(case, key, places, answers)


def check(case: Any, key: str, places: Everywhere, answers: Counter[int]) -> None:
    lead_home(case, places)
    lead_body(case, places)
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
        timeout=PATIENCE,
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
