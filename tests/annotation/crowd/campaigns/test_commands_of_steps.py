"""Duplicating, re-collecting, results, tests and messages: by command and by REST."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from openpyxl import Workbook

from annotation.corpora.accounts.models import User
from annotation.crowd.campaigns import service as campaigns_service
from annotation.crowd.campaigns.models import Campaign
from annotation.crowd.market.messages import write_to_requester
from annotation.crowd.market.models_accounts import Message
from annotation.crowd.market.models_work import MarketAssignment, QualificationType
from annotation.crowd.review import service as review_service
from tests.annotation.corpora.rest import Rest, error_of
from tests.annotation.crowd.wire import Wire


def run(*arguments: object) -> str:
    out = StringIO()
    call_command(*map(str, arguments), stdout=out)
    return out.getvalue()


def read(*arguments: object) -> Any:
    return json.loads(run(*arguments, "--json"))


@pytest.fixture
def message(collected: Campaign) -> Message:
    taken = MarketAssignment.objects.select_related("hit__requester", "worker").earliest("pk")
    return write_to_requester(
        worker=taken.worker,
        requester=taken.hit.requester,
        hit_id=taken.hit.hit_id,
        subject="Unclear",
        text="Is a flood a burst?",
    )


def test_a_command_duplicates_a_campaign(campaign: Campaign) -> None:
    made = Campaign.objects.get(pk=read("duplicate_campaign", campaign.pk)["campaign"])
    assert (made.name, made.state) == ("First (copy)", "draft")
    assert "Again" in run("duplicate_campaign", campaign.pk, "--name", "Again")


def test_a_command_collects_places_again_for_the_sum_that_was_said(
    collected: Campaign, wire: Wire
) -> None:
    campaigns_service.update_campaign(campaign=collected, user=None, budget="100")
    collected.refresh_from_db()
    rows = list(collected.assignments.select_related("hit", "worker", "campaign"))[:1]
    review_service.reject_assignments(
        campaign=collected, assignments=rows, user=None, feedback="No."
    )
    shown = read("recollect_places", collected.pk)
    assert shown == {"places": 1, "total": "0.1000", "done": False}
    assert read("recollect_places", collected.pk, "--no-rejected")["places"] == 0
    with pytest.raises(CommandError, match=r"It costs \$"):
        run("recollect_places", collected.pk, "--for", "0.05")
    assert not collected.hits.filter(again__gt=0).exists()
    assert read("recollect_places", collected.pk, "--for", "0.10")["done"]
    assert collected.hits.filter(again=1, wanted=3).count() == 1


def test_a_command_writes_results(collected: Campaign, campaign: Campaign, tmp_path: Path) -> None:
    printed = run("export_results", collected.pk)
    assert printed.startswith("HITId,Title,Reward")
    assert len(printed.splitlines()) == 1 + collected.assignments.count()
    run("export_results", collected.pk, "--output", tmp_path / "results.csv")
    assert (tmp_path / "results.csv").read_bytes().decode() == printed


def test_results_of_a_draft_are_refused(campaign: Campaign) -> None:
    with pytest.raises(CommandError, match="Nothing has been collected"):
        run("export_results", campaign.pk)


def test_a_command_makes_a_test_of_a_workbook(
    campaign: Campaign, wire: Wire, tmp_path: Path
) -> None:
    book = Workbook()
    for row in (
        ("summary", "statement", "answer"),
        ("The dam burst.", "A dam burst.", "present"),
        ("The dam burst.", "It rained.", "absent"),
    ):
        book.active.append(row)
    path = tmp_path / "items.xlsx"
    book.save(path)
    options = ("--name", "Ready to judge", "--pass-mark", 50)
    made = read("create_qualification_test", campaign.pk, path, *options)
    assert made["items"] == 2
    campaign.refresh_from_db()
    assert campaign.requirements[-1]["QualificationTypeId"] == made["qualification_type_id"]
    assert QualificationType.objects.get(qualification_type_id=made["qualification_type_id"])
    book.active.append(("The dam burst.", "It rained.", "perhaps"))
    book.save(path)
    with pytest.raises(CommandError, match="items.xlsx, line 4"):
        run("create_qualification_test", campaign.pk, path, "--name", "Other")


def test_commands_show_and_answer_messages(collected: Campaign, message: Message) -> None:
    shown = read("list_messages", collected.pk, "--unread")
    assert (shown["unread"], shown["messages"][0]["text"]) == (1, message.text)
    assert message.text in run("list_messages", collected.pk)
    options = ("--campaign", collected.pk, "--text", "Yes, it is.")
    made = Message.objects.get(pk=read("answer_message", message.pk, *options)["id"])
    assert (made.text, made.worker, made.is_from_worker) == ("Yes, it is.", message.worker, False)
    assert read("list_messages", collected.pk)["unread"] == 0
    with pytest.raises(CommandError, match="no such message"):
        run("answer_message", made.pk, *options)


def test_rest_shows_counts_and_answers_messages(
    collected: Campaign, message: Message, owner: User
) -> None:
    rest = Rest(owner)
    here = f"/projects/study/campaigns/{collected.pk}/messages/"
    assert rest.get(f"{here}?state=unread").json()["count"] == 1
    row = rest.get(here).json()["results"][0]
    assert (row["id"], row["text"], row["read_at"]) == (message.pk, message.text, None)
    assert rest.get(f"{here}?state=unread").json()["count"] == 1, "reading a list marks nothing"
    assert rest.post(f"{here}{message.pk}/read/").json()["read_at"]
    assert rest.get(f"{here}?state=unread").json()["count"] == 0
    made = rest.post(f"{here}{message.pk}/answer/", {"text": "Yes."})
    assert (made.status_code, made.json()["is_from_worker"]) == (201, False)
    assert error_of(rest.post(f"{here}{message.pk}/answer/", {"text": " "}))[0] == 400
    assert error_of(rest.post(f"{here}{made.json()['id']}/answer/", {"text": "x"}))[0] == 404
