"""Every text of templates and scripts is marked for translation: a second language is a file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest

from tests.texts import ATTRIBUTES, ROOT, STRING, is_prose

TEMPLATES = sorted(
    path for kind in ("html", "txt") for path in (ROOT / "frontend/templates").rglob(f"*.{kind}")
)
SCRIPTS = sorted((ROOT / "frontend/static").glob("j*/*.js"))
# Names, which are the same in every language.
NAMES = {"Giza"}
WORD = re.compile(r"[^\W\d_]{2,}")
# What nobody reads as a sentence: code, keys, raw data.
UNREAD = {"code", "kbd", "pre", "samp", "script", "style"}
READ = ATTRIBUTES | {"aria-valuetext", "data-announce", "data-key-label", "data-words"}

REMARKS = re.compile(r"{% comment %}.*?{% endcomment %}|{#.*?#}", re.DOTALL)
MARKS = re.compile(
    r"{% blocktranslate\b.*?{% endblocktranslate %}|{% translate .*?%}|"
    # The names of classes and addresses are blocks, too.
    r"{% block (?:\w+_class|home) %}.*?{% endblock %}",
    re.DOTALL,
)
TOKENS = re.compile(r"{[{%].*?[}%]}", re.DOTALL)
# What templates give to each other, and what stands in for a missing value.
GIVEN = re.compile(
    r"""(?:\b(?:about|caption|counted|detail|hint|label|many|new_label|one|otherwise|title|what|word)="""
    r"""|\|(?:default|default_if_none|join|yesno):)(?:"([^"]*)"|'([^']*)')"""
)
KEY = re.compile(r"[a-z]+([-,.][a-z]+)+|/[\w/]*")


class Texts(HTMLParser):
    """The texts of a page and of its attributes, with their lines."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[int, str]] = []
        self._unread = 0
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._unread += tag in UNREAD
        values = dict(attrs)
        read = {name for name in values if name in READ}
        if tag == "input" and values.get("type") in ("submit", "button"):
            read.add("value")
        if tag == "meta" and values.get("name") == "description":
            read.add("content")
        for name in sorted(read):
            self._note(values[name] or "")

    def handle_endtag(self, tag: str) -> None:
        self._unread = max(self._unread - (tag in UNREAD), 0)

    def handle_data(self, data: str) -> None:
        if not self._unread:
            self._note(data)

    def _note(self, text: str) -> None:
        for line, words in enumerate(text.split("\n"), self.getpos()[0]):
            if any(word not in NAMES for word in WORD.findall(words)):
                self.found.append((line, words.strip()))


def find_unmarked(template: str) -> Iterator[tuple[int, str]]:
    """Line and text of what translators would not see."""
    text = REMARKS.sub(keep_lines, template)
    for token in TOKENS.finditer(text):
        line = text.count("\n", 0, token.start()) + 1
        if "|pluralize" in token[0]:
            yield line, token[0]
        for given in GIVEN.finditer(token[0]):
            words = given[1] or given[2] or ""
            if WORD.search(words) and words not in NAMES and not KEY.fullmatch(words):
                yield line, words
    yield from Texts(TOKENS.sub("", MARKS.sub(keep_lines, text))).found


def keep_lines(match: re.Match[str]) -> str:
    return "\n" * match[0].count("\n")


def test_every_text_is_marked() -> None:
    """Write `{% translate "…" %}`, or `{% blocktranslate %}` around a sentence with values."""
    assert len(TEMPLATES) > 250
    unmarked = [
        f"{path.relative_to(ROOT)}:{line}: {words}"
        for path in TEMPLATES
        for line, words in find_unmarked(path.read_text(encoding="utf-8"))
    ]
    assert not unmarked, "\n".join(unmarked)


@pytest.mark.parametrize(
    ("template", "found"),
    [
        ("<p>Two words</p>", [(1, "Two words")]),
        ("<p>{{ n }}\n of {{ m }}</p>", [(2, "of")]),
        ("{% if a %}yes{% endif %}", [(1, "yes")]),
        ('<a title="Open {{ x }}">{{ x }}</a>', [(1, "Open")]),
        ('<input type="submit" value="Send">', [(1, "Send")]),
        ('<a data-key="u" data-key-label="Up"></a>', [(1, "Up")]),
        ('{% include "_x.html" with title="Practice" %}', [(1, "Practice")]),
        ('{{ x|default:"unknown" }}', [(1, "unknown")]),
        ("{{ n }} HIT{{ n|pluralize }}", [(1, "{{ n|pluralize }}"), (1, "HIT")]),
        ("<title>{% translate 'Work' %} · Giza</title>", []),
        ("{% blocktranslate with n=n %}{{ n }}\n left{% endblocktranslate %}", []),
        ('<a title="{% translate "Up" %}" class="up" id="up">{{ x }}: 95 %</a>', []),
        ('{% include "_x.html" with title=_("Practice") id="the-id" %}', []),
        ("{# a remark #}<kbd>Esc</kbd> <code>make run</code>", []),
        ("{% block main_class %}page-main{% endblock %}", []),
    ],
)
def test_it_sees_what_is_unmarked(template: str, found: list[tuple[int, str]]) -> None:
    assert sorted(find_unmarked(template)) == sorted(found)


# The call that translates, within which a message stands alone or as singular and plural; and
# what only developers read.
TRANSLATED = re.compile(r"(?<![\w.])(?:gettext\(|ngettext\((?:\"[^\"]*\", )?)$")
LOGGED = re.compile(r"(?:console\.\w+|new \w+)\($")
# Selectors, keys as browsers name them, lists of words.
NOT_SHOWN = re.compile(
    r"strict|\[\w|[a-z*], [a-z]|h1 ~|^0px|^(?:Arrow|Enter|Esc(?:ape)?|Shift|Delete)$|about above"
)


def find_unmarked_strings(script: str) -> Iterator[tuple[int, str]]:
    for match in STRING.finditer(script):
        words = next((group for group in match.groups() if group), "")
        before = script[: match.start()]
        if match[0].startswith("`"):
            # What is put together of values and signs has no words of its own.
            words = re.sub(r"\$\{(?:[^{}`]|`[^`]*`|\{[^{}]*\})*\}", "", words)
        is_read = is_prose(words) and not NOT_SHOWN.search(words)
        if is_read and not TRANSLATED.search(before) and not LOGGED.search(before):
            yield before.count("\n") + 1, words


def test_every_string_of_scripts_is_marked() -> None:
    """Write `gettext("…")`, or `interpolate(gettext("%(count)s left"), { count })`."""
    assert len(SCRIPTS) > 50
    unmarked = [
        f"{path.relative_to(ROOT)}:{line}: {words}"
        for path in SCRIPTS
        for line, words in find_unmarked_strings(path.read_text(encoding="utf-8"))
    ]
    assert not unmarked, "\n".join(unmarked)


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ('say("Nothing to undo.");', ["Nothing to undo."]),
        ("say(`Also here: ${names}`);", ["Also here: "]),
        ('say("Saved");', ["Saved"]),
        ('say(gettext("Saved"));', []),
        ('ngettext("%(count)s word left", "%(count)s words left", count)', []),
        ('console.info("Giza: not stored.", error.name);', []),
        ('root.querySelector("input, textarea");', []),
        ("const url = `${path}/mturk/`;", []),
    ],
)
def test_it_sees_unmarked_strings(script: str, found: list[str]) -> None:
    assert [words for _, words in find_unmarked_strings(script)] == found
