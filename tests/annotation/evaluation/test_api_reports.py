"""REST: reports are built, read, shared and deleted, and their figures downloaded."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.service import run_job
from annotation.corpora.projects.models import Project
from annotation.evaluation.metrics.models import ScoreSet
from annotation.evaluation.reports.models import Report
from tests.annotation.corpora.rest import Rest, error_of
from tests.annotation.evaluation.reported import asked, make_report, make_score_set

REPORTS = "/projects/study/reports/"


@pytest.fixture
def rest(owner: User) -> Rest:
    return Rest(owner)


@pytest.fixture
def scores(corpus: Project) -> ScoreSet:
    return make_score_set(corpus)


def test_it_builds_a_report_by_a_job(rest: Rest, scores: ScoreSet):
    made = rest.post(REPORTS, asked(scores, title="Dams", seed=4))
    assert made.status_code == 202, made.json()
    told = made.json()
    assert (told["is_ready"], told["found"], told["options"]["seed"]) == (False, {}, 4)
    run_job(job_id=told["job"]["id"])
    done = rest.get(f"{REPORTS}{told['id']}/").json()
    assert done["is_ready"]
    assert done["found"]["lead"] == "good"
    assert done["signature"] == done["found"]["signature"]
    [row] = rest.get(REPORTS).json()["results"]
    assert ("found" in row, row["title"], row["is_shared"]) == (False, "Dams", False)


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"human": "nobody"}, 404),
        ({"metrics": []}, 400),
        ({"metrics": "good"}, 400),
        ({"resamples": 0}, 400),
        ({"systems": ["nobody"]}, 404),
        ({"inputs": "some"}, 400),
        ({"colour": "blue"}, 400),
    ],
)
def test_it_refuses_what_is_odd(rest: Rest, scores: ScoreSet, changes: dict[str, Any], status: int):
    response = rest.post(REPORTS, asked(scores, **changes))
    assert response.status_code == status
    assert error_of(response)
    assert not Report.objects.exists()


def test_it_sends_figures(rest: Rest, scores: ScoreSet):
    report = make_report(scores)
    for format, media in (("svg", "image/svg+xml"), ("pdf", "application/pdf")):
        response = rest.get(f"{REPORTS}{report.pk}/figures/pairs/{format}/")
        assert response["Content-Type"] == media
        assert f"report-{report.pk}-pairs.{format}" in response["Content-Disposition"]
    csv = rest.get(f"{REPORTS}{report.pk}/figures/leaderboard/csv/")
    head = b"metric,level,measure,value,low,high,bca_low,bca_high,bca_note\r\ngood,system,kendall,"
    assert csv.content.startswith(head)
    assert rest.get(f"{REPORTS}{report.pk}/figures/pie/svg/").status_code == 404
    page = rest.get(f"{REPORTS}{report.pk}/html/")
    assert page.content.startswith(b"<!doctype html>")


def test_it_makes_a_link_and_takes_it_back(rest: Rest, scores: ScoreSet):
    report = make_report(scores)
    told = rest.post(f"{REPORTS}{report.pk}/share/", {"shared": True}).json()
    path = told["link"].removeprefix("http://testserver")
    assert Client().get(path).status_code == 200
    again = rest.post(f"{REPORTS}{report.pk}/share/", {"shared": False}).json()
    assert again == {"shared": False, "link": ""}
    assert Client().get(path).status_code == 404


def test_it_deletes_a_report(rest: Rest, scores: ScoreSet):
    report = make_report(scores)
    assert rest("DELETE", f"{REPORTS}{report.pk}/").status_code == 204
    assert rest.get(f"{REPORTS}{report.pk}/").status_code == 404
