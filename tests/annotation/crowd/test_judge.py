"""The judging page where we serve it: to workers by its token, to researchers as a preview."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Summary
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Campaign, Hit
from annotation.crowd.campaigns.planning import plan_hits
from annotation.crowd.campaigns.service import create_campaign
from annotation.crowd.judging_page.question import hit_token
from tests import factories
from tests.annotation.conftest import sign_in
from tests.annotation.corpora.pages import HOSTILE, page_of

OWN = "http://testserver"


@pytest.fixture
def campaign(corpus: Project, owner: User) -> Campaign:
    """Two statements a HIT, so that an example's three units make two parts."""
    unit_set = factories.make_set(corpus, owner)
    for text in ("The dam burst.", "Nobody was hurt.", HOSTILE):
        factories.add_unit(unit_set, corpus.examples.get(key="e1"), owner, text)
    factories.freeze(unit_set, owner)
    return create_campaign(
        project=corpus, user=owner, unit_set=unit_set, name="Pilot", units_per_hit=2
    )


@pytest.fixture
def summary(campaign: Campaign) -> Summary:
    return Summary.objects.select_related("example", "system").get(
        example__key="e1", system__name="lead"
    )


@pytest.fixture
def hit(campaign: Campaign, summary: Summary) -> Hit:
    made = plan_hits(campaign, [summary])[0]
    made.save()
    return made


def policy_of(response: Any) -> dict[str, str]:
    parts = (part.split(" ", 1) for part in response["Content-Security-Policy"].split("; "))
    return {name: rest for name, *rest_ in parts for rest in rest_ or [""]}


def preview_path(campaign: Campaign, *parts: object) -> str:
    tail = "".join(f"{part}/" for part in parts)
    return f"/p/{campaign.project.slug}/crowd/{campaign.pk}/preview/{tail}"


def action_of(response: Any) -> str:
    found = re.search(r'<form id="judge" method="post" action="([^"]*)"', response.content.decode())
    assert found
    return found[1]


def test_it_shows_a_worker_the_page_of_a_hit(hit: Hit):
    response = Client().get(f"/judge/{hit_token(hit)}/?assignmentId=3A&turkSubmitTo={OWN}")
    assert response.status_code == 200
    body = response.content.decode()
    assert "The dam burst." in body
    assert 'name="assignmentId" value="3A"' in body
    assert action_of(response) == f"{OWN}/mturk/externalSubmit"
    assert "X-Frame-Options" not in response


def test_it_holds_no_trace_of_what_is_gold(hit: Hit):
    hit.statements.insert(1, {"key": "s9", "text": "It was a golden day.", "gold": True})
    hit.save()
    body = Client().get(f"/judge/{hit_token(hit)}/").content.decode()
    assert "It was a golden day." in body
    assert "gold" not in body.replace("golden day", "").lower()
    shapes = [part.split("</fieldset>")[0] for part in body.split("<fieldset ")[1:]]
    texts = [row["text"] for row in hit.statements]
    bare = {
        shape.replace(text, "").replace(row["key"], "")
        for shape, text, row in zip(shapes, texts, hit.statements, strict=True)
    }
    assert len(bare) == 1


def test_it_lets_nothing_run_but_the_page_itself(hit: Hit, settings: Any):
    settings.PUBLIC_URL = "https://giza.example.org"
    policy = policy_of(Client().get(f"/judge/{hit_token(hit)}/"))
    assert policy["default-src"] == "'none'"
    assert re.fullmatch(r"'sha256-[\w+/=]+'", policy["script-src"])
    assert re.fullmatch(r"'sha256-[\w+/=]+'", policy["style-src"])
    places = "'self' https://giza.example.org"
    assert policy["frame-ancestors"] == policy["form-action"] == places


@pytest.mark.parametrize(
    "query, action",
    [
        ("", ""),
        ("?turkSubmitTo=https://evil.example.org", ""),
        ("?turkSubmitTo=http://testserver@evil.example.org", ""),
        ("?turkSubmitTo=javascript:alert(1)//", ""),
        ("?turkSubmitTo=http://[", ""),
        (f"?turkSubmitTo={OWN}/", f"{OWN}/mturk/externalSubmit"),
        ("?turkSubmitTo=http://127.0.0.1:8000", "http://127.0.0.1:8000/mturk/externalSubmit"),
    ],
)
def test_it_sends_only_to_places_that_it_knows(hit: Hit, settings: Any, query: str, action: str):
    settings.PUBLIC_URL = "http://127.0.0.1:8000"
    assert action_of(Client().get(f"/judge/{hit_token(hit)}/{query}")) == action


