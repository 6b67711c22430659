"""Numbers with their nouns, as pages, logs and commands say them."""

from __future__ import annotations


def counted(number: int, one: str, many: str = "") -> str:
    """`1 unit`, `2,500 units`; `many` where an s does not make the plural."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"
