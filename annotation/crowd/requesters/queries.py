"""Requesters as their owners see them: money, keys, work that came too late, messages.

- A requester's webhooks, with what waits for each.
- A requester's layouts, for the people who may use the requester.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext as _

from annotation.access import can_create_projects
from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Membership, Project
from annotation.crowd.campaigns.models import Campaign, Hit, ProviderName
from annotation.crowd.market.models_accounts import Requester, RequesterKey, Webhook
from annotation.crowd.market.models_work import (
    AssignmentStatus,
    EntryKind,
    HitLayout,
    MarketAssignment,
    MarketEntry,
)
from annotation.errors import NotFound
from scoring.io.cells import defuse, row_line

SHOWN = 20


def get_requester(user: User, pk: int) -> Requester:
    """One's own, one's project's, or any for staff; others look like none."""
    rows = list_accessible(user).select_related("project", "owner")
    found = rows.filter(pk=pk).first()
    if found is None:
        raise NotFound(_("You have no such requester."))
    return found


def list_accessible(user: User) -> QuerySet[Requester]:
    """Every requester that this person may use: for somebody inactive, none."""
    rows = Requester.objects.all()
    if not user.is_active:
        return rows.none()
    return rows if user.is_staff else rows.filter(_of(user))


def _of(user: User) -> Q:
    """Of a project that they own, or their own; an account that is only a worker has none."""
    mine = Q(project__in=_owned_projects(user)) | Q(owner=user)
    return mine if can_create_projects(user) else Q(pk__in=[])


def _owned_projects(user: User) -> QuerySet[Project]:
    owned = Membership.objects.owning().filter(user=user)
    return Project.objects.filter(pk__in=owned.values("project"))


def list_own_requesters(user: User) -> QuerySet[Requester]:
    return Requester.objects.select_related("project").filter(_of(user))


def list_requesters() -> QuerySet[Requester]:
    """For staff, who add money to them."""
    return Requester.objects.select_related("project")


def list_projects_without(user: User) -> QuerySet[Project]:
    """Projects for which somebody may create a requester."""
    rows = Project.objects.all() if user.is_staff else _owned_projects(user)
    return rows.filter(requester=None)


def find_payer(campaign: Campaign) -> Requester | None:
    """Whose prepaid budget a campaign on our own marketplace spends."""
    if campaign.provider != ProviderName.MARKETPLACE:
        return None
    return Requester.objects.filter(project=campaign.project_id).first()


def list_staff() -> QuerySet[User]:
    """Whom to ask for money."""
    return User.objects.filter(is_staff=True, is_active=True).order_by("name", "pk")


def get_key(user: User, *, requester: int, pk: int) -> RequesterKey:
    """A key that this person may revoke: their own, or one of a requester of theirs."""
    rows = RequesterKey.objects.select_related("requester", "requester__project", "user")
    mine = Q(user=user) | Q(requester__in=list_accessible(user))
    found = rows.filter(mine, pk=pk, requester=requester).first()
    if found is None:
        raise NotFound(_("There is no such key."))
    return found


def list_entries(requester: Requester) -> QuerySet[MarketEntry]:
    rows = requester.entries.select_related("worker", "created_by")
    return rows.order_by("-pk")[:SHOWN]


STATEMENT = (
    "at",
    "kind",
    "amount",
    "balance",
    "worker_id",
    "hit_id",
    "campaign",
    "note",
    "added_by",
)


def stream_statement(requester: Requester) -> Iterator[str]:
    """Every movement from the first one on as CSV, safe to open in a spreadsheet."""
    yield row_line(*STATEMENT)
    rows = requester.entries.select_related("worker", "assignment__hit", "created_by")
    balance = Decimal(0)
    for entry in rows.annotate(campaign=name_campaign()).defer(*LONG).order_by("pk").iterator():
        balance += entry.amount
        hit_id = entry.assignment.hit.hit_id if entry.assignment else ""
        words = (str(entry.worker or ""), hit_id, entry.campaign or "", entry.note, _adder(entry))
        sums = f"{entry.amount:.4f}", f"{balance:.4f}"
        at = entry.at.isoformat(timespec="seconds")
        yield row_line(at, entry.kind, *sums, *map(defuse, words))


LONG = ("assignment__answer", "assignment__hit__question")


def name_campaign() -> Subquery:
    """Of an entry: the campaign that its HIT belongs to, if it is one of a campaign."""
    hits = Hit.objects.filter(provider_id=OuterRef("assignment__hit__hit_id"))
    return Subquery(hits.exclude(provider_id="").order_by("pk").values("campaign__name")[:1])


def _adder(entry: MarketEntry) -> str:
    """Who of the staff added a deposit; commands are run by the people who run the server."""
    if entry.created_by is not None:
        return entry.created_by.email
    return "manage.py" if entry.kind == EntryKind.DEPOSIT else ""


def list_late_work(requester: Requester) -> QuerySet[MarketAssignment]:
    """Submitted after the place was given away; the API has no state for it, so it is shown."""
    rows = MarketAssignment.objects.filter(
        hit__requester=requester, status=AssignmentStatus.LATE
    ).select_related("worker", "hit")
    return rows.defer("hit__question", "answer").order_by("-pk")[:SHOWN]


def list_people(requester: Requester) -> list[User]:
    """Whom to notify: the requester's owner, and the owners of its project."""
    people = {requester.owner} if requester.owner is not None else set()
    if requester.project is not None:
        rows = Membership.objects.owning().filter(project=requester.project)
        people |= {row.user for row in rows.select_related("user")}
    return sorted(people, key=lambda user: user.pk)


def list_webhooks(requester: Requester) -> QuerySet[Webhook]:
    waiting = Count("notifications", filter=Q(notifications__delivered_at=None))
    return requester.webhooks.annotate(waiting=waiting)


def get_webhook(requester: Requester, pk: int) -> Webhook:
    found = requester.webhooks.filter(pk=pk).first()
    if found is None:
        raise NotFound(_("There is no such webhook."))
    return found


def find_layout(requester: Requester, layout_id: str) -> HitLayout:
    found = requester.layouts.select_related("requester__project").filter(layout_id=layout_id)
    if (layout := found.first()) is None:
        raise NotFound(_("There is no such layout."))
    return layout
