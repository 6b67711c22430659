import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.texts import unmark

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "frontend/templates/corpora/_glossary.html"
DOCUMENT = ROOT / "docs/glossary.md"
NEEDED = """
    pyramid scu contributor weight double-annotation stu reference system summary presence
    easiness damage
    lite2pyramid lite3pyramid lite2xpyramid hit assignment worker requester alpha majority
    gold judge p2c
    system-level summary-level realistic-pair boot-inputs boot-systems boot-both sem-ncg example
    project job import owner editor annotator viewer campaign attention-item wage-floor
    metric score-set qualification ledger label-set gold-version adjudication what-if pseudonym
"""

TEMPLATES = ROOT / "frontend/templates"
LINK = re.compile(r"(?:corpora:glossary' %}|{{ glossary_url(?:_\d)? }})#([\w-]+)")
# Words that the pages about them lead to the glossary with.
LINKED = """
    adjudication alpha campaign double-annotation easiness gold-version hit import
    inclusion-probability job judge label-set metric p2c prediction-powered-estimate project
    pseudonym realistic-pair robustness run
    scu stu summary-level system system-level wage-floor what-if worker
"""


class Definitions(HTMLParser):
    """Collects the ids, terms and texts of a definition list."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.parts: dict[str, list[str]] = {"dt": [], "dd": []}
        self._inside = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in self.parts:
            self.parts[tag].append("")
            self._inside = tag
        if tag == "dt":
            self.ids.append(dict(attrs)["id"] or "")

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.parts[self._inside][-1] += data

    @property
    def pairs(self) -> list[tuple[str, str]]:
        return list(zip(self.parts["dt"], self.parts["dd"], strict=True))


@pytest.fixture(scope="module")
def page() -> Definitions:
    return Definitions(unmark(PAGE.read_text(encoding="utf-8")))


def sections(markdown: str) -> list[tuple[str, str]]:
    found = re.findall(r"^## (.+)\n\n((?:.+\n)+)", markdown, flags=re.MULTILINE)
    return [(term, " ".join(text.split())) for term, text in found]


def test_it_says_the_same_in_the_page_and_in_the_docs(page: Definitions) -> None:
    assert page.pairs == sections(DOCUMENT.read_text(encoding="utf-8"))


def test_it_defines_every_term_we_use(page: Definitions) -> None:
    assert set(NEEDED.split()) <= set(page.ids)


def test_it_defines_each_term_once(page: Definitions) -> None:
    assert len(page.ids) == len(set(page.ids)) == len({term for term, _ in page.pairs})


def test_it_keeps_definitions_short(page: Definitions) -> None:
    for term, text in page.pairs:
        assert text.endswith("."), term
        assert 20 < len(text) <= 260, term


def test_it_is_where_pages_lead_for_their_words(page: Definitions) -> None:
    led = {word for path in TEMPLATES.rglob("*.html") for word in LINK.findall(path.read_text())}
    assert led <= set(page.ids)
    assert set(LINKED.split()) <= led
