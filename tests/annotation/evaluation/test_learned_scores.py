"""A metric that was trained on the summaries it scores: said wherever its figures are."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation.corpora.corpus.models import Summary
from annotation.corpora.jobs.service import finish_job
from annotation.corpora.projects.models import Project
from annotation.evaluation.judges.queries import list_learned_scores
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.metrics.models import ScoreSet
from annotation.evaluation.reports import service as reports_service
from annotation.evaluation.stored.models import StoredResult
from scoring.judge.learned import LearnedTexts
from scoring.metrics import s3
from tests.annotation.evaluation.commanding import run as command
from tests.annotation.evaluation.commanding import run_json
from tests.annotation.evaluation.scored import make_scores

IN_SAMPLE = "In-sample figures"


@pytest.fixture
def project(labelled: LabelSet, monkeypatch: pytest.MonkeyPatch) -> Project:
    """One that has one of the texts that `s3` was trained on: of the six summaries, three."""
    met = Summary.objects.filter(example__project=labelled.project, system__name="lead")
    texts = LearnedTexts.of(met.values_list("text", flat=True), units=())
    monkeypatch.setattr(s3, "read_shipped", {"realsumm": texts}.__getitem__)
    return labelled.project


@pytest.fixture
def scores(project: Project) -> ScoreSet:
    return make_scores(project, "s3")


def test_summaries_that_the_metric_was_trained_on_are_counted(scores: ScoreSet) -> None:
    [row] = list_learned_scores([scores, make_scores(scores.project)])
    assert (row["scores"], row["run"], row["judge"]) == (scores.pk, None, "s3")
    assert (row["summaries"], row["all_summaries"]) == (3, 6)
    assert row["words"] == "3 of 6 summaries"
    assert StoredResult.objects.filter(key__contains="learned-summaries").exists()


def test_scores_of_other_texts_are_not_named(
    labelled: LabelSet, as_owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(s3, "read_shipped", lambda study: LearnedTexts())
    scores = make_scores(labelled.project, "s3")
    assert list_learned_scores([scores]) == []
    path = reverse("evaluation:score_set", args=[labelled.project.slug, scores.pk])
    assert IN_SAMPLE not in as_owner.get(path).content.decode()


def test_the_page_and_rest_say_so(scores: ScoreSet, as_owner: Client) -> None:
    slug = scores.project.slug
    page = as_owner.get(reverse("evaluation:score_set", args=[slug, scores.pk])).content.decode()
    assert f'id="learned-scores-{scores.pk}"' in page
    assert IN_SAMPLE in page
    told = as_owner.get(f"/api/v1/projects/{slug}/score-sets/{scores.pk}/").json()
    [row] = told["learned"]
    assert (row["scores"], row["run"], row["summaries"]) == (scores.pk, None, 3)


def test_reports_say_so_once_for_all_columns(
    scores: ScoreSet, labelled: LabelSet, as_owner: Client
) -> None:
    other = make_scores(labelled.project)
    report = reports_service.build_report(
        project=labelled.project,
        user=None,
        human=f"labels:{labelled.pk}",
        metrics=[f"scores:{scores.pk}:s3", f"scores:{other.pk}:rouge1_recall"],
        resamples=10,
    )
    assert report.job is not None
    finish_job(job=report.job)
    report.refresh_from_db()
    assert [row["scores"] for row in report.learned] == [scores.pk]
    slug = labelled.project.slug
    for name in ("report", "print_report", "report_html"):
        path = reverse(f"evaluation:{name}", args=[slug, report.pk])
        assert IN_SAMPLE in as_owner.get(path).content.decode(), name
    told = as_owner.get(f"/api/v1/projects/{slug}/reports/{report.pk}/").json()
    assert [row["scores"] for row in told["learned"]] == [scores.pk]


def test_commands_say_so(project: Project) -> None:
    said = ("score_metric", "s3", "--project", project.slug)
    assert "In-sample: s3 (scores" in command(*said)
    [row] = run_json(*said)["learned"]
    assert row["words"] == "3 of 6 summaries"
    assert "In-sample" not in command("score_metric", "rouge", "--project", project.slug)
