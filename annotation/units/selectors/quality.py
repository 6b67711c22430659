"""How well a set of STUs stands in for SCUs: accuracy, precision and x, always the three."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.corpora.models import Reference
from annotation.units.models import Unit, UnitKind, UnitSet
from annotation.units.selectors.learned import count_extracted
from annotation.units.selectors.plans import list_scu_sets
from scoring.stu.quality import Quality, ReferenceUnits, measure_extraction

# A page waits for it: beyond, the first examples speak for all, and the page says so.
MOST_EXAMPLES = 200


@dataclass(frozen=True, slots=True)
class StuQuality:
    """The figures, the SCUs they are held against, and over how many examples of how many.

    `learned` of these examples have references that the extractor was trained on.
    """

    scus: UnitSet
    figures: Quality
    examples: int
    written: int
    learned: int


def get_stu_quality(stus: UnitSet, scus: UnitSet | None = None) -> StuQuality | None:
    """Against a set of SCUs, by default the newest that was written; None without any."""
    scus = scus or list_scu_sets(stus.project).exclude(pk=stus.pk).first()
    if scus is None:
        return None
    rows = Unit.objects.filter(set=scus, kind=UnitKind.SCU, is_deleted=False).exclude(text="")
    written = rows.order_by("example__position", "example_id")
    ids = list(dict.fromkeys(written.values_list("example_id", flat=True)))
    if not ids:
        return None
    chosen = ids[:MOST_EXAMPLES]
    figures = measure_extraction(_read(chosen, scus, stus))
    return StuQuality(scus, figures, len(chosen), len(ids), count_extracted(stus, chosen))


def _read(examples: Sequence[int], scus: UnitSet, stus: UnitSet) -> list[ReferenceUnits]:
    """An example's references as one: units of any of them may say what an SCU says."""
    sentences: dict[int, list[str]] = {example: [] for example in examples}
    rows = Reference.objects.filter(example__in=examples).prefetch_related("sentences")
    for row in rows.order_by("position"):
        sentences[row.example_id] += [row.text[s.start : s.end] for s in row.sentences.all()]
    human = _texts(scus, UnitKind.SCU, examples)
    made = _texts(stus, UnitKind.STU, examples)
    return [
        ReferenceUnits(sentences[pk], human.get(pk, []), made.get(pk, []))
        for pk in examples
        if sentences[pk]
    ]


def _texts(unit_set: UnitSet, kind: UnitKind, examples: Sequence[int]) -> dict[int, list[str]]:
    rows = Unit.objects.filter(
        set=unit_set, kind=kind, is_deleted=False, example__in=examples
    ).exclude(text="")
    found: dict[int, list[str]] = {}
    for example, text in rows.order_by("position", "pk").values_list("example_id", "text"):
        found.setdefault(example, []).append(text)
    return found
