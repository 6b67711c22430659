"""The judging page and its question: escaped, alone, small enough, and silent about gold."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from annotation.crowd.judging_page import question
from annotation.crowd.judging_page.question import (
    HTML_QUESTION,
    MAX_BYTES,
    JudgingTask,
    QuestionTooLarge,
    Worked,
    external_question_xml,
    html_question_xml,
    measure_page,
    render_page,
    split_blocks,
)

HOSTILE = "</script></style><img src=x onerror=alert(1)>]]>\u2028&amp;'\""
TASK = JudgingTask(
    title="Does the summary say it?",
    summary="A dam burst.\nNobody was hurt.",
    statements=(("s1", "A dam burst."), ("s2", "It rained.")),
)
TOKENS = Path(question.SOURCES).parent / "css" / "tokens.css"


class Read(HTMLParser):
    """Every tag of a page with its attributes, and the text of its scripts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append((self.tags[-1][0] if self.tags else "", data))

    def data(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(
            next(text for tag, text in self.texts if tag == "script")
        )
        return found

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [given for name, given in self.tags if name == tag]


def hostile_task() -> JudgingTask:
    worked = Worked(HOSTILE, HOSTILE, "absent", HOSTILE)
    return JudgingTask(
        title=HOSTILE,
        summary=HOSTILE,
        statements=(("s1", HOSTILE),),
        instructions=f"{HOSTILE}\n- {HOSTILE}",
        examples=(worked,),
        training=(worked,),
        origins=(HOSTILE,),
        assignment_id=HOSTILE,
        hidden={HOSTILE: HOSTILE},
    )


def test_it_shows_hostile_text_and_runs_none_of_it():
    page = render_page(hostile_task())
    read = Read(page)
    assert read.of("img") == []
    assert len(read.of("script")) == 2
    assert [name for _, given in read.tags for name in given if name.startswith("on")] == []
    assert html.escape("</script></style><img") in page
    assert read.data()["training"][0]["statement"] == HOSTILE
    assert "\u2028" not in page.partition('id="task">')[2].partition("</script>")[0]


@pytest.mark.parametrize(
    "text", ["\u200fمرحبا\u200e \u202ecba", "🦜👩‍🚀", "日本語", "a\x00\x01\ud800b"]
)
def test_it_keeps_every_character_that_a_page_can_hold(text: str):
    page = render_page(replace(TASK, summary=text))
    shown = re.sub("[\x00\x01\ud800]", "", text)
    assert f'<p dir="auto">{shown}</p>' in page
    page.encode()


def test_it_names_no_other_address_and_has_no_inline_attributes():
    read = Read(render_page(TASK))
    addresses = [given[name] for _, given in read.tags for name in ("src", "href") if name in given]
    assert addresses == []
    assert "style" not in {name for _, given in read.tags for name in given}
    assert not re.search(r"https?://|innerHTML|\beval\(", question.inlined(*question.SCRIPTS))
    assert not re.search(r"url\(|@import", question.inlined(*question.STYLES))


def test_it_asks_each_statement_with_two_radio_buttons_in_a_plain_form():
    read = Read(render_page(TASK))
    radios = [(row["name"], row["value"]) for row in read.of("input") if row["type"] == "radio"]
    assert radios == [(key, value) for key in ("s1", "s2") for value in ("present", "absent")]
    assert len(read.of("fieldset")) == len(read.of("legend")) == 2
    assert read.of("form")[0]["method"] == "post"
    assert {row["name"] for row in read.of("input")} >= {"assignmentId", "giza_seconds"}


def test_it_says_so_when_a_summary_is_empty():
    assert "This summary is empty." in render_page(replace(TASK, summary=" \n"))


@pytest.mark.parametrize(
    "text, expected",
    [
        ("", []),
        ("One\ntwo.\n\nThree.", [{"text": "One two."}, {"text": "Three."}]),
        ("Do:\r\n- this\r\n- that\r\n\r\nEnd.", [
            {"text": "Do:"}, {"entries": ["this", "that"]}, {"text": "End."}]),
        ("- a\n\n- b", [{"entries": ["a"]}, {"entries": ["b"]}]),
        ("-5 degrees", [{"text": "-5 degrees"}]),
    ],
)  # fmt: skip
def test_it_reads_instructions(text: str, expected: list[dict[str, Any]]):
    assert split_blocks(text) == expected


def test_it_carries_the_page_unchanged():
    page = render_page(hostile_task()) + "]]>]]>"
    root = ElementTree.fromstring(html_question_xml(page, 450))
    assert root.tag == f"{{{HTML_QUESTION}}}HTMLQuestion"
    assert [child.text for child in root] == [page, "450"]


def test_it_holds_sixteen_long_statements():
    statements = tuple((f"s{number}", "ß" * 300) for number in range(1, 17))
    task = replace(TASK, summary="word " * 400, statements=statements, instructions="i " * 1000)
    assert len(html_question_xml(render_page(task)).encode()) < MAX_BYTES


def test_it_measures_bytes_and_names_the_hit_that_is_too_large():
    room = MAX_BYTES - measure_page("")
    assert len(html_question_xml("a" * room).encode()) == MAX_BYTES
    with pytest.raises(QuestionTooLarge) as caught:
        html_question_xml("a" * (room - 1) + "é", name="The HIT of e1 by lead")
    assert "The HIT of e1 by lead" in caught.value.message
    assert "65,536 bytes" in caught.value.message


def test_it_points_to_a_page_elsewhere():
    root = ElementTree.fromstring(external_question_xml("https://giza.example.org/?a=1&b=<", 700))
    assert [child.text for child in root] == ["https://giza.example.org/?a=1&b=<", "700"]


def test_it_uses_the_tokens_of_the_product():
    def colours(text: str) -> dict[str, str]:
        return dict(re.findall(r"--([\w-]+): (light-dark\([^;]+\));", text))

    known = colours(TOKENS.read_text())
    used = colours(question.inlined(*question.STYLES))
    assert used
    assert {name: known.get(name) for name in used} == used


def test_it_keeps_its_sources_short():
    for name in (*question.SCRIPTS, *question.STYLES):
        assert len((question.SOURCES / name).read_text().splitlines()) <= 350
