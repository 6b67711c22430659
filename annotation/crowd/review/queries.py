"""One assignment as its reviewer sees it, and what stands beside it.

- Messages between workers and requesters, as the people of a requester see them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Exists, Max, OuterRef, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.crowd.campaigns.models import (
    Assignment,
    AssignmentState,
    Campaign,
    Hit,
    Intent,
    IntentKind,
    Outcome,
    ProviderName,
    Worker,
)
from annotation.crowd.campaigns.queries import list_hasty
from annotation.crowd.campaigns.sums import count_answers
from annotation.crowd.market.models_accounts import Message, WorkerAccount
from annotation.errors import NotFound


@dataclass(frozen=True, slots=True)
class Line:
    """A statement, what this worker answered, and how many others said the same or not."""

    text: str
    answer: str
    gold: str
    others_present: int
    others: int

    @property
    def is_wrong(self) -> bool:
        return bool(self.gold) and self.answer != self.gold

    @property
    def is_alone(self) -> bool:
        """Nobody else said so, and at least two others were asked."""
        absent = self.others - self.others_present
        same = self.others_present if self.answer == "present" else absent
        return not self.gold and self.others >= 2 and same == 0 and bool(self.answer)


def get_assignment(campaign: Campaign, pk: int) -> Assignment:
    related = ("hit__summary__example", "hit__summary__system", "worker", "campaign", "decided_by")
    rows = Assignment.objects.filter(campaign=campaign, pk=pk).select_related(*related)
    found = rows.first()
    if found is None:
        raise NotFound(_("The campaign has no such assignment."))
    return found


def list_lines(assignment: Assignment) -> list[Line]:
    others = list(
        Assignment.objects.filter(hit=assignment.hit_id)
        .exclude(pk=assignment.pk)
        .values_list("answers", flat=True)
    )
    return [_line(row, assignment.answers, others) for row in assignment.hit.statements]


def _line(row: dict[str, Any], mine: dict[str, str], others: list[dict[str, str]]) -> Line:
    said = Counter(answers.get(row["key"]) for answers in others)
    gold = ("present" if row["gold"] else "absent") if "gold" in row else ""
    return Line(
        text=row["text"],
        answer=mine.get(row["key"], ""),
        gold=gold,
        others_present=said["present"],
        others=said["present"] + said["absent"],
    )


def get_neighbours(assignment: Assignment) -> tuple[Assignment | None, Assignment | None]:
    """In the order in which they came, of whatever state."""
    rows = Assignment.objects.filter(campaign=assignment.campaign_id)
    before = rows.filter(pk__lt=assignment.pk).order_by("-pk").only("pk").first()
    return before, rows.filter(pk__gt=assignment.pk).order_by("pk").only("pk").first()


def get_next_to_review(assignment: Assignment) -> Assignment | None:
    """The next that waits; after the last, the first again."""
    rows = Assignment.objects.filter(
        campaign=assignment.campaign_id, state=AssignmentState.SUBMITTED
    )
    later = rows.filter(pk__gt=assignment.pk).order_by("pk").first()
    return later or rows.order_by("pk").first()


def list_bonuses(assignment: Assignment) -> QuerySet[Intent]:
    rows = Intent.objects.filter(assignment=assignment, kind=IntentKind.BONUS)
    return rows.exclude(settlement__outcome=Outcome.VOID).select_related("settlement")


def count_states(campaign: Campaign) -> list[tuple[str, str, int]]:
    """State, its words, how many."""
    counts = count_answers(campaign).by_state
    return [(state.value, str(state.label), counts[state]) for state in AssignmentState]


def list_hasty_ids(campaign: Campaign, rows: Iterable[Assignment]) -> set[int]:
    """Those of the rows that were answered faster than one can read."""
    found = list_hasty(campaign).filter(pk__in=[row.pk for row in rows])
    return set(found.values_list("pk", flat=True))


def list_workers(campaign: Campaign) -> QuerySet[Worker]:
    mine = Assignment.objects.filter(campaign=campaign, worker=OuterRef("pk"))
    rows = Worker.objects.filter(Exists(mine), project=campaign.project_id)
    return rows.order_by("provider_id")


PAGE = 25


@dataclass(frozen=True, slots=True)
class Thread:
    """What one worker and the requester wrote about one HIT, oldest first.

    `hit` is the campaign's, where the HIT is one of a campaign.
    """

    messages: list[Message]
    hit: Hit | None

    @property
    def latest(self) -> Message:
        """The last that the worker wrote."""
        return next(row for row in reversed(self.messages) if row.is_from_worker)

    @property
    def worker(self) -> WorkerAccount:
        return self.latest.worker

    @property
    def is_answered(self) -> bool:
        return not self.messages[-1].is_from_worker


def list_campaign_messages(campaign: Campaign) -> QuerySet[Message]:
    """Of the project's own requester only: a file of answers may name any HIT."""
    hits = Hit.objects.filter(campaign=campaign).exclude(provider_id="")
    return Message.objects.filter(
        requester__project=campaign.project_id, hit_id__in=hits.values("provider_id")
    )


