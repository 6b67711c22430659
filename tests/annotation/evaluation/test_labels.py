"""Label sets: made of answers step by step, never changed, and told how they came about."""

from __future__ import annotations

import uuid

import pytest

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.kinds import KINDS
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.jobs.service import run_job
from annotation.corpora.jobs.work import Work
from annotation.crowd.campaigns.models import Assignment, Campaign, Judgement
from annotation.errors import DomainError
from annotation.evaluation.labels import service as labels_service
from annotation.evaluation.labels.models import Drop, LabelSet, SummaryLabels
from scoring.aggregation import FilterStep, Recipe
from tests.annotation.evaluation.campaigns import make_gold, make_labels


def labels_of(label_set: LabelSet) -> dict[tuple[str, str], list[int | None]]:
    rows = SummaryLabels.objects.filter(label_set=label_set)
    fields = ("summary__example__key", "summary__system__name", "labels")
    return {(key, system): labels for key, system, labels in rows.values_list(*fields)}


def test_it_makes_labels_by_majority(judged: Campaign, owner: User):
    made = make_labels(judged, owner, Recipe())
    found = labels_of(made)
    assert found["e1", "lead"] == [1, 0, 1]
    # Two against two is not present.
    assert found["e2", "lead"] == [0, 0, 1]
    assert made.figures["counts"] | {"ties": 2} == made.figures["counts"]
    assert not Drop.objects.exists()


def test_it_records_what_a_rule_leaves_out_and_why(labelled: LabelSet):
    drops = Drop.objects.filter(label_set=labelled).select_related("assignment__worker")
    assert {drop.assignment.worker.provider_id for drop in drops if drop.assignment.worker} == {
        "DUD"
    }
    assert {drop.rule for drop in drops} == {"per-summary"}
    assert all(drop.reason for drop in drops)
    assert labelled.figures["drops"] == [
        {"rule": "per-summary", "assignments": 6, "answers": 18, "workers": 1}
    ]
    assert labels_of(labelled)["e2", "lead"] == [1, 0, 1]
    assert Judgement.objects.count() == 72


def test_it_keeps_votes_and_posteriors(labelled: LabelSet):
    row = SummaryLabels.objects.get(
        label_set=labelled, summary__example__key="e2", summary__system__name="lead"
    )
    assert row.votes[0] == [1, 2]
    assert row.posteriors[0] == pytest.approx(2 / 3, abs=1e-6)


def test_it_numbers_versions_and_signs_them(judged: Campaign, owner: User):
    first, second = make_labels(judged, owner), make_labels(judged, owner, Recipe(tie="present"))
    assert (first.version, second.version) == (1, 2)
    assert "per-summary" in first.signature
    assert "tie:present" in second.signature
    assert first.answers_hash == second.answers_hash
    assert first.content_hash != second.content_hash


def test_it_gives_the_same_hash_for_the_same_labels(judged: Campaign, owner: User):
    assert make_labels(judged, owner).content_hash == make_labels(judged, owner).content_hash


def test_it_leaves_a_statement_that_nobody_answered_open(judged: Campaign, owner: User):
    unit = judged.unit_set.units.filter(example__key="e1").order_by("position").first()
    Judgement.objects.filter(unit=unit).delete()
    found = labels_of(make_labels(judged, owner, Recipe()))
    assert found["e1", "lead"] == [None, 0, 1]


class Stopped(BaseException):
    """As if the worker had been killed there."""


def test_it_goes_on_where_a_killed_worker_stopped(
    judged: Campaign, owner: User, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(labels_service, "CHUNK", 2)
    made = labels_service.keep_labels(
        project=judged.project, user=owner, campaigns=[judged], recipe=Recipe()
    )
    written: list[int] = []
    real = SummaryLabels.objects.bulk_create

    def dies(rows: list[SummaryLabels], **options: object) -> list[SummaryLabels]:
        if len(written) == 2:
            raise Stopped
        written.append(len(rows))
        return real(rows)

    assert made.job is not None
    with monkeypatch.context() as patch:
        patch.setattr(type(SummaryLabels.objects), "bulk_create", lambda _, rows: dies(rows))
        with pytest.raises(Stopped):
            run_job(job_id=made.job.pk)
    made.refresh_from_db()
    assert (made.is_ready, SummaryLabels.objects.count()) == (False, 4)
    Job.objects.filter(pk=made.job.pk).update(state=JobState.QUEUED)
    run_job(job_id=made.job.pk)
    made.refresh_from_db()
    assert made.is_ready
    assert labels_of(made) == labels_of(make_labels(judged, owner, Recipe()))


def test_it_starts_anew_when_answers_came_in_meanwhile(judged: Campaign, owner: User):
    made = labels_service.keep_labels(
        project=judged.project, user=owner, campaigns=[judged], recipe=Recipe()
    )
    assert made.job is not None
    SummaryLabels.objects.create(
        label_set=made, summary=judged.hits.all()[0].summary, labels=[None]
    )
    Job.objects.filter(pk=made.job.pk).update(cursor={"answers": "others", "summaries": 1})
    run_job(job_id=made.job.pk)
    assert len(labels_of(made)) == 6
    assert all(None not in row for row in labels_of(made).values())


def test_it_leaves_nothing_behind_when_cancelled(judged: Campaign, owner: User):
    made = labels_service.keep_labels(
        project=judged.project, user=owner, campaigns=[judged], recipe=Recipe()
    )
    assert made.job is not None
    undo = KINDS[made.job.kind].undo
    assert undo is not None
    undo(made.job)
    assert not LabelSet.objects.exists()


def test_it_refuses_to_make_labels_of_nothing(judged: Campaign, owner: User):
    with pytest.raises(DomainError, match="No campaign"):
        labels_service.keep_labels(
            project=judged.project, user=owner, campaigns=[], recipe=Recipe()
        )


def test_it_deletes_labels_that_nothing_refers_to(labelled: LabelSet, owner: User):
    labels_service.delete_labels(label_set=labelled, user=owner)
    assert not LabelSet.objects.exists()
    assert Judgement.objects.count() == 72


def test_it_keeps_labels_of_a_gold_version(labelled: LabelSet, owner: User):
    make_gold(labelled, owner)
    with pytest.raises(DomainError, match="gold version"):
        labels_service.delete_labels(label_set=labelled, user=owner)


def test_it_joins_campaigns_about_the_same_units(judged: Campaign, owner: User):
    halves = Assignment.objects.filter(worker__provider_id__in=["CEM", "DUD"])
    second = Campaign.objects.get(pk=judged.pk)
    second.pk, second.token, second.name = None, uuid.uuid4(), "Second"
    second.save()
    halves.update(campaign=second)
    both = labels_service.keep_labels(
        project=judged.project, user=owner, campaigns=[judged, second], recipe=Recipe()
    )
    assert both.job is not None
    run_job(job_id=both.job.pk)
    both.refresh_from_db()
    assert both.figures["counts"]["assignments"] == 24


def test_it_takes_rules_in_their_order(judged: Campaign, owner: User):
    recipe = Recipe(filters=(FilterStep("fast", {"min_seconds": 2}), FilterStep("per-summary")))
    made = make_labels(judged, owner, recipe)
    rules = {row["rule"]: row["assignments"] for row in made.figures["drops"]}
    assert rules["fast"] == 6


def test_it_tells_of_work(judged: Campaign, owner: User):
    made = make_labels(judged, owner)
    assert made.job is not None
    assert made.job.result["labelled"] == 18
    assert Work(made.job).done == 6
