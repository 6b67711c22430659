"""Campaigns on a Prolific of the tests' own."""

from __future__ import annotations

from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit

from django.test import Client

from annotation.crowd.campaigns.models import Campaign, CampaignState, Hit, HitState, ProviderName
from annotation.crowd.prolific.models import ProlificSession
from annotation.crowd.providers.prolific import Prolific
from annotation.units.sets.models import UnitSet
from tests.prolific_server import ProlificServer

SETTINGS = {"PROLIFIC_TOKEN": "for-tests", "PUBLIC_URL": "http://testserver"}


def make_campaign(unit_set: UnitSet, *, hits: int = 2, wanted: int = 2, **more: Any) -> Campaign:
    """Planned, not published; each HIT is one summary with its units."""
    campaign = Campaign.objects.create(
        project=unit_set.project,
        unit_set=unit_set,
        provider=ProviderName.PROLIFIC,
        **{
            "name": "Study",
            "state": CampaignState.LIVE,
            "title": "Find statements",
            "description": "Say which statements a summary carries.",
            "instructions": "Read, then answer.",
            "budget": Decimal(100),
            "assignments_per_hit": wanted,
            **more,
        },
    )
    examples = unit_set.project.examples.order_by("pk")
    summaries = [row for example in examples for row in example.summaries.order_by("pk")]
    for summary in summaries[:hits]:
        units = unit_set.units.filter(example=summary.example_id)
        statements = [
            {"key": f"s{number}", "unit": unit.pk, "text": unit.text}
            for number, unit in enumerate(units, 1)
        ]
        Hit.objects.create(
            campaign=campaign,
            summary=summary,
            statements=statements,
            reward=campaign.reward,
            wanted=wanted,
        )
    return campaign


def publish(campaign: Campaign) -> Prolific:
    """As the publishing job does it, HIT by HIT."""
    provider = Prolific(campaign)
    provider.prepare()
    for hit in campaign.hits.all():
        note_published(hit, provider)
    return provider


def note_published(hit: Hit, provider: Prolific) -> None:
    published = provider.publish(hit, f"token-{hit.pk}")
    hit.provider_id, hit.expires_at = published.provider_id, published.expires_at
    hit.state = HitState.OPEN
    hit.save()


def only_study(server: ProlificServer) -> dict[str, Any]:
    [study] = server.studies.values()
    return study


def answers(hit: Hit, value: str = "present") -> dict[str, str]:
    return {row["key"]: value for row in hit.statements}


class Participant:
    """Somebody whom Prolific has sent, with a browser."""

    def __init__(self, server: ProlificServer, name: str) -> None:
        self.client = Client()
        self.server = server
        self.session, url = server.send_participant(only_study(server)["id"], name)
        address = urlsplit(url)
        self.url, self.path = f"{address.path}?{address.query}", address.path

    @property
    def row(self) -> ProlificSession:
        return ProlificSession.objects.get(session_id=self.session)

    def arrive(self) -> Any:
        return self.client.get(self.url)

    def submit(self, value: str = "present", **more: Any) -> Any:
        sent = {
            "assignmentId": str(self.row.key),
            "giza_seconds": "30",
            **answers(self.row.hit, value),
        }
        return self.client.post(f"{self.path}submit", {**sent, **more})

    def work(self, value: str = "present") -> None:
        assert self.arrive().status_code == 200
        assert self.submit(value).status_code == 302
        self.server.finish(self.session)
