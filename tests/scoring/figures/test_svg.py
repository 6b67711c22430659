"""SVG: well-formed whatever the text, with classes on pages and colours in files."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from scoring.figures.display import Figure, Line
from scoring.figures.palette import LIGHT
from scoring.figures.svg import write_file, write_inline
from tests.scoring.figures.samples import HOSTILE, SMALL, make_both

ROOT = Path(__file__).parents[3]
SVG = "{http://www.w3.org/2000/svg}"
GOLDEN = (
    '<svg class="figure plot--wide" viewBox="0 0 100 50" width="100" height="50" role="img" '
    'aria-labelledby="f-1"><title id="f-1">A line &amp; more</title>'
    '<line x1="0" y1="10" x2="50" y2="10" class="fill-none stroke-edge" stroke-width="2" '
    'stroke-dasharray="4 2"/>\n'
    '<rect x="1" y="2" width="3" height="4" class="fill-lapis" opacity="0.5">'
    "<title>&lt;b&gt;</title></rect>\n"
    '<circle cx="10" cy="10" r="4" class="fill-present stroke-surface" stroke-width="1.5"/>\n'
    '<polyline points="0,0 5,5.25" class="fill-none stroke-absent" stroke-width="1"/>\n'
    '<polygon points="0,0 5,5 0,5" class="fill-unsure"/>\n'
    '<text x="50" y="40" transform="rotate(-90 50 40)" font-size="11" text-anchor="end" '
    'font-weight="600" class="fill-muted">τ of Škoda &lt;&amp;&gt;</text></svg>'
)


def test_it_writes_what_was_drawn():
    assert write_inline(SMALL, id="f-1", css="plot--wide") == GOLDEN


def test_it_writes_a_file_that_stands_alone():
    said = write_file(SMALL)
    tree = ElementTree.fromstring(said.encode())
    assert (tree.tag, tree.get("width"), tree.get("viewBox")) == (f"{SVG}svg", "100", "0 0 100 50")
    assert tree.findtext(f"{SVG}title") == "A line & more"
    assert 'fill="#6b655a"' in said
    assert "class=" not in said
    assert not re.search(r"style=|href|url\(|<script", said)


@pytest.mark.parametrize("figure", make_both(), ids=lambda each: f"{each.name}-{each.width:g}")
def test_it_is_well_formed(figure: Figure):
    for said in (write_file(figure), write_inline(figure, id="x")):
        tree = ElementTree.fromstring(said.encode())
        assert len(list(tree.iter())) > len(figure.marks)


def test_it_lets_no_text_out_of_its_place():
    figure = replace(SMALL, title=HOSTILE)
    tree = ElementTree.fromstring(write_file(figure).encode())
    assert tree.findtext(f"{SVG}title") == "</title><script>x()</script>&??\"'"
    assert tree.find(f".//{SVG}script") is None


def test_it_knows_the_colours_of_pages():
    text = (ROOT / "frontend" / "static" / "css" / "tokens.css").read_text()
    tokens = dict(re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}),", text))
    assert {name: tokens[name] for name in LIGHT} == LIGHT


def test_it_has_a_rule_for_every_class():
    sheet = (ROOT / "frontend" / "static" / "css" / "pages" / "figures.css").read_text()
    used = {
        name
        for figure in [SMALL, *make_both()]
        for found in re.findall(r'class="([^"]+)"', write_inline(figure, id="x"))
        for name in found.split()
    }
    assert {name for name in used if f".{name}" not in sheet} == set()


def test_it_refuses_a_colour_that_it_does_not_know():
    figure = Figure("f", "t", 1, 1, (Line(0, 0, 1, 1, stroke="mauve"),))
    with pytest.raises(ValueError, match="There is no colour 'mauve'. Known: ground, "):
        write_file(figure)


def test_it_is_the_same_every_time():
    assert [write_file(each) for each in make_both()] == [write_file(each) for each in make_both()]
