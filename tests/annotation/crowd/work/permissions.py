"""Who may do what as a worker: the outsider is one, the owner runs the site, nobody else either."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from annotation.corpora.accounts.models import User
from annotation.crowd.market.models_accounts import WorkerAccount, WorkerInvitation
from annotation.crowd.market.models_work import (
    EntryKind,
    MarketAssignment,
    MarketEntry,
    MarketHit,
    QualificationType,
)
from annotation.crowd.market.work import accept_hit
from annotation.crowd.market.workers import invite_workers
from tests.annotation.crowd.working import make_hit, make_type
from tests.annotation.roles import EVERYBODY, MEMBERS, OWNER, Row, ask_in, but, everybody, page


def work(**statuses: int) -> Row:
    """For workers; whoever signed in and is none is asked to become one."""
    row = everybody()
    for method, status in statuses.items():
        others = {"outsider": status, "anonymous": ask_in(302, method)}
        row = but(row, method, **dict.fromkeys(EVERYBODY, 302) | others)
    return row


def staff(**statuses: int) -> Row:
    """For those who run the site; to others it is not there."""
    row = everybody()
    for method, status in statuses.items():
        others = {"owner": status, "anonymous": ask_in(302, method)}
        row = but(row, method, **dict.fromkeys(EVERYBODY, 404) | others)
    return row


JOIN = but(
    but(everybody(GET=200, POST=422), "GET", outsider=302),
    "POST",
    **dict.fromkeys(MEMBERS, 302) | {"outsider": 302},
)

TABLE: dict[str, Row] = {
    "crowd:external_submit": everybody(POST=200),
    "crowd:work_home": work(GET=200),
    # Without a link nobody joins, unless MARKET_SIGN_UP says so.
    "crowd:work_join": but(JOIN, "POST", **dict.fromkeys(MEMBERS, 422)),
    "crowd:work_join_invited": JOIN,
    "crowd:work_history": work(GET=200),
    "crowd:work_earnings": work(GET=200),
    "crowd:work_messages": work(GET=200),
    # Theirs is set, so it stays.
    "crowd:work_settings": work(GET=200, POST=403),
    "crowd:work_payments": staff(GET=200),
    "crowd:work_payments_csv": staff(GET=200),
    "crowd:work_payout": staff(POST=302),
    # No worker is named.
    "crowd:work_place": staff(GET=200, POST=404),
    "crowd:work_invite": staff(POST=302),
    # An owner withdraws the links of their project, staff any.
    "crowd:work_withdraw": staff(POST=302),
    "crowd:invite_project_workers": page(OWNER, POST=302),
    "crowd:work_type": work(GET=302),
    # Asked without a group, so a worker is told that there is none.
    "crowd:work_group": work(GET=404),
    "crowd:work_accept_next": work(POST=302),
    "crowd:work_hit": work(GET=200),
    "crowd:work_accept": work(POST=302),
    "crowd:work_contact": work(GET=200, POST=302),
    "crowd:work_assignment": work(GET=200),
    "crowd:work_time": work(POST=204),
    "crowd:work_return": work(POST=302),
    "crowd:work_go_on": work(POST=204),
    # Who holds the unguessable id may see the task: a frame has no session.
    "crowd:work_frame": everybody(GET=302),
    "crowd:work_preview_frame": work(GET=302),
    "crowd:work_qualification": work(GET=200, POST=302),
}


@dataclass(frozen=True, slots=True)
class WorkPlaces:
    worker: WorkerAccount
    hit: MarketHit
    assignment: MarketAssignment
    qualification: QualificationType
    invitation: WorkerInvitation


def make_work_places(owner: User, outsider: User) -> WorkPlaces:
    owner.is_staff = True
    owner.save()
    worker = WorkerAccount.objects.create(user=outsider, country="DE", is_adult=True)
    # A day, so that nothing lapses however long the tests take.
    kind = make_type(assignment_seconds=86_400)
    taken = accept_hit(hit_id=make_hit(kind).hit_id, worker=worker)
    MarketEntry.objects.create(
        requester=kind.requester,
        worker=worker,
        kind=EntryKind.REWARD,
        key="earned",
        amount=Decimal(-1),
    )
    return WorkPlaces(
        worker,
        make_hit(kind),
        taken,
        QualificationType.objects.create(
            requester=kind.requester, name="Reads well", description="Reads well."
        ),
        invite_workers(user=owner, uses=5, days=5),
    )


def values_for(name: str, places: WorkPlaces) -> dict[str, Any]:
    return {
        "worker_id": places.worker.worker_id,
        "hit_id": places.hit.hit_id,
        "hit_type_id": places.hit.hit_type.hit_type_id,
        "assignment_id": places.assignment.assignment_id,
        "type_id": places.qualification.qualification_type_id,
        "token": places.invitation.token,
        "pk": places.invitation.pk,
    }


def sent_to(name: str, places: WorkPlaces) -> dict[str, Any]:
    join = {"country": "DE", "consent": "on"}
    sent: dict[str, dict[str, Any]] = {
        "crowd:external_submit": {
            "assignmentId": places.assignment.assignment_id,
            "s1": "present",
        },
        "crowd:work_join": join,
        "crowd:work_join_invited": join,
        "crowd:work_settings": {"country": "US"},
        "crowd:work_contact": {"subject": "Unclear", "text": "What is a dam?"},
        "crowd:work_time": {"seconds": "5.5"},
        "crowd:work_payout": {"amount": "1", "key": "k"},
        "crowd:work_invite": {"uses": 1, "days": 1},
        "crowd:invite_project_workers": {"uses": 1, "days": 1},
    }
    return sent.get(name, {})
