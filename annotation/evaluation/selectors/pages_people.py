"""Workers as pages may call them: by their ids before editors, by numbers before others."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.corpora.models import Project
from annotation.crowd.models import Worker
from annotation.translation import gettext as _
from annotation.translation import gettext_lazy

UNKNOWN = gettext_lazy("Unknown worker")


@dataclass(frozen=True, slots=True)
class PeopleNames:
    """A worker's number is the same on every page of the project."""

    numbers: dict[str, int]
    ids: dict[str, int]
    can_see_ids: bool

    def name(self, worker: str) -> str:
        if worker not in self.numbers:
            return UNKNOWN
        return (
            worker
            if self.can_see_ids
            else _("Worker {numbers}").format(numbers=self.numbers[worker])
        )

    def pk(self, worker: str) -> int | None:
        """For a link to the worker's page, which only those who see ids may open."""
        return self.ids.get(worker) if self.can_see_ids else None


def get_people_names(project: Project, *, can_see_ids: bool) -> PeopleNames:
    rows = list(
        Worker.objects.filter(project=project).order_by("pk").values_list("provider_id", "pk")
    )
    numbers = {name: number for number, (name, __) in enumerate(rows, start=1)}
    return PeopleNames(numbers, dict(rows), can_see_ids)
