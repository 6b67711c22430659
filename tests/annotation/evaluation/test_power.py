"""The power of a study: a job from the answers at hand, its page and REST."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.jobs.service import run_job
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Campaign
from annotation.errors import DomainError
from annotation.evaluation.labels.answers import get_collected
from annotation.evaluation.power import service as power_service
from annotation.evaluation.power.service import draw_power, stream_power
from scoring.estimation.power import Pilot
from tests.annotation.corpora.pages import page_of
from tests.annotation.corpora.rest import Rest
from tests.annotation.evaluation.planned import make_power

HERE = "/p/study/plans/power/"
FILLED = {
    "differences": "0.5, 0.3",
    "examples": "3 6",
    "annotators": "1",
    "comparisons": "2",
    "seed": "4",
}


def test_it_has_the_power_of_the_library(judged: Campaign, owner: User) -> None:
    job = make_power(judged.project, owner, differences=[0.5], comparisons=2, seed=3)
    collected = get_collected([judged])
    pilot = Pilot(collected.answers.keep(~collected.rejected), seed=3)
    for row in job.result["rows"]:
        found = pilot.power(0.5, examples=row["examples"], annotators=1, comparisons=2)
        assert row == found.to_json()
    assert [row["examples"] for row in job.result["rows"]] == [2, 3]
    assert len(draw_power(job)) == 2
    assert len(list(stream_power(job))) == 3


def test_it_computes_the_same_once(judged: Campaign, owner: User) -> None:
    first = make_power(judged.project, owner)
    assert make_power(judged.project, owner) == first
    assert make_power(judged.project, owner, seed=1) != first


def test_what_was_computed_stays_when_a_worker_dies(judged: Campaign, owner: User) -> None:
    done = make_power(judged.project, owner)
    Job.objects.filter(pk=done.pk).update(
        state=JobState.QUEUED, cursor={"rows": done.result["rows"][:1]}, result={}
    )
    run_job(job_id=done.pk)
    again = Job.objects.get(pk=done.pk)
    assert again.result == done.result


@pytest.mark.parametrize(
    "said, words",
    [
        ({"differences": [0.0]}, "differences"),
        ({"examples": [1]}, "examples"),
        ({"annotators": [21]}, "annotators"),
        ({"annotators": []}, "0 designs"),
        ({"examples": list(range(2, 100))}, "98 designs"),
        ({"comparisons": 0}, "comparisons"),
    ],
)
def test_it_refuses_odd_designs(judged: Campaign, said: dict[str, Any], words: str) -> None:
    asked: dict[str, Any] = {"differences": [0.5], "examples": [2], "annotators": [1], **said}
    with pytest.raises(DomainError, match=words):
        power_service.compute_power(project=judged.project, user=None, **asked)


def test_it_needs_answers(corpus: Project, as_owner: Client) -> None:
    assert "No answers yet" in page_of(as_owner.get(HERE)).text
    response = as_owner.post(f"{HERE}compute/", FILLED)
    assert response.status_code == 422
    assert not Job.objects.filter(kind="compute_power").exists()


def test_a_page_computes_and_shows_it(judged: Campaign, as_owner: Client) -> None:
    first = page_of(as_owner.get(HERE))
    assert 'name="annotators" value="1 3"' in first.html
    response = as_owner.post(f"{HERE}compute/", FILLED)
    job = Job.objects.get(kind="compute_power")
    assert response["Location"] == f"{HERE}?job={job.pk}"
    assert "Compute power" in page_of(as_owner.get(response["Location"])).text
    run_job(job_id=job.pk)
    page = page_of(as_owner.get(response["Location"]))
    assert page.html.count('data-label="Power"') == 4
    assert 'name="differences" value="0.3 0.5"' in page.html
    assert f"{HERE}{job.pk}.csv" in page.links
    csv = as_owner.get(f"{HERE}{job.pk}.csv").getvalue().decode()
    assert csv.startswith("difference,examples,annotators,power,low,high,")
    assert len(csv.splitlines()) == 5


@pytest.mark.parametrize(
    "field, value", [("examples", "ten"), ("differences", "2"), ("annotators", ""), ("seed", "-1")]
)
def test_a_page_says_what_is_wrong(
    judged: Campaign, as_owner: Client, field: str, value: str
) -> None:
    page = page_of(as_owner.post(f"{HERE}compute/", FILLED | {field: value}), 422)
    assert 'aria-invalid="true"' in page.html
    assert not Job.objects.filter(kind="compute_power").exists()


def test_planning_leads_to_it(judged: Campaign, as_owner: Client) -> None:
    assert HERE in page_of(as_owner.get("/p/study/plans/")).links


def test_rest_computes_it(judged: Campaign, owner: User) -> None:
    rest = Rest(owner)
    assert rest.get("/projects/study/power/").status_code == 404
    body = {"differences": [0.5], "examples": [2, 3], "annotators": [1]}
    made = rest.post("/projects/study/power/", body)
    assert made.status_code == 202, made.json()
    number = made.json()["id"]
    assert rest.get(f"/projects/study/power/?job={number}").status_code == 409
    run_job(job_id=number)
    found = rest.get("/projects/study/power/").json()
    assert (found["job"], len(found["rows"])) == (number, 2)
    assert found["conclusion"]
    assert rest.post("/projects/study/power/", body | {"rounds": 3}).status_code == 400
