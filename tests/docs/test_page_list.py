"""The benchmark of pages knows every page that there is."""

from __future__ import annotations

import re
from collections import Counter

from django.urls import resolve

from tests.annotation.corpora.test_permissions import TABLE
from tests.benchmarks.page_list import LEFT_OUT, PAGES


def list_pages() -> set[str]:
    """The names of addresses that show somebody a page; those of REST apart."""
    return {
        name
        for name, row in TABLE.items()
        if not re.match(r"\w*api:", name) and 200 in row["GET"].values()
    }


def list_measured() -> Counter[str]:
    paths = (re.sub(r"{\w+}", "1", path).partition("?")[0] for path in PAGES.values())
    return Counter(resolve(f"/p/study/{path}").view_name for path in paths)


def test_it_measures_every_page_or_says_why_not():
    measured = set(list_measured())
    assert measured | set(LEFT_OUT) == list_pages()
    assert not measured & set(LEFT_OUT)


def test_it_would_miss_a_new_page():
    known = set(list_measured()) | set(LEFT_OUT)
    assert not list_pages() | {"corpora:new_page"} <= known


def test_every_reason_says_something():
    assert all(len(reason) > 20 for reason in LEFT_OUT.values())
