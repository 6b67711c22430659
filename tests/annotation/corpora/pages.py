"""A rendered page as tests look at it: its words, its links, and what it must not contain."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape
from typing import Any

HOSTILE = "</script><img src=x onerror=alert(1)>"
# A remark, or a tag with its attributes; an attribute with its value, in quotes or bare.
TAG = re.compile(
    r"<!--.*?-->|<![^>]*>|<(/?)([a-z][^\s/>]*)((?:[^>\"']++|\"[^\"]*\"|'[^']*')*+)>",
    re.DOTALL | re.IGNORECASE,
)
ATTRIBUTE = re.compile(r"([^\s=/\"'<>]+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+)))?")
ADDRESSES = ("src", "href", "action", "hx-get", "hx-post")
ELSEWHERE = re.compile(r"\s*(javascript|data|https?):|//", re.IGNORECASE)


@dataclass
class Page:
    """Reads a page once; `faults` lists everything that the Content-Security-Policy forbids.

    By patterns: pages are large and many, and the library's parser takes longer than the server.
    """

    html: str
    words: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    actions: list[str] = field(default_factory=list)
    values: dict[str, str] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        end = 0
        for found in TAG.finditer(self.html):
            self._hear(self.html[end : found.start()])
            end = found.end()
            closing, tag, attributes = found.groups()
            if tag and not closing:
                self._see(tag.lower(), read_attributes(attributes) if attributes else {})
        self._hear(self.html[end:])

    def _hear(self, text: str) -> None:
        if text and not text.isspace():
            self.words.append(unescape(text).strip())

    def _see(self, tag: str, given: dict[str, str]) -> None:
        self._look_for_faults(tag, given)
        if tag == "a":
            self.links.append(given.get("href", ""))
        if tag == "form" and given.get("method") == "post":
            self.actions.append(given.get("action", ""))
        if tag == "input" and "name" in given:
            self.values[given["name"]] = given.get("value", "")

    def _look_for_faults(self, tag: str, given: dict[str, str]) -> None:
        if tag == "style" or "style" in given:
            self.faults.append(f"a style in {tag}")
        if tag == "script" and not given.get("src"):
            self.faults.append("a script without a file")
        self.faults += [f"{name} in {tag}" for name in given if name.startswith("on")]
        for name in ADDRESSES:
            if name in given and ELSEWHERE.match(given[name]):
                self.faults.append(f"{name}={given[name]}")
        if tag == "img":
            self.faults.append("an image")

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def read_attributes(text: str) -> dict[str, str]:
    """The value stands in one of the three places."""
    return {name.lower(): unescape("".join(value)) for name, *value in ATTRIBUTE.findall(text)}


def page_of(response: Any, status: int = 200) -> Page:
    """The page, which must be harmless."""
    assert response.status_code == status, response.content.decode()[:2000]
    assert response["Content-Type"] == "text/html; charset=utf-8"
    page = Page(response.content.decode())
    assert page.faults == []
    return page
