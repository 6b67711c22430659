"""What people decide about judgements: it counts, it is recorded, it can be taken back."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Activity, Verb
from annotation.crowd.campaigns.models import (
    Assignment,
    AssignmentState,
    Campaign,
    Judgement,
    Worker,
)
from annotation.errors import DomainError, Invalid
from annotation.evaluation.labels import settling
from annotation.evaluation.labels.models import Adjudication, Decision, LabelSet
from annotation.evaluation.labels.outcome import Outcome, get_outcome
from annotation.units.sets.models import Unit
from scoring.aggregation import Recipe
from tests.annotation.evaluation.campaigns import STRICT


def outcome(campaign: Campaign, recipe: Recipe | None = None) -> Outcome:
    return get_outcome(campaign.project, campaign.unit_set, [campaign], recipe or Recipe())


def decide(campaign: Campaign, user: User, name: str, verdict: str = "drop") -> Decision:
    return settling.decide_worker(
        project=campaign.project,
        user=user,
        worker=Worker.objects.get(provider_id=name),
        verdict=verdict,
        reason="Answers at random.",
    )


def test_it_leaves_a_worker_out_and_takes_that_back(judged: Campaign, owner: User):
    made = decide(judged, owner, "DUD")
    left = outcome(judged)
    assert (int(left.aggregate.kept.sum()), int((~left.aggregate.kept).sum())) == (18, 6)
    assert {reason for _, reason in left.overrides.reasons.values()} == {"Answers at random."}
    settling.undo_decision(decision=made, user=owner)
    assert outcome(judged).aggregate.kept.all()
    made.refresh_from_db()
    assert (made.undone_by, Judgement.objects.count()) == (owner, 72)


def test_it_keeps_a_worker_whatever_a_rule_says(judged: Campaign, owner: User):
    assert int((~outcome(judged, STRICT).aggregate.kept).sum()) == 6
    decide(judged, owner, "DUD", "keep")
    assert outcome(judged, STRICT).aggregate.kept.all()


def test_it_puts_a_word_on_an_assignment_before_one_on_its_worker(judged: Campaign, owner: User):
    decide(judged, owner, "DUD")
    one = Assignment.objects.filter(worker__provider_id="DUD").first()
    assert one is not None
    settling.decide_assignment(
        project=judged.project, user=owner, assignment=one, verdict="keep", reason="This is good."
    )
    assert int((~outcome(judged).aggregate.kept).sum()) == 5


def test_it_leaves_rejected_work_out(judged: Campaign):
    Assignment.objects.filter(worker__provider_id="DUD").update(state=AssignmentState.REJECTED)
    found = outcome(judged)
    assert int((~found.aggregate.kept).sum()) == 6
    assert {rule for rule, _ in found.overrides.reasons.values()} == {"rejected"}


@pytest.mark.parametrize("verdict, reason", [("burn", "Because."), ("drop", " ")])
def test_it_refuses_a_decision_without_sense(
    judged: Campaign, owner: User, verdict: str, reason: str
):
    worker = Worker.objects.get(provider_id="DUD")
    with pytest.raises(Invalid):
        settling.decide_worker(
            project=judged.project, user=owner, worker=worker, verdict=verdict, reason=reason
        )
    assert not Decision.objects.exists()


def test_it_decides_once_about_a_worker(judged: Campaign, owner: User):
    decide(judged, owner, "DUD")
    with pytest.raises(DomainError, match="already"):
        decide(judged, owner, "DUD", "keep")


def test_it_takes_a_decision_back_once(judged: Campaign, owner: User):
    made = decide(judged, owner, "DUD")
    settling.undo_decision(decision=made, user=owner)
    with pytest.raises(DomainError, match="already"):
        settling.undo_decision(decision=made, user=owner)


def first_statement(campaign: Campaign) -> tuple[Assignment, Unit]:
    work = Assignment.objects.filter(campaign=campaign).select_related("hit__summary").first()
    assert work is not None
    unit = Unit.objects.filter(example=work.hit.summary.example_id).order_by("position").first()
    assert unit is not None
    return work, unit


def test_it_puts_an_experts_word_in_the_place_of_a_vote(judged: Campaign, owner: User):
    work, unit = first_statement(judged)
    summary = work.hit.summary
    before = outcome(judged)
    for present in (True, False):
        settling.adjudicate(
            project=judged.project, user=owner, summary=summary, unit=unit, present=present
        )
    found = outcome(judged)
    assert int(found.expert.sum()) == 1
    assert found.present[found.expert].tolist() == [0]
    assert int((found.present != before.present).sum()) == 1
    assert Adjudication.objects.filter(undone_at=None).count() == 1
    assert Activity.objects.filter(verb=Verb.ADJUDICATE).count() == 2


def test_it_takes_an_experts_word_back(judged: Campaign, owner: User):
    work, unit = first_statement(judged)
    made = settling.adjudicate(
        project=judged.project, user=owner, summary=work.hit.summary, unit=unit, present=False
    )
    settling.undo_adjudication(adjudication=made, user=owner)
    assert not outcome(judged).expert.any()
    with pytest.raises(DomainError, match="already"):
        settling.undo_adjudication(adjudication=made, user=owner)


def test_it_refuses_a_unit_of_another_example(judged: Campaign, owner: User):
    work, _ = first_statement(judged)
    other = Unit.objects.exclude(example=work.hit.summary.example_id).first()
    assert other is not None
    with pytest.raises(Invalid, match="different examples"):
        settling.adjudicate(
            project=judged.project,
            user=owner,
            summary=work.hit.summary,
            unit=other,
            present=True,
        )


def test_it_leaves_labels_that_are_kept_as_they_are(labelled: LabelSet, owner: User):
    campaign = labelled.campaigns.get()
    before = labelled.content_hash
    decide(campaign, owner, "ANN")
    work, unit = first_statement(campaign)
    settling.adjudicate(
        project=campaign.project, user=owner, summary=work.hit.summary, unit=unit, present=False
    )
    labelled.refresh_from_db()
    assert labelled.content_hash == before
    assert labelled.created_at < timezone.now()


def test_it_lets_one_of_two_experts_speak_at_the_same_moment(
    judged: Campaign, owner: User, monkeypatch: pytest.MonkeyPatch
):
    """The other's word came after ours had looked for it: it is not taken back, and stands."""
    work, unit = first_statement(judged)
    about: dict[str, Any] = {"summary": work.hit.summary, "unit": unit, "user": owner}
    first = settling.adjudicate(project=judged.project, **about, present=False)
    monkeypatch.setattr(
        "annotation.evaluation.labels.settling._undone", lambda user: {"undone_at": None}
    )
    with pytest.raises(DomainError, match="at the same time"):
        settling.adjudicate(project=judged.project, **about, present=True)
    assert Adjudication.objects.get(undone_at=None) == first
