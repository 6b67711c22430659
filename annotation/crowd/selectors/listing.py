"""The list of a project's campaigns, each with its money and its next step."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count

from annotation.corpora.models import Project
from annotation.crowd.models import Assignment, AssignmentState, Campaign
from annotation.crowd.selectors.campaigns import list_campaigns
from annotation.crowd.selectors.overview import tell_next_step
from annotation.crowd.services.ledger import Books, list_books


@dataclass(frozen=True, slots=True)
class Row:
    campaign: Campaign
    wanted: int
    collected: int
    books: Books
    next_step: str

    @property
    def percent(self) -> int:
        return 100 * self.collected // self.wanted if self.wanted else 0


def list_rows(project: Project) -> list[Row]:
    waiting = dict(
        Assignment.objects.filter(campaign__project=project, state=AssignmentState.SUBMITTED)
        .order_by()
        .values_list("campaign")
        .annotate(Count("pk"))
    )
    campaigns = list(list_campaigns(project))
    books = list_books(campaigns)
    return [
        Row(
            campaign=row,
            wanted=row.wanted_count,  # type: ignore[attr-defined]
            collected=row.collected_count,  # type: ignore[attr-defined]
            books=books[row.pk],
            next_step=tell_next_step(row, waiting.get(row.pk, 0)),
        )
        for row in campaigns
    ]
