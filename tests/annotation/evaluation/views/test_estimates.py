"""The pages of estimates."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from annotation.corpora.jobs.service import run_job
from annotation.corpora.projects.models import Role
from annotation.evaluation.estimates.models import ScoreEstimate
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.planning.models import BudgetPlan
from annotation.evaluation.runs.models import JudgeRun
from tests import factories
from tests.annotation.conftest import sign_in
from tests.annotation.corpora.pages import Page, page_of
from tests.annotation.evaluation.estimating import (
    JUDGED,
    begin_estimate,
    keep_sample,
    keys_of,
    make_estimate,
    make_partly_judged,
)

HERE = "/p/study/estimates/"
Study = tuple[LabelSet, JudgeRun]


@pytest.fixture(scope="module")
def kept_study(kept_database: None, tmp_path_factory: pytest.TempPathFactory) -> Study:
    return make_partly_judged(factories.make_user("Olive"), tmp_path_factory.mktemp("study"))


@pytest.fixture
def study(db: None, kept_study: Study) -> Study:
    return LabelSet.objects.get(pk=kept_study[0].pk), JudgeRun.objects.get(pk=kept_study[1].pk)


@pytest.fixture
def client(study: Study) -> Client:
    """The owner's."""
    assert study[0].created_by is not None
    return sign_in(study[0].created_by)


@pytest.fixture
def viewer(study: Study) -> Client:
    user = factories.make_user("Vera")
    factories.add_member(study[0].project, user, Role.VIEWER)
    return sign_in(user)


def get(client: Client, path: str = "", **query: str) -> Page:
    return page_of(client.get(f"{HERE}{path}", query))


def filled(study: Study, **said: Any) -> dict[str, Any]:
    return {
        "source": f"labels-{study[0].pk}",
        "run": study[1].pk,
        "chosen": "random",
        "by": "examples",
        "target": "documents",
        **said,
    }


def test_it_says_what_is_missing(study: Study, client: Client) -> None:
    study[1].delete()
    study[0].delete()
    assert "Have examples judged by people first" in get(client).text
    assert "Something is missing" in get(client, "new/").text


def test_it_asks_for_a_run(study: Study, client: Client) -> None:
    study[1].delete()
    assert "Run a judge first" in get(client).text
    assert "Open runs" in get(client, "new/").text


def test_it_estimates(study: Study, client: Client) -> None:
    assert f"{HERE}new/" in get(client).links
    response = client.post(f"{HERE}new/", filled(study))
    made = ScoreEstimate.objects.get()
    assert response["Location"] == f"{HERE}{made.pk}/"
    assert "Waiting for a worker" in get(client, f"{made.pk}/").text
    run_job(job_id=made.job_id or 0)
    page = get(client, f"{made.pk}/")
    assert "People judged 5 of 9 examples" in page.text
    assert "A random sample, according to Olive." in page.text
    assert "as if people had judged them all" in page.text
    assert "Pairwise comparisons" in page.text
    assert "Examples saved" in page.text
    listed = get(client).text
    assert "at random, as stated" in listed
    assert "5 of 9" in listed


def test_it_refuses_a_ranker_without_chances(study: Study, client: Client) -> None:
    sent = filled(study, chosen="ranker")
    page = page_of(client.post(f"{HERE}new/", sent), 422)
    assert "chosen by a ranker" in page.text
    assert not ScoreEstimate.objects.exists()


@pytest.mark.parametrize(
    ("name", "words", "said"),
    [
        ("probabilities", "with recorded probabilities", "by a ranker, with probabilities"),
        ("audit", "audit slice of 4", "by a ranker, with an audit slice"),
    ],
)
def test_it_takes_a_ranker_with_chances_or_a_slice(
    study: Study, client: Client, name: str, words: str, said: str
) -> None:
    keys = keys_of(study[0].project)[:JUDGED]
    lines = [f"{key}, 0.5" for key in keys] if name == "probabilities" else keys[1:]
    client.post(f"{HERE}new/", filled(study, chosen="ranker", **{name: "\n".join(lines)}))
    made = ScoreEstimate.objects.get()
    run_job(job_id=made.job_id or 0)
    page = get(client, f"{made.pk}/")
    assert "Not a random sample." in page.text
    assert words in page.text
    assert said in get(client).text


