"""Pages of runs, as those who read them and those who begin them."""

from __future__ import annotations

import re

import pytest
from django.core.cache import cache
from django.test import Client

from annotation.access import ProjectAccess
from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project, Role
from annotation.evaluation.labels.models import Adjudication, LabelSet, SummaryLabels
from annotation.evaluation.overview.next_steps import find_run_work
from annotation.evaluation.runs import service as runs_service
from annotation.evaluation.runs.models import JudgeRun
from annotation.units.sets.models import UnitSet
from tests.annotation.corpora.pages import Page, page_of
from tests.annotation.evaluation.running import begin, finish, lead

pytestmark = pytest.mark.usefixtures("toys")

HERE = "/p/study/runs/"


def get(client: Client, path: str, **query: str) -> Page:
    return page_of(client.get(f"{HERE}{path}", query))


def test_it_says_what_to_do_first(corpus: Project, as_owner: Client) -> None:
    assert "First freeze a unit set" in get(as_owner, "").text
    assert "No unit set is frozen yet" in get(as_owner, "new/").text


def test_it_offers_the_first_run_to_those_who_may(
    judged_set: UnitSet, as_owner: Client, as_viewer: Client
) -> None:
    assert f"{HERE}new/" in get(as_owner, "").links
    assert f"{HERE}new/" not in get(as_viewer, "").links


def test_it_lists_runs(judged_set: UnitSet, as_viewer: Client) -> None:
    finish(judged_set, note="Second try")
    text = get(as_viewer, "").text
    assert "toy2" in text
    assert "✓ Ready" in text
    assert "Second try" in text


def test_it_says_what_a_run_would_compute(judged_set: UnitSet, as_owner: Client) -> None:
    first = get(as_owner, "new/", judge="toy2").text
    assert "6 pairs to judge" in first
    assert "known when the judge is loaded" in first
    finish(judged_set)
    again = get(as_owner, "new/", judge="toy2").text
    assert "0 pairs to judge" in again
    assert "a few seconds" in again
    assert "there is no judge" in get(as_owner, "new/", judge="other", model="./x").text


def test_it_begins_a_run(judged_set: UnitSet, as_owner: Client, owner: User) -> None:
    sent = {"unit_set": judged_set.pk, "judge": "toy2", "empty": "refuse", "precision": "fp32"}
    answer = as_owner.post(f"{HERE}new/", {**sent, "systems": ["lead"], "function": "l2c"})
    run = JudgeRun.objects.get()
    assert answer["Location"] == f"{HERE}{run.pk}/"
    assert (run.systems, run.function, run.created_by) == (["lead"], "l2c", owner)
    assert "… Queued" in get(as_owner, f"{run.pk}/").text


@pytest.mark.parametrize(
    "sent, words",
    [
        ({"judge": "other", "model": "../etc"}, "there is no judge '../etc'"),
        ({"judge": "other"}, "Enter the name of the model."),
        ({"judge": "lexical", "function": "p3c"}, "p2c or l2c"),
        ({}, "This field is required"),
    ],
)
def test_it_says_why_a_run_was_not_begun(
    judged_set: UnitSet, as_owner: Client, sent: dict[str, str], words: str
) -> None:
    plain = {"unit_set": judged_set.pk, "empty": "refuse", "precision": "fp32"}
    assert words in page_of(as_owner.post(f"{HERE}new/", {**plain, **sent}), 422).text
    assert not JudgeRun.objects.exists()


def test_it_begins_again_as_before(judged_set: UnitSet, as_owner: Client) -> None:
    run = finish(judged_set, systems=["lead"], function="l2c")
    html = as_owner.get(f"{HERE}new/", {"again": run.pk}).content.decode()
    assert re.search(r'value="toy2" checked|value="toy2"[^>]*checked', html)
    assert re.search(r'value="lead"[^>]*checked', html)
    assert '<option value="l2c" selected>' in html


def test_it_is_steered(judged_set: UnitSet, as_owner: Client) -> None:
    run = begin(judged_set)
    for step, words in (("pause", "Ⅱ Paused"), ("resume", "… Queued")):
        as_owner.post(f"{HERE}{run.pk}/{step}/")
        assert words in get(as_owner, f"{run.pk}/").text
    as_owner.post(f"{HERE}{run.pk}/cancel/")
    assert "✕ Cancelled" in get(as_owner, f"{run.pk}/").text
    as_owner.post(f"{HERE}{run.pk}/delete/")
    assert not JudgeRun.objects.exists()


