"""What a run's judge can read, on its pages, in REST and on a trained judge's card."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.jobs.service import run_job
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.runs import probing
from annotation.evaluation.runs.models import JudgeRun
from annotation.evaluation.runs.probes import get_probes
from annotation.evaluation.runs.texts import find_evidence
from annotation.units.sets.models import UnitSet
from tests.annotation.evaluation.running import finish

pytestmark = pytest.mark.usefixtures("toys")

ADVICE = 'id="unreliable"'


def probe(run: JudgeRun) -> Job:
    job = probing.probe_run(run=run, user=None)
    assert job is not None
    run_job(job_id=job.pk)
    job.refresh_from_db()
    assert job.state == JobState.DONE, job.error
    return job


def test_a_job_probes_a_judge_once(judged_set: UnitSet) -> None:
    run = finish(judged_set)
    assert get_probes(run) is None
    first = probing.probe_run(run=run, user=None)
    assert probing.probe_run(run=run, user=None) == first
    probe(run)
    cache.clear()  # it is stored in the database
    found = get_probes(run)
    assert found is not None
    assert len(found.categories) >= 12
    # A judge that counts words sees no contradiction.
    assert found.total.true_found > found.total.false_rejected
    assert probing.probe_run(run=run, user=None) is None
    again = finish(judged_set, systems=["lead"])
    assert get_probes(again) == found


def test_pages_show_it_and_warn_of_single_verdicts(
    labelled: LabelSet, as_owner: Client, as_viewer: Client
) -> None:
    run = finish(labelled.unit_set)
    here = f"/p/study/runs/{run.pk}/"
    assert 'id="probe-run"' in as_owner.get(here).content.decode()
    assert 'id="probe-run"' not in as_viewer.get(here).content.decode()
    assert as_owner.post(f"{here}probe/")["Location"] == here
    assert "hx-get" in as_owner.get(here).content.decode()
    run_job(job_id=Job.objects.get(kind="probe_judge").pk)
    text = as_viewer.get(here).content.decode()
    assert "Good for ranking systems" in text
    assert "Order in time" in text
    for page in ("presence/", "disagreements/"):
        assert ADVICE in as_viewer.get(f"{here}{page}").content.decode()


def test_rest_gives_it(judged_set: UnitSet, as_viewer: Client) -> None:
    run = finish(judged_set)
    address = f"/api/v1/projects/study/runs/{run.pk}/"
    assert as_viewer.get(address).json()["probes"] is None
    probe(run)
    found = as_viewer.get(address).json()["probes"]
    assert found["reads"] is False
    assert {"category", "pairs", "true_found", "false_rejected", "ordered"} == set(found["total"])


def test_built_in_judges_come_with_their_figures(judged_set: UnitSet) -> None:
    run = finish(judged_set, judge="lexical")
    found = get_probes(run)
    assert found is not None
    assert found.judge == "lexical"
    assert not found.reads


def test_a_sentence_that_contradicts_is_named() -> None:
    summary = "It rained. Brack lost to Lund. Nobody came."
    found = find_evidence(summary, "Brack beat Lund.", -3)
    assert (found.sentence, found.contradicts) == ("Brack lost to Lund.", True)
    assert not find_evidence(summary, "Brack beat Lund.", 1).contradicts
    assert not find_evidence(summary, "Brack beat Lund.", -1).contradicts


def test_the_page_says_that_a_sentence_contradicts(labelled: LabelSet, as_viewer: Client) -> None:
    run = finish(labelled.unit_set)
    row = run.presences.select_related("summary__system").get(
        summary__example__key="e1", summary__system__name="lead"
    )
    row.sentences = [-2] * len(row.sentences)
    row.save()
    unit = labelled.unit_set.units.filter(example__key="e1").order_by("position")[0]
    query: dict[str, Any] = {
        "example": row.summary.example_id,
        "unit": unit.pk,
        "system": "lead",
    }
    text = as_viewer.get(f"/p/study/runs/{run.pk}/presence/", query).content.decode()
    assert "evidence__against" in text
    assert "the sentence that contradicts the unit" in text
