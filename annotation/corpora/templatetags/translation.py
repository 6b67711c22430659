"""{% translate %} for every template: a text is looked up once, not in every row of a table."""

from __future__ import annotations

from functools import lru_cache

from django import template
from django.template.base import FilterExpression, Node, Parser, Token
from django.templatetags.i18n import do_translate
from django.utils.translation import get_language
from django.utils.translation import gettext as _

register = template.Library()


class Text(Node):
    """A text of ours, in the language of the page."""

    child_nodelists = ()

    def __init__(self, text: str) -> None:
        self.text = text

    def render(self, context: template.Context) -> str:
        return look_up(get_language(), self.text)


@lru_cache(maxsize=8192)
def look_up(language: str | None, text: str) -> str:
    # In catalogues, percent signs of templates are doubled.
    return _(text.replace("%", "%%")).replace("%%", "%")


@register.tag
def translate(parser: Parser, token: Token) -> Node:
    """A text alone is looked up here; everything else, such as `as` and filters, is Django's."""
    node = do_translate(parser, token)
    words = token.split_contents()[1:]
    given: FilterExpression = parser.compile_filter(words[0])
    if len(words) == 1 and isinstance(given.var, str) and not given.filters:
        return Text(given.var)
    return node