def test_it_is_tried_again(judged_set: UnitSet, as_owner: Client) -> None:
    run = lead(begin(judged_set, judge="toy-broken"))
    text = get(as_owner, f"{run.pk}/").text
    assert "The toy is broken. Mend it." in text
    assert "✕ Failed" in text
    as_owner.post(f"{HERE}{run.pk}/retry/")
    assert "… Queued" in get(as_owner, f"{run.pk}/").text


def test_it_is_only_looked_at_by_a_viewer(judged_set: UnitSet, as_viewer: Client) -> None:
    run = begin(judged_set)
    text = get(as_viewer, f"{run.pk}/").text
    assert "… Queued" in text
    assert "Cancel run" not in text


def test_it_shows_scores_beside_people(labelled: LabelSet, as_viewer: Client) -> None:
    run = finish(labelled.unit_set)
    text = get(as_viewer, f"{run.pk}/").text
    assert "Correlation, system level" in text
    assert "judge minus human" in text
    assert "Review" not in text


def test_it_says_on_how_many_examples_judge_and_people_are_compared(
    labelled: LabelSet, as_viewer: Client
) -> None:
    run = finish(labelled.unit_set)
    SummaryLabels.objects.filter(label_set=labelled, summary__example__key="e1").delete()
    cache.clear()
    text = get(as_viewer, f"{run.pk}/").text
    assert "The 2 examples with human labels" in text
    assert "the same 2 of 3 examples" in text


def test_it_shows_scores_without_people(judged_set: UnitSet, as_owner: Client) -> None:
    run = finish(judged_set)
    assert "no human labels" in get(as_owner, f"{run.pk}/").text
    for path in ("people/", "disagreements/"):
        assert "/p/study/gold/" in get(as_owner, f"{run.pk}/{path}").links
    assert "Judge − human" not in get(as_owner, f"{run.pk}/summaries/").text


def test_it_shows_the_sentence_behind_a_value(labelled: LabelSet, as_viewer: Client) -> None:
    run = finish(labelled.unit_set)
    unit = labelled.unit_set.units.filter(example__key="e1").order_by("position")[0]
    here = f"{run.pk}/presence/"
    assert "Choose a value in the table" in get(as_viewer, here).text
    asked = {"unit": str(unit.pk), "system": "lead", "example": str(unit.example_id)}
    html = as_viewer.get(f"{HERE}{here}", asked).content.decode()
    assert '<mark class="evidence__named">The dam burst.</mark>' in html
    for wrong in ({"unit": "x"}, {"unit": "1", "system": "no"}, {"example": "999999"}):
        assert "Choose a value" in get(as_viewer, here, **wrong).text


def test_it_finds_an_example_by_its_name(labelled: LabelSet, as_viewer: Client) -> None:
    run = finish(labelled.unit_set)
    labels = f"/p/study/gold/labels/{labelled.pk}/scores/"
    for path in (f"{HERE}{run.pk}/presence/", labels):
        html = as_viewer.get(path, {"name": "e2"}).content.decode()
        assert "Presence matrix of e2" in html
        assert 'rel="prev"' in html
        assert 'rel="next"' in html
        html = as_viewer.get(path, {"name": "nobody"}).content.decode()
        assert 'value="nobody"' in html
        assert 'aria-invalid="true"' in html
        assert "Presence matrix of e1" in html
        assert html.count("<option") < 12


def test_it_says_that_a_sentence_is_only_near(labelled: LabelSet, as_viewer: Client) -> None:
    run = finish(labelled.unit_set, judge="toy")
    unit = labelled.unit_set.units.filter(example__key="e1").order_by("position")[0]
    asked = {"unit": str(unit.pk), "system": "lead", "example": str(unit.example_id)}
    assert "evidence__near" in get(as_viewer, f"{run.pk}/presence/", **asked).html


