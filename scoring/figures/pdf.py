"""A figure as a PDF of one page, drawn with lines, curves and text; no font is carried along.

Written by hand so that the same figure is the same file to the byte: no date, no id by chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, radians, sin

from scoring.figures.display import Circle, Figure, Line, Mark, Path, Rect, Text
from scoring.figures.letters import BOLD, PLAIN, SYMBOL, set_text
from scoring.figures.palette import channels

FONTS = {PLAIN: "Helvetica", BOLD: "Helvetica-Bold", SYMBOL: "Symbol"}
# Four arcs that are a circle to within a thousandth of its radius.
ARC = 0.5523
CATALOGUE = (
    b"<< /Type /Catalog /Pages 2 0 R /Lang (en) /ViewerPreferences << /DisplayDocTitle true >> >>"
)


def write_pdf(figure: Figure) -> bytes:
    """A figure as a PDF of one page, just as large as it is."""
    faint = sorted({_opacity(mark) for mark in figure.marks} - {1})
    stream = "\n".join(_content(figure)).encode("ascii")
    fonts = " ".join(f"/{key} {4 + place} 0 R" for place, key in enumerate(FONTS))
    states = " ".join(f"/{_state(value)} << /ca {value:g} /CA {value:g} >>" for value in faint)
    resources = f"<< /Font << {fonts} >> /ExtGState << {states} >> >>"
    box = f"[0 0 {_n(figure.width)} {_n(figure.height)}]"
    return _bind(
        [
            CATALOGUE,
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            f"<< /Type /Page /Parent 2 0 R /MediaBox {box} /Contents 7 0 R "
            f"/Resources {resources} >>".encode("ascii"),
            *(_font(key, name) for key, name in FONTS.items()),
            b"<< /Length %d >>\nstream\n%b\nendstream" % (len(stream), stream),
            f"<< /Title {_hex(figure.title)} /Producer (Giza) >>".encode("ascii"),
        ]
    )


def _font(key: str, name: str) -> bytes:
    encoding = "" if key == SYMBOL else " /Encoding /WinAnsiEncoding"
    return f"<< /Type /Font /Subtype /Type1 /BaseFont /{name}{encoding} >>".encode("ascii")


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


def _content(figure: Figure) -> Iterator[str]:
    """From the top left corner, as the marks have it."""
    yield f"1 0 0 -1 0 {_n(figure.height)} cm 1 j"
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
    runs = set_text(mark.text, is_bold=mark.is_bold)
    width = sum(run.width for run in runs) * mark.size
    at = {"start": 0.0, "middle": -width / 2, "end": -width}[mark.anchor]
    yield f"q {_turned(mark)} {_colour(mark.colour)} rg BT"
    for run in runs:
        yield f"/{run.font} {_n(mark.size)} Tf 1 0 0 -1 {_n(at)} 0 Tm <{run.codes.hex()}> Tj"
        at += run.width * mark.size
    yield "ET Q"


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
