"""Texts that people read, in their language.

The library alone speaks English. A program around it that has translations installs them once,
at its start: the product those of Django.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Translate = Callable[[str], str]
TranslatePlural = Callable[[str, str, int], str]


def _keep(text: str) -> str:
    return text


def _choose(one: str, many: str, number: int) -> str:
    return one if number == 1 else many


_translate: Translate = _keep
_translate_plural: TranslatePlural = _choose


def install(translate: Translate, translate_plural: TranslatePlural) -> None:
    """From now on texts are shown in another program's languages."""
    global _translate, _translate_plural
    _translate, _translate_plural = translate, translate_plural


def gettext(text: str) -> str:
    return _translate(text)


def ngettext(one: str, many: str, number: int) -> str:
    return _translate_plural(one, many, number)


class LazyText(str):
    """A text of a module: stored and compared in English, shown in the reader's language."""

    template: str
    values: dict[str, Any]

    def __str__(self) -> str:
        found = _translate(self.template)
        return found.format(**self.values) if self.values else found

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


def gettext_lazy(text: str, **values: Any) -> str:
    """A text that is made before the language is known, with the values for its places."""
    made = LazyText(text.format(**values) if values else text)
    made.template, made.values = text, values
    return made
