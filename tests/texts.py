"""Every text of the product that a person reads, with its place: tests/words.py checks them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACES: tuple[str, ...] = (
    *("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "Makefile", "docs"),
    *("frontend/templates", "frontend/static/js", "annotation", "scoring", "deploy"),
)
HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6", "legend", "caption"}
INLINE = {"a", "abbr", "b", "bdi", "br", "cite", "data", "em", "i", "mark", "q", "s", "small"}
INLINE |= {"span", "strong", "sub", "sup", "time", "u", "wbr", "code", "kbd", "samp", "var"}
UNREAD = {"code", "kbd", "pre", "samp", "script", "style", "svg", "textarea"}
ATTRIBUTES = {"alt", "aria-description", "aria-label", "aria-roledescription", "placeholder"}
ATTRIBUTES |= {"title", "data-confirm", "data-empty", "data-label"}
GAP = "…"
PLACE = re.compile(r"\{(?:[a-z_]\w*)?(?:![rs])?(?::[^{}\"']*)?\}")


@dataclass(frozen=True, slots=True)
class Text:
    """Something that a person reads; GAP marks what the program fills in."""

    path: str
    line: int
    kind: str
    words: str

    @property
    def area(self) -> str:
        """The folder of the product that it belongs to: frontend/templates/crowd and the like."""
        parts = Path(self.path).parts[:-1]
        return "/".join(parts[: 3 if parts[:1] == ("frontend",) else 2])


class Page(HTMLParser):
    """The texts and attributes of a template, in which Django's marks are gaps already."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[int, str, str]] = []
        self._kind, self._words, self._line, self._unread = "text", "", 0, 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        is_button = tag == "button" or "button" in values.get("class", "").split()
        if tag not in INLINE or is_button:
            self.flush()
        if tag in HEADINGS or is_button:
            self._kind = "heading" if tag in HEADINGS else "button"
        if tag in UNREAD:
            self._unread += 1
            self._words += GAP
        line = self.getpos()[0]
        for name, value in values.items():
            if name in ATTRIBUTES:
                self.found.append((line, "attribute", value))
        if tag == "input" and values.get("type") == "submit":
            self.found.append((line, "button", values.get("value", "")))

    def handle_endtag(self, tag: str) -> None:
        if tag in UNREAD:
            self._unread = max(self._unread - 1, 0)
        if tag not in INLINE or (tag == "a" and self._kind == "button"):
            self.flush()

    def handle_data(self, data: str) -> None:
        if not self._unread:
            if not self._words.strip():
                self._line = self.getpos()[0] + data[: -len(data.lstrip()) or None].count("\n")
            self._words += data

    def flush(self) -> None:
        """What was read since the last border of a block."""
        if self._words.strip():
            self.found.append((self._line or self.getpos()[0], self._kind, self._words))
        self._kind, self._words, self._line = "text", "", 0


TRANSLATED = re.compile(r"""{% translate (?:"([^"]*)"|'([^']*)') %}""")
TRANSLATED_BLOCK = re.compile(r"{% (?:end)?blocktranslate\b.*?%}")


def unmark(text: str) -> str:
    """A template with its words where they are shown, without the marks for translators."""
    text = TRANSLATED.sub(lambda mark: mark[1] or mark[2] or "", text)
    return TRANSLATED_BLOCK.sub("", text)


def read_template(text: str) -> Iterator[tuple[int, str, str]]:
    text = re.sub(r"{% comment %}.*?{% endcomment %}|{#.*?#}", _newlines, text, flags=re.DOTALL)
    text = TRANSLATED.sub(lambda mark: mark[1] or mark[2] or "", text)
    for mark in re.finditer(r"{[{%].*?[}%]}", text):
        for quoted in re.findall(r'"([^"]*)"', mark[0]):
            if is_prose(quoted):
                yield text.count("\n", 0, mark.start()) + 1, "text", quoted
    page = Page()
    page.feed(re.sub(r"{%.*?%}", "¦", re.sub(r"{{.*?}}", GAP, unmark(text))))
    page.flush()
    yield from page.found


def _newlines(match: re.Match[str]) -> str:
    return "\n" * match[0].count("\n")


