"""Becoming a worker, and what workers say about themselves.

- Recording that a worker was paid outside of Giza, which moves no money itself.
"""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.utils.translation import gettext as _

from annotation import clock
from annotation.access import owns_project, require_staff
from annotation.corpora.accounts.models import User
from annotation.corpora.accounts.service import LINK_ENDERS
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.projects.models import Project
from annotation.corpora.projects.service import LINK_WITHDRAWERS
from annotation.crowd.market.models_accounts import WorkerAccount, WorkerInvitation
from annotation.crowd.market.models_work import EntryKind, MarketEntry
from annotation.crowd.requesters.payments import get_earnings
from annotation.errors import DomainError, Forbidden, Invalid, NotFound
from annotation.wording import counted


def join_workers(
    *, user: User, country: str, subdivision: str = "", invitation: WorkerInvitation | None = None
) -> WorkerAccount:
    """Make somebody a worker; who is one already stays the same one."""
    check_may_join(invitation)
    try:
        with transaction.atomic():
            worker = WorkerAccount.objects.create(
                user=user, country=country, subdivision=subdivision, is_adult=True
            )
            if invitation is not None:
                _use(invitation)
            return worker
    except IntegrityError:
        return WorkerAccount.objects.get(user=user)


def check_may_join(invitation: WorkerInvitation | None) -> None:
    if invitation is None and settings.MARKET_SIGN_UP != "open":
        raise Forbidden(
            _("You need an invitation to work here."), _("Ask the researchers for a link.")
        )


def _use(invitation: WorkerInvitation) -> None:
    open_ = WorkerInvitation.objects.open().filter(pk=invitation.pk)
    if not open_.update(uses_left=F("uses_left") - 1):
        raise DomainError(
            _("This invitation has expired or has been used up."), _("Ask for a new link.")
        )


def get_invitation(token: str) -> WorkerInvitation:
    found = WorkerInvitation.objects.filter(token=token).first()
    if found is None:
        raise NotFound(
            _("There is no such invitation."), _("Check that you copied the whole link.")
        )
    return found


@transaction.atomic
def invite_workers(
    *, user: User, uses: int, days: int, note: str = "", project: Project | None = None
) -> WorkerInvitation:
    """By staff, or by an owner of the project whose work is meant."""
    if not (user.is_staff or (project is not None and owns_project(user, project))):
        raise Forbidden(
            _("Only staff and project owners can invite workers."), _("Ask one of them.")
        )
    made = WorkerInvitation.objects.create(
        created_by=user,
        project=project,
        uses_left=uses,
        expires_at=clock.now() + timedelta(days=days),
        note=note,
    )
    text = _("invited {workers} to the marketplace").format(
        workers=counted(uses, "worker", "workers")
    )
    record_activity(project=project, actor=user, verb=Verb.INVITE, target=project, text=text)
    return made


@transaction.atomic
def withdraw_invitation(*, user: User, pk: int) -> WorkerInvitation:
    """From now on nobody can join by the link; workers who joined by it stay."""
    found = WorkerInvitation.objects.select_related("project").filter(pk=pk).first()
    project = found.project if found else None
    may = user.is_staff or (project is not None and owns_project(user, project))
    if found is None or not may:
        raise NotFound(_("There is no such invitation."))
    text = _("withdrew a worker invitation")
    record_activity(project=project, actor=user, verb=Verb.REVOKE, target=project, text=text)
    found.delete()
    return found


def _withdraw_invitations(project: Project, user: User) -> None:
    """An owner has gone, who has seen the links of the project."""
    links = WorkerInvitation.objects.filter(project=project)
    if count := len(links):
        links.delete()
        text = _("withdrew {invitations} because an owner left").format(
            invitations=counted(count, "worker invitation", "worker invitations")
        )
        record_activity(project=project, actor=user, verb=Verb.REVOKE, target=project, text=text)


LINK_WITHDRAWERS.append(_withdraw_invitations)


def _end_invitations(user: User) -> None:
    WorkerInvitation.objects.filter(created_by=user).delete()


LINK_ENDERS.append(_end_invitations)


def list_invitations(project: Project | None = None) -> QuerySet[WorkerInvitation]:
    """Those that still let somebody in: of one project, or all."""
    rows = WorkerInvitation.objects.open().select_related("project").order_by("-pk")
    return rows.filter(project=project) if project is not None else rows


def set_own_place(*, worker: WorkerAccount, country: str, subdivision: str) -> None:
    """Once: requesters rely on it, and work in other countries must not be had for the asking."""
    place = {"country": country, "subdivision": subdivision}
    if not WorkerAccount.objects.filter(pk=worker.pk, country="").update(**place):
        raise Forbidden(
            _("Your country is already set."), _("Ask the people who run this site to change it.")
        )


@transaction.atomic
def change_place(*, worker: WorkerAccount, user: User, country: str, subdivision: str) -> None:
    """By staff, when a worker has moved or made a mistake."""
    require_staff(user, _("Only staff can change a worker's country."), _("Ask one of them."))
    before = worker.country or _("no country")
    worker.country, worker.subdivision = country, subdivision
    worker.save(update_fields=["country", "subdivision"])
    text = _("changed the country of worker {worker} from {before} to {country}").format(
        worker=worker, before=before, country=country
    )
    record_activity(project=None, actor=user, verb=Verb.CHANGE, target=worker.user, text=text)


def record_payout(
    *, worker: WorkerAccount, amount: Decimal, key: str, note: str = ""
) -> MarketEntry:
    """Write the payout once per key, and never more than is owed."""
    if amount <= 0:
        raise Invalid(_("A payout must be more than $0."))
    full_key = f"payout:{worker.pk}:{key}"
    try:
        with transaction.atomic():
            # Payouts of one worker wait for each other, so that the sum they see is the sum.
            locked = WorkerAccount.objects.select_for_update().get(pk=worker.pk)
            known = MarketEntry.objects.filter(key=full_key).first()
            return known or _write(locked, amount, full_key, note)
    except IntegrityError:
        return MarketEntry.objects.get(key=full_key)


def _write(worker: WorkerAccount, amount: Decimal, key: str, note: str) -> MarketEntry:
    owed = get_earnings(worker).owed
    if amount > owed:
        raise DomainError(
            _("{worker} is owed ${owed:.2f}, which is less than ${amount:.2f}.").format(
                worker=worker, owed=owed, amount=amount
            ),
            _("Reload the list: somebody may already have recorded this payout."),
        )
    return MarketEntry.objects.create(
        worker=worker, kind=EntryKind.PAYOUT, key=key, amount=amount, note=note
    )
