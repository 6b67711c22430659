"""Review, workers and ledger as pages: nothing is paid before its sum was shown, or twice."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest
from django.test import Client

from annotation.corpora.jobs.models import Job
from annotation.corpora.jobs.service import run_job
from annotation.crowd.campaigns.models import (
    Assignment,
    AssignmentState,
    Campaign,
    Intent,
    IntentKind,
    Worker,
)
from annotation.crowd.market.models_accounts import Message
from annotation.crowd.market.models_work import MarketEntry

HOSTILE = "</script><img src=x onerror=alert(1)>"


def address(campaign: Campaign, rest: str = "review/") -> str:
    return f"/p/study/crowd/{campaign.pk}/{rest}"


def get(client: Client, url: str) -> str:
    response = client.get(url)
    assert response.status_code == 200, response.content
    return response.content.decode()


def first() -> Assignment:
    return Assignment.objects.earliest("pk")


@pytest.mark.parametrize(
    "query, rows",
    [
        ("", 12),
        ("?state=approved", 0),
        ("?state=any", 12),
        ("?problem=1", 1),
        ("?worker=999999", 0),
        ("?state=nonsense&worker=x", 12),
    ],
)
def test_it_filters(as_viewer: Client, collected: Campaign, query: str, rows: int) -> None:
    Assignment.objects.filter(pk=first().pk).update(problem="1 of 2 statements have no answer.")
    page = get(as_viewer, address(collected) + query)
    assert page.count("<tr data-row>") == rows
    assert 'name="assignment"' not in page


def test_it_shows_one_with_what_others_said(as_owner: Client, collected: Campaign) -> None:
    row = first()
    row.comment = HOSTILE
    row.raw = HOSTILE
    row.save()
    summary = row.hit.summary
    summary.text = HOSTILE
    summary.save()
    page = get(as_owner, address(collected, f"review/{row.pk}/"))
    assert "1 of 1 say present" in page
    assert "Approve and pay $0.10" in page
    assert "<img" not in page
    assert page.count("&lt;img src=x") == 3


def test_it_approves_one_at_a_press_and_goes_on(as_owner: Client, collected: Campaign) -> None:
    row = first()
    data = {"action": "approve", "assignment": row.pk, "one": "1"}
    response = as_owner.post(address(collected, "review/decide/"), data)
    following = Assignment.objects.filter(pk__gt=row.pk).earliest("pk")
    assert response["Location"] == address(collected, f"review/{following.pk}/")
    row.refresh_from_db()
    assert row.state == AssignmentState.APPROVED
    again = as_owner.post(address(collected, "review/decide/"), data)
    assert again.status_code == 400
    assert Intent.objects.filter(kind=IntentKind.APPROVE).count() == 1


def test_it_shows_the_sum_before_it_pays_many(as_owner: Client, collected: Campaign) -> None:
    data = {"action": "approve", "rule": "full"}
    page = as_owner.post(address(collected, "review/decide/"), data).content.decode()
    assert "Approve 12 assignments?" in page
    assert "Pay $1.20" in page
    assert not Intent.objects.filter(kind=IntentKind.APPROVE).exists()
    agreed = as_owner.post(address(collected, "review/decide/"), data | {"total": "1.2000"})
    assert agreed["Location"].startswith("/p/study/jobs/")  # more than ten are a job's business


def test_it_names_doubtful_work_before_it_pays_many(as_owner: Client, collected: Campaign) -> None:
    """A rule takes all that was answered in full, however quickly."""
    data = {"action": "approve", "rule": "full"}
    page = as_owner.post(address(collected, "review/decide/"), data).content.decode()
    assert 'id="doubtful"' not in page
    quick = list(Assignment.objects.values_list("pk", flat=True)[:3])
    Assignment.objects.filter(pk__in=quick).update(seconds=3)
    page = as_owner.post(address(collected, "review/decide/"), data).content.decode()
    assert re.search(r'id="doubtful"[^>]*>3 of them', page)
    assert "/review/?problem=1" in page
    one = as_owner.post(
        address(collected, "review/decide/"),
        {"action": "reject", "assignment": quick, "text": "Too quick."},
    )
    assert b'id="doubtful"' not in one.content


def test_it_refuses_a_sum_that_has_changed(as_owner: Client, collected: Campaign) -> None:
    ids = list(Assignment.objects.values_list("pk", flat=True)[:3])
    data = {"action": "approve", "assignment": ids, "total": "0.2000"}
    response = as_owner.post(address(collected, "review/decide/"), data)
    assert b"has changed" in response.content
    assert not Intent.objects.filter(kind=IntentKind.APPROVE).exists()


@pytest.mark.parametrize(
    "data, words",
    [
        ({"action": "reject"}, "Enter a message with the reason."),
        ({"action": "bonus", "text": "Well done"}, "Enter an amount."),
        ({"action": "praise"}, "not one of the available choices"),
        ({"action": "approve", "assignment": ""}, "None of the selected"),
        ({"action": "override"}, "None of the selected"),
    ],
)
def test_it_says_what_is_missing(
    as_owner: Client, collected: Campaign, data: dict[str, str], words: str
) -> None:
    sent = {"assignment": first().pk} | data
    response = as_owner.post(address(collected, "review/decide/"), sent)
    assert response.status_code == 400
    assert words in response.content.decode()


def test_it_rejects_with_a_reason_and_turns_it_around(
    as_owner: Client, collected: Campaign
) -> None:
    row = first()
    decide = address(collected, "review/decide/")
    as_owner.post(decide, {"action": "reject", "assignment": row.pk, "text": "Empty."})
    row.refresh_from_db()
    assert (row.state, row.feedback) == (AssignmentState.REJECTED, "Empty.")
    page = get(as_owner, address(collected, f"review/{row.pk}/"))
    assert "Overturn rejection" in page
    as_owner.post(decide, {"action": "override", "assignment": row.pk})
    row.refresh_from_db()
    assert row.state == AssignmentState.APPROVED


def test_it_pays_a_bonus_once(as_owner: Client, collected: Campaign) -> None:
    Campaign.objects.update(budget=Decimal("5.00"))
    data = {"action": "bonus", "assignment": first().pk, "text": "Thanks", "amount": "0.50"}
    decide = address(collected, "review/decide/")
    assert b"Pay $0.50" in as_owner.post(decide, data).content
    for _ in range(2):
        as_owner.post(decide, data | {"total": "0.5000"})
    assert MarketEntry.objects.filter(kind="bonus").count() == 1
    assert "$0.50: Thanks" in get(as_owner, address(collected, f"review/{first().pk}/"))


def test_it_tells_of_workers_and_excludes_them(as_owner: Client, collected: Campaign) -> None:
    page = get(as_owner, address(collected, "workers/"))
    assert page.count("<tr data-row>") == 2
    assert "50 %" in page
    worker = Worker.objects.earliest("pk")
    there = address(collected, f"workers/{worker.pk}/")
    assert as_owner.post(f"{there}exclude/", {"reason": ""}).status_code == 400
    as_owner.post(f"{there}exclude/", {"reason": "Answers at random"})
    assert "Answers at random" in get(as_owner, address(collected, "workers/"))
    as_owner.post(f"{there}include/")
    worker.refresh_from_db()
    assert worker.excluded_at is None


def test_it_writes_to_workers(as_owner: Client, collected: Campaign) -> None:
    there = address(collected, "workers/message/")
    letter = {"subject": "Thanks", "text": "Well done."}
    assert as_owner.post(there, letter).status_code == 422
    letter |= {"worker": str(first().worker_id)}
    refused = as_owner.post(there, letter, follow=True).content
    assert b"neither approved nor rejected work of this worker" in refused
    data = {"action": "approve", "assignment": first().pk}
    as_owner.post(address(collected, "review/decide/"), data)
    assert b"Sent to 1 of 1 worker." in as_owner.post(there, letter, follow=True).content
    assert Message.objects.filter(subject="Thanks").count() == 1


def test_it_writes_the_ledger_out(as_owner: Client, as_viewer: Client, collected: Campaign) -> None:
    data = {"action": "approve", "assignment": first().pk}
    as_owner.post(address(collected, "review/decide/"), data)
    Worker.objects.filter(assignments=first()).update(provider_id="=HYPERLINK(1)")
    page = get(as_viewer, address(collected, "ledger/"))
    assert "Every entry is settled." in page
    assert "Publish HIT" in page
    lines = b"".join(as_viewer.get(address(collected, "ledger.csv"))).decode().splitlines()
    assert len(lines) == 1 + 6 + 1
    assert "'=HYPERLINK(1)" in lines[-1]
    assert lines[-1].split(",")[2:7] == ["approve", "1", "0.1000", "0.0000", "done"]


def test_it_flags_work_that_is_too_quick_to_be_read(as_owner: Client, collected: Campaign) -> None:
    """Two statements in 3 seconds; by the rule of speed it takes at least 4."""
    assert "Too fast" not in get(as_owner, address(collected))
    assert "too fast" not in get(as_owner, address(collected, ""))
    Assignment.objects.filter(pk=first().pk).update(seconds=3)
    page = get(as_owner, address(collected) + "?problem=1")
    assert page.count("<tr data-row>") == 1
    assert "Too fast to have read it" in page
    live = get(as_owner, address(collected, ""))
    assert "1 assignment answered in less than 2 seconds per statement" in live


def test_it_tells_what_is_committed_and_whose_median_it_is(
    as_owner: Client, collected: Campaign
) -> None:
    live = get(as_owner, address(collected, ""))
    assert "committed: $0.00 spent" in live
    assert "reserved for work" in live
    assert "from 12 timed assignments" in live


def test_it_leads_back_from_the_job_that_paid(as_owner: Client, collected: Campaign) -> None:
    sent = {"action": "approve", "rule": "full"}
    asked = as_owner.post(address(collected, "review/decide/"), sent)
    total = re.search(r'name="total" value="([^"]+)"', asked.content.decode())
    assert total
    done = as_owner.post(address(collected, "review/decide/"), {**sent, "total": total[1]})
    job = Job.objects.get(kind="review_assignments")
    assert done["Location"] == f"/p/study/jobs/{job.pk}/"
    assert "settled" not in get(as_owner, done["Location"])
    run_job(job_id=job.pk)
    page = get(as_owner, done["Location"])
    assert "12 assignments decided." in page
    assert f"${Decimal(total[1]):.2f} paid" in page
    assert "<dd>Review assignments</dd>" in page
    assert f'href="{address(collected)}"' in page
    assert "Back to review" in page
