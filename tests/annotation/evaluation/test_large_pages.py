"""Pages of studies too large to be read for a page: jobs store the same figures."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.models import Job
from annotation.corpora.jobs.service import run_job
from annotation.crowd.campaigns.models import Campaign, Judgement
from annotation.errors import DomainError
from annotation.evaluation.labels import answers, scores, settling
from annotation.evaluation.labels import outcome as whatif
from annotation.evaluation.labels.contested import get_ground, list_contested, rank_contested
from annotation.evaluation.labels.figures import (
    choose_contested,
    find_stored_answers,
    list_stored_contested,
)
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.labels.people import list_stored_rows, list_worker_rows
from annotation.evaluation.labels.votes import get_crowd_sizes
from annotation.evaluation.runs import compare
from annotation.evaluation.runs import comparison as run_people
from annotation.evaluation.runs import queries as runs_queries
from annotation.evaluation.runs.models import JudgeRun
from scoring.aggregation import Recipe
from tests.annotation.evaluation.campaigns import make_labels
from tests.annotation.evaluation.running import finish

GOLD = "/p/study/gold/"
ANSWERED = ("contested/", "workers/", "crowd-size/")


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch) -> None:
    """More answers than a page reads."""
    monkeypatch.setattr(answers, "MOST_ASSIGNMENTS", 1)


@pytest.fixture
def long_run(labelled: LabelSet, toys: None, monkeypatch: pytest.MonkeyPatch) -> JudgeRun:
    """A run and labels that nobody should wait to see compared."""
    run = finish(labelled.unit_set)
    monkeypatch.setattr(scores, "MOST_AT_ONCE", 1)
    cache.clear()
    return run


@pytest.mark.usefixtures("many")
def test_it_asks_for_labels_before_it_shows_so_many_answers(as_owner: Client, judged: Campaign):
    for path in ANSWERED:
        answer = as_owner.get(f"{GOLD}{path}")
        assert answer.status_code == 409
        assert "what-if" in answer.content.decode()


def test_what_labels_store_of_answers_is_what_a_page_would_read(
    judged: Campaign, owner: User, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(answers, "MOST_ASSIGNMENTS", 1)
    make_labels(judged, owner)
    stored = find_stored_answers(judged.project)
    assert stored is not None
    outcome = get_ground(judged.project).get_outcome(judged.project)
    read = list_contested(judged.unit_set, outcome, rank_contested(outcome))
    found = list_stored_contested(stored, choose_contested(stored, "open", ""))
    assert [(row.summary, row.unit, row.absent, row.present, row.label) for row in found] == [
        (row.summary, row.unit, row.absent, row.present, row.label) for row in read
    ]

    def said(rows: list[dict[str, object]]) -> list[tuple[object, ...]]:
        return sorted((row["assignment"], row["present"], row["kept"]) for row in rows)

    assert [said(row.answers) for row in found] == [said(row.answers) for row in read]
    workers = list_stored_rows(judged.project, stored.figures.workers)
    assert workers == list_worker_rows(judged.project, [judged]).rows
    assert stored.figures.sizes == get_crowd_sizes(outcome)


@pytest.mark.usefixtures("many")
def test_pages_show_so_many_answers_without_reading_them(
    judged: Campaign, owner: User, as_owner: Client, monkeypatch: pytest.MonkeyPatch
):
    labels = make_labels(judged, owner)
    cache.clear()
    monkeypatch.setattr(answers._collected, "get", None)
    worker = judged.project.workers.get(provider_id="DUD")
    for path in (*ANSWERED, f"workers/{worker.pk}/", "contested/?show=settled"):
        html = as_owner.get(f"{GOLD}{path}").content.decode()
        assert 'id="stored-answers"' in html
        assert str(labels) in html


@pytest.mark.usefixtures("many")
def test_an_experts_word_shows_beside_stored_answers(
    judged: Campaign, owner: User, as_owner: Client
):
    make_labels(judged, owner)
    [first, *_] = as_owner.get(f"{GOLD}contested/").context["rows"]
    settling.adjudicate(
        project=judged.project,
        user=owner,
        summary=first.item.summary,
        unit=first.item.unit,
        present=True,
    )
    opened = as_owner.get(f"{GOLD}contested/").context["rows"]
    assert first.item.unit not in [row.item.unit for row in opened] or len(opened) == 1
    [settled] = as_owner.get(f"{GOLD}contested/?show=settled").context["rows"]
    assert settled.item.adjudication.present


def test_a_long_run_is_compared_by_a_job(
    long_run: JudgeRun, labelled: LabelSet, as_owner: Client, as_viewer: Client
):
    here = f"/p/study/runs/{long_run.pk}/"
    with pytest.raises(DomainError, match="takes a while"):
        run_people.get_beside(long_run, labelled)
    pages = (here, f"{here}people/", f"{here}disagreements/", f"{here}summaries/?sort=gap")
    assert all('id="compare-run"' in as_owner.get(page).content.decode() for page in pages)
    assert 'id="compare-run"' not in as_viewer.get(here).content.decode()
    for _ in range(2):
        answer = as_owner.post(f"{here}compare/", {"labels": labelled.pk})
    assert answer["Location"] == f"{here}people/?labels={labelled.pk}"
    assert "hx-get" in as_owner.get(here).content.decode()
    run_job(job_id=Job.objects.get(kind="compare_run").pk)
    cache.clear()
    assert not any('id="compare' in as_owner.get(page).content.decode() for page in pages)
    assert as_owner.get(here).context["beside"].examples == 3
    ranked = as_owner.get(pages[-1]).context["rows"]
    assert [abs(row.gap) for row in ranked] == sorted(abs(row.gap) for row in ranked)[::-1]
    assert compare.compare_run(run=long_run, label_set=labelled, user=None) is None


def test_what_a_job_compares_is_what_a_page_would(
    labelled: LabelSet, toys: None, monkeypatch: pytest.MonkeyPatch
):
    run = finish(labelled.unit_set)
    waited = run_people.get_beside(run, labelled)
    cache.clear()
    monkeypatch.setattr(scores, "MOST_AT_ONCE", 1)
    run_people.keep_comparison(run, labelled)
    cache.clear()
    stored = run_people.get_beside(run, labelled)
    assert run_people.COMPARISONS.dump([stored]) == run_people.COMPARISONS.dump([waited])


@contextmanager
def noting_sql() -> Iterator[list[str]]:
    """The statements as they are sent; PostgreSQL's log of queries lacks those with arrays."""
    asked: list[str] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        asked.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield asked


