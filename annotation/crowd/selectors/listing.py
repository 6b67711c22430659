"""The list of a project's campaigns, each with its money and its next step."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.corpora.models import Project
from annotation.crowd.models import Campaign
from annotation.crowd.selectors.campaigns import list_campaigns
from annotation.crowd.selectors.overview import tell_next_step
from annotation.crowd.selectors.sums import list_counts, list_places, recall_all_books
from annotation.crowd.services.ledger import Books


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
    campaigns = list(list_campaigns(project))
    places, counts = list_places(campaigns), list_counts(campaigns)
    books = recall_all_books(campaigns)
    return [
        Row(
            campaign=row,
            wanted=places[row.pk].wanted,
            collected=places[row.pk].collected,
            books=books[row.pk],
            next_step=tell_next_step(row, counts[row.pk].to_review),
        )
        for row in campaigns
    ]
