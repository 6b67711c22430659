"""Values in the shared cache: plain JSON, found again by this program and these fields alone."""

from __future__ import annotations

import json
from dataclasses import dataclass, make_dataclass
from typing import Any

import pytest
from django.core.cache import cache
from hypothesis import given
from hypothesis import strategies as st

from annotation import computed
from annotation.computed import Computed, Unfit, fingerprint, read_as
from annotation.corpora.corpus import exports
from annotation.corpora.corpus import queries as corpus
from annotation.crowd.campaigns import planning, steps
from annotation.crowd.campaigns.sums import AGREEMENTS
from annotation.evaluation.labels import figures, scores, votes
from annotation.evaluation.metrics import queries as score_tables
from annotation.evaluation.metrics import sources
from annotation.evaluation.planning import queries as planning_queries
from annotation.evaluation.runs import comparison as run_people
from annotation.evaluation.runs import queries as runs_queries
from annotation.evaluation.runs import summaries
from annotation.units.plans import queries as unit_plans
from annotation.units.sets import comparison

USERS: list[Computed[Any]] = [
    AGREEMENTS,
    figures.FIGURES,
    comparison.DIFFERING,
    corpus.SYSTEM_STATS,
    exports.REASONS,
    planning.LONGEST,
    planning.SIZES,
    planning_queries.TEXT_SIZES,
    runs_queries.COUNTS,
    steps.LEFT_OUT,
    unit_plans.WRITING_TIMES,
    planning_queries.FIGURES,
    votes.OUTLOOKS,
    sources.PAIRS,
    run_people.COMPARISONS,
    run_people.DISAGREEING,
    runs_queries.ROWS,
    summaries.GAPS,
    score_tables.ROWS,
    scores.SCORES,
]


@dataclass(frozen=True)
class Row:
    name: str
    score: float | None
    counts: list[int]


KEPT = Computed("rows", list[Row], 60)
ROWS = [Row("a", 0.5, [1, 2]), Row("b", None, [])]


@pytest.fixture(autouse=True)
def empty() -> None:
    cache.clear()


def test_it_computes_once():
    assert KEPT.get((1, "x"), lambda: ROWS) == ROWS
    assert KEPT.get((1, "x"), lambda: 1 / 0) == ROWS  # type: ignore[arg-type, return-value]
    assert KEPT.find((2, "x")) is None


def test_it_stores_text_and_no_pickle():
    KEPT.store((1,), ROWS)
    stored = cache.get(KEPT.key((1,)))
    assert json.loads(stored)[0] == {"name": "a", "score": 0.5, "counts": [1, 2]}


@pytest.mark.parametrize(
    "stored",
    [
        b"\x80\x05N.",
        "",
        "{",
        "[" * 100_000,
        "null",
        "7",
        '[{"name": "a"}]',
        '[{"name": 1, "score": 0.5, "counts": []}]',
        '[{"name": "a", "score": true, "counts": []}]',
        '[{"name": "a", "score": 0.5, "counts": ["1"]}]',
        '[{"name": "a", "score": 0.5, "counts": [], "more": 1}]',
        ["not", "text"],
    ],
)
def test_it_computes_again_what_does_not_fit(stored: Any):
    cache.set(KEPT.key((1,)), stored)
    assert KEPT.find((1,)) is None
    assert KEPT.get((1,), lambda: ROWS) == ROWS
    assert KEPT.find((1,)) == ROWS


def test_it_finds_nothing_of_another_version(monkeypatch: pytest.MonkeyPatch):
    KEPT.store((1,), ROWS)
    monkeypatch.setattr(computed, "__version__", "99.0")
    assert KEPT.find((1,)) is None


def test_it_finds_nothing_of_other_fields():
    kinds = [
        make_dataclass("Row", fields)
        for fields in (
            [("a", int), ("b", int)],
            [("b", int), ("a", int)],
            [("a", int), ("b", float)],
            [("a", int)],
            [("a", make_dataclass("Inner", [("x", int)])), ("b", int)],
            [("a", make_dataclass("Inner", [("y", int)])), ("b", int)],
        )
    ]
    assert len({fingerprint(list[kind]) for kind in kinds}) == len(kinds)  # type: ignore[valid-type]


@pytest.mark.parametrize("user", USERS, ids=lambda user: user.name)
@given(value=st.recursive(st.none() | st.integers() | st.text(), st.lists) | st.just({}))
def test_its_users_read_nothing_foreign(user: Computed[Any], value: Any):
    """Whatever another program left there, it is the type or a miss."""
    try:
        found = read_as(user.kind, value)
    except Unfit:
        return
    assert found == value


def test_its_users_have_names_of_their_own():
    assert len({user.name for user in USERS}) == len(USERS)