@pytest.mark.usefixtures("toys")
def test_a_large_run_is_compared_once_it_is_done(
    labelled: LabelSet, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(scores, "MOST_AT_ONCE", 1)
    run = finish(labelled.unit_set)
    [job] = Job.objects.filter(kind="compare_run")
    assert job.params == {"run": run.pk, "label_set": labelled.pk}


def test_a_plan_of_a_large_run_reads_no_text(
    judged: Campaign, as_owner: Client, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(runs_queries, "MOST_LOOKED_UP", 1)
    monkeypatch.setattr(runs_queries, "survey_texts", None)
    plan = as_owner.get("/p/study/runs/new/").context["plan"]
    assert (plan.counts["summaries"], plan.counts["pairs"], plan.to_judge) == (6, 18, 18)
    assert plan.distinct_pairs is None
    with noting_sql() as asked:
        as_owner.get("/p/study/runs/new/")
    assert asked
    assert not any('"corpora_summary"' in sql for sql in asked)


def test_a_move_on_the_what_if_page_reads_no_answer_again(
    judged: Campaign, as_owner: Client, monkeypatch: pytest.MonkeyPatch
):
    as_owner.get(f"{GOLD}what-if/")
    made: list[Recipe] = []
    real = whatif.get_outcome

    def noted(*said: Any) -> whatif.Outcome:
        made.append(said[-1])
        return real(*said)

    monkeypatch.setattr(whatif, "get_outcome", noted)
    with noting_sql() as asked:
        as_owner.get(f"{GOLD}what-if/?summary=on")
    table = f'FROM "{Judgement._meta.db_table}"'
    assert asked
    assert not [sql for sql in asked if table in sql and "EXISTS" not in sql]
    # The plain majority, which every move is compared with, is the one of before.
    assert [recipe.filters[0].name for recipe in made] == ["per-summary"]


def test_what_is_remembered_gives_way_to_a_decision(judged: Campaign, owner: User):
    said = (judged.project, judged.unit_set, [judged], Recipe())
    before = whatif.recall_outcome(*said)
    assert whatif.recall_outcome(*said) is before
    settling.decide_assignment(
        project=judged.project,
        user=owner,
        assignment=judged.assignments.earliest("pk"),
        verdict="drop",
        reason="Copied.",
    )
    assert not whatif.recall_outcome(*said).aggregate.kept.all()


def test_a_system_that_nobody_labelled_stands_in_the_table(
    labelled: LabelSet, toys: None, as_viewer: Client
):
    run = finish(labelled.unit_set)
    labelled.summaries.filter(summary__system__name="soup").delete()
    cache.clear()
    page = as_viewer.get(f"/p/study/runs/{run.pk}/")
    assert page.status_code == 200
    assert {row.system: both is not None for row, both in page.context["rows"]} == {
        "lead": True,
        "soup": False,
    }
