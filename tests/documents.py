"""`python -m tests.documents`: write the last line of every page, by the order of docs/index.md.

The tests of tests/docs read the documents by the same functions.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
INDEX = DOCS / "index.md"
# Documents that lie beside the folder, and are reached from it.
BESIDE = tuple(
    ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")
)
LINK = re.compile(r"!?\[([^\]]*)\]\(([^)\s]+)\)")
FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"(?:\S*python )?(manage\.py|-m scoring) ")
RULE = "\n---\n"


@dataclass(frozen=True, slots=True)
class Link:
    words: str
    target: str

    @property
    def is_outside(self) -> bool:
        return "://" in self.target or self.target.startswith("mailto:")


def list_pages() -> list[Path]:
    """Every document of the folder, the map last."""
    return [path for path in sorted(DOCS.rglob("*.md")) if path != INDEX] + [INDEX]


def list_links(path: Path) -> list[Link]:
    """The links of a document, those in samples of code left out."""
    return [Link(*found) for found in LINK.findall(without_code(path.read_text()))]


def without_code(text: str) -> str:
    return re.sub(r"`[^`\n]+`", "", FENCE.sub("", text))


def list_anchors(path: Path) -> set[str]:
    """The places of a document that a link can lead to, named as GitHub names them."""
    titles = re.findall(r"^#+ (.+)$", FENCE.sub("", path.read_text()), re.MULTILINE)
    return {make_anchor(title) for title in titles}


def make_anchor(title: str) -> str:
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).replace("`", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


def list_commands(path: Path) -> Iterator[list[str]]:
    """Command lines of the samples: `manage.py NAME …` and `-m scoring NAME …`, in words."""
    for _, language, sample in FENCE.findall(path.read_text()):
        if language in ("", "sh", "text"):
            for line in sample.replace("\\\n", " ").splitlines():
                if COMMAND.match(line.strip()):
                    yield _words(line.strip())


def _words(line: str) -> list[str]:
    """A command line without what the shell does with it afterwards."""
    words = shlex.split(COMMAND.sub(r"'\1' ", line, count=1), comments=True)
    return list(takewhile(lambda word: word not in (">", "|", "&&"), words))


def list_order() -> list[Path]:
    """The pages in the order in which the map names them."""
    found = [link.target for link in list_links(INDEX) if not link.target.startswith("../")]
    return [INDEX.parent / target for target in found]


def make_footer(page: Path, following: Path) -> str:
    """The last line of a page: the way back, and on."""
    back, onward = (os.path.relpath(path, page.parent) for path in (INDEX, following))
    return f"[All documents]({back}) · Next: [{title_of(following)}]({onward})\n"


def title_of(page: Path) -> str:
    return page.read_text().split("\n", 1)[0].removeprefix("# ").partition(":")[0]


def list_footers() -> dict[Path, str]:
    """What each page has to end with; the last page leads to the first."""
    order = list_order()
    return {
        page: make_footer(page, following)
        for page, following in zip(order, [*order[1:], *order[:1]], strict=True)
    }


def main() -> None:
    for page, footer in list_footers().items():
        body = page.read_text().partition(RULE + "\n[All documents]")[0].rstrip()
        page.write_text(f"{body}\n{RULE}\n{footer}")


if __name__ == "__main__":
    main()
