"""A rendered page as tests look at it: its words, its links, and what it must not contain."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

HOSTILE = "</script><img src=x onerror=alert(1)>"
VOID = {"meta", "link", "input", "br", "img", "path", "rect", "circle"}


@dataclass
class Page(HTMLParser):
    """Reads a page once; `faults` lists everything that the Content-Security-Policy forbids."""

    html: str
    words: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    actions: list[str] = field(default_factory=list)
    values: dict[str, str] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.feed(self.html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._look_for_faults(tag, given)
        if tag == "a":
            self.links.append(given.get("href", ""))
        if tag == "form" and given.get("method") == "post":
            self.actions.append(given.get("action", ""))
        if tag == "input" and "name" in given:
            self.values[given["name"]] = given.get("value", "")

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.words.append(data.strip())

    def _look_for_faults(self, tag: str, given: dict[str, str]) -> None:
        if tag == "style" or "style" in given:
            self.faults.append(f"a style in {tag}")
        if tag == "script" and not given.get("src"):
            self.faults.append("a script without a file")
        self.faults += [f"{name} in {tag}" for name in given if name.startswith("on")]
        for name in ("src", "href", "action", "hx-get", "hx-post"):
            address = given.get(name, "")
            if re.match(r"\s*(javascript|data|https?):|//", address, re.IGNORECASE):
                self.faults.append(f"{name}={address}")
        if tag == "img":
            self.faults.append("an image")

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def page_of(response: Any, status: int = 200) -> Page:
    """The page, which must be harmless."""
    assert response.status_code == status, response.content.decode()[:2000]
    assert response["Content-Type"] == "text/html; charset=utf-8"
    page = Page(response.content.decode())
    assert page.faults == []
    return page
