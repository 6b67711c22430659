"""What must hold for every template, style sheet and script, whatever page it belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from django import forms
from django.contrib.staticfiles import finders
from django.template.loader import get_template, render_to_string
from django.urls import get_resolver

FRONTEND = Path(__file__).parents[2] / "frontend"
TEMPLATES = sorted((FRONTEND / "templates").rglob("*.html"))
SHEETS = sorted((FRONTEND / "static" / "css").rglob("*.css"))
SCRIPTS = sorted((FRONTEND / "static" / "js").rglob("*.js"))

FORBIDDEN = {
    "an inline style": r"\sstyle\s*=",
    "a style element": r"<style\b",
    "an inline handler": r"""<[^>]*\son[a-z]+\s*=\s*["']""",
    "a script without a file": r"<script(?![^>]*\ssrc=)",
    "a script address": r"javascript:",
    "an outside address": r"""(?:https?:)?//[a-z0-9-]+\.[a-z]""",
    "text that is not escaped": r"autoescape off|\|safeseq|mark_safe",
}

TEXT_COLOURS = ("ink", "muted", "lapis", "lapis-deep", "present", "absent", "unsure", "model")
GROUNDS = ("ground", "surface", "sunken")
ON_ITS_TINT = ("lapis", "present", "absent", "unsure", "model")


def name_of(path: Path) -> str:
    return path.relative_to(FRONTEND).as_posix()


def each(paths: list[Path]) -> pytest.MarkDecorator:
    assert paths
    return pytest.mark.parametrize("path", paths, ids=name_of)


def found_in_templates(pattern: str) -> Iterator[tuple[str, str]]:
    for path in TEMPLATES:
        for match in re.findall(pattern, path.read_text()):
            yield name_of(path), match


@pytest.mark.parametrize("what", FORBIDDEN)
def test_it_has_nothing_that_the_content_security_policy_forbids(what: str):
    pattern = re.compile(FORBIDDEN[what], re.IGNORECASE)
    assert [name_of(path) for path in TEMPLATES if pattern.search(path.read_text())] == []


@pytest.mark.parametrize(
    "what, text",
    [
        ("an inline style", '<p style="color: red">'),
        ("a style element", "<style>p {}</style>"),
        ("an inline handler", "<button onclick='go()'>"),
        ("a script without a file", "<script>go()</script>"),
        ("a script address", '<a href="javascript:go()">'),
        ("an outside address", '<img src="//cdn.example.org/x.png">'),
        ("text that is not escaped", "{% autoescape off %}"),
    ],
)
def test_it_would_see_what_is_forbidden(what: str, text: str):
    assert re.search(FORBIDDEN[what], text, re.IGNORECASE)


def test_it_trusts_only_the_help_of_forms():
    assert list(found_in_templates(r"{{[^}]*\|safe\b[^}]*}}")) == [
        ("templates/_field.html", "{{ field.help_text|safe }}")
    ]


@each(TEMPLATES)
def test_it_compiles(path: Path):
    assert get_template(path.relative_to(FRONTEND / "templates").as_posix())


def test_it_includes_only_templates_that_exist():
    missing = [
        (page, part)
        for page, part in found_in_templates(r'{% (?:include|extends) "([^"]+)"')
        if not (FRONTEND / "templates" / part).exists()
    ]
    assert missing == []


def test_it_links_only_to_addresses_that_exist():
    namespaces = get_resolver().namespace_dict
    known = {f"{app}:{name}" for app in namespaces for name in namespaces[app][1].reverse_dict}
    known |= {name for name in get_resolver().reverse_dict if isinstance(name, str)}
    used = set(found_in_templates(r"{% url '([^']+)'"))
    assert {(page, name) for page, name in used if name not in known} == set()


def test_it_refers_only_to_static_files_that_exist():
    used = set(found_in_templates(r"{% static '([^']+)' %}"))
    assert used
    assert {(page, name) for page, name in used if not finders.find(name)} == set()


def test_it_guards_every_form_that_changes_something():
    posting = list(found_in_templates(r'(?s)<form\b[^>]*method="post".*?</form>'))
    assert posting
    # A form that is sent again carries the token that it came with, among its fields.
    first = [row for row in posting if "data-send-again" not in row[1]]
    assert [row for row in first if "{% csrf_token %}" not in row[1]] == []


def test_it_says_what_every_key_does():
    tags = list(found_in_templates(r"(?s)<[a-z]+\b[^>]*?\bdata-key=.*?>"))
    assert tags
    assert [row for row in tags if "data-key-label=" not in row[1]] == []


@each(SHEETS)
def test_it_loads_nothing_from_a_style_sheet(path: Path):
    text = path.read_text()
    assert "@import" not in text
    assert "//" not in re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


@each(SHEETS)
def test_it_uses_only_tokens_that_are_defined(path: Path):
    defined = set(re.findall(r"(--[\w-]+)\s*:", "".join(sheet.read_text() for sheet in SHEETS)))
    assert set(re.findall(r"var\((--[\w-]+)", path.read_text())) - defined == set()


@each(SCRIPTS)
def test_it_imports_only_its_own_modules(path: Path):
    imported = re.findall(r'from "([^"]+)"', path.read_text())
    assert [name for name in imported if not (path.parent / name).exists()] == []
    assert not re.search(r"\beval\(|new Function|innerHTML|https?://", path.read_text())