def list_inbox(rows: QuerySet[Message]) -> QuerySet[Message]:
    return rows.filter(is_from_worker=True)


def count_unread(campaign: Campaign) -> int:
    """Messages of workers that nobody of the project has read."""
    if campaign.provider != ProviderName.MARKETPLACE:
        return 0
    return list_inbox(list_campaign_messages(campaign)).filter(read_at=None).count()


def describe_message(message: Message) -> dict[str, Any]:
    """One in plain values; the worker by the id that they have at the marketplace."""
    names = ("id", "hit_id", "subject", "text", "created_at", "read_at")
    return {"worker": str(message.worker), **{name: getattr(message, name) for name in names}}


def page_threads(
    rows: QuerySet[Message], number: str | int = 1
) -> tuple[Page[dict[str, Any]], list[Thread]]:
    """Those that a worker began, the latest message first: the page, and what is on it."""
    begun = list_inbox(rows).order_by().values("worker", "hit_id").annotate(last=Max("pk"))
    ordered: Any = begun.order_by("-last")
    page = Paginator(ordered, PAGE).get_page(number)
    return page, _fill_threads(rows, [(row["worker"], row["hit_id"]) for row in page])


def _fill_threads(rows: QuerySet[Message], keys: list[tuple[int, str]]) -> list[Thread]:
    wanted = rows.filter(worker__in={key[0] for key in keys}, hit_id__in={key[1] for key in keys})
    messages: dict[tuple[int, str], list[Message]] = defaultdict(list)
    for message in wanted.select_related("worker").order_by("pk"):
        messages[message.worker_id, message.hit_id].append(message)
    hits = Hit.objects.filter(provider_id__in={key[1] for key in keys}).exclude(provider_id="")
    found = {hit.provider_id: hit for hit in hits.select_related("summary__example")}
    return [Thread(messages[key], found.get(key[1])) for key in keys]


def get_question(rows: QuerySet[Message], pk: int) -> Message:
    """One that a worker wrote."""
    found = list_inbox(rows).select_related("requester__project", "worker").filter(pk=pk).first()
    if found is None:
        raise NotFound(_("There is no such message."))
    return found


def find_campaign(message: Message) -> Campaign | None:
    """Of the requester's own project, if the HIT is one of a campaign."""
    project = message.requester.project_id
    if project is None or not message.hit_id:
        return None
    rows = Campaign.objects.filter(project=project, hits__provider_id=message.hit_id)
    return rows.select_related("created_by", "project").order_by("pk").first()


def locate_message(slug: str, pk: int) -> str:
    """The page where it can be answered."""
    message = Message.objects.select_related("requester").get(pk=pk)
    campaign = find_campaign(message)
    if campaign is None:
        return reverse("crowd:requester", args=[message.requester_id]) + "#messages-title"
    return reverse("crowd:campaign_messages", args=[campaign.project.slug, campaign.pk])
