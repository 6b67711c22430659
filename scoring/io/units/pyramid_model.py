"""What a pyramid file of DUC and TAC holds, and where one reference ends and the next begins.

Offsets in such a file count the characters of all references together, headers included, lines
joined by a newline. Here they are turned into offsets within one reference, and back.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from scoring.errors import InputError
from scoring.io.units.pyramid_names import PEER
from scoring.translation import gettext as _
from scoring.types import ContributorRecord, Span, UnitRecord

# The header of the files written here; one blank line after it and one before the next.
OWN_HEADER = r"-{5}\nReference [0-9]*\n-{5}\n"
_MOST = 100  # times that one character of a header may repeat
_MOST_REPEATED = 20  # places of a pattern where it may
_LONGEST_PATTERN = 200
# One character or class of them, and how often: the part of regular expressions that is run.
_ITEM = re.compile(
    r"(?P<one>\[\^?(?:\\.|[^\]\\])+\]|\\[nrtdDwWsS.\-\[\]{}()*+?^$|/\\]|[^\\()|\[\]*+?{}^$])"
    r"(?P<often>\*|\+|\?|\{\d{1,3}(?:,\d{0,3})?\})?"
)
_DUC_HEADER = re.compile(r"^-{3,200}\n[^\n]{1,200}\n-{3,200}\n", re.MULTILINE)


# One contributor of a peer: the ranges of its text that say something together.
Mark = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class PeerAnnotation:
    """A peer summary and the marks on it that carry each unit, in the order of the units.

    `unmatched` are marks that the annotator found to carry no unit of the pyramid.
    """

    text: str
    matches: tuple[tuple[Mark, ...], ...]
    unmatched: tuple[Mark, ...] = ()
    name: str = PEER


@dataclass(frozen=True, slots=True)
class Pyramid:
    """One file: the references, the units on them, and a peer where the file is a `.pan`."""

    key: str
    references: tuple[str, ...]
    units: tuple[UnitRecord, ...]
    peer: PeerAnnotation | None = None


class UnknownHeader(InputError):
    """A pattern of headers that can't be used; says why."""


def find_references(text: str, pattern: str) -> list[Span]:
    """The range of every reference in the text of all.

    A pattern of the files written here frames its references exactly; of any other the white
    space around a reference is left out.
    """
    headers = _find_headers(text, pattern)
    if not headers:
        return [trimmed(text, 0, len(text))]
    stops = [start for start, __ in headers[1:]] + [len(text)]
    inside = [(end, stop) for (__, end), stop in zip(headers, stops, strict=True)]
    if pattern != OWN_HEADER:
        return [trimmed(text, start, stop) for start, stop in inside]
    last = len(inside) - 1
    return [_framed(start, stop, is_last=i == last) for i, (start, stop) in enumerate(inside)]


def join_references(references: Sequence[str]) -> tuple[str, list[int]]:
    """The text of all references with their headers, and where each of them starts."""
    text, starts = "", []
    for number, reference in enumerate(references):
        text += "\n\n" if number else ""
        text += _("-----\nReference {number}\n-----\n\n").format(number=number + 1)
        starts.append(len(text))
        text += reference
    if references and [start for start, __ in find_references(text, OWN_HEADER)] != starts:
        raise InputError(_("a reference contains lines that look like the header of another"))
    return text, starts


def locate(start: int, end: int, references: Sequence[Span]) -> ContributorRecord | None:
    """A range of the text of all as one of the reference it lies in; None if it lies in none."""
    number = bisect_right(references, start, key=lambda span: span[0]) - 1
    if number < 0 or not start < end <= references[number][1]:
        return None
    first = references[number][0]
    return ContributorRecord(number, start - first, end - first)


def _find_headers(text: str, pattern: str) -> list[Span]:
    """Where the pattern matches at the start of a line; else DUC's own frame of dashes."""
    fault = ""
    if pattern:
        try:
            if found := [it.span() for it in _compile(pattern).finditer(text) if it.group()]:
                return found
            fault = _("matches no header of a reference")
        except UnknownHeader as error:
            fault = str(error)
    found = [match.span() for match in _DUC_HEADER.finditer(text)]
    if fault and not found:
        raise UnknownHeader(
            _("The startDocumentRegEx {pattern!r} {fault}.").format(
                pattern=pattern[:80], fault=fault
            )
        )
    return found


def _compile(pattern: str) -> re.Pattern[str]:
    """The pattern with every repetition bounded and final.

    The pattern comes with the file and could be made to run for years. Without groups, choices
    and second thoughts, a match costs no more than the pattern's length times the bound.
    """
    position, repeated, parts = 0, 0, []
    while position < len(pattern) <= _LONGEST_PATTERN:
        found = _ITEM.match(pattern, position)
        if found is None:
            break
        parts.append(found["one"] + _bounded(found["often"]))
        repeated += found["often"] is not None
        position = found.end()
    if position < len(pattern) or repeated > _MOST_REPEATED:
        raise UnknownHeader(_("uses more than characters, classes and a few repetitions"))
    try:
        return re.compile("^" + "".join(parts), re.MULTILINE)
    except re.error as error:
        raise UnknownHeader(_("is not a valid pattern ({error})").format(error=error)) from None


def _bounded(often: str | None) -> str:
    known = {None: "", "*": f"{{0,{_MOST}}}+", "+": f"{{1,{_MOST}}}+", "?": "?+"}
    if often in known:
        return known[often]
    least, comma, most = str(often)[1:-1].partition(",")
    return f"{{{least},{most or _MOST}}}+" if comma else str(often)


def trimmed(text: str, start: int, end: int) -> Span:
    """The range without the white space at its ends."""
    inside = text[start:end]
    left = start + len(inside) - len(inside.lstrip())
    return left, max(left, start + len(inside.rstrip()))


def _framed(start: int, stop: int, *, is_last: bool) -> Span:
    return start + 1, stop if is_last else stop - 2
