"""Marks of texts for translation, with the types that the rest of the program gives to texts.

`_("…")` within a function, `gettext_lazy("…")` where the language is not known yet: in a class or
a module. A lazy text is shown, compared and formatted like any other; `str()` makes it one for
JSON and for `join`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext, gettext_noop, ngettext

if TYPE_CHECKING:

    def gettext_lazy(message: str) -> str: ...

    def format_lazy(format_string: str, *args: object, **kwargs: object) -> str: ...
else:
    from django.utils.text import format_lazy
    from django.utils.translation import gettext_lazy

__all__ = ["format_lazy", "gettext", "gettext_lazy", "gettext_noop", "ngettext"]
