"""Text for a PDF of the fonts that every reader has: Helvetica, and Symbol for Greek and arrows.

What neither has is written by its nearest Latin letters, and otherwise as a question mark.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

PLAIN, BOLD, SYMBOL = "F1", "F2", "F3"
# Widths in thousandths of the size, from the space to the tilde: Adobe's metrics of the font.
_PLAIN = (
    *(278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278),
    *(556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556),
    *(1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778),
    *(667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556),
    *(333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556),
    *(556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584),
)
_BOLD = (
    *(278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278),
    *(556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611),
    *(975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833, 722, 778),
    *(667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556),
    *(333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611),
    *(611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584),
)
# Signs outside ASCII that labels use and whose width no letter beneath them has.
_WIDER = {"…": 1000, "—": 1000, "–": 556, "’": 222, "‘": 222, "“": 333, "”": 333, "·": 278}
_WIDER |= {"×": 584, "±": 584, "†": 556, "•": 350, "€": 556, "°": 400, "§": 556, "£": 556}
_WIDER |= {"ß": 611, "Æ": 1000, "æ": 889, "Œ": 1000, "œ": 944, "\xa0": 278, "¶": 537, "©": 737}
# Symbol's own codes and widths.
_SYMBOLS = {
    "α": (0x61, 631),
    "β": (0x62, 549),
    "δ": (0x64, 494),
    "λ": (0x6C, 549),
    "μ": (0x6D, 576),
    "ρ": (0x72, 549),
    "σ": (0x73, 603),
    "τ": (0x74, 439),
    "Δ": (0x44, 612),
    "Σ": (0x53, 592),
    "→": (0xAE, 987),
    "←": (0xAC, 987),
    "↑": (0xAD, 603),
    "↓": (0xAF, 603),
    "≤": (0xA3, 549),
    "≥": (0xB3, 549),
    "≠": (0xB9, 549),
    "≈": (0xBB, 549),
    "−": (0x2D, 549),
    "∞": (0xA5, 713),
}
_SPELT = {"ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ı": "i", "ħ": "h", "ŋ": "n", "‑": "-"}
_SPELT |= {"ﬁ": "fi", "ﬂ": "fl", "\u2009": " ", "\u202f": " ", "✓": "x", "ℓ": "l"}


@dataclass(frozen=True, slots=True)
class Run:
    """Codes of one font."""

    font: str
    codes: bytes
    width: float


def set_text(text: str, *, is_bold: bool = False) -> list[Run]:
    """The text as runs of one font each, with their widths at size 1."""
    found: list[Run] = []
    for font, code, width in _letters(text, is_bold):
        if found and found[-1].font == font:
            last = found.pop()
            found.append(Run(font, last.codes + code, last.width + width))
        else:
            found.append(Run(font, code, width))
    return found


def measure(text: str, size: float, *, is_bold: bool = False) -> float:
    """How wide a text is in Helvetica; near enough for the sans of pages."""
    return sum(run.width for run in set_text(text, is_bold=is_bold)) * size


def fit(text: str, room: float, size: float) -> str:
    """The text, or as much of it as the room holds, with a sign that something is missing."""
    if measure(text, size) <= room:
        return text
    kept = text
    while len(kept) > 1 and measure(f"{kept.rstrip()}…", size) > room:
        kept = kept[:-1]
    return f"{kept.rstrip()}…"


def _letters(text: str, is_bold: bool) -> Iterator[tuple[str, bytes, float]]:
    latin, widths = (BOLD, _BOLD) if is_bold else (PLAIN, _PLAIN)
    for letter in text:
        if letter in _SYMBOLS:
            code, width = _SYMBOLS[letter]
            yield SYMBOL, bytes([code]), width / 1000
            continue
        for each in _to_latin(letter):
            yield latin, each.encode("cp1252"), _width(each, widths) / 1000


def _to_latin(letter: str) -> str:
    """What cp1252 has, the letter without its marks, its usual spelling, or a question mark."""
    if letter in _SPELT:
        return _SPELT[letter]
    for said in (letter, _without_marks(letter)):
        if said and all(_is_known(each) for each in said):
            return said
    return "?" if letter.isprintable() and not unicodedata.combining(letter) else ""


def _is_known(letter: str) -> bool:
    return letter.isprintable() and bool(letter.encode("cp1252", "ignore"))


def _without_marks(letter: str) -> str:
    parts = unicodedata.normalize("NFKD", letter)
    return "".join(part for part in parts if not unicodedata.combining(part))


def _width(letter: str, widths: tuple[int, ...]) -> int:
    if letter in _WIDER:
        return _WIDER[letter]
    base = _without_marks(letter)[:1] or letter
    place = ord(base) - 32
    return widths[place] if 0 <= place < len(widths) else 556
