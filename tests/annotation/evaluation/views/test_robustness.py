"""Pages and REST of robustness studies, and the page that begins several metrics."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.service import run_job
from annotation.corpora.projects.models import Project
from annotation.evaluation.metrics.models import ScoreSet
from annotation.evaluation.robustness.models import RobustnessStudy
from tests.annotation.corpora.pages import Page, page_of
from tests.annotation.corpora.rest import Rest
from tests.annotation.evaluation.studied import begin_study, lead_study, make_study

METRICS = "/p/study/metrics/"
HERE = f"{METRICS}robustness/"
REST = "/projects/study/robustness/"


def get(client: Client, path: str = "", **query: str) -> Page:
    return page_of(client.get(f"{HERE}{path}", query))


def test_it_says_what_is_missing(project: Project, as_owner: Client) -> None:
    assert "First import a corpus" in get(as_owner).text
    assert "Nothing to study yet" in get(as_owner, "new/").text
    page = page_of(as_owner.get(f"{METRICS}several/"))
    assert "Nothing to score yet" in page.text


def test_it_offers_the_first_step(corpus: Project, as_owner: Client, as_viewer: Client) -> None:
    page = get(as_owner)
    assert "No study yet" in page.text
    assert f"{HERE}new/" in page.links
    assert "Only owners and editors" in get(as_viewer).text


def test_it_makes_a_study(corpus: Project, as_owner: Client) -> None:
    page = get(as_owner, "new/")
    assert page.values["shares"] == "10, 20, 30"
    assert "it needs models that this server doesn’t offer." in page.text
    sent = {"metrics": ["rouge", "js"], "shares": "50 %, 100", "seed": "3", "systems": ["lead"]}
    sent["perturbation"] = "characters"
    response = as_owner.post(f"{HERE}new/", sent)
    made = RobustnessStudy.objects.get()
    assert response["Location"] == f"{HERE}{made.pk}/"
    assert (made.shares, made.seed, made.systems) == ([0.5, 1.0], 3, ["lead"])
    assert "Waiting for a worker" in get(as_owner, f"{made.pk}/").text
    run_job(job_id=made.job_id or 0)
    page = get(as_owner, f"{made.pk}/", rouge="rouge2_f1")
    assert page.faults == []
    assert "Robustness of rouge, js" in page.text
    assert "Character noise: 50 and 100 % of words of four letters or more changed" in page.text
    assert "rouge rouge2_f1" in page.text
    assert "Changed summaries" in page.text
    assert "✓ Ready" in get(as_owner).text


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"metrics": ["rouge"], "shares": "many"}, "percentages separated by commas"),
        ({"metrics": ["rouge"], "shares": "200"}, "expected more than 0 and at most 1, not 2"),
        ({"shares": "20"}, "Choose at least one metric."),
        ({"metrics": ["qa_overlap"], "shares": "20"}, "Select a valid choice"),
    ],
)
def test_it_says_what_is_wrong(
    corpus: Project, as_owner: Client, sent: dict[str, object], words: str
) -> None:
    response = as_owner.post(f"{HERE}new/", {"seed": 0, **sent})
    assert words in page_of(response, 422).text
    assert not RobustnessStudy.objects.exists()


def test_it_says_why_it_was_not_made(corpus: Project, as_owner: Client) -> None:
    made = begin_study(corpus)
    for example in corpus.examples.all():
        example.references.all().delete()
    lead_study(made)
    assert "The study failed." in get(as_owner, f"{made.pk}/").text
    assert as_owner.get(f"{HERE}{made.pk}/drops.csv").status_code == 409
    assert as_owner.get(f"{HERE}{made.pk + 1}/").status_code == 404


def test_hostile_texts_are_shown_as_text(corpus: Project, as_owner: Client) -> None:
    for summary in corpus.examples.get(key="e1").summaries.all():
        summary.text = "<script>alert(x)</script> dam 23"
        summary.save()
    page = get(as_owner, f"{make_study(corpus, perturbation='numbers').pk}/")
    assert page.faults == []
    assert "<script>alert(x)</script>" in page.text


def test_it_downloads_and_deletes(corpus: Project, as_owner: Client) -> None:
    made = make_study(corpus)
    response = as_owner.get(f"{HERE}{made.pk}/drops.csv")
    lines = b"".join(response.streaming_content).decode().splitlines()  # type: ignore[attr-defined]
    assert lines[0].startswith("metric,column,share,actual,perturbed,drop,low,high,of_actual")
    assert len(lines) == 1 + 12 * 2
    page = page_of(as_owner.post(f"{HERE}{made.pk}/delete/", follow=True))
    assert f"Robustness {made.pk}: rouge was deleted." in page.text


def test_it_chooses_the_quick_metrics_at_first(corpus: Project, as_owner: Client) -> None:
    html = page_of(as_owner.get(f"{METRICS}several/")).html
    boxes = re.findall(r'name="metrics" value="(\w+)"( checked)?>', html)
    quick = {"rouge", "source_overlap", "js", "meteor", "autosummeng", "extractive", "length"}
    assert {name for name, checked in boxes if checked} == quick
    assert {"bertscore", "s3"} <= {name for name, checked in boxes if not checked}


def test_it_begins_several_metrics(corpus: Project, as_owner: Client) -> None:
    assert f"{METRICS}several/" in page_of(as_owner.get(f"{METRICS}new/")).links
    page = page_of(as_owner.post(f"{METRICS}several/", {"metrics": ["rouge", "js"]}, follow=True))
    assert "2 metrics started." in page.text
    assert ScoreSet.objects.count() == 2
    page = page_of(as_owner.post(f"{METRICS}several/", {}), 422)
    assert "Choose at least one metric." in page.text


def test_rest_makes_tells_and_deletes(corpus: Project, owner: User) -> None:
    rest = Rest(owner)
    told = rest.post(REST, {"metrics": ["rouge"], "shares": [1], "examples": 2, "seed": 1})
    assert told.status_code == 202, told.json()
    made = told.json()
    assert (made["is_ready"], made["found"], made["examples"]) == (False, {}, 2)
    run_job(job_id=made["job"]["id"])
    done = rest.get(f"{REST}{made['id']}/").json()
    assert done["found"]["columns"][0]["drops"][0]["summaries"] == 4
    [row] = rest.get(REST).json()["results"]
    assert row["signature"] == done["signature"]
    assert rest.client.delete(f"/api/v1{REST}{made['id']}/").status_code == 204


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"metrics": []}, 400),
        ({"metrics": ["rogue"]}, 400),
        ({"shares": [0]}, 400),
        ({"shares": ["0.5"]}, 400),
        ({"share": 0.5}, 400),
        ({"metrics": ["qa_overlap"]}, 409),
        ({"systems": ["lede"]}, 404),
        ({}, 202),
    ],
)
def test_rest_refuses_what_it_does_not_understand(
    corpus: Project, owner: User, body: dict[str, object], status: int
) -> None:
    assert Rest(owner).post(REST, body).status_code == status
