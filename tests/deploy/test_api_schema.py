"""The description of REST is built once, however many ask for it at once."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from annotation.corpora.accounts.models import User
from deploy.api_schema import Description, SchemaView

ADDRESS = "/api/schema/"


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """One entry for each time that it was built, which takes a while, in a process of its own."""
    built: list[Any] = []

    def build(self: SchemaGenerator, **named: Any) -> dict[str, Any]:
        built.append(named)
        time.sleep(0.3)
        return {"openapi": "3.0.3"}

    monkeypatch.setattr(SchemaGenerator, "get_schema", build)
    monkeypatch.setattr(SchemaView, "description", Description())
    return built


def test_eight_at_once_have_it_built_once(builds: list[Any]) -> None:
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: Client().get(ADDRESS), range(8)))
    assert [answer.status_code for answer in answers] == [200] * 8
    assert len({answer.content for answer in answers}) == 1
    assert len(builds) == 1


@pytest.mark.parametrize("query", ["?format=json", "?version=2", "?lang=de", "?x=1"])
def test_a_query_does_not_have_it_built_again(builds: list[Any], query: str) -> None:
    client = Client()
    client.get(ADDRESS)
    assert client.get(f"{ADDRESS}{query}").status_code == 200
    assert len(builds) == 1


@pytest.mark.django_db
def test_it_is_the_same_for_everybody(builds: list[Any]) -> None:
    """So nothing of a project can be read from it, and one copy serves all."""
    owner = Client()
    owner.force_login(User.objects.create_user("owner@example.org", "x", name="Owner"))
    assert owner.get(ADDRESS).content == Client().get(ADDRESS).content
    assert builds == [{"request": None, "public": True}]


def test_a_browser_that_has_it_gets_no_second_copy() -> None:
    first = Client().get(ADDRESS)
    assert first["Cache-Control"] == "no-cache"
    assert "Accept" in first["Vary"]
    again = Client().get(ADDRESS, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = Client().get(f"{ADDRESS}?format=json")
    assert other["ETag"] != first["ETag"]
    assert other.json()["info"]["title"] == "Giza"
