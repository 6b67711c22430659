"""The demo's judgements: made up, named so, and the same at every start."""

from __future__ import annotations

import pytest

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.demo import load_demo
from annotation.corpora.jobs.models import Job
from annotation.corpora.jobs.service import finish_job
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Campaign, Worker
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.labels.people import list_worker_rows
from annotation.evaluation.overview.demo import (
    CAMPAIGN,
    NAME,
    WORKERS,
    add_demo_judgements,
    add_demo_report,
    add_demo_run,
)
from annotation.evaluation.reports.models import Report
from annotation.evaluation.runs.models import JudgeRun
from annotation.units.sets.models import UnitSet
from tests.annotation.conftest import sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def kept_demo(kept_database: None) -> Project:
    assert load_demo(password="pyramid-demo")
    return Project.objects.get(slug="demo")


@pytest.fixture
def demo(kept_demo: Project) -> Project:
    """Made once for all of them."""
    return Project.objects.get(pk=kept_demo.pk)


def test_it_judges_a_frozen_copy_and_leaves_the_draft_open(demo: Project) -> None:
    judged, draft = UnitSet.objects.get(name=NAME), UnitSet.objects.get(name="SCUs")
    assert judged.is_frozen
    assert not draft.is_frozen
    assert judged.unit_count == draft.unit_count == 63
    # Lists and next steps begin with the draft.
    assert UnitSet.objects.filter(project=demo).first() == draft


def test_it_names_its_workers_for_what_they_are(demo: Project) -> None:
    names = set(Worker.objects.filter(project=demo).values_list("provider_id", flat=True))
    assert names == {name for name, _, _ in WORKERS}
    assert all(name.startswith("demo-worker") for name in names)


def test_it_has_one_worker_that_a_rule_can_find(demo: Project) -> None:
    campaigns = [Campaign.objects.get(name=CAMPAIGN)]
    rows = list_worker_rows(demo, campaigns, "departures").rows
    assert rows[0].worker.provider_id == "demo-worker-noisy"
    assert (rows[0].departures or 0) > 0.3
    assert all((row.departures or 0) < 0.1 for row in rows[1:])


def test_it_has_labels_that_rank_the_systems(demo: Project) -> None:
    labels = LabelSet.objects.get(project=demo)
    assert labels.is_ready
    names = [row["system"] for row in labels.figures["systems"]]
    assert (names[0], names[-1]) == ("human-brief", "keyword-soup")


def test_it_is_the_same_after_a_start_that_was_killed(demo: Project) -> None:
    first = LabelSet.objects.get(project=demo)
    add_demo_judgements(demo, User.objects.get())
    again = LabelSet.objects.get(project=demo)
    assert again.content_hash == first.content_hash
    assert Campaign.objects.filter(project=demo).count() == 1
    assert UnitSet.objects.filter(project=demo).count() == 2


def test_it_has_a_report_that_says_how_little_is_known(demo: Project) -> None:
    report = Report.objects.get(project=demo)
    assert report.is_ready
    assert "rouge2_recall" in report.metric_names
    abstract = " ".join(report.found["abstract"])
    assert "may be due to chance" in abstract
    assert "better than chance" not in abstract
    [section] = [row for row in report.found["sections"] if row["figure"] == "annotators"]
    assert not any("better than chance" in line for line in section["may"])


def test_it_has_a_run_that_a_worker_does_in_the_background(demo: Project) -> None:
    run = JudgeRun.objects.get(project=demo)
    assert (run.judge, run.is_ready, run.job and run.job.state) == ("embedded", False, "queued")
    assert run.unit_set == LabelSet.objects.get(project=demo).unit_set
    assert run.job is not None
    finish_job(job=run.job)
    assert run.job.state == "done", run.job.error
    client = sign_in(User.objects.get())
    for page in ("", "presence/", "people/", "disagreements/?show=all", "summaries/"):
        assert client.get(f"/p/demo/runs/{run.pk}/{page}").status_code == 200
    people = client.get(f"/p/demo/runs/{run.pk}/people/").content.decode()
    assert "Calibration" in people or "calibration" in people


def test_it_begins_one_run_after_a_start_that_was_killed(demo: Project) -> None:
    for add in (add_demo_judgements, add_demo_run):
        add(demo, User.objects.get())
    assert JudgeRun.objects.filter(project=demo).count() == 1
    assert Job.objects.filter(project=demo, kind="judge_summaries").count() <= 1


def test_it_has_one_report_after_a_start_that_was_killed(demo: Project) -> None:
    first = Report.objects.get(project=demo).found
    add_demo_report(demo, User.objects.get())
    assert Report.objects.get(project=demo).found["leaderboard"] == first["leaderboard"]
