"""Participants: they get a HIT that needs them, submit once, and are found by collection."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.utils import timezone

from annotation.crowd.campaigns.collecting import collect_campaign
from annotation.crowd.campaigns.models import (
    Assignment,
    Campaign,
    CampaignState,
    Judgement,
    ProviderName,
    Worker,
)
from annotation.crowd.prolific.models import ProlificEvent, ProlificSession
from annotation.crowd.prolific.service import admit_participant
from annotation.crowd.providers.prolific import Prolific
from annotation.crowd.providers.prolific_study import completion_url
from annotation.units.sets.models import UnitSet
from tests.annotation.crowd.studies import Participant, make_campaign, only_study, publish
from tests.prolific_server import Fault, ProlificServer, sign


@pytest.fixture
def campaign(server: ProlificServer, unit_set: UnitSet) -> Campaign:
    """Published: two HITs, two places each."""
    made = make_campaign(unit_set)
    publish(made)
    return made


def test_it_shows_the_page_and_brings_the_participant_back(
    server: ProlificServer, campaign: Campaign
):
    who = Participant(server, "p1")
    page = who.arrive()
    assert who.row.hit.summary.text in page.content.decode()
    assert f'action="{who.path}submit"' in page.content.decode()
    policy = page.headers["Content-Security-Policy"]
    assert "form-action 'self' https://app.prolific.com;" in policy
    answer = who.submit()
    assert (answer.status_code, answer["Location"]) == (302, completion_url(campaign))
    assert only_study(server)["completion_codes"][0]["code"] in answer["Location"]
    again = who.arrive()
    assert (again.status_code, again["Location"]) == (302, completion_url(campaign))


def test_it_gives_the_same_hit_after_a_reload(server: ProlificServer, campaign: Campaign):
    who = Participant(server, "p1")
    first, again = who.arrive(), who.arrive()
    assert first.content == again.content
    assert ProlificSession.objects.count() == 1


def test_it_gives_each_hit_as_often_as_asked_for_and_never_twice_to_one(
    server: ProlificServer, campaign: Campaign
):
    for name in ("p1", "p1", "p2", "p2"):
        Participant(server, name).work()
    pairs = ProlificSession.objects.values_list("participant", "hit")
    assert len(set(pairs)) == 4
    assert server.count_free(only_study(server)["id"]) == 0


def test_it_keeps_the_first_answers(server: ProlificServer, campaign: Campaign):
    who = Participant(server, "p1")
    who.arrive()
    who.submit("present")
    kept = who.row
    assert who.submit("absent").status_code == 302
    assert (who.row.raw, who.row.submitted_at) == (kept.raw, kept.submitted_at)
    assert "absent" not in kept.raw


@pytest.mark.parametrize(
    "sent, status", [({"s1": ""}, 400), ({"s1": "perhaps"}, 400), ({"assignmentId": "x"}, 404)]
)
def test_it_refuses_what_is_not_an_answer(
    sent: dict[str, str], status: int, server: ProlificServer, campaign: Campaign
):
    who = Participant(server, "p1")
    who.arrive()
    assert who.submit(**sent).status_code == status
    assert who.row.raw == ""


def test_it_lets_nobody_in_whom_prolific_did_not_send(server: ProlificServer, campaign: Campaign):
    real = Participant(server, "p1")
    other, same = real.url.replace("=p1", "=p2"), real.url
    made_up = real.url.replace(real.session, "a" * 24)
    for url, status in [(other, 403), (made_up, 403), (real.path, 400), (same, 200), (other, 403)]:
        assert Client().get(url).status_code == status, url
    assert ProlificSession.objects.count() == 1


def test_it_lets_participants_in_while_prolific_is_away(server: ProlificServer, campaign: Campaign):
    who = Participant(server, "p1")
    server.faults.append(Fault("GET /submissions/.*", 503))
    assert who.arrive().status_code == 200


def test_it_gives_the_places_of_those_who_went_to_others(server: ProlificServer, unit_set: UnitSet):
    campaign = make_campaign(unit_set, hits=1, wanted=1)
    publish(campaign)
    gone: list[Participant] = []
    for ending in ("RETURNED", "TIMED-OUT", None):
        who = Participant(server, f"p{len(gone)}")
        assert who.arrive().status_code == 200
        gone.append(who)
        if ending:
            server.submissions[who.session]["status"] = ending
    statuses = [who.row.status for who in gone]
    assert statuses == ["released", "released", "started"]


def test_it_keeps_late_answers(server: ProlificServer, unit_set: UnitSet):
    """Their place was given away meanwhile; whether Prolific pays them is its affair."""
    campaign = make_campaign(unit_set, hits=1, wanted=1)
    publish(campaign)
    late = Participant(server, "p1")
    late.arrive()
    ProlificSession.objects.update(deadline=timezone.now() - timedelta(minutes=1))
    server.submissions[late.session]["status"] = "RETURNED"
    other = Participant(server, "p2")
    assert other.arrive().status_code == 200
    assert late.row.status == "released"
    assert late.submit().status_code == 302
    assert (late.row.status, bool(late.row.raw)) == ("submitted", True)


def test_it_has_nothing_for_who_is_excluded_or_has_done_all(
    server: ProlificServer, campaign: Campaign
):
    for _ in range(2):
        Participant(server, "p1").work()
    done = Participant(server, "p1").arrive()
    assert (done.status_code, "return your submission" in done.content.decode()) == (409, True)
    Worker.objects.create(
        project=campaign.project,
        provider=ProviderName.PROLIFIC,
        provider_id="p2",
        excluded_at=timezone.now(),
    )
    assert Participant(server, "p2").arrive().status_code == 409


def test_it_sends_nobody_to_a_closed_hit(server: ProlificServer, campaign: Campaign):
    provider = Prolific(campaign)
    closed, left = campaign.hits.all()
    provider.set_expiration(closed, timezone.now())
    for name in ("p1", "p2"):
        who = Participant(server, name)
        who.arrive()
        assert who.row.hit == left


def test_it_knows_no_draft_and_no_other_campaign(server: ProlificServer, campaign: Campaign):
    url = Participant(server, "p1").url
    Campaign.objects.update(state=CampaignState.DRAFT)
    assert Client().get(url).status_code == 404
    Campaign.objects.update(state=CampaignState.LIVE, provider=ProviderName.MARKETPLACE)
    assert Client().get(url).status_code == 404


# Collecting -----------------------------------------------------------------------------------


def test_it_collects_what_participants_submitted(server: ProlificServer, campaign: Campaign):
    Participant(server, "p1").work("present")
    Participant(server, "p2").work("absent")
    Participant(server, "p3").arrive()
    assert collect_campaign(campaign=campaign).new == 2
    assert collect_campaign(campaign=campaign).new == 0
    first = Assignment.objects.get(worker__provider_id="p1")
    assert (first.state, first.problem, first.seconds) == ("submitted", "", 30.0)
    assert set(first.answers.values()) == {"present"}
    assert Judgement.objects.filter(assignment=first).count() == len(first.hit.statements)
    assert first.auto_approve_at is not None
    assert first.submitted_at is not None
    assert first.auto_approve_at - first.submitted_at == timedelta(days=3)
    places = Prolific(campaign).survey(list(campaign.hits.all()))
    assert sum(item.pending for item in places.values()) == 1
    assert sum(item.submitted for item in places.values()) == 2


def test_it_collects_work_without_answers_as_such(server: ProlificServer, campaign: Campaign):
    """Somebody who went back to Prolific with the code, past the page."""
    who = Participant(server, "p1")
    who.arrive()
    server.finish(who.session)
    past = Participant(server, "p2")
    server.finish(past.session)
    assert collect_campaign(campaign=campaign).problems == 1
    assert Assignment.objects.get().problem.startswith("The answer could not be read")


def test_it_hears_of_decisions_made_at_prolific(server: ProlificServer, campaign: Campaign):
    who = Participant(server, "p1")
    who.work()
    collect_campaign(campaign=campaign)
    server.finish(who.session, "APPROVED")
    collect_campaign(campaign=campaign)
    assert Assignment.objects.get().state == "approved"


# At once --------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_it_gives_out_no_place_twice_at_once(server: ProlificServer, unit_set: UnitSet):
    campaign = make_campaign(unit_set, hits=3, wanted=2)
    publish(campaign)
    study = only_study(server)["id"]
    sent = [(server.send_participant(study, f"p{number}")[0], f"p{number}") for number in range(6)]

    def arrive(one: tuple[str, str]) -> int:
        """SQLite in memory, unlike a file, says "locked" at once where it should wait."""
        while True:
            try:
                found = admit_participant(campaign=campaign, participant=one[1], session_id=one[0])
                return found.hit_id
            except OperationalError:
                time.sleep(0.01)
            finally:
                connection.close()

    with ThreadPoolExecutor(6) as pool:
        given = list(pool.map(arrive, [*sent, *sent]))
    assert given[:6] == given[6:]
    assert sorted(given[:6]) == sorted([hit.pk for hit in campaign.hits.all()] * 2)


# Webhooks -------------------------------------------------------------------------------------

SECRET = "shared-secret"
WEBHOOK = "/prolific/webhook/"


def send_event(resource: str, *, event: str = "e1", age: float = 0, **more: str) -> int:
    body = json.dumps({"event_type": "submission.status.change", "resource_id": resource}).encode()
    timestamp = str(int(time.time() - age))
    headers = {
        "X-Prolific-Request-Timestamp": timestamp,
        "X-Prolific-Request-Signature": sign(SECRET, timestamp, body),
        "X-Event-ID": event,
        **more,
    }
    response = Client().post(WEBHOOK, body, content_type="application/json", headers=headers)
    return response.status_code


@pytest.fixture
def secret(settings: Any) -> str:
    settings.PROLIFIC_WEBHOOK_SECRET = SECRET
    return SECRET


def test_it_makes_a_campaign_due_once_per_event(
    server: ProlificServer, campaign: Campaign, secret: str
):
    who = Participant(server, "p1")
    who.arrive()
    study = only_study(server)["id"]
    for resource, event, is_due in [
        (who.session, "e1", True),
        (who.session, "e1", False),
        (study, "e2", True),
        ("unknown", "e3", False),
    ]:
        Campaign.objects.update(next_collect_at=None)
        assert send_event(resource, event=event) == 204
        assert Campaign.objects.filter(next_collect_at=None).exists() is not is_due
    assert ProlificEvent.objects.count() == 3


@pytest.mark.parametrize(
    "more",
    [
        {"age": 600},
        {"age": -600},
        {"X-Prolific-Request-Signature": "x"},
        {"X-Prolific-Request-Signature": ""},
        {"X-Prolific-Request-Timestamp": "soon"},
        {"X-Prolific-Request-Timestamp": str(int(time.time()) + 1)},
    ],
)
def test_it_takes_no_event_that_prolific_did_not_sign(more: dict[str, Any], db: None, secret: str):
    assert send_event("any", **more) == 403
    assert not ProlificEvent.objects.exists()


def test_it_takes_no_event_without_a_secret(db: None):
    assert send_event("any") == 403


@pytest.mark.parametrize("body, status", [(b"not json", 400), (b"[1]", 204)])
def test_it_reads_events_with_care(body: bytes, status: int, db: None, secret: str):
    timestamp = str(int(time.time()))
    headers = {
        "X-Prolific-Request-Timestamp": timestamp,
        "X-Prolific-Request-Signature": sign(SECRET, timestamp, body),
    }
    sent = Client().post(WEBHOOK, body, content_type="application/json", headers=headers)
    assert sent.status_code == status