def read_python(text: str, is_api: bool = False) -> Iterator[tuple[int, str, str]]:
    """String literals; docstrings only where REST shows them."""
    tree = ast.parse(text)
    unread: set[int] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant() as docstring) if not is_api:
                unread.add(id(docstring))
            case ast.JoinedStr(values=values):
                unread |= {id(part) for part in values}
                parts = (part.value if isinstance(part, ast.Constant) else GAP for part in values)
                yield node.lineno, "text", "".join(map(str, parts))
            case ast.Constant(value=str(words)) if id(node) not in unread:
                yield node.lineno, "text", words


STRING = re.compile(
    r"""//[^\n]*|/\*.*?\*/|(?<=[(,=:!&|?])\s*/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+/"""
    r"""|"((?:\\.|[^"\\\n])*)"|'((?:\\.|[^'\\\n])*)'"""
    r"""|`((?:\\.|\$\{[^{}`]*(?:`[^`]*`[^{}`]*)*\}|[^`\\])*)`""",
    re.DOTALL,
)


def read_script(text: str) -> Iterator[tuple[int, str, str]]:
    for match in STRING.finditer(text):
        words = next((group for group in match.groups() if group), "")
        line = text.count("\n", 0, match.start()) + 1
        yield line, "text", re.sub(r"\$\{.*?\}", GAP, words, flags=re.DOTALL)


def read_document(text: str) -> Iterator[tuple[int, str, str]]:
    """Markdown by paragraph, item and row, without code, comments and addresses."""
    text = re.sub(r"^( *)```.*?^\1```|<!--.*?-->", _newlines, text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"`[^`\n]+`", GAP, text)
    text = re.sub(r"(!?\[[^\]]*\])\([^)\s]+\)", r"\1", text)
    for match in re.finditer(r"(?:(?!\n\n|\n *[-|#]|\n *\d+\. ).)+", text, re.DOTALL):
        block = match[0].strip()
        line = text.count("\n", 0, match.start() + len(match[0]) - len(match[0].lstrip())) + 1
        yield line, "heading" if block.startswith("#") else "text", block.lstrip("#>- ")


def read_verbs(text: str) -> Iterator[tuple[int, str, str]]:
    """The help of a Makefile, and what its verbs print."""
    for number, line in enumerate(text.splitlines(), 1):
        for words in re.findall(r'## (.*)|echo "([^"]*)"', line):
            yield number, "text", "".join(words)


def is_prose(words: str) -> bool:
    """Two words or one that begins with a capital: not a key, a path or a class."""
    return bool(re.search(r"[\w),:;…]\s+[\w(…]|^[A-Z][a-z]+$", words))


def read(path: Path) -> Iterator[Text]:
    """What a person reads of a file, in its order."""
    text, name = path.read_text(encoding="utf-8"), path.as_posix()
    if path.is_relative_to(ROOT):
        name = path.relative_to(ROOT).as_posix()
    if path.suffix == ".py":
        found = read_python(text, "/api/" in name)
    else:
        readers = {".html": read_template, ".txt": read_template, ".js": read_script}
        found = {**readers, ".md": read_document, "": read_verbs}[path.suffix](text)
    for line, kind, words in sorted(found, key=lambda row: row[0]):
        words = " ".join(words.split())
        if path.suffix == ".py":
            words = PLACE.sub(GAP, words)
        if is_prose(words) if path.suffix in (".py", ".js") else re.search("[A-Za-z]{2}", words):
            yield Text(name, line, kind, words)


def list_files(places: Iterable[str] = PLACES) -> Iterator[Path]:
    for place in places:
        path = ROOT / place
        inside = [path] if path.is_file() else sorted(path.rglob("*"))
        yield from (file for file in inside if file.is_file() and _is_read(file))


def _is_read(path: Path) -> bool:
    if "migrations" in path.parts or "__pycache__" in path.parts:
        return False
    is_template = path.suffix == ".txt" and "templates" in path.parts
    return is_template or path.suffix in (".html", ".js", ".md", ".py") or path.name == "Makefile"


def list_texts(places: Iterable[str] = PLACES) -> Iterator[Text]:
    """By file, in the order in which they are read there."""
    for path in list_files(places):
        yield from read(path)
