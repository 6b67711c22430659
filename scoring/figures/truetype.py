"""What a PDF needs to know of a TrueType font: its glyphs by letter, their widths, its box."""

from __future__ import annotations

import struct
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TrueType:
    """`glyphs` are numbers by code point; all sizes are in thousandths of the font's size."""

    data: bytes
    glyphs: dict[int, int]
    widths: tuple[float, ...]
    box: tuple[int, ...]
    ascent: int
    descent: int

    def width(self, glyph: int) -> float:
        """Glyphs beyond the table are as wide as its last one."""
        return self.widths[min(glyph, len(self.widths) - 1)]


def read_font(data: bytes) -> TrueType:
    """A font with the tables head, hhea, hmtx, and a cmap of Windows' Unicode (format 4)."""
    tables = _tables(data)
    head, hhea, hmtx = (tables[name] for name in ("head", "hhea", "hmtx"))
    (size,) = struct.unpack_from(">H", head, 18)
    ascent, descent = struct.unpack_from(">hh", hhea, 4)
    (count,) = struct.unpack_from(">H", hhea, 34)
    widths = struct.unpack_from(">" + "Hh" * count, hmtx)[::2]

    def scaled(value: int) -> int:
        return round(1000 * value / size)

    return TrueType(
        data,
        _glyphs(tables["cmap"]),
        tuple(1000 * width / size for width in widths),
        tuple(scaled(value) for value in struct.unpack_from(">4h", head, 36)),
        scaled(ascent),
        scaled(descent),
    )


def _tables(data: bytes) -> dict[str, bytes]:
    (count,) = struct.unpack_from(">H", data, 4)
    found = {}
    for place in range(count):
        tag, _, start, length = struct.unpack_from(">4sLLL", data, 12 + 16 * place)
        found[tag.decode("ascii")] = data[start : start + length]
    return found


def _glyphs(cmap: bytes) -> dict[int, int]:
    """OpenType, `cmap`, format 4: segments of code points, with a shift or a list of glyphs."""
    (count,) = struct.unpack_from(">H", cmap, 2)
    records = (struct.unpack_from(">HHL", cmap, 4 + 8 * place) for place in range(count))
    start = next(offset for platform, kind, offset in records if (platform, kind) == (3, 1))
    (double,) = struct.unpack_from(">H", cmap, start + 6)
    columns = [start + 14, *(start + 16 + double * place for place in (1, 2, 3))]
    form = f">{double // 2}H"
    ends, starts, shifts, ranges = (struct.unpack_from(form, cmap, at) for at in columns)
    found = {}
    for place, segment in enumerate(zip(starts, ends, shifts, ranges, strict=True)):
        first, last, shift, distance = segment
        at = columns[3] + 2 * place + distance
        for code in range(first, min(last, 0xFFFE) + 1):
            glyph = code
            if distance:
                (glyph,) = struct.unpack_from(">H", cmap, at + 2 * (code - first))
                shift = shift if glyph else 0
            if number := (glyph + shift) & 0xFFFF:
                found[code] = number
    return found
