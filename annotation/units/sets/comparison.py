"""Two sets side by side: which units came, went, or changed their text, weight or words.

- How well a set of STUs stands in for SCUs: accuracy, precision and x, always the three.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from django.core.paginator import Page, Paginator

from annotation.computed import Computed
from annotation.corpora.corpus.models import Example, Reference
from annotation.corpora.corpus.queries import KEPT_SECONDS, PAGE_SIZE, list_examples, list_sources
from annotation.corpora.projects.models import Project
from annotation.units.plans.queries import list_scu_sets
from annotation.units.sets.models import Contributor, Unit, UnitKind, UnitSet
from annotation.units.stus.regressors import count_extracted
from scoring.stu.quality import Quality, ReferenceUnits, measure_extraction

SIMILAR = 0.6


@dataclass(frozen=True, slots=True)
class Content:
    """What a unit says; `spans` are the words that somebody named, as (reference, start, end).

    Words found by overlap are a guess and no part of it, as in the hash of a set.
    """

    text: str
    weight: int
    spans: tuple[tuple[int, int, int], ...]


Contents = dict[int, list[Content]]
Texts = dict[int, str]


@dataclass(frozen=True, slots=True)
class Differing:
    """Counts over all examples; `keys` are the ids of those that differ, in the corpus's order."""

    examples: int
    first_units: int
    second_units: int
    keys: list[int]


# Frozen sets never change, so neither does what differs between two of them.
DIFFERING = Computed("differing-examples", Differing, KEPT_SECONDS)


def compare_sets(first: UnitSet, second: UnitSet, number: str | int) -> dict[str, Any]:
    """Counts over all examples, and a page of those that differ."""
    if first.is_frozen and second.is_frozen:
        parts = (first.pk, first.content_hash, second.pk, second.content_hash)
        corpus = list_sources(first.project)
        found = DIFFERING.get(
            (*parts, *corpus), lambda: _find_differing(first.project, *_read(first, second))
        )
        page = Paginator(found.keys, PAGE_SIZE).get_page(number)
        sides = _read(first, second, list(page.object_list))
    else:
        sides = _read(first, second)
        found = _find_differing(first.project, *sides)
        page = Paginator(found.keys, PAGE_SIZE).get_page(number)
    shown: Page[Any] = page
    shown.object_list = _differences(list(page.object_list), *sides)
    return {
        "examples": found.examples,
        "differing": len(found.keys),
        "first_units": found.first_units,
        "second_units": found.second_units,
        "page": shown,
    }


def _read(
    first: UnitSet, second: UnitSet, examples: list[int] | None = None
) -> tuple[Contents, Contents]:
    return _contents(first, examples), _contents(second, examples)


def _find_differing(project: Project, before: Contents, after: Contents) -> Differing:
    keys = before.keys() | after.keys()
    differing = {key for key in keys if before.get(key) != after.get(key)}
    order = list_examples(project).values_list("pk", flat=True)
    return Differing(
        len(keys),
        sum(map(len, before.values())),
        sum(map(len, after.values())),
        [pk for pk in order if pk in differing],
    )


def _contents(unit_set: UnitSet, examples: list[int] | None = None) -> Contents:
    """By example, in order; plain values, since a set may have a hundred thousand units."""
    rows = Unit.objects.filter(set=unit_set, is_deleted=False)
    named = Contributor.objects.filter(unit__set=unit_set, is_aligned=False).order_by()
    if examples is not None:
        rows, named = rows.filter(example__in=examples), named.filter(unit__example__in=examples)
    spans: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    for unit, *span in named.values_list("unit_id", "reference_id", "start", "end"):
        spans[unit].append((span[0], span[1], span[2]))
    grouped: Contents = defaultdict(list)
    for pk, example, text, weight in rows.order_by("example_id", "position", "pk").values_list(
        "pk", "example_id", "text", "weight"
    ):
        grouped[example].append(Content(text, weight, tuple(sorted(spans[pk]))))
    return dict(grouped)


def _differences(page: list[int], before: Contents, after: Contents) -> list[dict[str, Any]]:
    examples = Example.objects.in_bulk(page)
    texts: Texts = dict(Reference.objects.filter(example__in=page).values_list("pk", "text"))
    return [
        {"example": examples[pk], **_difference(before.get(pk, []), after.get(pk, []), texts)}
        for pk in page
    ]


def _difference(before: list[Content], after: list[Content], texts: Texts) -> dict[str, Any]:
    """Rows of what changed, went and came; what is alike on both sides is counted alone."""
    gone, come = _without(before, after), _without(after, before)
    pairs = _pair_up(gone, come)
    rows = [_row(old, new, texts) for old, new in pairs]
    same = (Counter(before) & Counter(after)).total()
    return {"rows": rows, "same": same, "reordered": not rows}


def _without(units: list[Content], others: list[Content]) -> list[Content]:
    """The units that the others lack; of one that stands twice, the second counts too."""
    return list((Counter(units) - Counter(others)).elements())


def _pair_up(
    gone: list[Content], come: list[Content]
) -> list[tuple[Content | None, Content | None]]:
    """A unit that went and one that came are one changed unit if their texts are alike."""
    found: dict[int, Content] = {}
    for least in (1.0, SIMILAR):
        # The same text first, so that no other takes its partner away.
        for at, old in enumerate(gone):
            if at not in found and (new := _likest(old, come, least)):
                found[at] = new
                come.remove(new)
    return [*((old, found.get(at)) for at, old in enumerate(gone)), *((None, new) for new in come)]


def _likest(old: Content, come: list[Content], least: float) -> Content | None:
    if least == 1:
        return next((new for new in come if new.text == old.text), None)
    best = max(come, key=lambda new: _likeness(old.text, new.text), default=None)
    return best if best and _likeness(old.text, best.text) >= least else None


def _likeness(a: str, b: str) -> float:
    return SequenceMatcher(None, a.casefold(), b.casefold()).ratio()


def _row(old: Content | None, new: Content | None, texts: Texts) -> dict[str, Any]:
    """`changes` says what of a changed unit is otherwise, besides its text."""
    row = {"before": old.text if old else "", "after": new.text if new else "", "changes": []}
    if old is None or new is None:
        return {"kind": "added" if old is None else "removed", **row}
    changes = [
        {"what": "weight", "before": str(old.weight), "after": str(new.weight)},
        {"what": "words", "before": _words(old, texts), "after": _words(new, texts)},
    ]
    is_other = [old.weight != new.weight, old.spans != new.spans]
    kept = [change for change, other in zip(changes, is_other, strict=True) if other]
    return {"kind": "changed", **row, "changes": kept}


def _words(unit: Content, texts: Texts) -> str:
    """The words that a unit stands on, one range after the other."""
    return " … ".join(texts[reference][start:end] for reference, start, end in unit.spans)


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
    figures = measure_extraction(_read_texts(chosen, scus, stus))
    return StuQuality(scus, figures, len(chosen), len(ids), count_extracted(stus, chosen))


def _read_texts(examples: Sequence[int], scus: UnitSet, stus: UnitSet) -> list[ReferenceUnits]:
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
