"""The worker's pages: what they show, what they leave out, and where a press leads."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from annotation.corpora.activity.models import Activity
from annotation.crowd.market.models_accounts import Message, WorkerAccount, WorkerBlock
from annotation.crowd.market.models_work import (
    EntryKind,
    MarketAssignment,
    MarketEntry,
    QualificationType,
    QuestionKind,
)
from annotation.crowd.market.work import accept_hit, submit_assignment
from annotation.crowd.templatetags.work_words import status_label
from tests.annotation.conftest import sign_in
from tests.annotation.corpora.pages import HOSTILE, page_of
from tests.annotation.crowd.working import (
    FORM,
    external_question,
    make_hit,
    make_requester,
    make_type,
    make_worker,
    overdue,
)
from tests.factories import make_staff

LOCALE = "00000000000000000071"
ELSEWHERE: dict[str, Any] = {
    "QualificationTypeId": LOCALE,
    "Comparator": "EqualTo",
    "LocaleValues": [{"Country": "US"}],
}


def submitted(worker: WorkerAccount, **fields: Any) -> MarketAssignment:
    assignment = accept_hit(hit_id=make_hit(make_type(**fields)).hit_id, worker=worker)
    submit_assignment(assignment_id=assignment.assignment_id, fields={"s1": ["present"]})
    return assignment


def test_it_says_what_is_open_and_what_it_pays(at_work: Client, worker: WorkerAccount):
    kind = make_type(title=HOSTILE, reward=Decimal("0.20"))
    hit = make_hit(kind)
    for name in ("Ann", "Bob", "Cem"):
        done = accept_hit(hit_id=hit.hit_id, worker=make_worker(name))
        begun = done.accepted_at - timedelta(minutes=2)
        MarketAssignment.objects.filter(pk=done.pk).update(
            accepted_at=begun, submitted_at=done.accepted_at
        )
    page = page_of(at_work.get("/work/"))
    assert HOSTILE in page.text
    assert "$0.20 ≈ $6.00 per hour" in page.text
    assert "1 HIT · takes about 2 minutes · 10 minutes allowed" in page.text
    assert f"/work/types/{kind.hit_type_id}/next/" in page.actions
    assert f"/work/types/{kind.hit_type_id}/" in page.links


@pytest.mark.parametrize(
    "guarded, is_listed, has_preview",
    [
        ("Accept", True, True),
        ("PreviewAndAccept", True, False),
        ("DiscoverPreviewAndAccept", False, False),
    ],
)
def test_it_shows_apart_what_is_not_open(
    at_work: Client, guarded: str, is_listed: bool, has_preview: bool
):
    kind = make_type(title="Far away", requirements=[ELSEWHERE | {"ActionsGuarded": guarded}])
    hit = make_hit(kind)
    page = page_of(at_work.get("/work/"))
    assert ("Far away" in page.text) is is_listed
    assert ("US workers only" in page.text) is is_listed
    assert f"/work/types/{kind.hit_type_id}/next/" not in page.actions
    assert (f"/work/types/{kind.hit_type_id}/" in page.links) is has_preview
    status = {(True, True): 200, (True, False): 403, (False, False): 404}[is_listed, has_preview]
    address = f"/work/preview/{hit.hit_id}/?assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE"
    assert at_work.get(address).status_code == status


def test_it_leaves_out_what_a_worker_cannot_take(at_work: Client, worker: WorkerAccount):
    submitted(worker, title="Done already")
    blocking = make_requester("Blocking")
    WorkerBlock.objects.create(requester=blocking, worker=worker)
    make_hit(make_type(blocking, title="Of somebody who blocks"))
    over = timezone.now() - timedelta(seconds=1)
    make_hit(make_type(title="Over"), expires_at=over)
    text = page_of(at_work.get("/work/")).text
    assert "No work is available to you" in text
    assert not [words for words in ("Done already", "blocks", "Over") if words in text]


def test_it_leads_from_the_list_to_the_frame(at_work: Client, worker: WorkerAccount):
    kind = make_type(title=HOSTILE)
    hit = make_hit(kind)
    taken = at_work.post(f"/work/types/{kind.hit_type_id}/next/")
    assignment = MarketAssignment.objects.get()
    assert taken["Location"] == f"/work/assignments/{assignment.assignment_id}/"
    response = at_work.get(taken["Location"])
    html = response.content.decode()
    assert HOSTILE in page_of(response).text
    assert "frame-src 'self'" in response["Content-Security-Policy"]
    assert 'sandbox="allow-scripts allow-forms allow-popups allow-modals"' in html
    address = f"/work/frame/{assignment.assignment_id}/?assignmentId={assignment.assignment_id}"
    assert f"{address}&amp;hitId={hit.hit_id}&amp;workerId={worker.worker_id}" in html
    assert 'data-left="59' in html


def test_it_frames_a_page_from_elsewhere(at_work: Client, worker: WorkerAccount):
    hit = make_hit(make_type(), question=external_question("https://lab.example.org/task?a=1"))
    assignment = accept_hit(hit_id=hit.hit_id, worker=worker)
    response = at_work.get(f"/work/assignments/{assignment.assignment_id}/")
    assert response["Content-Security-Policy"].endswith("frame-src 'self' https:")
    start = "https://lab.example.org/task?a=1&amp;assignmentId="
    assert f'src="{start}{assignment.assignment_id}&amp;hitId={hit.hit_id}' in str(response.content)
    preview = at_work.get(f"/work/hits/{hit.hit_id}/").content.decode()
    assert f"{start}ASSIGNMENT_ID_NOT_AVAILABLE" in preview
    assert "workerId" not in preview


def test_it_frames_a_host_of_another_language_by_its_ascii_name(
    at_work: Client, worker: WorkerAccount
):
    hit = make_hit(make_type(), question=external_question("https://MÜNCHEN.example/täsk"))
    response = at_work.get(f"/work/hits/{hit.hit_id}/")
    policy = response["Content-Security-Policy"]
    assert policy.endswith("; frame-src 'self' https:")
    assert 'src="https://xn--mnchen-3ya.example/t%C3%A4sk?' in response.content.decode()


@pytest.mark.parametrize("url", ["https://evil.test;script-src", "https://evil.test/&#10;x", "x"])
def test_it_frames_none_of_an_address_that_was_stored_before_it_was_refused(
    at_work: Client, worker: WorkerAccount, url: str
):
    question = external_question(url)
    hit = make_hit(make_type(), question=question, question_kind=QuestionKind.EXTERNAL)
    assignment = accept_hit(hit_id=hit.hit_id, worker=worker)
    here = f"/work/assignments/{assignment.assignment_id}/"
    for address in (here, f"/work/hits/{hit.hit_id}/"):
        response = at_work.get(address)
        assert response.status_code == 200
        assert response["Content-Security-Policy"].endswith("; frame-src 'self'")
        assert "evil.test" not in response.content.decode()
    frame = at_work.get(f"/work/frame/{assignment.assignment_id}/")
    assert frame.status_code == 400
    assert "Return the HIT." in frame.content.decode()
    assert at_work.post(f"{here}return/").status_code == 302


def test_it_shows_a_worker_nobody_elses_assignment(at_work: Client):
    other = accept_hit(hit_id=make_hit(make_type()).hit_id, worker=make_worker("Other"))
    address = f"/work/assignments/{other.assignment_id}/"
    assert at_work.get(address).status_code == 404
    assert at_work.post(f"{address}return/").status_code == 404


@pytest.mark.parametrize("status", ["Submitted", "Approved", "Rejected", "Returned", "Late"])
def test_it_says_what_became_of_work(at_work: Client, worker: WorkerAccount, status: str):
    assignment = submitted(worker)
    label = status_label(MarketAssignment(status=status))
    MarketAssignment.objects.filter(pk=assignment.pk).update(status=status, feedback=HOSTILE)
    for address in (f"/work/assignments/{assignment.assignment_id}/", "/work/history/"):
        text = page_of(at_work.get(address)).text
        assert label in text
        assert HOSTILE in text


@pytest.mark.parametrize("wanted", [{}, {"next": "on"}])
def test_it_goes_on_when_work_was_sent(at_work: Client, worker: WorkerAccount, wanted):
    kind = make_type()
    hits = [make_hit(kind), make_hit(kind)]
    assignment = accept_hit(hit_id=hits[0].hit_id, worker=worker)
    here = f"/work/assignments/{assignment.assignment_id}/"
    # A frame may claim anything: what was not sent stays in hand.
    assert at_work.post(f"{here}go-on/", wanted).status_code == 204
    assert at_work.post(f"{here}go-on/", wanted | {"asked": "yes"})["Location"] == here
    submit_assignment(assignment_id=assignment.assignment_id, fields={"s1": ["present"]})
    there = at_work.post(f"{here}go-on/", wanted)["Location"]
    assert (there == here) is not bool(wanted)
    assert hits[1].assignments.count() == len(wanted)


def test_it_comes_home_when_nothing_is_left(at_work: Client, worker: WorkerAccount):
    assignment = submitted(worker)
    here = f"/work/assignments/{assignment.assignment_id}/go-on/"
    response = at_work.post(here, {"next": "on"}, follow=True)
    assert response.redirect_chain[-1][0] == "/work/"
    assert "Your work was submitted." in page_of(response).text


def test_it_adds_up_what_was_earned(at_work: Client, worker: WorkerAccount):
    requester = make_requester()
    for number, (kind, amount) in enumerate(
        [(EntryKind.REWARD, "-1.50"), (EntryKind.BONUS, "-0.25"), (EntryKind.PAYOUT, "1.00")]
    ):
        MarketEntry.objects.create(
            requester=requester, worker=worker, kind=kind, key=str(number), amount=Decimal(amount)
        )
    text = page_of(at_work.get("/work/earnings/")).text
    assert "Rewards $1.50 Bonuses $0.25 Pending $0.00 Paid out $1.00 Owed to you $0.75" in text


def test_it_passes_letters_on(at_work: Client, worker: WorkerAccount):
    hit = make_hit(make_type())
    Message.objects.create(
        requester=hit.requester, worker=worker, subject=HOSTILE, text="Hello", hit_id=hit.hit_id
    )
    assert "1 new" in page_of(at_work.get("/work/")).text
    assert HOSTILE in page_of(at_work.get("/work/messages/")).text
    assert "1 new" not in page_of(at_work.get("/work/")).text
    sent = {"subject": "Unclear", "text": "What is a dam?"}
    assert at_work.post(f"/work/hits/{hit.hit_id}/contact/", sent).status_code == 302
    letter = Message.objects.get(is_from_worker=True)
    assert (letter.requester, letter.hit_id, letter.text) == (
        hit.requester,
        hit.hit_id,
        "What is a dam?",
    )


def test_it_shows_what_is_still_in_hand(at_work: Client, worker: WorkerAccount):
    assignment = accept_hit(hit_id=make_hit(make_type()).hit_id, worker=worker)
    address = f"/work/assignments/{assignment.assignment_id}/"
    assert address in page_of(at_work.get("/work/")).links
    overdue(assignment, 10)
    assert 'data-left="0"' in at_work.get(address).content.decode()


def test_it_lets_a_worker_ask_and_be_tested(at_work: Client, worker: WorkerAccount):
    kind = QualificationType.objects.create(
        requester=make_requester(), name="Dams", description="Knows dams.", test=FORM
    )
    kind.test_seconds = 600
    kind.save()
    address = f"/work/qualifications/{kind.qualification_type_id}/"
    assert "Start test" in page_of(at_work.get(address)).text
    at_work.post(address)
    assert "Did it burst?" in page_of(at_work.get(address)).text
    at_work.post(address, {"answers": "sent", "burst": "yes"})
    assert "Requested" in page_of(at_work.get(address)).text
    assert "burst" in kind.requests.get(worker=worker).answer


def test_a_country_is_chosen_from_the_list_once(at_work: Client, worker: WorkerAccount):
    WorkerAccount.objects.filter(pk=worker.pk).update(country="")
    for wrong in ("d1", "us", "UK", "XX", ""):
        assert at_work.post("/work/settings/", {"country": wrong}).status_code == 422
    place = {"country": "US", "subdivision": "DE-BY"}
    assert at_work.post("/work/settings/", place).status_code == 422
    assert "Germany" in page_of(at_work.get("/work/settings/")).text
    at_work.post("/work/settings/", {"country": "US", "subdivision": "ca"})
    worker.refresh_from_db()
    assert (worker.country, worker.subdivision) == ("US", "CA")
    # Work that is open in another country is not had by asking for it.
    assert at_work.post("/work/settings/", {"country": "DE"}).status_code == 403
    worker.refresh_from_db()
    assert worker.country == "US"
    page = page_of(at_work.get("/work/settings/"))
    assert "United States, CA" in page.text
    assert page.actions == ["/sign-out/"]


def test_staff_change_a_country_and_it_is_recorded(at_work: Client, worker: WorkerAccount):
    place = f"/work/payments/country/?worker={worker}"
    assert at_work.post(place, {"country": "FR"}).status_code == 404
    staff = make_staff()
    at = sign_in(staff)
    assert "No worker has the ID A1" in page_of(at.get("/work/payments/country/?worker=A1")).text
    assert at.post(place, {"country": "FR", "subdivision": "CA"}).status_code == 422
    assert at.post(place, {"country": "FR"}).status_code == 302
    worker.refresh_from_db()
    assert (worker.country, worker.subdivision) == ("FR", "")
    row = Activity.objects.get(actor=staff, verb="change")
    assert str(worker) in row.text
    assert "from DE to FR" in row.text


def test_returning_asks_first(at_work: Client, worker: WorkerAccount):
    """The button that returns stands in a box that is closed at first."""
    assignment = accept_hit(hit_id=make_hit(make_type()).hit_id, worker=worker)
    html = at_work.get(f"/work/assignments/{assignment.assignment_id}/").content.decode()
    box = html[html.index('<details class="task__return">') : html.index("</details>")]
    assert f'action="/work/assignments/{assignment.assignment_id}/return/"' in box
    assert html.count("/return/") == 1


def test_it_brings_workers_without_a_project_to_their_work(at_work):
    assert at_work.get("/").headers["Location"] == "/work/"