def test_it_says_that_a_plan_drew_them(study: Study, client: Client) -> None:
    project = study[0].project
    ids = dict(project.examples.values_list("key", "pk"))
    people = [ids[key] for key in keys_of(project)[:JUDGED]]
    BudgetPlan.objects.create(project=project, chosen="k", work={"people": people})
    made = make_estimate(*study, chosen="plan")
    assert "drew the judged examples at random" in get(client, f"{made.pk}/").text
    assert "at random, Budget" in get(client).text


def test_it_says_that_a_sample_drew_them(study: Study, client: Client) -> None:
    sample = keep_sample(study[0].project, drawn=JUDGED)
    client.post(f"{HERE}new/", filled(study))
    made = ScoreEstimate.objects.get()
    run_job(job_id=made.job_id or 0)
    assert f"{sample} drew the judged examples." in get(client, f"{made.pk}/").text
    assert str(sample) in get(client).text


def test_it_warns_of_few_examples(study: Study, client: Client) -> None:
    page = get(client, f"{make_estimate(*study).pk}/")
    assert "fewer than 20 judged examples" in page.text


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"chosen": ""}, "This field is required."),
        ({"run": 999_999}, "Select a valid choice"),
        ({"chosen": "ranker", "probabilities": "e1 0.5"}, "Line 1: expected an example"),
        ({"chosen": "ranker", "probabilities": "e1, 2"}, "a number from 0 to 1"),
        ({"chosen": "ranker", "audit": "nobody"}, "'nobody'"),
        ({"chosen": "plan"}, "No plan in this project"),
        ({"chosen": "sample"}, "No sample in this project"),
    ],
)
def test_it_says_what_is_wrong(
    study: Study, client: Client, changes: dict[str, Any], words: str
) -> None:
    sent = filled(study, **changes)
    assert words in page_of(client.post(f"{HERE}new/", sent), 422).text


def test_what_a_ranker_needs_is_nothing_to_others(study: Study, client: Client) -> None:
    client.post(f"{HERE}new/", filled(study, audit="nobody", probabilities="e1, 0.5"))
    assert ScoreEstimate.objects.get().options["audit"] == []


def test_it_gives_scores_and_pairs_as_csv(study: Study, viewer: Client) -> None:
    made, waiting = make_estimate(*study), begin_estimate(*study)
    for name, start in (("scores.csv", "system,value,"), ("pairs.csv", "first,second,")):
        response = viewer.get(f"{HERE}{made.pk}/{name}")
        assert b"".join(response).decode().startswith(start)
        assert viewer.get(f"{HERE}{waiting.pk}/{name}").status_code == 409


def test_it_is_about_all_examples_of_the_kind(study: Study, viewer: Client) -> None:
    made = make_estimate(*study, target="population", by="units")
    page = get(viewer, f"{made.pk}/")
    assert "the population" in page.text
    assert "Weighted share of all units" in page.text
    assert "Delete estimate" not in page.text


def test_it_stays_when_its_sources_go(study: Study, client: Client) -> None:
    made = make_estimate(*study)
    study[1].delete()
    page = get(client, f"{made.pk}/")
    assert "since deleted" in page.text
    assert "Change options" not in page.text


def test_runs_and_scores_lead_here(study: Study, client: Client) -> None:
    labels, run = study
    run_page = page_of(client.get(f"/p/study/runs/{run.pk}/"))
    assert f"{HERE}new/?source=labels-{labels.pk}&run={run.pk}" in run_page.links
    scores = page_of(client.get(f"/p/study/gold/labels/{labels.pk}/scores/"))
    assert f"{HERE}new/?source=labels-{labels.pk}" in scores.links
    assert HERE in page_of(client.get("/p/study/runs/")).links
    form = get(client, "new/", run=str(run.pk), source=f"labels-{labels.pk}")
    assert "How were the human-judged examples chosen?" in form.text


def test_it_is_deleted(study: Study, client: Client) -> None:
    made = make_estimate(*study)
    client.post(f"{HERE}{made.pk}/delete/")
    assert not ScoreEstimate.objects.exists()
