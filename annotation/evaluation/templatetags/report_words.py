"""How the pages of a report show its figures and numbers."""

from __future__ import annotations

from collections.abc import Sequence

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from scoring.figures import Figure, write_inline
from scoring.figures.axes import short as shortened
from scoring.figures.display import Cell

register = template.Library()


@register.simple_tag
def inline_figure(figure: Figure, id: str, css: str = "") -> SafeString:
    """The writer escapes every text that it is given."""
    return mark_safe(write_inline(figure, id=id, css=css))


@register.filter
def short(value: float | None) -> str:
    return shortened(value)


@register.filter
def between(estimate: Sequence[float | None]) -> str:
    """`.66 to .85`, or nothing."""
    __, low, high = estimate
    return (
        ""
        if low is None or high is None
        else _("{shortened} to {shortened_2}").format(
            shortened=shortened(low), shortened_2=shortened(high)
        )
    )


@register.filter
def cell(value: Cell) -> str:
    """A number of a table, short enough to be read."""
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.4g}".replace("-", "−")
    return str(value)


@register.filter
def is_number(value: Cell) -> bool:
    return isinstance(value, int | float) or value is None


@register.filter
def heading(column: str) -> str:
    """A column's name as words."""
    return column.replace("_", " ")
