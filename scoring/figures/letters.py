"""Text for a PDF in Giza Sans, a part of FiraGO: about as wide as Helvetica.

What the font lacks is written by its letter without marks, and otherwise as a question mark.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from scoring.figures.scale import cut_apart, cut_middle
from scoring.figures.truetype import TrueType, read_font

PLAIN, BOLD = "F1", "F2"
FILES = {PLAIN: "GizaSans-Regular", BOLD: "GizaSans-Bold"}
_SPELT = {"ﬁ": "fi", "ﬂ": "fl", "\u2009": " ", "\u202f": " ", "\xa0": " ", "‑": "-", "✓": "x"}


@dataclass(frozen=True, slots=True)
class Run:
    """Glyphs of one font, two bytes each, and the letters that they show."""

    font: str
    codes: bytes
    width: float
    text: str


@cache
def load_font(key: str) -> TrueType:
    return read_font(files("scoring.figures").joinpath(f"fonts/{FILES[key]}.ttf").read_bytes())


def set_text(text: str, *, is_bold: bool = False) -> Run:
    """The text as glyphs, with its width at size 1."""
    key = BOLD if is_bold else PLAIN
    font = load_font(key)
    shown = "".join(_letters(text, font))
    glyphs = [font.glyphs[ord(letter)] for letter in shown]
    codes = b"".join(glyph.to_bytes(2, "big") for glyph in glyphs)
    return Run(key, codes, sum(map(font.width, glyphs)) / 1000, shown)


def measure(text: str, size: float, *, is_bold: bool = False) -> float:
    """How wide a text is; near enough for the sans of pages."""
    return set_text(text, is_bold=is_bold).width * size


def fit(text: str, room: float, size: float) -> str:
    """The text, or as much of it as the room holds, with a sign that something is missing."""
    if measure(text, size) <= room:
        return text
    kept = text
    while len(kept) > 1 and measure(f"{kept.rstrip()}…", size) > room:
        kept = kept[:-1]
    return f"{kept.rstrip()}…"


def fit_all(texts: Sequence[str], room: float, size: float) -> list[str]:
    """Every text cut to the room, so that those that differ still look different."""

    def fit_middle(text: str) -> str:
        most = len(text)
        while most > 3 and measure(cut_middle(text, most), size) > room:
            most -= 1
        return cut_middle(text, most)

    return cut_apart(texts, lambda text: fit(text, room, size), fit_middle)


def _letters(text: str, font: TrueType) -> Iterator[str]:
    """What the font has, the letter without its marks, its usual spelling, or a question mark."""
    for letter in unicodedata.normalize("NFC", text):
        for said in (letter, _SPELT.get(letter, ""), _without_marks(letter)):
            if said and said.isprintable() and all(ord(each) in font.glyphs for each in said):
                yield said
                break
        else:
            yield "?" if letter.isprintable() and not unicodedata.combining(letter) else ""


def _without_marks(letter: str) -> str:
    parts = unicodedata.normalize("NFKD", letter)
    return "".join(part for part in parts if not unicodedata.combining(part))
