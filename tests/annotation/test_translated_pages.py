"""Pages in a language of brackets: what stands outside of them could not be translated."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from django.template import Context, Template, base, defaulttags, library
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.safestring import SafeString

from annotation.corpora.accounts.models import User
from annotation.corpora.templatetags.translation import look_up
from tests.annotation.corpora.test_permissions import TABLE, address
from tests.annotation.crowd.campaigns import pages as campaign_pages
from tests.annotation.crowd.campaigns import permissions as campaigns
from tests.annotation.crowd.campaigns.places import keep_busy
from tests.annotation.evaluation import report_permissions as reports
from tests.annotation.units import permissions as units
from tests.annotation.world import World
from tests.frontend.test_marks import Texts

OPEN, CLOSE = "⟦", "⟧"
# From the innermost outwards: a value within a message may be translated itself.
BRACKETED = re.compile(rf"{OPEN}[^{OPEN}{CLOSE}]*{CLOSE}")


@pytest.fixture
def brackets(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every message in brackets, and values, which may be anybody's words, without words."""

    def choose(one: str, many: str, number: float) -> str:
        return bracket(one if number == 1 else many)

    def bracket(message: str) -> str:
        return type(message)(f"{OPEN}{message}{CLOSE}") if message else message

    translators: Mapping[str, Callable[..., str]] = {
        "gettext": bracket,
        "ngettext": choose,
        "pgettext": lambda context, message: bracket(message),
        "npgettext": lambda context, *words: choose(*words),
    }
    for name, translator in translators.items():
        getattr(translation._trans, name)  # type: ignore[attr-defined]  # Sets it.
        monkeypatch.setattr(f"django.utils.translation._trans.{name}", translator)
    look_up.cache_clear()
    for node in (base.VariableNode, defaulttags.FirstOfNode, library.SimpleNode):
        monkeypatch.setattr(node, "render", without_words(node.render))
    yield
    look_up.cache_clear()


def without_words(render: Callable[..., str]) -> Callable[..., str]:
    return lambda node, context: "0" if str(render(node, context)).strip() else ""


def find_english(html: str) -> list[str]:
    while BRACKETED.search(html):
        html = BRACKETED.sub("0", html)
    return [f"line {line}: {words}" for line, words in Texts(html).found]


def pages_of(world: World, people: Mapping[str, User]) -> Iterator[tuple[str, str]]:
    """Name and address of every page of the corpus, the units, campaigns and reports."""
    project = world.corpus.project
    busy, reported = campaigns.make_places(project, people), reports.make_places(project, people)
    values: dict[str, Callable[[str], dict[str, Any]]] = {
        **dict.fromkeys(units.TABLE, lambda name: {}),
        **dict.fromkeys(campaign_pages.TABLE, lambda name: campaign_pages.values_for(name, busy)),
        **dict.fromkeys(reports.TABLE, lambda name: reports.values_for(name, reported)),
    }
    for name, row in TABLE.items():
        is_page = name.startswith(("corpora:", "units:", "crowd:", "evaluation:"))
        is_here = name in values or name.startswith("corpora:")
        # Downloads are put together of values.
        if is_page and is_here and row["GET"]["owner"] == 200 and not name.endswith("_html"):
            yield name, address(name, world, values[name](name) if name in values else {})


def assert_no_english(client: Client, pages: Iterator[tuple[str, str]]) -> int:
    seen, english = 0, []
    for name, url in pages:
        response = client.get(url)
        if response.headers.get("Content-Type", "").startswith("text/html"):
            html = b"".join(response).decode()
            assert OPEN in html, name
            english += [f"{name}: {words}" for words in find_english(html)]
            seen += 1
    assert not english, "\n".join(english)
    return seen


@pytest.mark.usefixtures("brackets", "wire", "uploads", "gold_files")
def test_pages_of_a_project_leave_no_english(
    world: World, owner: User, as_owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_busy(monkeypatch)
    people = {"owner": owner}
    assert assert_no_english(as_owner, pages_of(world, people)) > 60


def test_it_would_see_english() -> None:
    html = f'<p title="Up">{OPEN}Two {OPEN}words{CLOSE}{CLOSE} Giza</p><p>more</p><code>x y</code>'
    assert find_english(html) == ["line 1: Up", "line 1: more"]


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ('{% translate "95 % of A &amp; B" %}', "⟦95 % of A &amp; B⟧"),
        ('{% translate "Up" as up %}{{ up|upper }}', "0"),
        ("{% translate up %}", "⟦<up>⟧"),
    ],
)
@pytest.mark.usefixtures("brackets")
def test_a_text_is_translated(source: str, shown: str) -> None:
    assert Template(source).render(Context({"up": SafeString("<up>")})) == shown


@pytest.mark.usefixtures("brackets")
def test_values_stay_escaped_within_a_sentence() -> None:
    source = "{% blocktranslate with a=b.c %}{{ a }} is {{ d }}{% endblocktranslate %}"
    page = Template(source).render(Context({"b": {"c": "<i>"}, "d": SafeString("<b>")}))
    assert page == "⟦&lt;i&gt; is <b>⟧"


@pytest.mark.parametrize(("language", "is_loaded"), [("en-gb", False), ("de", True)])
def test_scripts_get_the_messages_of_other_languages(
    language: str, is_loaded: bool, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = reverse("js_messages")
    monkeypatch.setattr("django.utils.translation._trans.get_language", lambda: language)
    assert (address in render_to_string("_head.html")) is is_loaded
    answer = client.get(address)
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert "django.gettext" in answer.content.decode()
