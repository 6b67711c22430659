"""Who may spend: by settings, by trying a job again, and by a job that was begun before."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal

import pytest
from django.urls import reverse

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Activity
from annotation.corpora.jobs.kinds import KINDS
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.jobs.service import run_job
from annotation.corpora.projects.models import Membership, Project, Role
from annotation.crowd.campaigns import ledger, publishing, steps
from annotation.crowd.campaigns import service as campaigns_service
from annotation.crowd.campaigns.models import (
    ApproveRule,
    Assignment,
    AssignmentState,
    Campaign,
    CampaignState,
    ProviderName,
)
from annotation.crowd.market.models_accounts import Requester
from annotation.crowd.market.models_work import Bonus, MarketHit
from annotation.crowd.review import bulk as review_bulk
from annotation.crowd.review import service as review_service
from tests.annotation.conftest import sign_in
from tests.annotation.corpora.rest import Rest, error_of
from tests.annotation.crowd.wire import Wire, lose_answer, refuse_connection
from tests.factories import add_member, make_user

PARAMS = {"campaign": 0, "ids": [], "action": "approve"}
MONEY = {"approve_rule": "all", "budget": "90", "bonus_reserve": "1", "wage_floor": "12"}


def address(campaign: Campaign) -> str:
    return f"/projects/study/campaigns/{campaign.pk}/"


def deactivate(user: User) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)


def demote(user: User) -> None:
    Membership.objects.filter(user=user).update(role=Role.EDITOR)


def remove(user: User) -> None:
    Membership.objects.filter(user=user).delete()


LOSSES = [deactivate, demote, remove]


@pytest.fixture
def second(project: Project) -> User:
    """Another owner, who is about to lose that."""
    user = make_user("Second")
    add_member(project, user, Role.OWNER)
    return user


def begin_review(campaign: Campaign, user: User | None, action: str = "bonus") -> Job:
    Campaign.objects.filter(pk=campaign.pk).update(budget="90", bonus_reserve="10")
    campaign.refresh_from_db()
    job = review_bulk.review_assignments(
        campaign=campaign,
        user=user,
        action=action,
        ids=list(campaign.assignments.values_list("pk", flat=True)),
        text="Thank you",
        amount=Decimal("0.05") if action == "bonus" else None,
    )
    assert isinstance(job, Job)
    return job


@pytest.mark.parametrize("field", sorted(MONEY))
def test_rest_needs_an_owner_and_pay_for_money(
    published: Campaign, editor: User, owner: User, field: str
) -> None:
    sent = {field: MONEY[field]}
    for rest in (Rest(editor), Rest(owner, scope="publish")):
        assert error_of(rest("PATCH", address(published), sent)) == (403, "forbidden")
    assert Rest(owner)("PATCH", address(published), sent).status_code == 200


def test_an_editor_changes_a_published_campaigns_name(published: Campaign, editor: User) -> None:
    rest = Rest(editor, scope="publish")
    assert rest("PATCH", address(published), {"name": "Other"}).status_code == 200


def test_an_editor_sets_the_money_of_a_draft(campaign: Campaign, editor: User) -> None:
    assert Rest(editor, scope="publish")("PATCH", address(campaign), MONEY).status_code == 200


def test_the_page_offers_an_editor_the_name_only(published: Campaign, editor: User) -> None:
    client, page = sign_in(editor), reverse("crowd:setup", args=["study", published.pk])
    text = client.get(page).content.decode()
    assert 'name="name"' in text
    assert not [field for field in MONEY if f'name="{field}"' in text]
    assert "Only owners can change the budget cap" in text
    assert client.post(page, {"name": "Other", **MONEY}).status_code == 403
    published.refresh_from_db()
    assert (published.name, published.approve_rule) == ("First", ApproveRule.DEADLINE)
    assert client.post(page, {"name": "Other"}).status_code == 302
    published.refresh_from_db()
    assert published.name == "Other"


def test_the_page_offers_an_owner_all_of_it(published: Campaign, owner: User) -> None:
    page = reverse("crowd:setup", args=["study", published.pk])
    text = sign_in(owner).get(page).content.decode()
    assert all(f'name="{field}"' in text for field in MONEY)
    assert "Ask an owner" not in text


@pytest.mark.parametrize("kind", ["publish_campaign", "open_hits", "review_assignments"])
def test_trying_again_needs_an_owner(
    project: Project, owner: User, editor: User, kind: str
) -> None:
    job = Job.objects.create(
        project=project,
        created_by=owner,
        kind=kind,
        title="x",
        state=JobState.FAILED,
        params=PARAMS,
    )
    page = f"/p/study/jobs/{job.pk}/"
    assert "retry-job" not in sign_in(editor).get(page).content.decode()
    assert sign_in(editor).post(f"{page}retry/").status_code == 403
    assert error_of(Rest(editor).post(f"/projects/study/jobs/{job.pk}/retry/"))[0] == 403
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert "retry-job" in sign_in(owner).get(page).content.decode()
    assert sign_in(owner).post(f"{page}retry/").status_code == 302


def test_trying_a_review_again_needs_a_key_that_pays(project: Project, owner: User) -> None:
    job = Job.objects.create(
        project=project, kind="review_assignments", title="x", state=JobState.FAILED, params=PARAMS
    )
    path = f"/projects/study/jobs/{job.pk}/retry/"
    assert error_of(Rest(owner, scope="publish").post(path)) == (403, "forbidden")
    assert Rest(owner).post(path).status_code == 202


def test_what_spends_can_not_be_resumed_from_a_rest() -> None:
    spending = {name: kind for name, kind in KINDS.items() if kind.spends}
    assert set(spending) == {"publish_campaign", "open_hits", "review_assignments"}
    assert {kind.least for kind in spending.values()} == {Role.OWNER}
    assert not [name for name, kind in spending.items() if kind.can_pause]


@pytest.mark.parametrize("lose", LOSSES)
@pytest.mark.parametrize("action", ["approve", "bonus"])
def test_a_review_of_somebody_who_lost_the_right_pays_nothing(
    collected: Campaign,
    second: User,
    owner: User,
    wire: Wire,
    lose: Callable[[User], None],
    action: str,
) -> None:
    job = begin_review(collected, second, action)
    lose(second)
    run_job(job_id=job.pk)
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert "Anybody with the role owner can retry it." in job.error
    assert not wire.count("SendBonus")
    assert not wire.count("ApproveAssignment")
    assert Rest(owner).post(f"/projects/study/jobs/{job.pk}/retry/").status_code == 202
    run_job(job_id=job.pk)
    job.refresh_from_db()
    assert (job.state, job.created_by) == (JobState.DONE, owner)


def test_a_review_stops_between_its_steps(
    collected: Campaign, second: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(review_bulk, "CHUNK", 4)
    job, review = begin_review(collected, second, "approve"), review_bulk._review

    def review_and_lose(*args: object) -> int:
        done = review(*args)  # type: ignore[arg-type]
        demote(second)
        return done

    monkeypatch.setattr(review_bulk, "_review", review_and_lose)
    run_job(job_id=job.pk)
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert Assignment.objects.filter(state=AssignmentState.APPROVED).count() == 4


ACTS: dict[str, tuple[str, Callable[[Campaign, list[Assignment], User], object]]] = {
    "approve": (
        "ApproveAssignment",
        lambda campaign, rows, user: review_service.approve_assignments(
            campaign=campaign, assignments=rows, user=user
        ),
    ),
    "reject": (
        "RejectAssignment",
        lambda campaign, rows, user: review_service.reject_assignments(
            campaign=campaign, assignments=rows, user=user, feedback="Empty."
        ),
    ),
    "bonus": (
        "SendBonus",
        lambda campaign, rows, user: review_service.send_bonuses(
            campaign=campaign,
            awards=[review_service.Award(row, Decimal("0.05"), "Thank you") for row in rows],
            user=user,
        ),
    ),
}


@pytest.mark.parametrize("lose", LOSSES)
@pytest.mark.parametrize("action", ACTS)
@pytest.mark.parametrize("fault", [refuse_connection, lose_answer])
def test_what_was_left_open_waits_for_an_owner(
    collected: Campaign,
    second: User,
    owner: User,
    wire: Wire,
    monkeypatch: pytest.MonkeyPatch,
    lose: Callable[[User], None],
    action: str,
    fault: Callable[..., object],
) -> None:
    """The provider was away, and its books are finished later: made is made, and nothing more."""
    campaigns_service.update_campaign(campaign=collected, user=None, budget="5")
    collected.refresh_from_db()
    operation, act = ACTS[action]
    rows = list(collected.assignments.order_by("pk").select_related("hit", "worker", "campaign"))[
        :2
    ]
    monkeypatch.setattr("annotation.crowd.providers.base.PAUSES", ())
    wire.fail(operation, fault)
    with pytest.raises(Exception, match="No answer"):
        act(collected, rows, second)
    lose(second)
    monkeypatch.setattr("annotation.crowd.review.service.GIVEN_UP_AFTER", timedelta(0))
    before = wire.count(operation)
    unclear = review_service.finish_open_intents(campaign=collected)
    assert wire.count(operation) == before
    was_made = fault is lose_answer
    left = [row.pk for row in rows[was_made:]]
    assert [intent.assignment_id for intent in unclear] == left
    assert ledger.get_books(collected).open_intents == len(left)
    # Another owner who decides the same has it made, once.
    again = list(Assignment.objects.filter(pk__in=[row.pk for row in rows]).select_related("hit"))
    act(collected, again, owner)
    assert ledger.get_books(collected).open_intents == 0
    if action == "bonus":
        assert Bonus.objects.count() == 2
    else:
        state = {"approve": AssignmentState.APPROVED, "reject": AssignmentState.REJECTED}[action]
        assert set(Assignment.objects.exclude(state="submitted").values_list("state")) == {(state,)}
        assert Assignment.objects.filter(state=state).count() == 2


def test_a_review_without_a_beginner_is_a_commands(collected: Campaign) -> None:
    job = begin_review(collected, None)
    run_job(job_id=job.pk)
    job.refresh_from_db()
    assert job.state == JobState.DONE


@pytest.mark.parametrize("lose", LOSSES)
def test_publishing_stops_too(
    campaign: Campaign, wire: Wire, second: User, lose: Callable[[User], None]
) -> None:
    job = steps.publish_campaign(campaign=campaign, user=second)
    lose(second)
    run_job(job_id=job.pk)
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert not MarketHit.objects.exists()


def test_publishing_stops_between_its_steps(
    campaign: Campaign, wire: Wire, second: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publishing, "CHUNK", 2)
    publish_one = publishing._publish_one

    def publish_and_lose(*args: object) -> None:
        publish_one(*args)  # type: ignore[arg-type]
        remove(second)

    monkeypatch.setattr(publishing, "_publish_one", publish_and_lose)
    job = steps.publish_campaign(campaign=campaign, user=second)
    run_job(job_id=job.pk)
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert MarketHit.objects.count() <= 2


def test_asking_for_the_cost_creates_no_requester(campaign: Campaign, viewer: User) -> None:
    Requester.objects.update(project=None)
    said = Rest(viewer, scope="read").get(f"{address(campaign)}cost/").json()
    assert "only $0.00 available" in " ".join(said["obstacles"])
    sign_in(viewer).get(reverse("crowd:campaign", args=["study", campaign.pk]))
    assert not Requester.objects.filter(project=campaign.project).exists()


def test_publishing_creates_and_records_the_requester(campaign: Campaign, owner: User) -> None:
    Requester.objects.update(project=None)
    refused = Rest(owner).post(f"{address(campaign)}publish/")
    assert error_of(refused)[0] == 409
    assert Requester.objects.filter(project=campaign.project).exists()
    assert Activity.objects.filter(text__startswith="created the requester").count() >= 1
    campaign.refresh_from_db()
    assert campaign.state == CampaignState.DRAFT


def test_a_draft_that_turns_to_the_marketplace_gets_a_requester(
    campaign: Campaign, owner: User
) -> None:
    Campaign.objects.update(provider=ProviderName.OFFLINE)
    Requester.objects.update(project=None)
    Rest(owner)("PATCH", address(campaign), {"provider": "marketplace"})
    assert Requester.objects.filter(project=campaign.project).exists()
