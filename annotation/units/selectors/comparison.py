"""Two sets side by side: which units came, went, or changed their text, weight or words."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from django.core.paginator import Page, Paginator

from annotation.corpora.models import Example, Reference
from annotation.corpora.selectors.corpus import PAGE_SIZE, list_examples
from annotation.units.models import Contributor, Unit, UnitSet

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


def compare_sets(first: UnitSet, second: UnitSet, number: str | int) -> dict[str, Any]:
    """Counts over all examples, and a page of those that differ."""
    sides = [_contents(first), _contents(second)]
    keys = sides[0].keys() | sides[1].keys()
    differing = {key for key in keys if sides[0].get(key) != sides[1].get(key)}
    order = list_examples(first.project).values_list("pk", flat=True)
    page: Page[Any] = Paginator([pk for pk in order if pk in differing], PAGE_SIZE).get_page(number)
    page.object_list = _differences(list(page.object_list), *sides)
    return {
        "examples": len(keys),
        "differing": len(differing),
        "first_units": sum(map(len, sides[0].values())),
        "second_units": sum(map(len, sides[1].values())),
        "page": page,
    }


def _contents(unit_set: UnitSet) -> Contents:
    """By example, in order; plain values, since a set may have a hundred thousand units."""
    spans: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    named = Contributor.objects.filter(unit__set=unit_set, is_aligned=False).order_by()
    for unit, *span in named.values_list("unit_id", "reference_id", "start", "end"):
        spans[unit].append((span[0], span[1], span[2]))
    grouped: Contents = defaultdict(list)
    rows = Unit.objects.filter(set=unit_set, is_deleted=False)
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
