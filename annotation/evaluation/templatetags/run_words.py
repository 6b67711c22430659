"""How pages about runs put times into words."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _

register = template.Library()


@register.filter
def lasting(seconds: float) -> str:
    """A stretch of time as people say it."""
    if seconds < 90:
        return f"{max(round(seconds), 1)} s"
    if seconds < 5400:
        return _("{seconds} min").format(seconds=round(seconds / 60))
    return f"{seconds / 3600:.1f} h" if seconds < 36_000 else f"{round(seconds / 3600)} h"
