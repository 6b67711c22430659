"""PDF: a file that can be read back, with fonts that every reader has."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from scoring.figures.display import Figure, Text
from scoring.figures.letters import fit, measure, set_text
from scoring.figures.pdf import write_pdf
from tests.scoring.figures.reading import read_objects, read_stream, read_text
from tests.scoring.figures.samples import HOSTILE, SMALL, make_both


def test_it_can_be_read_back():
    objects = read_objects(write_pdf(SMALL))
    assert b"/Type /Catalog" in objects[1]
    assert b"/MediaBox [0 0 100 50]" in objects[3]
    fonts = b" ".join(objects.values())
    assert re.findall(rb"/BaseFont /([\w-]+)", fonts) == [
        b"Helvetica",
        b"Helvetica-Bold",
        b"Symbol",
    ]
    title = re.search(rb"/Title <feff([0-9a-f]+)>", objects[8])
    assert title
    assert bytes.fromhex(title[1].decode()).decode("utf-16-be") == "A line & more"


def test_it_paints_every_mark():
    lines = read_stream(write_pdf(SMALL)).split("\n")
    assert lines[0] == "1 0 0 -1 0 50 cm 1 j"
    assert "0.561 0.529 0.467 RG 2 w [4 2] 0 d" in lines
    assert "0 10 m 50 10 l S" in lines
    assert lines[lines.index("q /G500 gs") + 2] == "1 2 3 4 re f"
    assert any(line.endswith(" c h B") for line in lines)
    assert "0 0 m 5 5.25 l S" in lines
    assert "0 0 m 5 5 l 0 5 l h f" in lines


def test_it_turns_text_around_its_point():
    stream = read_stream(write_pdf(SMALL))
    assert "q 0 -1 1 0 50 40 cm 0.42 0.396 0.353 rg BT" in stream
    width = measure("τ of Škoda <&>", 11, is_bold=True)
    assert f"1 0 0 -1 {-width:.3f}".rstrip("0") in stream


@pytest.mark.parametrize(
    "text, runs",
    [
        ("τ .83 → ρ", ["[t]", " .83 ", "[\xae]", " ", "[r]"]),
        ("naïve – “é” …", ["naïve – “é” …"]),
        ("Čapek, łódź, ﬁne", ["Capek, lódz, fine"]),
        ("漢字 क", ["?? ?"]),
        ("a\u0301b\u200b\x07", ["ab"]),
        ("(\\)", ["(\\)"]),
    ],
)
def test_it_writes_letters_that_the_fonts_have(text: str, runs: list[str]):
    figure = Figure("f", "t", 10, 10, (Text(0, 0, text),))
    assert read_text(write_pdf(figure)) == runs


@pytest.mark.parametrize(
    "text, is_bold, expected",
    [("", False, 0), ("abc", False, 1.612), ("abc", True, 1.723), ("é", False, 0.556)],
)
def test_it_measures_text(text: str, is_bold: bool, expected: float):
    assert measure(text, 1, is_bold=is_bold) == pytest.approx(expected)


def test_it_cuts_text_to_its_room():
    assert fit("short", 100, 12) == "short"
    cut = fit("a name that is too long", 60, 12)
    assert cut.endswith("…")
    assert measure(cut, 12) <= 60
    assert fit("W", 1, 12) == "W…"


def test_it_keeps_one_font_in_a_run():
    runs = set_text("rτt")
    assert [(run.font, run.codes) for run in runs] == [("F1", b"r"), ("F3", b"t"), ("F1", b"t")]


@pytest.mark.parametrize("figure", make_both(), ids=lambda each: f"{each.name}-{each.width:g}")
def test_it_writes_every_kind(figure: Figure):
    said = write_pdf(replace(figure, title=HOSTILE))
    assert read_stream(said).count("BT") == sum(isinstance(each, Text) for each in figure.marks)
    assert not re.search(r"nan|inf|e-\d", read_stream(said))
    assert said == write_pdf(replace(figure, title=HOSTILE))
