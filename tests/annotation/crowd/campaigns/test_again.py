"""A campaign again: duplicated, its useless places re-collected, its results in a file."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.service import run_job
from annotation.crowd.campaigns import planning, qualification_tests, recollecting, steps
from annotation.crowd.campaigns import service as campaigns_service
from annotation.crowd.campaigns.models import (
    Assignment,
    Campaign,
    CampaignState,
    Hit,
    Intent,
    ProviderName,
)
from annotation.crowd.campaigns.overview import get_reach
from annotation.crowd.market.accepting import EnoughDone, NoPlace, accept_hit, accept_next
from annotation.crowd.market.models_work import MarketHit, QualificationType
from annotation.crowd.market.qualifying import request_qualification
from annotation.crowd.offline import service as offline
from annotation.crowd.review import service as review_service
from annotation.errors import DomainError
from annotation.evaluation.labels import settling
from tests import factories
from tests.annotation.crowd.campaigns.playing import collect, publish, work_off
from tests.annotation.crowd.wire import Wire
from tests.annotation.crowd.working import make_worker


def test_a_duplicate_has_the_settings_and_nothing_else(collected: Campaign, owner: User):
    campaigns_service.update_campaign(
        campaign=collected, user=owner, wage_floor="9", name="Round 1"
    )
    collected.refresh_from_db()
    made = campaigns_service.duplicate_campaign(campaign=collected, user=owner)
    assert (made.name, made.state, made.wage_floor) == ("Round 1 (copy)", "draft", Decimal(9))
    for name in ("title", "instructions", "reward", "assignments_per_hit", "unit_set_id"):
        assert getattr(made, name) == getattr(collected, name)
    assert made.token != collected.token
    assert not made.hits.exists()
    assert made.budget == planning.estimate_cost(made).total
    assert (
        campaigns_service.duplicate_campaign(campaign=collected, user=owner).name
        == "Round 1 (copy 2)"
    )


def test_a_duplicate_leaves_out_systems_that_are_gone(campaign: Campaign, owner: User):
    lead, soup = campaign.project.systems.order_by("pk")
    campaign.scope = {"systems": [lead.pk, soup.pk, 10**6]}
    made = campaigns_service.duplicate_campaign(campaign=campaign, user=owner)
    assert made.scope == {"systems": sorted([lead.pk, soup.pk])}


def test_a_page_duplicates(as_owner: Client, campaign: Campaign):
    answer = as_owner.post(f"/p/study/crowd/{campaign.pk}/duplicate/")
    made = Campaign.objects.exclude(pk=campaign.pk).get()
    assert answer["Location"] == f"/p/study/crowd/{made.pk}/setup/"


@pytest.fixture
def judged(collected: Campaign) -> Campaign:
    campaigns_service.update_campaign(campaign=collected, user=None, budget="100")
    collected.refresh_from_db()
    return collected


def reject(campaign: Campaign, number: int) -> list[Assignment]:
    rows = list(campaign.assignments.select_related("hit", "worker", "campaign"))[:number]
    review_service.reject_assignments(
        campaign=campaign, assignments=rows, user=None, feedback="No."
    )
    return rows


def test_only_rejected_places_are_collected_again(judged: Campaign, wire: Wire):
    [rejected] = reject(judged, 1)
    assert recollecting.count_missing(judged).rejected == 1
    price = recollecting.price_recollection(judged, rejected=True, dropped=False)
    assert (price.number, price.total) == (1, Decimal("0.10"))
    run_job(job_id=recollecting.recollect_places(campaign=judged, user=None).pk)
    judged.refresh_from_db()
    assert judged.state == CampaignState.LIVE
    wanted = dict(judged.hits.values_list("pk", "wanted"))
    assert wanted.pop(rejected.hit_id) == 3
    assert set(wanted.values()) == {2}
    assert Intent.objects.get(kind="extend").amount == Decimal("0.10")
    hit = MarketHit.objects.get(hit_id=rejected.hit.provider_id)
    assert (hit.max_assignments, hit.available) == (3, 1)


def test_a_place_is_asked_for_once(judged: Campaign, wire: Wire):
    reject(judged, 1)
    run_job(job_id=recollecting.recollect_places(campaign=judged, user=None).pk)
    judged.refresh_from_db()
    with pytest.raises(DomainError, match="already been re-collected"):
        recollecting.recollect_places(campaign=judged, user=None)
    campaigns_service.update_campaign(campaign=judged, user=None, budget="200")
    job = steps.extend_campaign(campaign=judged, user=None, additional=1)
    run_job(job_id=job.pk)
    assert sorted(judged.hits.values_list("wanted", flat=True)) == [3, 3, 3, 3, 3, 4]
    assert Intent.objects.filter(kind="extend").count() == 7


def test_what_labels_leave_out_is_collected_again(judged: Campaign, owner: User, wire: Wire):
    work = judged.assignments.earliest("pk")
    settling.decide_assignment(
        project=judged.project, user=owner, assignment=work, verdict="drop", reason="Copied."
    )
    missing = recollecting.count_missing(judged)
    assert (missing.rejected, missing.dropped) == (0, 1)
    with pytest.raises(DomainError):
        recollecting.recollect_places(campaign=judged, user=None)
    job = recollecting.recollect_places(campaign=judged, user=None, dropped=True)
    run_job(job_id=job.pk)
    assert Hit.objects.get(pk=work.hit_id).wanted == 3


def test_the_sum_that_was_agreed_to_holds(judged: Campaign):
    reject(judged, 2)
    with pytest.raises(DomainError, match=r"This now costs \$"):
        recollecting.recollect_places(campaign=judged, user=None, at_most=Decimal("0.10"))
    assert not judged.hits.filter(again__gt=0).exists()


def test_the_cap_holds(collected: Campaign):
    """Its budget is what the first round cost; a rejection gives its part back."""
    reject(collected, 1)
    assert recollecting.price_recollection(collected, rejected=True, dropped=False).number == 1
    Campaign.objects.filter(pk=collected.pk).update(budget=Decimal("1.10"))
    collected.refresh_from_db()
    with pytest.raises(DomainError, match="budget"):
        recollecting.recollect_places(campaign=collected, user=None)


def test_a_page_shows_the_cost_first(as_owner: Client, judged: Campaign, wire: Wire):
    here = f"/p/study/crowd/{judged.pk}/"
    assert as_owner.get(f"{here}recollect/").status_code == 409
    assert "Re-collect" not in as_owner.get(here).content.decode()
    reject(judged, 1)
    assert f'href="{here}recollect/"' in as_owner.get(here).content.decode()
    page = as_owner.get(f"{here}recollect/", {"rejected": "on"})
    assert "Re-collect for $0.10" in page.content.decode()
    assert not judged.hits.filter(again__gt=0).exists()
    answer = as_owner.post(f"{here}recollect/", {"rejected": "on", "total": "0.1000"})
    assert answer.status_code == 302
    assert judged.hits.filter(again=1).count() == 1


def test_results_come_as_a_file_that_can_be_imported(
    as_owner: Client, judged: Campaign, owner: User, tmp_path: Path
):
    [rejected] = reject(judged, 1)
    row = judged.assignments.exclude(pk=rejected.pk).select_related("hit", "worker").earliest("pk")
    review_service.approve_assignments(
        campaign=judged,
        assignments=list(judged.assignments.select_related("hit", "worker", "campaign")),
        user=None,
    )
    row.refresh_from_db()
    award = review_service.Award(row, Decimal("0.25"), "Thank you")
    review_service.send_bonuses(campaign=judged, awards=[award], user=None)
    answer = as_owner.get(f"/p/study/crowd/{judged.pk}/results.csv")
    text = b"".join(answer.streaming_content).decode()  # type: ignore[attr-defined]
    header, first, *_ = text.splitlines()
    assert header.startswith("HITId,Title,Reward,AssignmentId,WorkerId,AssignmentStatus")
    assert "Rejected" in first
    assert "No." in first
    assert ",0.25," in text
    rest = as_owner.get(f"/api/v1/projects/study/campaigns/{judged.pk}/results/")
    assert b"".join(rest.streaming_content).decode() == text  # type: ignore[attr-defined]
    again = read_back(judged, owner, tmp_path, text)
    for name in ("state", "answers", "seconds"):
        assert list_by_name(again, name) == list_by_name(judged, name)


def read_back(campaign: Campaign, owner: User, folder: Path, text: str) -> Campaign:
    """Into another version of the same units: answers count once in one."""
    other = factories.make_set(campaign.project, owner, "Others")
    for example in campaign.project.examples.all():
        units = campaign.unit_set.units.filter(example=example).order_by("position")
        factories.add_units(other, example, owner, *units.values_list("text", flat=True))
    factories.freeze(other, owner)
    other.refresh_from_db()
    path = folder / "results.csv"
    path.write_text(text)
    outcome = offline.import_judgements(
        project=campaign.project, user=owner, unit_set=other, paths=[path]
    )
    assert outcome.job is not None, outcome.problems
    run_job(job_id=outcome.job.pk)
    return Campaign.objects.get(unit_set=other)


def list_by_name(campaign: Campaign, field: str) -> list[Any]:
    rows = campaign.assignments.order_by("provider_id")
    return list(rows.values_list("provider_id", field))


def test_a_worker_has_no_more_hits_than_the_limit(campaign: Campaign, wire: Wire):
    campaigns_service.update_campaign(campaign=campaign, user=None, most_per_worker=2)
    campaign.refresh_from_db()
    publish(campaign)
    worker, hits = make_worker("Ann"), list(MarketHit.objects.order_by("pk"))
    accept_hit(hit_id=hits[0].hit_id, worker=worker)
    accept_hit(hit_id=hits[1].hit_id, worker=worker)
    with pytest.raises(EnoughDone):
        accept_hit(hit_id=hits[2].hit_id, worker=worker)
    # One in hand is not another one.
    assert accept_hit(hit_id=hits[1].hit_id, worker=worker).hit_id == hits[1].pk
    other = make_worker("Bob")
    for hit in hits[:2]:
        accept_hit(hit_id=hit.hit_id, worker=other)
    other.assignments.update(status="Submitted")
    with pytest.raises(NoPlace):
        accept_next(hit_type=hits[2].hit_type, worker=other)
    accept_next(hit_type=hits[2].hit_type, worker=make_worker("Cem"))


def test_work_that_was_returned_does_not_count_for_the_limit(campaign: Campaign, wire: Wire):
    campaigns_service.update_campaign(campaign=campaign, user=None, most_per_worker=1)
    campaign.refresh_from_db()
    publish(campaign)
    worker, hits = make_worker("Ann"), list(MarketHit.objects.order_by("pk"))
    accept_hit(hit_id=hits[0].hit_id, worker=worker)
    worker.assignments.update(status="Returned")
    assert accept_hit(hit_id=hits[1].hit_id, worker=worker).hit_id == hits[1].pk


def test_another_crowd_stops_who_has_done_enough(campaign: Campaign, wire: Wire):
    """By a qualification, as soon as their work is collected."""
    campaigns_service.update_campaign(campaign=campaign, user=None, most_per_worker=1)
    campaign.refresh_from_db()
    publish(campaign)
    work_off("Ann", hits=MarketHit.objects.all()[:1], s1="present", s2="absent")
    collect(campaign)
    name = f"Giza: enough ({campaign.token.hex})"
    kind = QualificationType.objects.get(name=name)
    assert kind.holders.filter(is_granted=True).count() == 1
    wanted = MarketHit.objects.earliest("pk").hit_type.requirements
    assert kind.qualification_type_id in {row["QualificationTypeId"] for row in wanted}


ITEM = {"summary": "The <dam> burst & flooded.", "statement": "A dam burst.", "answer": "present"}


def fill_in(**more: str) -> dict[str, str]:
    other = {**ITEM, "statement": "It rained.", "answer": "absent"}
    return {
        "name": "Ready to judge",
        "description": "Two statements.",
        "pass_mark": "100",
        "seconds": "10 min",
        "retry_seconds": "",
        "items-TOTAL_FORMS": "2",
        "items-INITIAL_FORMS": "0",
        **{f"items-0-{name}": value for name, value in ITEM.items()},
        **{f"items-1-{name}": value for name, value in other.items()},
        **more,
    }


@pytest.mark.parametrize("answers, value", [(("present", "absent"), 100), (("absent",) * 2, 50)])
def test_a_form_builds_a_test_that_scores_itself(
    as_owner: Client, campaign: Campaign, wire: Wire, answers: tuple[str, str], value: int
):
    here = f"/p/study/crowd/{campaign.pk}/test/"
    assert as_owner.get(here).status_code == 200
    assert as_owner.post(here, fill_in()).status_code == 302
    campaign.refresh_from_db()
    kind = QualificationType.objects.get(name="Ready to judge")
    [wanted] = campaign.requirements
    assert wanted["QualificationTypeId"] == kind.qualification_type_id
    assert wanted["IntegerValues"] == [100]
    worker = make_worker("Ann")
    before = get_reach(campaign)
    assert before is not None
    assert (before.qualified, before.testable) == (0, 1)
    request_qualification(kind=kind, worker=worker)
    fields = {f"q{number}": [answer] for number, answer in enumerate(answers, 1)}
    request_qualification(kind=kind, worker=worker, fields=fields)
    assert worker.qualifications.get().value == value
    after = get_reach(campaign)
    assert after is not None
    assert (after.qualified, after.testable) == (int(value == 100), 0)


def test_a_test_can_be_required_again(
    as_owner: Client, campaign: Campaign, wire: Wire, owner: User
):
    here = f"/p/study/crowd/{campaign.pk}/test/"
    as_owner.post(here, fill_in())
    kind = QualificationType.objects.get(name="Ready to judge")
    other = campaigns_service.create_campaign(
        project=campaign.project, user=owner, unit_set=campaign.unit_set, name="Other"
    )
    sent = {"type_id": kind.qualification_type_id, "pass_mark": "70"}
    assert as_owner.post(f"/p/study/crowd/{other.pk}/test/", sent).status_code == 302
    other.refresh_from_db()
    assert [row["IntegerValues"] for row in other.requirements] == [[70]]


@pytest.mark.parametrize("more", [{"pass_mark": "0"}, {"items-0-statement": ""}, {"name": ""}])
def test_a_fault_in_a_test_keeps_what_was_entered(
    as_owner: Client, campaign: Campaign, wire: Wire, more: dict[str, str]
):
    answer = as_owner.post(f"/p/study/crowd/{campaign.pk}/test/", fill_in(**more))
    assert answer.status_code == 422
    assert "The &lt;dam&gt; burst &amp; flooded." in answer.content.decode()
    assert not QualificationType.objects.filter(name="Ready to judge").exists()


def test_a_name_is_used_once_and_published_work_stays(
    as_owner: Client, campaign: Campaign, wire: Wire
):
    here = f"/p/study/crowd/{campaign.pk}/test/"
    as_owner.post(here, fill_in())
    assert as_owner.post(here, fill_in()).status_code == 422
    campaign.provider = ProviderName.OFFLINE
    with pytest.raises(DomainError, match="Qualification tests aren't available"):
        qualification_tests.list_tests(campaign)
    campaign.provider, campaign.state = ProviderName.MARKETPLACE, CampaignState.LIVE
    with pytest.raises(DomainError, match="campaign is published"):
        qualification_tests.list_tests(campaign)