@each(SCRIPTS)
def test_it_imports_only_what_is_exported(path: Path):
    named = re.findall(r'import \{([^}]*)\} from "([^"]+)"', path.read_text())
    missing = [
        (module, name)
        for names, module in named
        for name in re.findall(r"\w+", re.sub(r" as \w+", "", names))
        if not re.search(
            rf"export (?:async )?(?:function|const|let|class) {name}\b",
            (path.parent / module).read_text(),
        )
    ]
    assert missing == []


@each([*TEMPLATES, *SHEETS, *SCRIPTS])
def test_it_stays_short(path: Path):
    assert len(path.read_text().splitlines()) <= 350


def tokens() -> dict[str, tuple[str, str]]:
    text = (FRONTEND / "static" / "css" / "tokens.css").read_text()
    found = re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", text)
    return {name: (light, dark) for name, light, dark in found}


def luminance(colour: str) -> float:
    """WCAG 2.2, relative luminance."""
    shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def pairs() -> list[tuple[str, str, float]]:
    """A colour, what it stands on, and the contrast it needs there."""
    text = [(colour, ground, 4.5) for colour in TEXT_COLOURS for ground in GROUNDS]
    tinted = [(colour, f"{colour}-tint", 4.5) for colour in ON_ITS_TINT]
    on_tint = [(colour, f"{tint}-tint", 4.5) for colour in ("ink",) for tint in ON_ITS_TINT]
    solid = [("on-lapis", "lapis", 4.5), ("on-lapis", "lapis-deep", 4.5)]
    edges = [("edge", ground, 3.0) for ground in GROUNDS]
    return [*text, *tinted, *on_tint, *solid, *edges, ("muted", "lapis-tint", 4.5)]


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("colour, ground, least", pairs())
def test_it_can_be_read(colour: str, ground: str, least: float, theme: int):
    known = tokens()
    assert contrast(known[colour][theme], known[ground][theme]) >= least


@pytest.mark.parametrize(
    "one, other, expected",
    [("#000000", "#ffffff", 21.0), ("#777777", "#ffffff", 4.48), ("#1f4fa3", "#1f4fa3", 1.0)],
)
def test_it_measures_contrast_as_wcag_does(one: str, other: str, expected: float):
    assert contrast(one, other) == pytest.approx(expected, abs=0.005)


class Form(forms.Form):
    name = forms.CharField(help_text="As on the cover.")


def test_it_ties_help_and_errors_to_their_field():
    form = Form({"name": ""})
    assert not form.is_valid()
    html = render_to_string("_field.html", {"field": form["name"]})
    described = re.search(r'aria-describedby="([^"]+)"', html)
    assert described
    assert described[1].split() == ["id_name_helptext", "id_name_error"]
    assert all(f'id="{name}"' in html for name in described[1].split())
    assert 'aria-invalid="true"' in html


@pytest.mark.parametrize("status", [400, 403, 404, 500])
def test_it_shows_error_pages_that_need_nothing(status: int):
    html = render_to_string(f"{status}.html")
    assert f"Error {status}" in html
    assert 'href="/"' in html


def test_it_escapes_the_texts_of_a_corpus():
    hostile = '<script src="x"></script>'
    summary = {
        "system": SimpleNamespace(name=hostile, pk=1, get_kind_display="Other"),
        "segments": [{"text": hostile, "kind": "phrase"}, {"text": hostile, "kind": "none"}],
        "coverage": 50,
        "words": 3,
        "is_empty": False,
    }
    html = render_to_string(
        "corpora/_summaries.html",
        {"project": {"slug": "demo"}, "summaries": [summary], "references": [1]},
    )
    assert "<script" not in html
    assert html.count("&lt;script src=") == 4


@pytest.mark.parametrize(
    "seconds, words",
    [
        (2, "a few seconds left"),
        (40, "about 40 s left"),
        (170, "about 3 min left"),
        (7300, "about 2 h left"),
    ],
)
def test_it_says_how_long_it_takes(seconds: int, words: str):
    left = SimpleNamespace(days=0, seconds=seconds)
    assert words in render_to_string("corpora/_time_left.html", {"left": left})


# What scrolls and is no text of a page, or is not printed at all.
NOT_PRINTED = (
    *("visually-hidden", "dialog", "crumbs", "subnav", "switch", "progress", "meter", "keys"),
    *("swagger-ui", "pipeline", "tabs", "bar", "task__title", "task__long", "figure"),
)
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
CUTS = re.compile(r"max-height:\s*+(?!none)|overflow(?:-[xy])?:\s*+(?!visible)[a-z]")


def read_rules(path: Path) -> Iterator[tuple[list[str], str]]:
    text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
    for selectors, body in RULE.findall(text):
        yield [" ".join(each.split()) for each in selectors.split(",")], body


def test_what_scrolls_on_a_screen_is_printed_whole():
    printed = next(
        set(selectors)
        for selectors, body in read_rules(FRONTEND / "static" / "css" / "base.css")
        if "max-height: none" in body
    )
    cut = {
        selector
        for path in SHEETS
        for selectors, body in read_rules(path)
        if CUTS.search(body.replace("overflow-wrap", ""))
        for selector in selectors
    }
    assert len(cut) > 20
    missing = {each for each in cut if not any(name in each for name in NOT_PRINTED)} - printed
    assert missing == set()
