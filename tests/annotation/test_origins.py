"""Whatever address somebody wrote: it is refused, or a header has the directives that we meant."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from django.http import HttpResponse
from django.test import RequestFactory
from hypothesis import example, given
from hypothesis import strategies as st

from annotation.crowd.market.models_work import QuestionKind
from annotation.crowd.market.question_forms import Question
from annotation.crowd.work.views_sandbox import frame_for, own_policy, task_policy
from annotation.headers import UnsafeHeader, attach_as, write_policy
from annotation.middleware import DIRECTIVES, framing_policy
from annotation.origins import AddressError, read_origin, read_url

SCHEMES = ["https://", "http://", "HTTPS://", "https:", "https:/", "https:\\\\", "javascript:", ""]
HOSTS = ["evil.test", "*", "*.test", "127.0.0.1", "[::1]", "münchen.de", "例え.jp", "a..b", "xn--a"]
ASCII = [
    ";script-src *",
    ",",
    " ",
    "'",
    '"',
    "\n",
    "\r\nX: y",
    "\t",
    "@",
    ":",
    ":80",
    ":0",
    "/",
    "?",
]
OTHERS = [
    "\\",
    "%3b",
    "%0a",
    ".",
    "。",
    "\uff1b",
    "\uff0f",
    "\u2028",
    "\xa0",
    "\xad",
    "\0",
    "#",
    "_",
]
MARKS = [*ASCII, *OTHERS]
TEXT = st.one_of(st.sampled_from(MARKS), st.text(max_size=6))
HOSTILE = st.builds(
    "{}{}{}{}{}".format,
    st.sampled_from(SCHEMES),
    TEXT,
    st.sampled_from(HOSTS),
    TEXT,
    st.one_of(TEXT, st.sampled_from(["/task?a=1;b=2", "/päth", "/a b", "/x\n"])),
)


def parse(policy: str) -> dict[str, list[str]]:
    """As browsers read it: a comma begins another policy, a semicolon another directive."""
    assert "," not in policy
    assert re.fullmatch(r"[\x21-\x7e]+( [\x21-\x7e]+)*", policy)
    parts = [part.split() for part in policy.split(";")]
    assert len({part[0] for part in parts}) == len(parts)
    return {part[0]: part[1:] for part in parts}


@given(HOSTILE)
@example("https://evil.test;script-src *")
@example("https://evil.test,script-src")
@example("https://MÜNCHEN.de:443/a")
@example("https://ex\nample.org/")
@example("https://1.2.3.4.5/")
@example("https://0x7f.1/")
def test_it_names_the_one_origin_or_refuses_the_address(url: str):
    try:
        found = read_url(url)
    except AddressError:
        return
    origin = str(read_origin(found))
    frame = frame_for(RequestFactory().get("/"), Question(QuestionKind.EXTERNAL, url=found))
    policy = parse(framing_policy(*frame.sources))
    expected = ["https:"] if origin.startswith("https:") else [origin, "https:"]
    assert policy == {**DIRECTIVES, "frame-src": ["'self'", *expected]}
    assert re.fullmatch(r"https?://([a-z0-9.-]+|\[[0-9a-f:.]+\])(:[0-9]+)?", origin)
    assert found.startswith(origin)
    assert read_url(found) == found
    assert re.fullmatch(r"[\x21-\x7e]+", found)


@given(st.text(max_size=40))
def test_it_writes_no_source_that_is_more_than_one(source: str):
    try:
        policy = write_policy({"frame-src": ["'self'", source]})
    except UnsafeHeader:
        return
    assert parse(policy) == {"frame-src": ["'self'", source]}


@pytest.mark.parametrize("make", [task_policy, own_policy])
@pytest.mark.parametrize("origin", ["https://a.test;script-src *", "https://*", "https://a b"])
def test_it_refuses_a_policy_about_such_an_origin(make, origin):
    with pytest.raises(UnsafeHeader):
        make(origin)


@given(st.text(max_size=60))
@example('a"; filename="b.html')
@example("x\r\nSet-Cookie: a=b")
def test_it_names_a_download_whatever_the_name_is(name: str):
    response = HttpResponse()
    attach_as(response, name)
    value = response["Content-Disposition"]
    assert re.fullmatch(r"attachment; filename(=\"([^\"\\]|\\.)*\"|\*=utf-8''[!-~]*)", value)
    assert re.fullmatch(r"[\x20-\x7e]+", value)


@pytest.mark.parametrize(
    "url, origin",
    [
        ("https://example.org", "https://example.org"),
        ("HTTPS://Example.ORG:443/Task?a=1;b=2#c", "https://example.org"),
        ("https://example.org:8443/", "https://example.org:8443"),
        ("https://münchen.example/", "https://xn--mnchen-3ya.example"),
        ("https://xn--mnchen-3ya.example/", "https://xn--mnchen-3ya.example"),
        ("http://127.0.0.1:8000/", "http://127.0.0.1:8000"),
        ("http://[0:0::1]:8000/", "http://[::1]:8000"),
    ],
)
def test_it_reads_an_origin_in_one_spelling(url, origin):
    assert str(read_origin(url)) == origin


@pytest.mark.parametrize(
    "url, words",
    [
        ("ftp://a.test", "must begin with https://"),
        ("//a.test", "must begin with https://"),
        ("https:a.test", "must begin with https://"),
        ("https://", "host is not valid"),
        ("https://me:pass@a.test", "user name or password"),
        ("https://@a.test", "user name or password"),
        ("https://a.test:0", "port"),
        ("https://a.test:", "port"),
        ("https://a.test:99999", "can't be read"),
        ("https://a..test", "host is not valid"),
        ("https://a.test.", "host is not valid"),
        ("https://*.test", "host is not valid"),
        ("https://a_b.test", "host is not valid"),
        ("https://a%2eb", "host is not valid"),
        ("https://xn--a.test", "host is not valid"),
        ("https://a\uff0fb.test", "can't be read"),
        ("https://127.1", "neither a name nor an IPv4 address"),
        ("https://0x7f000001", "neither a name nor an IPv4 address"),
        ("https://[::1%25eth0]", "not an IPv6 address"),
        ("https://a.test/\u2028", "unsafe character"),
        ("https://a.test\\@b.test", "unsafe character"),
        ("https://a.test/\nx", "unsafe character"),
        (f"https://a.test/{'x' * 5000}", "4,096 characters"),
    ],
)
def test_it_says_what_is_wrong(url, words):
    with pytest.raises(AddressError, match=words):
        read_origin(url)


def test_it_keeps_what_follows_the_origin():
    assert read_url("https://a.test/p%C3%A4th/ü?q=1;2,3&r='") == (
        "https://a.test/p%C3%A4th/%C3%BC?q=1;2,3&r='"
    )
    assert urlsplit(read_url("https://a.test#x")).fragment == "x"
