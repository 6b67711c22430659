"""No page, call or save asks the database more often because a set, or a project, holds more."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Example, Sentence
from annotation.corpora.projects.models import Project, Role
from annotation.units.sets.models import Unit, UnitSet
from annotation.units.studio import comments, progress
from annotation.units.stus.models import EasinessModel, SentencePlan
from tests import factories
from tests.annotation.units.writing import act, create, on, span

# For each address, the most queries that it may ask: sign-in, membership and the bell included.
MOST = {
    "/p/study/units/": 9,
    "/p/study/units/{set}/": 42,
    "/p/study/units/{set}/examples/{example}/": 22,
    "/p/study/units/{set}/ranking/": 13,
    "/p/study/units/{set}/units/": 12,
    "/p/study/units/easiness/": 15,
    "/p/study/units/extract/": 7,
    "/p/study/units/{set}/examples/{example}/history/": 8,
    "/p/study/units/{set}/examples/{example}/pyramid/": 17,
    "/p/study/units/{set}/compare/{other}/": 15,
    "/p/study/units/{set}/export/jsonl/": 10,
    "/api/v1/projects/study/unit-sets/": 5,
    "/api/v1/projects/study/unit-sets/{set}/": 5,
    "/api/v1/projects/study/unit-sets/{set}/units/": 8,
    "/api/v1/projects/study/unit-sets/{set}/sentences/": 7,
    "/api/v1/projects/study/unit-sets/{set}/plan/": 7,
    "/api/v1/projects/study/easiness-models/": 5,
    "/api/v1/projects/study/unit-sets/{set}/compare/{other}/": 14,
    "/api/v1/projects/study/unit-sets/{set}/examples/{example}/": 17,
    "/api/v1/projects/study/unit-sets/{set}/examples/{example}/changes/": 15,
}
# The transaction's two ends among them. Other words are three more: gone, put, read again.
MOST_FOR_TYPING, MOST_FOR_A_SAVE = 18, 21
Ask = Callable[[], int]


def grow(project: Project, owner: User, folder: Path, numbers: range) -> None:
    """Examples, sets, people, units, words and comments, one of each for every number."""
    lines = [factories.example(f"n{number}") for number in numbers]
    path = factories.write_jsonl(folder / f"from-{numbers[0]}.jsonl", lines)
    factories.import_corpus(project, path)
    main, other = UnitSet.objects.get(name="main"), UnitSet.objects.get(name="other")
    progress.ensure_assignments(main)
    first = Example.objects.get(key="n0")
    for number in numbers:
        person = factories.make_user(f"person{number}")
        factories.add_member(project, person, Role.EDITOR)
        spans = [span(first, number, number + 2)]
        text = f"Unit number {number} says something."
        act(main, first, person, create(text, spans=spans, seconds=3))
        act(other, first, person, create(f"{text} More."))
        example = Example.objects.get(key=f"n{number}")
        act(main, example, person, create("The dam burst."))
        progress.mark_written(unit_set=main, example=example, user=person)
        comments.create_comment(unit_set=main, example=first, user=person, text="Why?")
        factories.make_set(project, owner, f"set {number}")
        _rank(main, example, number)


def _rank(unit_set: UnitSet, example: Example, number: int) -> None:
    """Sentences foretold, and a regressor, as rows alone."""
    SentencePlan.objects.bulk_create(
        SentencePlan(set=unit_set, sentence=row, difficulty=0.5, is_human=number % 2 == 0)
        for row in Sentence.objects.filter(reference__example=example)
    )
    EasinessModel.objects.create(
        project=unit_set.project, name="ours", version=number + 1, scus=unit_set, stus=unit_set
    )


@pytest.fixture
def sets(project: Project, owner: User) -> dict[str, UnitSet]:
    return {name: factories.make_set(project, owner, name) for name in ("main", "other")}


def count(ask: Callable[[], Any]) -> int:
    with CaptureQueriesContext(connection) as queries:
        response = ask()
        b"".join(response)
    assert response.status_code == 200, response
    return len(queries)


def address(path: str, sets: dict[str, UnitSet]) -> str:
    example = Example.objects.get(key="n0").pk
    return path.format(set=sets["main"].pk, other=sets["other"].pk, example=example)


@pytest.fixture
def always_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has an example open is written down at every call, however much time has passed."""
    monkeypatch.setattr(comments, "NOTED_EVERY", timedelta(0))


def save(client: Client, sets: dict[str, UnitSet], text: str, spans: list[Any]) -> Any:
    """What the editor sends while somebody types, or selects other words."""
    unit = Unit.objects.filter(set=sets["main"], example__key="n0").latest("pk")
    url = address("/api/v1/projects/study/unit-sets/{set}/examples/{example}/ops/", sets)
    change = on(unit, text=text, spans=spans)
    body = {"op": str(uuid.uuid4()), "action": "update", "changes": [change]}
    return lambda: client.post(url, json.dumps(body), content_type="application/json")


@pytest.mark.usefixtures("always_noted")
def test_it_asks_the_same_of_a_large_project(
    project: Project, owner: User, as_owner: Client, sets: dict[str, UnitSet], tmp_path: Path
):
    """With three of everything, and then with ten."""

    def asked() -> dict[str, int]:
        as_owner.get("/")
        urls = {path: address(path, sets) for path in MOST}
        return {path: count(partial(as_owner.get, url)) for path, url in urls.items()}

    def saved(name: str) -> list[int]:
        spans = [span(Example.objects.get(key="n0"), 0, 5)]
        texts = [f"Typed {name}.", f"Typed on {name}."]
        return [count(save(as_owner, sets, text, spans)) for text in texts]

    grow(project, owner, tmp_path, range(3))
    few, saves = asked(), [saved("early")]
    grow(project, owner, tmp_path, range(3, 10))
    many = asked()
    saves.append(saved("late"))
    print("\n".join(f"{number:3}  {path}" for path, number in many.items()))
    # Fewer is well: a queue that is full is not searched on.
    assert {path: few[path] for path, number in many.items() if number > few[path]} == {}
    assert {path: number for path, number in many.items() if number > MOST[path]} == {}
    assert saves == [[MOST_FOR_A_SAVE, MOST_FOR_TYPING]] * 2
