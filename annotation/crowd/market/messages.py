"""What workers and requesters write to each other about a HIT."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.notifications.models import NotificationKind
from annotation.corpora.notifications.service import name_day, notify
from annotation.crowd.market.models_accounts import Message, Requester, WorkerAccount
from annotation.crowd.market.models_work import MarketHit
from annotation.crowd.requesters.queries import list_people
from annotation.crowd.review.queries import Thread, find_campaign, list_inbox
from annotation.errors import Forbidden, Invalid, NotFound

LONGEST_SUBJECT = 200


def get_reachable_requester(*, hit_id: str) -> Requester:
    """The requester of a HIT, whom a worker may write to about it."""
    rows = MarketHit.objects.select_related("requester__project", "requester__owner")
    hit = rows.filter(hit_id=hit_id).first()
    if hit is None:
        raise NotFound(_("There is no such HIT."))
    return hit.requester


@transaction.atomic
def write_to_requester(
    *, worker: WorkerAccount, requester: Requester, subject: str, text: str, hit_id: str = ""
) -> Message:
    if worker.is_suspended:
        raise Forbidden(_("Your account is suspended."))
    made = Message.objects.create(
        requester=requester,
        worker=worker,
        is_from_worker=True,
        subject=subject,
        text=text,
        hit_id=hit_id,
    )
    _notify_people(made)
    return made


def _notify_people(message: Message) -> None:
    """One row a day for each worker and HIT. A mail says nothing of what the worker wrote."""
    requester = message.requester
    campaign = find_campaign(message)
    about = (
        campaign.name if campaign else _("a HIT of {requester}").format(requester=requester.name)
    )
    notify(
        users=[*list_people(requester), campaign.created_by if campaign else None],
        project=requester.project,
        kind=NotificationKind.QUESTION,
        key=name_day(f"question:{requester.pk}:{message.worker_id}:{message.hit_id}"),
        text=_("A worker wrote to you about {about}.").format(about=about),
        target=message,
        renew=True,
    )


@transaction.atomic
def answer_worker(*, message: Message, user: User, text: str) -> Message:
    """Replying marks what the worker wrote about this HIT as read."""
    if not text.strip():
        raise Invalid(_("Your reply is empty."), _("Write a reply and send it again."))
    thread = {"worker": message.worker, "hit_id": message.hit_id}
    head = "" if message.subject.startswith("Re: ") else "Re: "
    made = Message.objects.create(
        requester=message.requester,
        subject=f"{head}{message.subject}"[:LONGEST_SUBJECT],
        text=text.strip(),
        **thread,
    )
    inbox = list_inbox(message.requester.messages.filter(**thread))
    inbox.filter(read_at=None).update(read_at=clock.now())
    project = message.requester.project
    target = find_campaign(message) or project
    text = _("replied to worker {worker}").format(worker=message.worker)
    record_activity(project=project, actor=user, verb=Verb.MESSAGE, target=target, text=text)
    return made


def mark_answers_read(*, worker: WorkerAccount) -> None:
    """What the worker has now seen."""
    worker.unread_messages.update(read_at=clock.now())


def mark_questions_read(*, threads: Iterable[Thread]) -> None:
    """What the people of the requester have now seen."""
    shown = (row for thread in threads for row in thread.messages)
    unread = [row.pk for row in shown if row.is_from_worker and row.read_at is None]
    Message.objects.filter(pk__in=unread, read_at=None).update(read_at=clock.now())
