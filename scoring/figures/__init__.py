"""Figures as lists of simple marks, written as SVG for pages and files, and as PDF for papers."""

from scoring.figures.display import Circle, Figure, Line, Mark, Path, Rect, Table, Text
from scoring.figures.pdf import write_pdf
from scoring.figures.scale import (
    NARROW,
    ONE_COLUMN,
    TWO_COLUMNS,
    WIDE,
    Scale,
    Tick,
    nice_ticks,
    shorten,
    spread,
)
from scoring.figures.svg import write_file, write_inline

__all__ = [
    "NARROW",
    "ONE_COLUMN",
    "TWO_COLUMNS",
    "WIDE",
    "Circle",
    "Figure",
    "Line",
    "Mark",
    "Path",
    "Rect",
    "Scale",
    "Table",
    "Text",
    "Tick",
    "nice_ticks",
    "shorten",
    "spread",
    "write_file",
    "write_inline",
    "write_pdf",
]
