"""docs/rest.md tells of every parameter of every call, and of every setting of a campaign."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.annotation.schema.checking import DESCRIPTION
from tests.documents import DOCS

TEXT = (DOCS / "rest.md").read_text()
ROWS = {row.split("`")[1]: row for row in TEXT.splitlines() if row.startswith("| `")}
# Told once, for all lists.
OF_LISTS = {"page", "page_size"}
CALLS = [
    (f"{method.upper()} {path.removeprefix('/api/v1')}", call)
    for path, calls in DESCRIPTION["paths"].items()
    for method, call in calls.items()
]


def settings() -> set[str]:
    """The names in the table of settings of a campaign."""
    table = TEXT.split("| setting | what it is |")[1].split("\n\n")[0]
    return {name for row in table.splitlines()[2:] for name in row.split("|")[1].split(", ")}


def fields(schema: dict[str, Any]) -> set[str]:
    """What a body can hold that is not read alone."""
    found = schema
    while "$ref" in found:
        found = DESCRIPTION["components"]["schemas"][found["$ref"].rpartition("/")[2]]
    named = found.get("properties", {}).items()
    return {name for name, about in named if not about.get("readOnly")}


def taken(call: dict[str, Any]) -> set[str]:
    """What a call takes, in its address and in its body."""
    asked = {each["name"] for each in call.get("parameters", []) if each["in"] == "query"}
    bodies = call.get("requestBody", {}).get("content", {}).values()
    return asked.union(*(fields(body["schema"]) for body in bodies))


@pytest.mark.parametrize("name, call", CALLS, ids=[name for name, _ in CALLS])
def test_it_tells_of_every_parameter(name: str, call: dict[str, Any]):
    told = set(re.findall(r"`(\w+)`", ROWS[name]))
    if "(#run-a-campaign)" in ROWS[name]:
        told |= {each.strip() for each in settings()}
    assert taken(call) - told - OF_LISTS == set()


def test_it_tells_of_pages_once():
    section = TEXT.split("## Pages of a list")[1].split("\n## ")[0]
    assert set(re.findall(r"`(\w+)`", section)) >= OF_LISTS


def test_it_would_notice_a_parameter_without_a_word():
    names = set().union(*(taken(call) for _, call in CALLS))
    assert {"unit_set", "page_size", "reward", "seed"} <= names
