"""One assignment as its reviewer sees it, and what stands beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from annotation.crowd.models import (
    Assignment,
    AssignmentState,
    Campaign,
    Intent,
    IntentKind,
    Outcome,
    Worker,
)
from annotation.crowd.selectors.campaigns import list_hasty
from annotation.crowd.selectors.sums import count_answers
from annotation.errors import NotFound
from annotation.translation import gettext as _


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
