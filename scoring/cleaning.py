"""Clean what systems wrote before people read it, and tell every change, so that it can be undone.

`tokens` mends what is left of a system's own vocabulary: `<unk>`, `-lrb-`, `##` word pieces, marks
of sentences and of padding, LaTeX quotes, spaces before punctuation. `case` writes texts without
capitals as the study's own texts would (scoring.casing). Content words are neither added nor
removed: a word that the system did not know stays a gap that the reader sees.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scoring.casing import Caser, list_case_changes
from scoring.errors import InputError
from scoring.translation import gettext as _
from scoring.translation import gettext_lazy

TOKENS, CASE = "tokens", "case"
RULES = (TOKENS, CASE)
# Changes whenever the same text would be cleaned otherwise.
VERSION = 1
GAP = "[…]"

_UNKNOWN = r"(?:<unk>|\[unk\]|<oov>|\[oov\]|(?<![\w-])(?-i:UNK)(?![\w-])|⁇)"
_BRACKETS = {"l": {"r": "(", "s": "[", "c": "{"}, "r": {"r": ")", "s": "]", "c": "}"}}
_MARKERS = re.compile(
    r"\s*(?:</?[stq]>|<(?:pad|eos|bos|sos|n|mask|s_sep)>|\[(?:pad|cls|sep|mask|x_sep)\]"
    r"|<\|endoftext\|>)\s*",
    re.IGNORECASE,
)
_GAPS = re.compile(rf"{_UNKNOWN}(?:\s+{_UNKNOWN})*", re.IGNORECASE)
_ESCAPED = re.compile(r"-([lr])([rsc])b-", re.IGNORECASE)
_PIECES = re.compile(r"(?<=\w)\s*##(?=\w)|(?<=\w)@@ (?=\w)")
_SPACE_MARKS = re.compile(r"[▁Ġ]")
_LATEX_QUOTES = re.compile(r"``|''")
_BLANKS = re.compile(r"\A\s+|\s+\Z|[^\S\n]*\n\s*|[^\S\n]{2,}")
_BEFORE = re.compile(
    r"[^\S\n]+(?=[,.;:!?%)\]}…”]+(?:[\s\"'’”)\]}]|\Z)|(?:['’](?:s|re|ve|ll|d|m)|n['’]t)\b)"
    r"|(?<=s)[^\S\n]+(?=['’]\s)|(?<=\d)[^\S\n]+(?=[.,]\d)",
    re.IGNORECASE,
)
_AFTER = re.compile(r"(?<=[(\[{“])[^\S\n]+|(?<=[$£€])[^\S\n]+(?=\d)")
_QUOTE = re.compile(r'"')


class Edit(NamedTuple):
    """`before` became `after` at the place `at` of the text as it was after the edit's step."""

    kind: str
    at: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A text as it is shown, and what was done to come to it, in that order."""

    text: str
    edits: tuple[Edit, ...] = ()

    @property
    def is_changed(self) -> bool:
        return bool(self.edits)

    @property
    def kinds(self) -> dict[str, int]:
        """How many edits of each kind, the most frequent first."""
        return dict(Counter(edit.kind for edit in self.edits).most_common())


KINDS = {
    "marker": gettext_lazy("sentence and padding markers"),
    "unknown": gettext_lazy("unknown-word tokens"),
    "bracket": "brackets",
    "piece": gettext_lazy("word pieces"),
    "quote": gettext_lazy("quotation marks"),
    "case": "capitals",
    "space": "spaces",
}

Change = tuple[int, int, str]


def check_rules(rules: Iterable[str]) -> tuple[str, ...]:
    """The rules in their own order, each once."""
    asked = list(rules)
    if unknown := [rule for rule in asked if rule not in RULES]:
        raise InputError(
            _("Unknown cleaning rule '{unknown}'. Known: {rules}.").format(
                unknown=unknown[0], rules=", ".join(RULES)
            )
        )
    return tuple(rule for rule in RULES if rule in asked)


def clean_text(text: str, rules: Collection[str] = RULES, caser: Caser | None = None) -> Cleaned:
    """Apply the rules; `case` needs a caser, and does nothing without one."""
    rules = check_rules(rules)
    work = _Work(text)
    if TOKENS in rules:
        work.sub("marker", _MARKERS, " ")
        work.sub("unknown", _GAPS, GAP)
        work.change("bracket", [(*m.span(), _bracket(m)) for m in _ESCAPED.finditer(work.text)])
        work.sub("piece", _PIECES, "")
        work.sub("piece", _SPACE_MARKS, " ")
        work.sub("quote", _LATEX_QUOTES, '"')
    if CASE in rules and caser is not None:
        work.change("case", list_case_changes(work.text, caser))
    if TOKENS in rules:
        work.change("space", [(*m.span(), _blank(m)) for m in _BLANKS.finditer(work.text)])
        work.sub("space", _BEFORE, "")
        work.sub("space", _AFTER, "")
        work.change("space", _close_quotes(work.text))
    return Cleaned(work.text, tuple(work.edits))


def _bracket(mark: re.Match[str]) -> str:
    return _BRACKETS[mark[1].lower()][mark[2].lower()]


def _blank(mark: re.Match[str]) -> str:
    """Nothing at the ends, a line's end where there was one, else one space."""
    if mark.start() == 0 or mark.end() == len(mark.string):
        return ""
    return "\n" if "\n" in mark[0] else " "


def _close_quotes(text: str) -> list[Change]:
    """Spaces within straight quotation marks, where they come in pairs."""
    marks = [mark.start() for mark in _QUOTE.finditer(text)]
    if len(marks) % 2:
        return []
    found: list[Change] = []
    for opening, closing in zip(marks[::2], marks[1::2], strict=True):
        if closing - opening > 2:
            found += [(opening + 1, opening + 2, "")] if text[opening + 1] == " " else []
            found += [(closing - 1, closing, "")] if text[closing - 1] == " " else []
    return found


class _Work:
    """A text under way, and the edits so far."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.edits: list[Edit] = []

    def sub(self, kind: str, pattern: re.Pattern[str], after: str) -> None:
        self.change(kind, [(*mark.span(), after) for mark in pattern.finditer(self.text)])

    def change(self, kind: str, changes: Sequence[Change]) -> None:
        """Changes from left to right, none within another."""
        parts, done, length = [], 0, 0
        for start, end, after in changes:
            before = self.text[start:end]
            if before == after:
                continue
            parts += [self.text[done:start], after]
            self.edits.append(Edit(kind, length + start - done, before, after))
            length += start - done + len(after)
            done = end
        self.text = "".join([*parts, self.text[done:]])


def undo_cleaning(cleaned: Cleaned) -> str:
    """The text as it was before: the last edit is taken back first."""
    text = cleaned.text
    for edit in reversed(cleaned.edits):
        end = edit.at + len(edit.after)
        if text[edit.at : end] != edit.after:
            raise InputError(
                _("'{after}' is not at {at}: the text is a different one.").format(
                    after=edit.after, at=edit.at
                )
            )
        text = text[: edit.at] + edit.before + text[end:]
    return text


def hash_shown(texts: Iterable[tuple[str, str]]) -> str:
    """Of texts by name, in the order of the names: the same only if people read the same."""
    digest = hashlib.sha256()
    for name, text in sorted(texts):
        digest.update(f"{len(name)}:{name}{len(text)}:{text}".encode())
    return digest.hexdigest()