def test_it_does_not_carry_the_id_of_a_hit_that_was_not_accepted(hit: Hit):
    query = f"?assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE&turkSubmitTo={OWN}"
    body = Client().get(f"/judge/{hit_token(hit)}/{query}").content.decode()
    assert 'name="assignmentId" value=""' in body


@pytest.mark.parametrize("token", ["1", "1:forged", "x"])
def test_it_knows_no_other_token(hit: Hit, token: str):
    page_of(Client().get(f"/judge/{token}/"), 404)
    gone = hit_token(hit)
    hit.delete()
    page_of(Client().get(f"/judge/{gone}/"), 404)


def test_it_previews_a_draft(campaign: Campaign, summary: Summary, as_viewer: Client):
    response = as_viewer.get(preview_path(campaign))
    assert response.status_code == 302
    assert response["Location"] == preview_path(campaign, summary.pk)
    shown = as_viewer.get(response["Location"])
    page = page_of(shown)
    assert "e1 by lead, part 1 of 2" in page.text
    assert not any("/timed/" in link for link in page.links)
    assert policy_of(shown)["frame-src"] == "'self'"


def test_it_frames_an_inert_page(campaign: Campaign, summary: Summary, as_viewer: Client):
    response = as_viewer.get(preview_path(campaign, summary.pk, "page") + "?part=2")
    policy = policy_of(response)
    assert policy["sandbox"] == "allow-scripts"
    assert policy["form-action"] == "'none'"
    assert policy["frame-ancestors"] == "'self'"
    body = response.content.decode()
    assert '"preview":true' in body
    assert "&lt;/script&gt;&lt;img" in body
    assert "<img" not in body


def test_it_previews_what_was_published(
    campaign: Campaign, summary: Summary, hit: Hit, as_viewer: Client
):
    hit.statements = [{"key": "s1", "text": "Published words.", "unit": 1}]
    hit.save()
    response = as_viewer.get(preview_path(campaign, summary.pk, "page"))
    assert "Published words." in response.content.decode()


@pytest.mark.parametrize("part", ["0", "3", "x"])
def test_it_has_no_other_parts(campaign: Campaign, summary: Summary, as_viewer: Client, part: str):
    page_of(as_viewer.get(preview_path(campaign, summary.pk) + f"?part={part}"), 404)


def test_it_times_one_hit(campaign: Campaign, summary: Summary, owner: User):
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner)
    path = preview_path(campaign, summary.pk, "timed") + "?part=1"
    opened = client.get(path)
    assert policy_of(opened)["form-action"] == "'self'"
    assert action_of(opened) == path
    token = re.search(r'csrfmiddlewaretoken" value="([^"]+)"', opened.content.decode())
    assert token
    sent = {"s1": "present", "s2": "absent", "giza_seconds": "30.0"}
    assert client.post(path, sent).status_code == 403
    done = client.post(path, {**sent, "csrfmiddlewaretoken": token[1]}, follow=True)
    assert "30 seconds for 2 statements" in page_of(done).text
    assert "$18.00 per hour" in page_of(done).text
    campaign.refresh_from_db()
    assert campaign.seconds_per_statement == 15


@pytest.mark.parametrize(
    "sent, words",
    [
        ({"s1": "present", "giza_seconds": "30"}, "No answer to s2."),
        ({"s1": "present", "s2": "absent"}, "not measured"),
        ({"s1": "present", "s2": "absent", "giza_seconds": "nan"}, "A preview takes up to a day"),
        ({"s1": "present", "s2": "absent", "giza_seconds": "0"}, "A preview takes up to a day"),
    ],
)
def test_it_does_not_keep_a_time_that_says_nothing(
    campaign: Campaign, summary: Summary, as_owner: Client, sent: dict[str, str], words: str
):
    response = as_owner.post(preview_path(campaign, summary.pk, "timed"), sent)
    assert words in page_of(response, 400).text
    campaign.refresh_from_db()
    assert campaign.seconds_per_statement is None


def test_it_needs_a_campaign_of_the_project(campaign: Campaign, outsider: User, tmp_path: Path):
    other = factories.make_project(outsider, "other", "Other")
    client = sign_in(outsider)
    assert client.get(f"/p/{other.slug}/crowd/{campaign.pk}/preview/").status_code == 404
