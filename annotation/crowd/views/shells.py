"""Pages that differ in a few words only: rendered once, the words put in afterwards, escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.html import escape

_PLACE = re.compile(r"gizaplace-([a-z_]+)-")


class Shell:
    """A template whose values are plain texts, shown as they are.

    The template may put them anywhere, into addresses too, but must neither test nor filter them.
    """

    def __init__(self, template: str, names: Iterable[str]) -> None:
        self.template = template
        self.names = list(names)
        self._pieces: list[str] = []

    def render(self, **values: str) -> str:
        if not self._pieces or settings.DEBUG:
            self._pieces = self._render_pieces()
        # Every second piece is the name of a value.
        filled = list(self._pieces)
        filled[1::2] = [escape(values[name]) for name in self._pieces[1::2]]
        return "".join(filled)

    def _render_pieces(self) -> list[str]:
        places = {name: f"gizaplace-{name}-" for name in self.names}
        return _PLACE.split(render_to_string(self.template, places))
