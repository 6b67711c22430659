"""PDF: a file that can be read back, with its fonts in it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from fontTools.ttLib import TTFont

from scoring.figures import ONE_COLUMN, TWO_COLUMNS
from scoring.figures.display import Figure, Line, Text
from scoring.figures.letters import BOLD, FILES, PLAIN, fit, load_font, measure
from scoring.figures.pdf import write_pdf
from tests.fonts import FONTS
from tests.scoring.figures.reading import read_objects, read_stream, read_text, stream_of
from tests.scoring.figures.samples import HOSTILE, SMALL, make_both


def test_it_can_be_read_back():
    objects = read_objects(write_pdf(SMALL))
    assert b"/Type /Catalog" in objects[1]
    assert b"/MediaBox [0 0 100 50]" in objects[3]
    title = re.search(rb"/Title <feff([0-9a-f]+)>", objects[max(objects)])
    assert title
    assert bytes.fromhex(title[1].decode()).decode("utf-16-be") == "A line & more"


def test_every_font_is_embedded():
    """A font without its file is what journals refuse."""
    objects = read_objects(write_pdf(make_both()[0]))
    whole = b"\n".join(objects.values())
    names = set(re.findall(rb"/BaseFont /([\w+-]+)", whole))
    assert names == {b"GIZAAA+GizaSans-Regular", b"GIZAAA+GizaSans-Bold"}
    described = [body for body in objects.values() if b"/Type /FontDescriptor" in body]
    assert len(described) == len(names)
    for body in described:
        number = re.search(rb"/FontFile2 (\d+) 0 R", body)
        assert number
        data = stream_of(objects[int(number[1])])
        name = re.search(rb"/FontName /GIZAAA\+([\w-]+)", body)
        assert name
        assert data == (FONTS / f"{name[1].decode()}.ttf").read_bytes()
    assert b"/Type1" not in whole


def test_a_figure_without_text_needs_no_font():
    assert b"/FontFile2" not in write_pdf(Figure("f", "t", 10, 10, (Line(0, 0, 5, 5),)))


@pytest.mark.parametrize("points", [ONE_COLUMN, TWO_COLUMNS])
def test_it_is_as_wide_as_a_column(points: int):
    objects = read_objects(write_pdf(SMALL, width=points))
    assert b"/MediaBox [0 0 %d %d]" % (points, points / 2) in objects[3]
    scale = points / 100
    first = read_stream(write_pdf(SMALL, width=points)).split("\n")[0]
    assert first == f"{scale:g} 0 0 {-scale:g} 0 {points // 2} cm 1 j"


def test_its_fonts_are_those_of_their_source():
    """Letters, widths and the names that their licence asks for."""
    for key, name in FILES.items():
        ours = TTFont(FONTS / f"{name}.ttf")
        font = load_font(key)
        assert font.glyphs == {
            code: ours.getGlyphID(glyph) for code, glyph in ours.getBestCmap().items()
        }
        for code in map(ord, "aM …τ→"):
            wide = ours["hmtx"][ours.getBestCmap()[code]][0]
            assert font.width(font.glyphs[code]) == 1000 * wide / ours["head"].unitsPerEm
        assert "Fira" not in ours["name"].getDebugName(1)
        assert "Open Font License" in ours["name"].getDebugName(13)
    assert "Version 1.1" in (FONTS / "OFL.txt").read_text()


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
    assert f"1 0 0 -1 {f'{-width:.3f}'.rstrip('0')} 0 Tm" in stream


@pytest.mark.parametrize(
    "text, shown",
    [
        ("τ .83 → ρ", "τ .83 → ρ"),
        ("naïve – “é” … − ≤ ∞", "naïve – “é” … − ≤ ∞"),
        ("Čapek, łódź, ﬁne, жук", "Čapek, łódź, fine, жук"),
        ("漢字 क", "?? ?"),
        ("a\u0301b\u200b\x07", "áb"),
        ("(\\)", "(\\)"),
    ],
)
def test_it_writes_letters_that_the_fonts_have(text: str, shown: str):
    figure = Figure("f", "t", 10, 10, (Text(0, 0, text),))
    assert read_text(write_pdf(figure)) == [shown]


@pytest.mark.parametrize(
    "text, is_bold", [("", False), ("abc", False), ("abc", True), ("é", False)]
)
def test_it_measures_text(text: str, is_bold: bool):
    font = load_font(BOLD if is_bold else PLAIN)
    expected = sum(font.width(font.glyphs[ord(letter)]) for letter in text) / 1000
    assert measure(text, 1, is_bold=is_bold) == pytest.approx(expected)
    assert measure(text, 12, is_bold=is_bold) == pytest.approx(12 * expected)


def test_it_cuts_text_to_its_room():
    assert fit("short", 100, 12) == "short"
    cut = fit("a name that is too long", 60, 12)
    assert cut.endswith("…")
    assert measure(cut, 12) <= 60
    assert fit("W", 1, 12) == "W…"


@pytest.mark.parametrize("figure", make_both(), ids=lambda each: f"{each.name}-{each.width:g}")
def test_it_writes_every_kind(figure: Figure):
    said = write_pdf(replace(figure, title=HOSTILE))
    assert read_stream(said).count("BT") == sum(isinstance(each, Text) for each in figure.marks)
    assert not re.search(r"nan|inf|e-\d", read_stream(said))
    assert said == write_pdf(replace(figure, title=HOSTILE))
