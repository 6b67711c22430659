"""Texts that others wrote, made safe to stand in Markdown, LaTeX and YAML."""

from __future__ import annotations

import json
import re

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~!$])")
_LIST_MARK = re.compile(r"^([-+=]|\d+(?=[.)]))")
_LATEX = re.compile(r"[\\{}$&#%_^~<>|]")
_LATEX_WORDS = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}
# What YAML does not take as it is, even between quotes.
_NOT_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")


def one_line(text: str) -> str:
    """The text without control characters and line breaks."""
    return _CONTROL.sub(" ", text).strip()


def markdown(text: str) -> str:
    """The text on one line, as itself: no mark-up, no HTML, no list, no end of a cell."""
    return _LIST_MARK.sub(_guarded, _MARKDOWN.sub(r"\\\1", one_line(text)))


def markdown_lines(text: str, mark: str = "") -> str:
    """The text line by line, each behind *mark*."""
    return "\n".join(mark + markdown(line) for line in text.split("\n"))


def _guarded(found: re.Match[str]) -> str:
    # `12.` is guarded at its full stop, which the number stands before.
    return found[1] + "\\" if found[1][0].isdigit() else "\\" + found[1]


def markdown_block(text: str, language: str = "") -> str:
    """The text as it is, in a fence longer than any that it holds."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def latex(text: str) -> str:
    """The text on one line, every character that commands anything taken as itself."""
    return _LATEX.sub(lambda found: _LATEX_WORDS.get(found[0], "\\" + found[0]), one_line(text))


def yaml(text: str) -> str:
    """The text as a quoted string of YAML."""
    quoted = json.dumps(text, ensure_ascii=False)
    return _NOT_YAML.sub(lambda found: f"\\u{ord(found[0]):04x}", quoted)