def test_it_stands_beside_people(labelled: LabelSet, as_viewer: Client) -> None:
    run = finish(labelled.unit_set)
    text = get(as_viewer, f"{run.pk}/people/").text
    for words in ("Calibration", "Confusion matrix", "Bias by system", "18 statements"):
        assert words in text
    other = {"labels": str(labelled.pk)}
    assert "18 statements" in get(as_viewer, f"{run.pk}/people/", **other).text


def test_it_leads_from_a_disagreement_to_the_expert(labelled: LabelSet, as_owner: Client) -> None:
    run = finish(labelled.unit_set)
    here = f"{HERE}{run.pk}/disagreements/"
    html = as_owner.get(here).content.decode()
    summary, unit = re.findall(r'name="(?:summary|unit)" value="(\d+)"', html)[:2]
    sent = {"summary": summary, "unit": unit, "present": "1", "back": f"{here}?show=open#1"}
    answer = as_owner.post("/p/study/gold/contested/adjudicate/", sent)
    made = Adjudication.objects.get()
    assert answer["Location"] == f"{here}?show=open&last={made.pk}#1"
    assert "Decided: present." in page_of(as_owner.get(answer["Location"])).text
    assert "✓ Expert: present" in page_of(as_owner.get(here, {"show": "settled"})).text


@pytest.mark.parametrize("back", ["/p/other/runs/1/disagreements/", "https://example.org/", "x"])
def test_it_leads_nowhere_else(labelled: LabelSet, as_owner: Client, back: str) -> None:
    row = labelled.summaries.select_related("summary").earliest("pk")
    unit = labelled.unit_set.units.filter(example=row.summary.example_id).earliest("pk")
    sent = {"summary": row.summary_id, "unit": unit.pk, "present": "0", "back": back}
    answer = as_owner.post("/p/study/gold/contested/adjudicate/", sent)
    assert answer["Location"].startswith("/p/study/gold/contested/?")


def test_it_shows_disagreements_to_a_viewer(labelled: LabelSet, as_viewer: Client) -> None:
    run = finish(labelled.unit_set)
    text = get(as_viewer, f"{run.pk}/disagreements/").text
    assert "No expert decision yet." in text
    assert "Which one is right?" not in text
    settled = get(as_viewer, f"{run.pk}/disagreements/", show="settled")
    assert "data-statement" not in settled.html


@pytest.mark.parametrize("sort", ["gap", "high", "low", "corpus", "wrong"])
def test_it_lists_summaries(labelled: LabelSet, as_viewer: Client, sort: str) -> None:
    run = finish(labelled.unit_set)
    text = get(as_viewer, f"{run.pk}/summaries/", sort=sort, system="lead").text
    assert "1–3 of 3 " in text
    assert "data-row" not in get(as_viewer, f"{run.pk}/summaries/", system="no").html


def test_it_is_downloaded(judged_set: UnitSet, as_viewer: Client) -> None:
    run = finish(judged_set)
    for name, start in (
        ("scores.csv", b"system,kind,score"),
        ("presence.csv", b"example,system,unit"),
        ("presence.jsonl", b'{"run": '),
    ):
        answer = as_viewer.get(f"{HERE}{run.pk}/{name}")
        assert b"".join(answer.streaming_content).startswith(start)  # type: ignore[attr-defined]


def test_it_is_not_there_for_others(
    judged_set: UnitSet, as_owner: Client, as_outsider: Client
) -> None:
    run = begin(judged_set)
    assert as_outsider.get(f"{HERE}{run.pk}/").status_code == 404
    assert as_owner.get(f"{HERE}{run.pk + 1}/").status_code == 404
    assert "has not finished" in page_of(as_owner.get(f"{HERE}{run.pk}/presence/"), 409).text


def step_of(project: Project, role: Role = Role.OWNER) -> str:
    found = find_run_work(ProjectAccess(project, role))
    return found.title if found else ""


def test_it_is_the_next_step_of_a_project(judged_set: UnitSet, as_owner: Client) -> None:
    project = judged_set.project
    assert step_of(project) == "Score the summaries with a judge"
    assert step_of(project, Role.VIEWER) == ""
    run = begin(judged_set)
    assert step_of(project) == ""
    runs_service.pause_run(run=run)
    assert step_of(project) == f"{run} is paused"
    runs_service.resume_run(run=run)
    lead(run)
    assert step_of(project) == ""
    assert "1 run" in page_of(as_owner.get("/p/study/")).text
