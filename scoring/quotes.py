"""Tell opening from closing quotation marks where both look the same."""

from __future__ import annotations

import re
from collections.abc import Iterator

# A single quote is an apostrophe more often than not, except as a token of its own after a mark.
_QUOTES = (re.compile('"'), re.compile(r"'(?<=[.!?,:]\s')(?=\s)"))
AFTER_CLOSING = ("", *",;:.!?)]")


def find_opening_quotes(text: str) -> frozenset[int]:
    """Positions of the straight quotation marks that open a quotation."""
    return frozenset(quote for pattern in _QUOTES for quote in _opening_quotes(text, pattern))


def _opening_quotes(text: str, pattern: re.Pattern[str]) -> Iterator[int]:
    """Go by what stands beside a quote; where that does not tell, by the quotes around it."""
    quotes = [found.start() for found in pattern.finditer(text)]
    sides = [_side(text, quote) for quote in quotes]
    is_open = False
    for index, (quote, side) in enumerate(zip(quotes, sides, strict=True)):
        next_side = sides[index + 1] if index + 1 < len(sides) else ""
        if side:
            is_open = side == "opens"
        elif next_side:
            is_open = next_side == "closes"
        else:
            is_open = not is_open
        if is_open:
            yield quote


def _side(text: str, quote: int) -> str:
    """`opens`, `closes`, or nothing where the characters beside the quote do not tell."""
    before, after = text[max(0, quote - 1) : quote], text[quote + 1 : quote + 2]
    is_after_space = before.strip() in ("", "(", "[")
    if is_after_space != (after.strip() in AFTER_CLOSING):
        return "opens" if is_after_space else "closes"
    # A token of its own: a comma comes before a closing quote, a colon before an opening one.
    return {", ": "closes", ": ": "opens"}.get(text[max(0, quote - 2) : quote], "")
