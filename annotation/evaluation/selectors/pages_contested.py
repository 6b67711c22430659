"""A page of contested statements: by whose rules votes are counted, and what the reader may see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotation.corpora.models import Project
from annotation.crowd.models import Campaign
from annotation.errors import DomainError
from annotation.evaluation.models import LabelOrigin, LabelSet
from annotation.evaluation.selectors.answers import get_judged_campaigns
from annotation.evaluation.selectors.contested import Contested
from annotation.evaluation.selectors.pages_people import PeopleNames
from annotation.evaluation.selectors.whatif import Outcome, recall_outcome
from annotation.translation import gettext as _
from scoring.aggregation import Recipe


@dataclass(frozen=True, slots=True)
class Ground:
    """What votes are counted by: the newest labels of these campaigns, or all that came in."""

    campaigns: list[Campaign]
    recipe: Recipe
    label_set: LabelSet | None

    def get_outcome(self, project: Project) -> Outcome:
        unit_set = self.campaigns[0].unit_set
        return recall_outcome(project, unit_set, self.campaigns, self.recipe)


def get_ground(project: Project) -> Ground:
    newest = (
        LabelSet.objects.filter(project=project, is_ready=True, origin=LabelOrigin.CROWD)
        .prefetch_related("campaigns__unit_set")
        .first()
    )
    campaigns = list(newest.campaigns.all()) if newest else []
    if newest is None or not campaigns:
        return Ground(get_judged_campaigns(project, []), Recipe(), None)
    return Ground(campaigns, Recipe.from_json(newest.recipe), newest)


def get_ground_of(label_set: LabelSet) -> Ground:
    """The answers and rules that these labels were made with."""
    campaigns = list(label_set.campaigns.select_related("unit_set"))
    if not campaigns:
        raise DomainError(
            _("{label_set} was not created from answers.").format(label_set=label_set),
            _("Choose labels that were."),
        )
    return Ground(campaigns, Recipe.from_json(label_set.recipe), label_set)


@dataclass(frozen=True, slots=True)
class ContestedRow:
    """A statement with its answers, people called as the reader may know them."""

    item: Contested
    answers: list[dict[str, Any]]

    @property
    def key(self) -> str:
        return f"{self.item.summary.pk}-{self.item.unit.pk}"

    @property
    def total(self) -> int:
        return self.item.absent + self.item.present


def name_people(items: Sequence[Contested], people: PeopleNames) -> list[ContestedRow]:
    """Those who said present first, then by name."""
    return [
        ContestedRow(
            item,
            sorted(
                (
                    {**row, "worker": people.name(row["worker"]), "pk": people.pk(row["worker"])}
                    for row in item.answers
                ),
                key=lambda row: (not row["kept"], not row["present"], row["worker"]),
            ),
        )
        for item in items
    ]
