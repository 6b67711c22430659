"""What experts have settled beside labels that were made before: what they do not say yet."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from django.urls import reverse

from annotation.evaluation.models import Adjudication, LabelOrigin, LabelSet, SummaryLabels
from annotation.evaluation.selectors.answers import list_adjudications
from annotation.evaluation.selectors.rules import ask_again
from annotation.units.models import Unit, UnitSet

# Whether an expert found a unit in a summary, by the two.
Words = dict[tuple[int, int], bool]
# People's label before, and the chance of being settled, by the two.
Draws = dict[tuple[int, int], tuple[int, float]]
# Of a statement that a gold dataset brought: the chance that it had in the study.
RESTORED = "restored_chance"


def get_words(unit_set: UnitSet) -> Words:
    rows = list_adjudications(unit_set).values_list("summary_id", "unit_id", "present")
    return {(summary, unit): present for summary, unit, present in rows}


def get_draws(unit_set: UnitSet) -> Draws:
    """Of statements that were drawn to be settled: people's label before, and the chance of it.

    The chance is the share of the stratum that was settled, leaving out what was picked by hand.
    Statements of a restored study keep the chance that they had there.
    """
    strata: dict[tuple[object, ...], list[Adjudication]] = defaultdict(list)
    found: Draws = {}
    for row in list_adjudications(unit_set):
        if RESTORED in row.draw:
            found[row.summary_id, row.unit_id] = int(row.draw["people"]), row.draw[RESTORED]
        elif row.draw:
            strata[row.run_id, row.label_set_id, row.draw["stratum"]].append(row)
    for members in strata.values():
        drawn = [row for row in members if "chance" in row.draw]
        rest = members[0].draw["population"] - (len(members) - len(drawn))
        for row in drawn:
            found[row.summary_id, row.unit_id] = int(row.draw["people"]), len(drawn) / rest
    return found


def describe_restored_draw(before: int | None, chance: float | None) -> dict[str, Any]:
    """What is stored of a statement that was drawn in the study that is restored, or nothing."""
    return {} if before is None or chance is None else {"people": before, RESTORED: chance}


def count_unheeded(label_set: LabelSet) -> int:
    """Experts' words about summaries of these labels that are not in them as such."""
    words = get_words(label_set.unit_set)
    if not words:
        return 0
    rows = SummaryLabels.objects.filter(
        label_set=label_set, summary__in={summary for summary, _ in words}
    )
    found = {row.summary_id: row for row in rows}
    places = _places(label_set.unit_set, {unit for _, unit in words})
    return sum(
        not _says(found[summary], places[unit], said)
        for (summary, unit), said in words.items()
        if summary in found
    )


def _says(row: SummaryLabels, place: int, said: bool) -> bool:
    return place in row.expert and row.labels[place] == int(said)


def _places(unit_set: UnitSet, wanted: set[int]) -> dict[int, int]:
    """The place that each unit has in its example."""
    examples = Unit.objects.filter(pk__in=wanted).values("example")
    rows = Unit.objects.filter(set=unit_set, is_deleted=False, example__in=examples)
    places: dict[int, int] = {}
    seen: dict[int, int] = {}
    for pk, example in rows.order_by("position", "pk").values_list("pk", "example_id"):
        places[pk] = seen.get(example, 0)
        seen[example] = places[pk] + 1
    return places


def find_way_anew(label_set: LabelSet) -> str:
    """Where labels are made anew: by their rules, or from files with experts' words."""
    if label_set.origin != LabelOrigin.FILES:
        return ask_again(label_set)
    page = reverse("evaluation:labels", args=[label_set.project.slug, label_set.pk])
    return f"{page}#settle" if count_unheeded(label_set) else ""


def find_same(label_set: LabelSet) -> LabelSet | None:
    """The first version that says the very same about the same units."""
    rows = LabelSet.objects.filter(
        unit_set=label_set.unit_set_id,
        content_hash=label_set.content_hash,
        is_ready=True,
        version__lt=label_set.version,
    )
    return rows.select_related("unit_set").order_by("version").first()
