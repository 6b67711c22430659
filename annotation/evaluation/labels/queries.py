"""What is in a label set, what people have settled, and what they can settle.

- What experts have settled beside labels that were made before: what they do not say yet.
- The rules of labels that were kept, as the address of the page where rules are tried.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.corpora.corpus.models import Summary
from annotation.corpora.imports.models import Import, ImportState, KeptFile
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError, NotFound
from annotation.evaluation.gold.queries import get_label_set
from annotation.evaluation.labels.answers import list_adjudications
from annotation.evaluation.labels.models import Adjudication, LabelOrigin, LabelSet, SummaryLabels
from annotation.units.sets.models import SetState, Unit, UnitSet
from scoring.aggregation import Recipe


def list_kept_labels(project: Project) -> list[tuple[Import, int]]:
    """Imports that brought label files along, and how many."""
    kept = KeptFile.objects.filter(
        source__project=project, source__state=ImportState.DONE, name__regex=r"^labels/.+\.label$"
    )
    found: dict[int, tuple[Import, int]] = {}
    for file in kept.select_related("source").defer("data"):
        source, number = found.get(file.source_id, (file.source, 0))
        found[file.source_id] = (source, number + 1)
    return list(found.values())


def get_ready_labels(project: Project, pk: int) -> LabelSet:
    """Those named, once they are all there."""
    found = get_label_set(project, pk)
    if not found.is_ready:
        raise DomainError(
            _("{found} is not ready.").format(found=found),
            _("Wait until its job has finished."),
            fix=found,
        )
    return found


def list_summary_labels(label_set: LabelSet) -> QuerySet[SummaryLabels]:
    """Summaries in the order of the corpus, then by system."""
    rows = SummaryLabels.objects.filter(label_set=label_set)
    return rows.select_related("summary__example", "summary__system").order_by(
        "summary__example__position", "summary__example_id", "summary__system__name"
    )


def list_settled(project: Project) -> QuerySet[Adjudication]:
    """What experts have settled in any set of the project, and not taken back; the newest first."""
    return Adjudication.objects.filter(project=project, undone_at=None).select_related(
        "project", "unit", "summary__system", "summary__example", "made_by"
    )


def get_summary(project: Project, pk: int) -> Summary:
    rows = Summary.objects.live().filter(example__project=project, pk=pk)
    found = rows.select_related("example", "system").first()
    if found is None:
        raise NotFound(_("The project has no summary {pk}.").format(pk=pk))
    return found


def get_unit(project: Project, pk: int) -> Unit:
    """Of a frozen set: labels are about no other."""
    rows = Unit.objects.filter(set__project=project, is_deleted=False, pk=pk)
    found = rows.filter(set__state=SetState.FROZEN).select_related("set").first()
    if found is None:
        raise NotFound(_("The project has no frozen unit {pk}.").format(pk=pk))
    return found


# A rule by its name in a recipe: its switch on the page, and its thresholds with their scale there.
SWITCHES: Mapping[str, tuple[str, Mapping[str, float]]] = {
    "gold": ("gold", {"min_right": 100}),
    "fast": ("fast", {"min_seconds": 1}),
    "straight-lining": ("straight", {"min_statements": 1}),
    "per-worker": ("worker", {"min_hits": 1, "max_disagreement": 100}),
    "per-summary": ("summary", {}),
}


def ask_again(label_set: LabelSet) -> str:
    """Where the same rules are tried on today's answers; empty for labels without answers."""
    campaigns = list(label_set.campaigns.order_by("pk").values_list("pk", flat=True))
    if not campaigns:
        return ""
    query = [
        *_switches(Recipe.from_json(label_set.recipe)),
        *(("campaign", pk) for pk in campaigns),
    ]
    return f"{reverse('evaluation:whatif', args=[label_set.project.slug])}?{urlencode(query)}"


def _switches(recipe: Recipe) -> list[tuple[str, object]]:
    query: list[tuple[str, object]] = []
    for step in recipe.filters:
        switch, scales = SWITCHES[step.name]
        query.append((switch, "on"))
        query += [
            (name, f"{scale * step.options[name]:g}")
            for name, scale in scales.items()
            if name in step.options
        ]
    return [*query, ("vote", recipe.vote), ("tie", recipe.tie), ("seed", recipe.seed)]


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
        label_set=label_set, summary__in={summary for summary, __ in words}
    )
    found = {row.summary_id: row for row in rows}
    places = _places(label_set.unit_set, {unit for __, unit in words})
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
