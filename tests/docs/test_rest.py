"""docs/rest.md tells of every parameter of every call, and of every setting of a campaign."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from typing import Any

import pytest
from rest_framework import exceptions

import annotation
from annotation.crowd.market.errors import TurkError
from annotation.errors import CODES, DomainError, Unavailable
from annotation.faults import Fault
from annotation.rest_errors import OUR_CODES
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


Codes = set[tuple[int, str]]


def kinds_of(kind: type[DomainError]) -> Iterator[type[DomainError]]:
    for each in kind.__subclasses__():
        yield each
        yield from kinds_of(each)


def own_codes() -> Codes:
    """Status and code of every domain error that a module of the product defines."""
    for module in pkgutil.walk_packages(annotation.__path__, "annotation."):
        if ".migrations" not in module.name:
            importlib.import_module(module.name)
    ours = [kind for kind in kinds_of(DomainError) if kind.__module__.startswith("annotation.")]
    # The marketplace answers with MTurk's error codes.
    ours = [kind for kind in ours if not issubclass(kind, (Unavailable, TurkError))]
    plain = {(kind.status, kind.code) for kind in ours}
    passing = [Unavailable(fault) for fault in Fault]
    return plain | {(each.status, each.code) for each in passing} | set(CODES.items())


def codes_of_the_framework() -> Codes:
    kinds = [kind for kind in vars(exceptions).values() if isinstance(kind, type)]
    known = [kind for kind in kinds if issubclass(kind, exceptions.APIException)]
    return {
        (kind.status_code, OUR_CODES.get(kind.default_code, kind.default_code))
        for kind in known
        if kind is not exceptions.APIException
    }


def test_its_table_has_every_error_code_and_no_other():
    section = TEXT.split("## Answers and errors")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (\d{3}) \| `(\w+)` \| \S", section, re.MULTILINE)
    listed = [(int(status), code) for status, code in rows]
    assert len(listed) == len(set(listed))
    assert set(listed) == own_codes() | codes_of_the_framework()
