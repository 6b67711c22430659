"""Answers in MTurk's XML: what goes in comes out, and hostile documents are refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.crowd.market.answers import (
    MAX_BYTES,
    NAMESPACE,
    build_answer_xml,
    keep_xml_characters,
    read_answer_xml,
)

NAMES = st.text(min_size=1).filter(lambda name: keep_xml_characters(name) == name)


def document(inner: str, namespace: str = NAMESPACE) -> str:
    return f'<QuestionFormAnswers xmlns="{namespace}">{inner}</QuestionFormAnswers>'


def answer(name: str, value: str) -> str:
    return f"<Answer><QuestionIdentifier>{name}</QuestionIdentifier>{value}</Answer>"


@given(fields=st.dictionaries(NAMES, st.text(), max_size=5))
def test_it_reads_what_it_built(fields: dict[str, str]):
    read = read_answer_xml(build_answer_xml({name: [value] for name, value in fields.items()}))
    assert read == {name: keep_xml_characters(value) for name, value in fields.items()}


@pytest.mark.parametrize(
    "fields, expected",
    [
        ({}, {}),
        ({"s1": ["present"], "s2": ["absent"]}, {"s1": "present", "s2": "absent"}),
        ({"boxes": ["a", "b", "c"]}, {"boxes": "a|b|c"}),
        ({"comment": []}, {"comment": ""}),
        ({"comment": ["a\x00b\x1b[31m\ufffe\ud800"]}, {"comment": "ab[31m"}),
        ({"comment": ["line\r\nnext\ttab"]}, {"comment": "line\r\nnext\ttab"}),
        ({"comment": ["</FreeText><b>&amp;]]>"]}, {"comment": "</FreeText><b>&amp;]]>"}),
        ({"comment": ["شكرا \u202eabc 🦜"]}, {"comment": "شكرا \u202eabc 🦜"}),
        ({"assignmentId": ["3A"], "s1": [""]}, {"assignmentId": "3A", "s1": ""}),
    ],
)
def test_it_builds_what_can_be_read(fields: dict[str, list[str]], expected: dict[str, str]):
    assert read_answer_xml(build_answer_xml(fields)) == expected


def test_it_escapes_as_mturk_does():
    xml = build_answer_xml({"taskAnswers": ['[{"à": "5 > 4 & 3 < 4\r\n🦜"}]', "'"]})
    text = '[{"&#224;": "5 &gt; 4 &amp; 3 &lt; 4&#13;\n&#129436;"}]|\''
    written = document(answer("taskAnswers", f"<FreeText>{text}</FreeText>"))
    assert xml == f'<?xml version="1.0" encoding="ASCII"?>{written}'


def test_it_reads_what_was_stored_before():
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    stored = document(answer("s1", "<FreeText>&quot;à&quot; 🦜&#13;</FreeText>"))
    assert read_answer_xml(head + stored) == {"s1": '"à" 🦜\r'}


@pytest.mark.parametrize(
    "inner, expected",
    [
        (answer("s1", "<FreeText>present</FreeText>"), "present"),
        (answer("s1", "<FreeText/>"), ""),
        (answer("s1", ""), ""),
        (answer("s1", "<FreeText><![CDATA[<b>]]></FreeText>"), "<b>"),
        (
            answer(
                "s1",
                "<SelectionIdentifier>a</SelectionIdentifier>"
                "<SelectionIdentifier>b</SelectionIdentifier>"
                "<OtherSelectionText>c</OtherSelectionText>",
            ),
            "a|b|c",
        ),
    ],
)
def test_it_reads_what_mturk_writes(inner: str, expected: str):
    head = '<?xml version="1.0" encoding="ASCII"?>'
    assert read_answer_xml(head + document(inner)) == {"s1": expected}


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10 if n else "lol"}">' for n in range(10))
FREE = answer("s1", "<FreeText>&l9;</FreeText>")


@pytest.mark.parametrize(
    "xml, words",
    [
        ("", "not XML"),
        ("present", "not XML"),
        (document("")[:-3], "not XML"),
        (document(answer("s1", "<FreeText>\x00</FreeText>")), "not XML"),
        (document(answer("s1", "<FreeText>&nbsp;</FreeText>")), "undefined entity"),
        (f"<!DOCTYPE a [{LAUGHS}]>{document(FREE)}", "document type"),
        (f'<!DOCTYPE a SYSTEM "file:///etc/passwd">{document("")}', "document type"),
        (f'<!DOCTYPE a [<!ENTITY % x SYSTEM "http://x/">%x;]>{document("")}', "document type"),
        (document("", namespace="urn:other"), "urn:other"),
        ("<QuestionFormAnswers/>", "not QuestionFormAnswers of"),
        (document("<Answers/>"), "Unexpected element"),
        (document("<Answer><FreeText>present</FreeText></Answer>"), "QuestionIdentifier"),
        (document(answer("s1", "") + answer("s1", "")), "'s1' is answered twice"),
        (document(" " * MAX_BYTES), "the maximum is"),
        ("\ud800", "unpaired surrogate"),
    ],
)
def test_it_refuses(xml: str, words: str):
    with pytest.raises(ValueError, match=words):
        read_answer_xml(xml)
