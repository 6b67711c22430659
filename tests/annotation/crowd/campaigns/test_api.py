"""REST: the life of a campaign, by a script that knows nothing but the addresses."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.service import run_job
from annotation.crowd.campaigns.models import Campaign, Intent, IntentKind
from annotation.crowd.market.models_accounts import Message
from annotation.crowd.market.models_work import Bonus
from annotation.units.sets.models import UnitSet
from tests import factories
from tests.annotation.corpora.rest import Rest, error_of
from tests.annotation.crowd.campaigns.playing import work_off
from tests.annotation.crowd.wire import Wire, refuse_connection

CAMPAIGNS = "/projects/study/campaigns/"


@pytest.fixture
def rest(owner: User) -> Rest:
    return Rest(owner)


def make_draft(rest: Rest, unit_set: UnitSet) -> str:
    body = {"name": "First", "unit_set": unit_set.pk, "preset": "realsumm"}
    made = rest.post(CAMPAIGNS, {**body, "assignments_per_hit": 2})
    assert made.status_code == 201, made.json()
    return f"{CAMPAIGNS}{made.json()['id']}/"


@pytest.fixture
def draft(rest: Rest, frozen: UnitSet, wire: Wire) -> str:
    """The address of six HITs with two assignments each, and money for them."""
    factories.fund(frozen.project)
    return make_draft(rest, frozen)


@pytest.fixture(scope="module")
def kept_live(kept_frozen: UnitSet) -> str:
    with pytest.MonkeyPatch.context() as patch:
        Wire().put_in(patch)
        rest = Rest(User.objects.get(email="owner@example.org"))
        factories.fund(kept_frozen.project)
        made = make_draft(rest, kept_frozen)
        started = rest.post(f"{made}publish/")
        assert started.status_code == 202, started.json()
        run_job(job_id=started.json()["job"])
    return made


@pytest.fixture
def live(db: None, wire: Wire, kept_live: str) -> str:
    return kept_live


@pytest.fixture(scope="module")
def kept_worked(kept_live: str) -> str:
    work_off("ann", s1="present", s2="absent")
    work_off("bob", s1="present", s2="present")
    with pytest.MonkeyPatch.context() as patch:
        Wire().put_in(patch)
        rest = Rest(User.objects.get(email="owner@example.org"))
        assert rest.post(f"{kept_live}collect/").status_code == 200
    Campaign.objects.get().assignments.update(seconds=300)
    return kept_live


@pytest.fixture
def worked(db: None, wire: Wire, kept_worked: str) -> str:
    """Two workers did everything, at a pace that pays too little."""
    return kept_worked


def rows(rest: Rest, path: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = rest.get(path).json()["results"]
    return found


def review(rest: Rest, campaign: str, action: str, ids: list[int], **more: Any) -> Any:
    return rest.post(f"{campaign}review/", {"action": action, "assignments": ids, **more})


def test_it_leads_a_campaign_from_a_preset_to_the_last_approval(
    rest: Rest, frozen: UnitSet, draft: str
):
    assert [row["name"] for row in rows(rest, f"{CAMPAIGNS}presets/")][:2] == ["blank", "realsumm"]
    paced = rest.post(f"{draft}preview/", {"seconds": 30, "statements": 2}).json()
    cost = rest.get(f"{draft}cost/").json()
    assert (cost["hits"], cost["assignments"], cost["obstacles"]) == (6, 12, [])
    assert cost["total"] == "1.8000"
    assert cost["expected_wage"] == paced["expected_wage"] == "18.0000"
    started = rest.post(f"{draft}publish/").json()
    assert started["state"] == "publishing"
    run_job(job_id=started["job"])
    shown = rest.get(draft).json()
    assert (shown["state"], shown["hit_count"], shown["wanted_count"]) == ("live", 6, 12)
    [hit, *others] = rows(rest, f"{draft}hits/?state=open")
    assert len(others) == 5
    assert [row["text"] for row in hit["statements"]] == ["The dam burst.", "Nobody was hurt."]
    work_off("ann", s1="present", s2="absent")
    work_off("bob", s1="present", s2="absent")
    seen = rest.post(f"{draft}collect/").json()
    assert (seen["collected"], seen["to_review"], seen["workers"]) == (12, 12, 2)
    ids = [row["id"] for row in rows(rest, f"{draft}assignments/?state=submitted")]
    assert review(rest, draft, "reject", ids[:1], text="Too quick.").json()["decided"] == 1
    assert review(rest, draft, "override", ids[:1]).json()["decided"] == 1
    many = review(rest, draft, "approve", ids)
    assert many.status_code == 202
    run_job(job_id=many.json()["job"])
    seen = rest.get(f"{draft}live/").json()
    assert (seen["approved"], seen["to_review"], seen["books"]["spent"]) == (12, 0, "1.8000")
    ended = rest.post(f"{draft}end/").json()
    run_job(job_id=ended["job"])
    assert rest.get(draft).json()["state"] == "ended"
    entries = rows(rest, f"{draft}ledger/?page_size=100")
    assert {row["outcome"] for row in entries} == {"done"}
    approved = [Decimal(row["amount"]) for row in entries if row["kind"] == "approve"]
    assert sum(approved) == Decimal("1.80")


def test_it_takes_back_what_it_gave(rest: Rest, draft: str):
    shown = rest.get(draft).json()
    names = "reward rewards_by_kind budget requirements worked_examples gold scope keywords"
    sent = {name: shown[name] for name in names.split()}
    sent["budget"] = None if shown["cap_follows"] else shown["budget"]
    assert rest("PATCH", draft, sent).status_code == 200
    assert rest.get(draft).json() == shown


PLACE = {"QualificationTypeId": "00000000000000000071", "Comparator": "EqualTo"}
ITEM = {"summary": "It fell.", "statement": "It fell.", "answer": "present"}
WRONG: list[tuple[str, Any]] = [
    ("reward", "0.155"),
    ("reward", "-1"),
    ("reward", "100.01"),
    ("reward", 0.15),
    ("reward", "NaN"),
    ("budget", "1e9"),
    ("budget", "123456789"),
    ("rewards_by_kind", {"abstractive": "cheap"}),
    ("rewards_by_kind", {"abstract": "0.20"}),
    ("rewrad", "0.20"),
    ("name", "a\x00b"),
    ("title", " "),
    ("units_per_hit", 17),
    ("units_per_hit", "16"),
    ("assignments_per_hit", 10**30),
    ("lifetime_seconds", 29),
    ("provider", "turk"),
    ("worked_examples", {}),
    ("worked_examples", [{**ITEM, "answer": "maybe"}]),
    ("worked_examples", [{**ITEM, "summary": "\x00"}]),
    ("worked_examples", [{**ITEM, "why": {"so": 1}}]),
    ("worked_examples", [ITEM] * 21),
    ("training", [{**ITEM, "statement": "\ud800"}]),
    ("training", [{"statement": "It fell."}]),
    ("gold", [{"text": "It fell.", "answer": "present"}]),
    ("gold", [{"text": "It fell.", "answer": True, "exmple": "e1"}]),
    ("gold", [{"text": "It fell.", "answer": True, "system": 5}]),
    ("gold", [{"text": "It fell.", "answer": True}] * 5001),
    ("requirements", [{"Comparator": "Exists"}]),
    ("requirements", [{**PLACE, "LocaleValues": [{"Country": "USA"}]}]),
    ("requirements", [{**PLACE, "LocaleValues": ["US"]}]),
    ("requirements", [{**PLACE, "IntegerValues": [2**40]}]),
    ("requirements", [{**PLACE, "Comparator": "Is"}]),
    ("requirements", [{**PLACE, "Other": 1}]),
    ("scope", {"systems": ["lead"]}),
    ("scope", {"sistems": []}),
    ("scope", {"systems": [1] * 10_001}),
]


def test_it_names_the_setting_that_is_wrong_and_changes_nothing(
    rest: Rest, draft: str, frozen: UnitSet
):
    before, not_told = rest.get(draft).json(), []
    new = {"name": "Second", "unit_set": frozen.pk}
    for name, value in WRONG:
        for answer in (
            rest("PATCH", draft, {name: value}),
            rest.post(CAMPAIGNS, new | {name: value}),
        ):
            is_named = name in answer.json()["error"]["message"]
            if error_of(answer) != (400, "invalid") or not is_named:
                not_told.append((name, value, answer.json()))
    assert not_told == []
    assert rest.get(draft).json() == before
    assert Campaign.objects.count() == 1


BONUS = {"action": "bonus", "text": "Thanks.", "assignments": [1]}
MESSAGE = {"workers": [1], "subject": "Hello", "text": "Well."}
Step = tuple[str, Any, tuple[int, str]]
TOO_EARLY: list[Step] = [
    ("pause/", None, (409, "conflict")),
    ("end/", None, (409, "conflict")),
    ("extend/", {"additional": 1}, (409, "conflict")),
    ("preview/", {"seconds": 0, "statements": 1}, (400, "invalid")),
    ("review/", {"action": "approve", "assignments": [1]}, (404, "not_found")),
    ("top-up/", None, (409, "conflict")),
    ("workers/message/", MESSAGE, (404, "not_found")),
    ("workers/1/exclude/", {"reason": "Quick."}, (404, "not_found")),
    ("ledger/1/settle/", {"outcome": "done"}, (404, "not_found")),
]
NOT_FITTING: list[Step] = [
    ("publish/", None, (409, "conflict")),
    ("resume/", None, (409, "conflict")),
    ("extend/", {}, (400, "invalid")),
    ("extend/", {"additional": 0}, (400, "invalid")),
    ("extend/", {"systems": [2**62]}, (404, "not_found")),
    ("review/", {"action": "pay", "assignments": [1]}, (400, "invalid")),
    ("review/", {"action": "reject", "assignments": [1]}, (400, "invalid")),
    ("review/", [], (400, "invalid")),
    *(
        ("review/", BONUS | {"amount": amount}, (400, "invalid"))
        for amount in ("0.00", "0.001", "1000.01", "-1", 1)
    ),
]


def assert_refused(rest: Rest, here: str, steps: list[Step]) -> None:
    before = rest.get(here).json()
    answered = [(path, body, error_of(rest.post(f"{here}{path}", body))) for path, body, _ in steps]
    assert answered == steps
    assert rest.get(here).json() == before


def test_it_refuses_a_step_that_comes_too_early(rest: Rest, draft: str):
    assert_refused(rest, draft, TOO_EARLY)


def test_it_refuses_a_step_that_does_not_fit(rest: Rest, live: str):
    assert_refused(rest, live, NOT_FITTING)


def test_it_refuses_what_workers_have_seen(rest: Rest, live: str):
    assert error_of(rest("PATCH", live, {"reward": "0.20"})) == (409, "conflict")
    assert error_of(rest("PATCH", live, {"budget": "1.79"})) == (409, "conflict")
    assert error_of(rest("DELETE", live)) == (409, "conflict")
    changed = rest("PATCH", live, {"budget": "5.00"}).json()
    assert (changed["budget"], changed["hit_count"]) == ("5.00", 6)


def test_it_refuses_a_set_that_may_still_change(rest: Rest, frozen: UnitSet):
    UnitSet.objects.update(state="review")
    body = {"name": "First", "unit_set": frozen.pk}
    assert error_of(rest.post(CAMPAIGNS, body)) == (409, "conflict")
    assert error_of(rest.post(CAMPAIGNS, body | {"unit_set": 2**62})) == (404, "not_found")


def test_it_spends_no_more_than_the_budget(rest: Rest, worked: str):
    ids = [row["id"] for row in rows(rest, f"{worked}assignments/")]
    over = review(rest, worked, "bonus", ids[:2], amount="10.00", text="Thanks.")
    assert error_of(over) == (409, "over_budget")
    assert Bonus.objects.count() == 0


def test_it_brings_workers_to_the_floor_once(rest: Rest, worked: str):
    # Six HITs of five minutes for 90 cents each: half an hour at twelve dollars is six.
    price = rest.get(f"{worked}top-up/").json()
    assert (price["workers"], price["amount"]) == (2, "10.2000")
    assert error_of(rest.post(f"{worked}top-up/")) == (409, "over_budget")
    rest("PATCH", worked, {"budget": "12.00"})
    assert rest.post(f"{worked}top-up/").json() == price
    assert error_of(rest.post(f"{worked}top-up/")) == (409, "conflict")
    assert sum(row.amount for row in Bonus.objects.all()) == Decimal("10.20")


def test_it_knows_writes_to_and_excludes_workers(rest: Rest, worked: str):
    standings = rows(rest, f"{worked}workers/")
    assert [row["assignments"] for row in standings] == [6, 6]
    worker = standings[0]["worker"]
    # The marketplace lets a requester write to those whose work they have decided on.
    mine = [
        row["id"]
        for row in rows(rest, f"{worked}assignments/")
        if row["worker"] == worker["provider_id"]
    ]
    assert review(rest, worked, "approve", mine[:1]).status_code == 200
    message = {"workers": [worker["id"]], "subject": "Hello", "text": "Well done."}
    told = rest.post(f"{worked}workers/message/", message)
    assert told.json() == {"sent": 1, "failures": {}}
    assert Message.objects.get().worker.worker_id == worker["provider_id"]
    here = f"{worked}workers/{worker['id']}/"
    gone = rest.post(f"{here}exclude/", {"reason": "Too quick."}).json()
    assert (gone["excluded_reason"], gone["excluded_at"] is None) == ("Too quick.", False)
    assert rest.post(f"{here}include/").json() == worker
    assert error_of(rest.post(f"{here}exclude/", {})) == (400, "invalid")


def test_it_lets_a_person_settle_what_nobody_knows(rest: Rest, worked: str):
    campaign = Campaign.objects.get()
    entry = Intent.objects.create(
        campaign=campaign,
        kind=IntentKind.BONUS,
        base="bonus:lost",
        amount=Decimal("0.50"),
        fee=Decimal(0),
        assignment=campaign.assignments.earliest("pk"),
    )
    assert rows(rest, f"{worked}ledger/")[0]["outcome"] == "open"
    settle = f"{worked}ledger/{entry.pk}/settle/"
    assert error_of(rest.post(settle, {"outcome": "perhaps"})) == (400, "invalid")
    assert rest.post(settle, {"outcome": "void", "note": "Not paid."}).json()["outcome"] == "void"
    assert error_of(rest.post(settle, {"outcome": "done"})) == (409, "conflict")


def test_it_says_when_the_provider_is_away(rest: Rest, live: str, wire: Wire):
    for _ in range(20):
        wire.fail("GetHIT", refuse_connection)
        wire.fail("ListHITs", refuse_connection)
    assert error_of(rest.post(f"{live}collect/")) == (502, "provider_unreachable")
