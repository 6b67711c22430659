"""Two sets side by side: which units came, went, or changed their words."""

from __future__ import annotations

from collections import Counter, defaultdict
from difflib import SequenceMatcher
from typing import Any

from django.core.paginator import Page, Paginator

from annotation.corpora.models import Example
from annotation.corpora.selectors.corpus import PAGE_SIZE, list_examples
from annotation.units.models import Unit, UnitSet

SIMILAR = 0.6


def compare_sets(first: UnitSet, second: UnitSet, number: str | int) -> dict[str, Any]:
    """Counts over all examples, and a page of those that differ."""
    texts = [_texts(first), _texts(second)]
    keys = texts[0].keys() | texts[1].keys()
    differing = {key for key in keys if texts[0].get(key) != texts[1].get(key)}
    order = list_examples(first.project).values_list("pk", flat=True)
    page: Page[Any] = Paginator([pk for pk in order if pk in differing], PAGE_SIZE).get_page(number)
    examples = Example.objects.in_bulk(page.object_list)
    page.object_list = [
        _difference(examples[pk], texts[0].get(pk, []), texts[1].get(pk, []))
        for pk in page.object_list
    ]
    return {
        "examples": len(keys),
        "differing": len(differing),
        "first_units": sum(map(len, texts[0].values())),
        "second_units": sum(map(len, texts[1].values())),
        "page": page,
    }


def _texts(unit_set: UnitSet) -> dict[int, list[str]]:
    rows = Unit.objects.filter(set=unit_set, is_deleted=False)
    grouped: dict[int, list[str]] = defaultdict(list)
    for example_id, text in rows.order_by("example_id", "position", "pk").values_list(
        "example_id", "text"
    ):
        grouped[example_id].append(text)
    return dict(grouped)


def _difference(example: Example, before: list[str], after: list[str]) -> dict[str, Any]:
    """Rows of (kind, before, after); similar texts that went and came are one changed row."""
    gone, come = _without(before, after), _without(after, before)
    rows = []
    for old in gone:
        new = max(come, key=lambda text: _likeness(old, text), default=None)
        if new is not None and _likeness(old, new) >= SIMILAR:
            come.remove(new)
            rows.append({"kind": "changed", "before": old, "after": new})
        else:
            rows.append({"kind": "removed", "before": old, "after": ""})
    rows += [{"kind": "added", "before": "", "after": new} for new in come]
    same = (Counter(before) & Counter(after)).total()
    return {"example": example, "rows": rows, "same": same, "reordered": not rows}


def _without(texts: list[str], others: list[str]) -> list[str]:
    """The texts that the others lack; of a text that stands twice, the second counts too."""
    return list((Counter(texts) - Counter(others)).elements())


def _likeness(a: str, b: str) -> float:
    return SequenceMatcher(None, a.casefold(), b.casefold()).ratio()
