"""Results that jobs store: there when a page asks, whatever the cache has forgotten."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.models import Job
from annotation.corpora.jobs.service import run_job
from annotation.errors import DomainError
from annotation.evaluation.labels import score_jobs, scores
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.labels.scores import find_scores, get_scores
from annotation.evaluation.runs.queries import list_run_scores
from annotation.evaluation.stored.models import StoredResult
from tests.annotation.evaluation.running import finish

HERE = "/p/study/gold/labels/{pk}/scores/"


@pytest.fixture
def large(labelled: LabelSet, monkeypatch: pytest.MonkeyPatch) -> LabelSet:
    """Labels of which nobody should wait for a resample."""
    monkeypatch.setattr(scores, "MOST_AT_ONCE", 1)
    return labelled


def test_labels_bring_their_scores_along(large: LabelSet, monkeypatch: pytest.MonkeyPatch):
    cache.clear()
    monkeypatch.setattr(scores, "compare_systems", None)
    monkeypatch.setattr(scores, "rank_systems", None)
    found = get_scores(large)
    assert {row.system for row in found.rows} == {"lead", "soup"}
    with CaptureQueriesContext(connection) as queries:
        assert get_scores(large) == found
    assert len(queries) == 0


@pytest.mark.usefixtures("toys")
def test_runs_bring_their_scores_along(labelled: LabelSet, monkeypatch: pytest.MonkeyPatch):
    run = finish(labelled.unit_set)
    cache.clear()
    monkeypatch.setattr("annotation.evaluation.runs.queries.rank_systems", None)
    assert {row.system for row in list_run_scores(run)} == {"lead", "soup"}


def test_another_method_is_a_jobs_work(large: LabelSet, owner: User):
    assert find_scores(large, method="original") is None
    with pytest.raises(DomainError, match="takes a while"):
        get_scores(large, method="original")
    job = score_jobs.compute_scores(label_set=large, user=owner, method="original")
    again = score_jobs.compute_scores(label_set=large, user=owner, method="original")
    assert job is not None
    assert again == job
    run_job(job_id=job.pk)
    assert get_scores(large, method="original").method == "original"
    assert score_jobs.compute_scores(label_set=large, user=owner, method="original") is None
    assert StoredResult.objects.count() >= 2


def test_the_page_has_a_job_compute_them(large: LabelSet, as_owner: Client, as_viewer: Client):
    here = HERE.format(pk=large.pk)
    html = as_owner.get(here, {"method": "original"}).content.decode()
    assert 'id="compute-scores"' in html
    seen = as_viewer.get(here, {"method": "original"}).content.decode()
    assert 'id="compute-scores"' not in seen
    answer = as_owner.post(f"{here}compute/", {"method": "original"})
    assert answer["Location"].startswith(f"{here}?method=original")
    waiting = as_owner.get(answer["Location"]).content.decode()
    assert "hx-get" in waiting
    assert 'id="compute-scores"' not in waiting
    run_job(job_id=Job.objects.get(kind="compute_scores").pk)
    assert "score-table" in as_owner.get(answer["Location"]).content.decode()


@pytest.mark.parametrize("said", [{"method": "lite"}, {"method": "original", "sample": 3}])
def test_a_sample_goes_with_lite(large: LabelSet, owner: User, said: dict[str, object]):
    with pytest.raises(DomainError, match="only for lite"):
        score_jobs.compute_scores(label_set=large, user=owner, **said)  # type: ignore[arg-type]
