"""A figure as a PDF of one page, drawn with lines, curves and text; its fonts are embedded.

Written by hand so that the same figure is the same file to the byte: no date, no id by chance.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from math import cos, radians, sin

from scoring.figures.display import Circle, Figure, Line, Mark, Path, Rect, Text
from scoring.figures.letters import FILES, Run, load_font, set_text
from scoring.figures.palette import channels
from scoring.figures.truetype import TrueType

# Four arcs that are a circle to within a thousandth of its radius.
ARC = 0.5523
# Objects before those of fonts.
PAGE, CONTENT, FIRST_FONT = 3, 4, 5
PARTS = 5
CATALOGUE = (
    b"<< /Type /Catalog /Pages 2 0 R /Lang (en) /ViewerPreferences << /DisplayDocTitle true >> >>"
)
# What a program for printing asks of a font: no serif, letters by Unicode, some strong, not italic.
FLAGS, STEM = 32, 80
TAG = "GIZAAA"
BY_UNICODE = """/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def /CMapType 2 def
1 begincodespacerange <0000> <ffff> endcodespacerange
{ranges}
endcmap CMapName currentdict /CMap defineresource pop end end"""
MOST_IN_RANGE = 100


def write_pdf(figure: Figure, *, width: float | None = None) -> bytes:
    """A figure as a PDF of one page: so many points wide, or just as large as it is."""
    scale = (width or figure.width) / figure.width
    faint = sorted({_opacity(mark) for mark in figure.marks} - {1})
    stream = "\n".join(_content(figure, scale)).encode("ascii")
    shown = _letters_by_font(figure)
    fonts = " ".join(f"/{key} {FIRST_FONT + PARTS * place} 0 R" for place, key in enumerate(shown))
    states = " ".join(f"/{_state(value)} << /ca {value:g} /CA {value:g} >>" for value in faint)
    resources = f"<< /Font << {fonts} >> /ExtGState << {states} >> >>"
    box = f"[0 0 {_n(figure.width * scale)} {_n(figure.height * scale)}]"
    return _bind(
        [
            CATALOGUE,
            f"<< /Type /Pages /Kids [{PAGE} 0 R] /Count 1 >>".encode("ascii"),
            f"<< /Type /Page /Parent 2 0 R /MediaBox {box} /Contents {CONTENT} 0 R "
            f"/Resources {resources} >>".encode("ascii"),
            _stream(stream),
            *(
                body
                for place, (key, letters) in enumerate(shown.items())
                for body in _font(key, letters, FIRST_FONT + PARTS * place)
            ),
            f"<< /Title {_hex(figure.title)} /Producer (Giza) >>".encode("ascii"),
        ]
    )


def _letters_by_font(figure: Figure) -> dict[str, dict[int, str]]:
    """Of each font that is used, the letters by glyph."""
    found: dict[str, dict[int, str]] = {}
    for mark in figure.marks:
        if isinstance(mark, Text):
            run = _set(mark)
            glyphs = (
                int.from_bytes(run.codes[at : at + 2], "big") for at in range(0, len(run.codes), 2)
            )
            found.setdefault(run.font, {}).update(zip(glyphs, run.text, strict=True))
    return {key: found[key] for key in FILES if key in found}


def _font(key: str, letters: Mapping[int, str], number: int) -> Iterator[bytes]:
    """A font with glyphs by number (ISO 32000-1, 9.7), its file, and what its glyphs mean."""
    font, name = load_font(key), f"{TAG}+{FILES[key]}"
    yield (
        f"<< /Type /Font /Subtype /Type0 /BaseFont /{name} /Encoding /Identity-H "
        f"/DescendantFonts [{number + 1} 0 R] /ToUnicode {number + 4} 0 R >>"
    ).encode("ascii")
    widths = " ".join(f"{glyph} [{_n(font.width(glyph))}]" for glyph in sorted(letters))
    yield (
        f"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /{name} /CIDToGIDMap /Identity "
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> "
        f"/FontDescriptor {number + 2} 0 R /DW 1000 /W [{widths}] >>"
    ).encode("ascii")
    yield _describe(font, name, number + 3)
    yield _stream(zlib.compress(font.data, 9), f"/Filter /FlateDecode /Length1 {len(font.data)}")
    yield _stream(_by_unicode(letters).encode("ascii"))


def _describe(font: TrueType, name: str, file: int) -> bytes:
    box = " ".join(map(str, font.box))
    return (
        f"<< /Type /FontDescriptor /FontName /{name} /Flags {FLAGS} /FontBBox [{box}] "
        f"/ItalicAngle 0 /Ascent {font.ascent} /Descent {font.descent} /CapHeight {font.ascent} "
        f"/StemV {STEM} /FontFile2 {file} 0 R >>"
    ).encode("ascii")


def _by_unicode(letters: Mapping[int, str]) -> str:
    """So that text can be searched and copied."""
    rows = [
        f"<{glyph:04x}> <{letter.encode('utf-16-be').hex()}>"
        for glyph, letter in sorted(letters.items())
    ]
    parts = [rows[at : at + MOST_IN_RANGE] for at in range(0, len(rows), MOST_IN_RANGE)]
    ranges = "\n".join(
        f"{len(part)} beginbfchar\n" + "\n".join(part) + "\nendbfchar" for part in parts
    )
    return BY_UNICODE.format(ranges=ranges)


def _stream(body: bytes, more: str = "") -> bytes:
    head = f"<< /Length {len(body)} {more}".rstrip()
    return b"%b >>\nstream\n%b\nendstream" % (head.encode("ascii"), body)


def _bind(objects: Sequence[bytes]) -> bytes:
    """Objects one after the other, and the table that says where each begins."""
    out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    starts = []
    for number, body in enumerate(objects, start=1):
        starts.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % start for start in starts)
    out += b"trailer\n<< /Size %d /Root 1 0 R /Info %d 0 R >>\n" % (len(objects) + 1, len(objects))
    out += b"startxref\n%d\n%%%%EOF\n" % table
    return bytes(out)


def _content(figure: Figure, scale: float) -> Iterator[str]:
    """From the top left corner, as the marks have it."""
    yield f"{scale:.9g} 0 0 {-scale:.9g} 0 {_n(figure.height * scale)} cm 1 j"
    for mark in figure.marks:
        opacity = _opacity(mark)
        if opacity != 1:
            yield f"q /{_state(opacity)} gs"
            yield from _mark(mark)
            yield "Q"
        else:
            yield from _mark(mark)


def _opacity(mark: Mark) -> float:
    return 1 if isinstance(mark, Text) else mark.opacity


def _state(opacity: float) -> str:
    return f"G{round(opacity * 1000)}"


def _mark(mark: Mark) -> Iterator[str]:
    match mark:
        case Line():
            yield _pen("", mark.stroke, mark.width, mark.dash)
            yield f"{_n(mark.x1)} {_n(mark.y1)} m {_n(mark.x2)} {_n(mark.y2)} l S"
        case Rect():
            yield _pen(mark.fill, mark.stroke, 1, ())
            place = f"{_n(mark.x)} {_n(mark.y)} {_n(mark.width)} {_n(mark.height)} re"
            yield f"{place} {_ink(mark.fill, mark.stroke)}"
        case Circle():
            yield _pen(mark.fill, mark.stroke, mark.width, ())
            yield f"{_circle(mark.x, mark.y, mark.r)} {_ink(mark.fill, mark.stroke)}"
        case Path():
            yield from _path(mark)
        case Text():
            yield from _words(mark)


def _path(mark: Path) -> Iterator[str]:
    if mark.points:
        yield _pen(mark.fill, mark.stroke, mark.width, mark.dash)
        (x, y), *rest = mark.points
        lines = " ".join(f"{_n(x)} {_n(y)} l" for x, y in rest)
        close = " h" if mark.closed else ""
        yield f"{_n(x)} {_n(y)} m {lines}{close} {_ink(mark.fill, mark.stroke)}"


def _words(mark: Text) -> Iterator[str]:
    run = _set(mark)
    width = run.width * mark.size
    at = {"start": 0.0, "middle": -width / 2, "end": -width}[mark.anchor]
    yield f"q {_turned(mark)} {_colour(mark.colour)} rg BT"
    yield f"/{run.font} {_n(mark.size)} Tf 1 0 0 -1 {_n(at)} 0 Tm <{run.codes.hex()}> Tj"
    yield "ET Q"


def _set(mark: Text) -> Run:
    return set_text(mark.text, is_bold=mark.is_bold)


def _turned(mark: Text) -> str:
    """The point of the text is the origin, turned as it says; quarter turns are exact."""
    angle = radians(mark.turn)
    across, up = cos(angle), sin(angle)
    return f"{_n(across)} {_n(up)} {_n(-up)} {_n(across)} {_n(mark.x)} {_n(mark.y)} cm"


def _circle(x: float, y: float, r: float) -> str:
    k = ARC * r
    arcs = (
        (x + r, y + k, x + k, y + r, x, y + r),
        (x - k, y + r, x - r, y + k, x - r, y),
        (x - r, y - k, x - k, y - r, x, y - r),
        (x + k, y - r, x + r, y - k, x + r, y),
    )
    curves = " ".join(f"{' '.join(_n(value) for value in arc)} c" for arc in arcs)
    return f"{_n(x + r)} {_n(y)} m {curves} h"


def _pen(fill: str, stroke: str, width: float, dash: tuple[float, ...]) -> str:
    said = [f"{_colour(fill)} rg"] if fill else []
    if stroke:
        dashes = " ".join(_n(part) for part in dash)
        said.append(f"{_colour(stroke)} RG {_n(width)} w [{dashes}] 0 d")
    return " ".join(said)


def _ink(fill: str, stroke: str) -> str:
    return {(True, True): "B", (True, False): "f", (False, True): "S"}.get(
        (bool(fill), bool(stroke)), "n"
    )


def _colour(name: str) -> str:
    return " ".join(_n(value) for value in channels(name))


def _hex(text: str) -> str:
    return f"<feff{text.encode('utf-16-be', 'replace').hex()}>"


def _n(value: float) -> str:
    """At most three decimals, never with an exponent."""
    said = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if said == "-0" else said
