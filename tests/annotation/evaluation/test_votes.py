"""Ways to vote side by side: fitted by a job, once, and never while somebody waits too long."""

from __future__ import annotations

import pytest

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.jobs.service import finish_job, run_job
from annotation.crowd.campaigns.models import Campaign
from annotation.errors import DomainError
from annotation.evaluation.labels import score_jobs, settling, votes
from annotation.evaluation.labels.what_if import preview_labels
from scoring.aggregation import VOTES, Recipe


def compare(campaign: Campaign, owner: User) -> Job:
    return score_jobs.compare_votes(
        project=campaign.project, user=owner, campaigns=[campaign], recipe=Recipe()
    )


def test_it_fits_every_vote_to_the_same_answers(judged: Campaign, owner: User):
    job = compare(judged, owner)
    finish_job(job=job)
    assert job.state == JobState.DONE, job.error
    rows = {row["vote"]: row for row in job.result["rows"]}
    assert list(rows) == list(VOTES)
    assert job.result["systems"] == ["lead", "soup"]
    assert rows["majority"]["changed"] == 0
    # The noisy worker says the opposite of everybody: a model finds that out.
    assert rows["dawid-skene"]["scores"] == pytest.approx([2 / 3, 1 / 3])


def test_it_finds_what_was_compared_until_answers_change(judged: Campaign, owner: User):
    job = compare(judged, owner)
    assert votes.find_comparison(judged.project, [judged], Recipe(vote="glad")) == job
    assert votes.find_comparison(judged.project, [judged], Recipe(tie="present")) is None
    work = judged.assignments.first()
    assert work is not None
    decision = settling.decide_assignment(
        project=judged.project, user=owner, assignment=work, verdict="drop", reason="Copied."
    )
    assert votes.find_comparison(judged.project, [judged], Recipe()) is None
    settling.undo_decision(decision=decision, user=owner)
    assert votes.find_comparison(judged.project, [judged], Recipe()) == job
    work.delete()
    assert votes.find_comparison(judged.project, [judged], Recipe()) is None


def test_it_keeps_what_a_killed_worker_had_fitted(
    judged: Campaign, owner: User, monkeypatch: pytest.MonkeyPatch
):
    fitted: list[str] = []
    real = votes.measure_vote
    monkeypatch.setattr(score_jobs, "VOTES", VOTES[:3])

    def counted(outcome: object, name: str, majority: object) -> object:
        if len(fitted) == 2:
            raise KeyboardInterrupt
        fitted.append(name)
        return real(outcome, name, majority)  # type: ignore[arg-type]

    job = compare(judged, owner)
    with monkeypatch.context() as patch:
        patch.setattr(score_jobs, "measure_vote", counted)
        with pytest.raises(KeyboardInterrupt):
            run_job(job_id=job.pk)
    Job.objects.filter(pk=job.pk).update(state=JobState.QUEUED)
    finish_job(job=job)
    assert [row["vote"] for row in job.result["rows"]] == list(VOTES[:3])


def test_it_does_not_let_anybody_wait_for_a_slow_vote(
    judged: Campaign, monkeypatch: pytest.MonkeyPatch
):
    votes.refuse_if_slow([judged], Recipe(vote="glad"))
    monkeypatch.setitem(votes.MOST_AT_ONCE, "glad", 71)
    with pytest.raises(DomainError, match="72 answers"):
        preview_labels(judged.project, [judged], Recipe(vote="glad"))
    votes.refuse_if_slow([judged], Recipe())
