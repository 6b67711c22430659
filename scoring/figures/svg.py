"""A figure as SVG: on a page with the page's colours, light or dark, or as a file of its own."""

from __future__ import annotations

import re
from collections.abc import Callable
from xml.sax.saxutils import escape, quoteattr

from scoring.figures.display import Circle, Figure, Line, Mark, Path, Rect, Text
from scoring.figures.palette import light

FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"
# What XML can't hold, whatever it is written as.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
Paint = Callable[[str, str], str]


def write_inline(figure: Figure, *, id: str, css: str = "") -> str:
    """For a page: colours are classes (`fill-lapis`, `stroke-ink`) that its style sheet knows."""
    head = (
        f"<svg{_at('class', f'figure {css}'.strip())}{_box(figure)} "
        f'role="img"{_at("aria-labelledby", id)}>'
    )
    title = f"<title{_at('id', id)}>{_text(figure.title)}</title>"
    return f"{head}{title}{_marks(figure, _classes)}</svg>"


def write_file(figure: Figure, *, width: float | None = None) -> str:
    """Whole and alone, on white, in the colours of light pages; so many points wide if told."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg"{_box(figure, width)}{_at("font-family", FONT)} '
        'role="img">'
    )
    ground = f'<rect width="{_n(figure.width)}" height="{_n(figure.height)}" fill="#ffffff"/>'
    title = f"<title>{_text(figure.title)}</title>"
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n{head}\n{title}\n{ground}\n'
        f"{_marks(figure, _colours)}\n</svg>\n"
    )


def _classes(fill: str, stroke: str) -> str:
    names = [f"fill-{fill or 'none'}", *([f"stroke-{stroke}"] if stroke else [])]
    return _at("class", " ".join(names))


def _colours(fill: str, stroke: str) -> str:
    painted = _at("fill", light(fill) if fill else "none")
    return painted + (_at("stroke", light(stroke)) if stroke else "")


def _marks(figure: Figure, paint: Paint) -> str:
    return "\n".join(_mark(mark, paint) for mark in figure.marks)


def _mark(mark: Mark, paint: Paint) -> str:
    match mark:
        case Line():
            return _line(mark, paint)
        case Rect():
            place = f'x="{_n(mark.x)}" y="{_n(mark.y)}"'
            size = f'width="{_n(mark.width)}" height="{_n(mark.height)}"'
            rest = paint(mark.fill, mark.stroke) + _opacity(mark.opacity)
            return _tipped("rect", f"{place} {size}{rest}", mark.tip)
        case Circle():
            place = f'cx="{_n(mark.x)}" cy="{_n(mark.y)}" r="{_n(mark.r)}"'
            rest = paint(mark.fill, mark.stroke) + _pen(mark.stroke, mark.width, ())
            return _tipped("circle", place + rest + _opacity(mark.opacity), mark.tip)
        case Path():
            return _path(mark, paint)
        case Text():
            return _words(mark, paint)


def _line(mark: Line, paint: Paint) -> str:
    ends = f'x1="{_n(mark.x1)}" y1="{_n(mark.y1)}" x2="{_n(mark.x2)}" y2="{_n(mark.y2)}"'
    rest = paint("", mark.stroke) + _pen(mark.stroke, mark.width, mark.dash)
    return f"<line {ends}{rest}{_opacity(mark.opacity)}/>"


def _path(mark: Path, paint: Paint) -> str:
    points = " ".join(f"{_n(x)},{_n(y)}" for x, y in mark.points)
    rest = paint(mark.fill, mark.stroke) + _pen(mark.stroke, mark.width, mark.dash)
    kind = "polygon" if mark.closed else "polyline"
    return _tipped(kind, f'points="{points}"{rest}{_opacity(mark.opacity)}', mark.tip)


def _words(mark: Text, paint: Paint) -> str:
    anchor = "" if mark.anchor == "start" else _at("text-anchor", mark.anchor)
    bold = _at("font-weight", "600") if mark.is_bold else ""
    place = f'x="{_n(mark.x)}" y="{_n(mark.y)}"'
    turn = f' transform="rotate({_n(mark.turn)} {_n(mark.x)} {_n(mark.y)})"' if mark.turn else ""
    size = f' font-size="{_n(mark.size)}"'
    return (
        f"<text {place}{turn}{size}{anchor}{bold}{paint(mark.colour, '')}>{_text(mark.text)}</text>"
    )


def _tipped(kind: str, inside: str, tip: str) -> str:
    if not tip:
        return f"<{kind} {inside}/>"
    return f"<{kind} {inside}><title>{_text(tip)}</title></{kind}>"


def _pen(stroke: str, width: float, dash: tuple[float, ...]) -> str:
    if not stroke:
        return ""
    dashes = _at("stroke-dasharray", " ".join(_n(part) for part in dash)) if dash else ""
    return _at("stroke-width", _n(width)) + dashes


def _opacity(value: float) -> str:
    return "" if value == 1 else _at("opacity", _n(value))


def _box(figure: Figure, points: float | None = None) -> str:
    wide, high = _n(figure.width), _n(figure.height)
    box = f' viewBox="0 0 {wide} {high}"'
    if points is None:
        return f'{box} width="{wide}" height="{high}"'
    tall = figure.height * points / figure.width
    return f'{box} width="{_n(points)}pt" height="{_n(tall)}pt"'


def _at(name: str, value: str) -> str:
    return f" {name}={quoteattr(value)}"


def _text(value: str) -> str:
    return escape(_clean(value))


def _clean(value: str) -> str:
    return _FORBIDDEN.sub("?", value)


def _n(value: float) -> str:
    """Two decimals are a hundredth of a pixel; no `-0`, no trailing zeros."""
    return f"{round(value, 2) + 0:g}"
