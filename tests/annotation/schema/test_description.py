"""The description itself: valid, whole, and the same as what people read."""

from __future__ import annotations

from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.validation import validate_schema

from tests.annotation.schema.checking import DESCRIPTION
from tests.servers import ROOT


def test_it_is_described_without_a_warning():
    """As `manage.py spectacular --validate --fail-on-warn` would find."""
    assert (dict(GENERATOR_STATS._warn_cache), dict(GENERATOR_STATS._error_cache)) == ({}, {})
    validate_schema(DESCRIPTION)
    assert DESCRIPTION["openapi"].startswith("3.")


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


def test_it_sorts_calls_by_what_they_are_about():
    """Not all two hundred under the project that each begins with."""
    tags = {
        path: call["tags"]
        for path, calls in DESCRIPTION["paths"].items()
        for call in calls.values()
    }
    assert tags["/api/v1/projects/{slug}/"] == ["Projects"]
    assert tags["/api/v1/projects/{slug}/unit-sets/{id}/"] == ["Unit sets"]
    assert tags["/api/v1/notifications/read/"] == ["Notifications"]
