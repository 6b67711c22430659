"""How pages put into words what happened to units: word by word, change by change, set by set."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from django import template
from django.utils.translation import gettext as _

from annotation.corpora.corpus.models import Example
from annotation.corpora.corpus.queries import list_examples
from annotation.translation import gettext_lazy
from annotation.units.sets.models import UnitSet
from annotation.units.sets.queries import list_progress, tell_next_step
from scoring.io.texts import without_marks

register = template.Library()
register.filter(without_marks)

# A word or a run of marks with the space behind it, so that the pieces put together are the text.
_WORDS = re.compile(r"\w+\s*|[^\w\s]+\s*|\s+")
_ACTIONS = {
    "create": gettext_lazy("wrote a unit"),
    "update": gettext_lazy("changed a unit"),
    "delete": gettext_lazy("deleted a unit"),
    "restore": gettext_lazy("restored a unit"),
    "replace": gettext_lazy("replaced words in units"),
    "move": gettext_lazy("moved a unit"),
    "split": gettext_lazy("split a unit"),
    "merge": gettext_lazy("merged units"),
    "accept": gettext_lazy("accepted a reviewer’s wording"),
    "promote": gettext_lazy("added an STU as an SCU"),
    "undo": gettext_lazy("undid a change"),
    "redo": gettext_lazy("redid a change"),
}


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text; `is_changed` if the other text does not have it."""

    text: str
    is_changed: bool


@dataclass(frozen=True, slots=True)
class Wording:
    before: list[Piece]
    after: list[Piece]


@dataclass(frozen=True, slots=True)
class UnitChange:
    """What became of one unit, with the texts to show."""

    words: str
    before: str
    after: str


@register.simple_tag
def compare_words(before: str, after: str) -> Wording:
    """Both texts in pieces; those that only one of them has are marked."""
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    matcher = SequenceMatcher(None, _bare(old), _bare(new), autojunk=False)
    wording = Wording([], [])
    for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        wording.before.extend(_pieces(old[old_start:old_end], tag != "equal"))
        wording.after.extend(_pieces(new[new_start:new_end], tag != "equal"))
    return wording


def _bare(words: Sequence[str]) -> list[str]:
    return [word.strip() for word in words]


def _pieces(words: Sequence[str], is_changed: bool) -> Iterable[Piece]:
    """One piece; the space at the end of a marked one stands outside the mark."""
    text = "".join(words)
    marked = text.rstrip() if is_changed else text
    if marked:
        yield Piece(marked, is_changed)
    if text[len(marked) :]:
        yield Piece(text[len(marked) :], False)


@register.filter
def action_words(action: str) -> str:
    """What somebody did, as the history tells it; an editor may name what it likes."""
    return _ACTIONS.get(action, action)


@register.filter
def unit_changes(units: Sequence[dict[str, Any]]) -> list[UnitChange]:
    """The units of one change whose words changed; else those whose place or weight did."""
    told = [change for unit in units if (change := _tell(unit["before"], unit["after"]))]
    return told or [UnitChange(_("only the order changed"), "", "")]


def _tell(before: dict[str, Any], after: dict[str, Any]) -> UnitChange | None:
    old, new = before.get("text", ""), after["text"]
    if not before:
        return UnitChange("new", "", new)
    if before["deleted"] != after["deleted"]:
        return (
            UnitChange("deleted", old, "") if after["deleted"] else UnitChange("restored", "", new)
        )
    noted = [str(words) for key, words in _NOTED.items() if before[key] != after[key]]
    return UnitChange(", ".join(noted), old, new) if noted else None


_NOTED = {
    "text": "reworded",
    "spans": gettext_lazy("covers different words"),
    "weight": gettext_lazy("different weight"),
}


@register.filter
def measured(value: object, digits: int = 3) -> str:
    """A figure with its decimals and a true minus; a dash where there is nothing to measure."""
    is_known = isinstance(value, int | float) and not math.isnan(value)
    return f"{value:.{digits}f}".replace("-", "−") if is_known else "–"


@register.filter
def share_of(value: float, whole: float | None) -> str:
    """A width from 0 to 1, for a bar beside the figure."""
    return f"{min(max(value / whole, 0), 1):.3f}" if whole and whole > 0 else "0"


@register.filter
def with_progress(sets: Iterable[UnitSet]) -> list[tuple[UnitSet, dict[str, int]]]:
    """Each set beside how far it is."""
    rows = list(sets)
    progress = list_progress(rows)
    return [(row, progress[row.pk]) for row in rows]


@register.filter
def next_step(unit_set: UnitSet, progress: dict[str, int]) -> str:
    return tell_next_step(unit_set, progress)


@register.filter
def first_example(unit_set: UnitSet) -> Example | None:
    """Where reading a set begins."""
    found: Example | None = list_examples(unit_set.project).first()
    return found
