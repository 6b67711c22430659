"""Double annotations: how far they are, how far the authors agree, their units side by side."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Prefetch, QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from annotation.access import ProjectAccess
from annotation.corpora.corpus.models import Example, Reference
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError
from annotation.units.double.models import DoubleAnnotation, DoubleAuthor
from annotation.units.sets.models import SetState, Unit, UnitSet
from annotation.units.studio.states import units_with_spans
from scoring.double import Tally, Writing, match_units, tally_example


def list_doubles(project: Project) -> QuerySet[DoubleAnnotation]:
    authors = DoubleAuthor.objects.select_related("user", "set__project").order_by("position")
    rows = DoubleAnnotation.objects.filter(project=project)
    return rows.select_related("project", "merged").prefetch_related(Prefetch("authors", authors))


def get_double(project: Project, pk: int) -> DoubleAnnotation:
    return get_object_or_404(list_doubles(project), pk=pk)


def list_double_examples(double: DoubleAnnotation) -> QuerySet[Example]:
    """The examples that were given to the authors."""
    rows: QuerySet[Example] = Example.objects.live().filter(project=double.project)
    first, last = double.first_example, double.last_example
    ids = rows.order_by("position", "pk").values("pk")[first - 1 : last]
    return rows.filter(pk__in=[row["pk"] for row in ids]).order_by("position", "pk")


def list_tallies(double: DoubleAnnotation) -> dict[int, Tally]:
    """By the id of the example, in the order of the corpus."""
    examples = list(list_double_examples(double).values_list("pk", flat=True))
    references: dict[int, list[Reference]] = defaultdict(list)
    for row in Reference.objects.filter(example__in=examples).order_by("position"):
        references[row.example_id].append(row)
    sides = [_read(author.set, examples, references) for author in double.authors.all()]
    return {
        pk: tally_example([row.text for row in references[pk]], *(side[pk] for side in sides))
        for pk in examples
    }


def _read(
    unit_set: UnitSet, examples: list[int], references: dict[int, list[Reference]]
) -> dict[int, Writing]:
    rows = Unit.objects.filter(set=unit_set, example__in=examples, is_deleted=False)
    units: dict[int, list[Unit]] = {pk: [] for pk in examples}
    for unit in rows.order_by("position", "pk").prefetch_related("contributors"):
        units[unit.example_id].append(unit)
    return {pk: _writing(units[pk], references[pk]) for pk in examples}


def _writing(units: list[Unit], references: list[Reference]) -> Writing:
    spans: dict[int, list[tuple[int, int]]] = {row.pk: [] for row in references}
    for unit in units:
        for span in unit.contributors.all():
            spans[span.reference_id].append((span.start, span.end))
    return Writing([unit.text for unit in units], list(spans.values()))


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Two units that say the same, or one that the other author has not written."""

    first: Unit | None
    second: Unit | None
    likeness: float | None = None


def compare_example(double: DoubleAnnotation, example: Example) -> list[SideBySide]:
    """Pairs and single units, in the order of the first author's, then the second's."""
    if double.revealed_at is None:
        raise DomainError(
            _("{double} is still being written.").format(double=double),
            _("Units can be compared when both authors are done."),
        )
    first, second = (
        list(units_with_spans(author.set, example).filter(is_deleted=False))
        for author in double.authors.all()
    )
    matches = {m.first: m for m in match_units([u.text for u in first], [u.text for u in second])}
    rows = [
        SideBySide(unit, second[matches[at].second], matches[at].likeness)
        if at in matches
        else SideBySide(unit, None)
        for at, unit in enumerate(first)
    ]
    taken = {match.second for match in matches.values()}
    return [*rows, *(SideBySide(None, unit) for at, unit in enumerate(second) if at not in taken)]


def list_merged(double: DoubleAnnotation) -> set[int]:
    """The ids of examples that somebody has merged."""
    rows = Unit.objects.filter(set=double.merged_id, is_deleted=False) if double.merged_id else None
    return set() if rows is None else set(rows.values_list("example_id", flat=True))


def list_unmerged(double: DoubleAnnotation) -> list[int]:
    """The ids of examples that wait for a third person; none before both authors are done."""
    is_open = double.merged is None or double.merged.state == SetState.DRAFT
    if double.revealed_at is None or not is_open:
        return []
    merged = list_merged(double)
    examples = list_double_examples(double).values_list("pk", flat=True)
    return [pk for pk in examples if pk not in merged]


def find_own(double: DoubleAnnotation, access: ProjectAccess) -> DoubleAuthor | None:
    """The side that this person writes."""
    own = [author for author in double.authors.all() if access.user == author.user]
    return own[0] if own and access.user else None
