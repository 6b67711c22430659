"""Find the sentences of a text, as ranges of characters into the text exactly as it came.

Two conventions meet here. A text with REALSumm's marks, `<t> … </t>`, says itself what its
sentences are. Any other text is split by rule: a regular expression finds the marks that may
end a sentence, and a few questions about their neighbours decide which of them do.

Every look to the left or right of a mark is bounded, so the time is linear in the text's length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from scoring.abbreviations import (
    AFTER_TIME,
    BEFORE_NUMBERS,
    LONGEST,
    LOW_BEFORE_NUMBERS,
    LOW_MAY_END,
    LOW_TITLES,
    MAY_END,
    REPORTED,
    STARTER,
    TIMES,
    TITLES,
    is_initials,
)
from scoring.quotes import AFTER_CLOSING, find_opening_quotes
from scoring.types import Span

_BACK = 20  # characters; longer than any abbreviation below
_ADDRESS_BACK = 200  # as long as an address gets
_FAR_BACK = 1000  # as far as an opening single quote is looked for

_MARKS = re.compile(r"</?t>")
_NEWLINE = re.compile(r"[\r\n]")
_ANY_BREAK = re.compile(r"[\r\n\v\f\x85\u2028\u2029]")
_BLANK_LINE = re.compile(r"(?>\r\n?|\n)[^\S\r\n]*+(?>\r\n?|\n)\s*+|[\v\f\x85\u2028\u2029]+")
_BULLET = re.compile(
    r"[\r\n][^\S\r\n]*(?:(?P<clear>[•‣◦▪●*])|[-–—·]|\d{1,3}[.)]|\(?[a-z]\))[^\S\r\n]+(?=\S)"
)
_FINAL = "。！？｡؟۔।॥։።။។"  # never part of a number, an abbreviation or an address
# One character class comes first and alone: the engine can then skip to it without trying.
_TERMINATOR = re.compile(rf"[.!?…{_FINAL}][.!?…{_FINAL}]*(?:(?: \.){{2,}})?(?: [!?]+)*")
_SPACE = re.compile(r"\s*")
_WORD = re.compile(r"\w")
_CLOSERS = re.compile(
    r"(?:[”’»)\]}」』）】〉》\u200e\u200f\u202a-\u202e\u2066-\u2069]|''|“(?=\s)|\[\d{1,3}\]"
    r"|\s(?:''|[”»)\]}]|’(?=\s)|-R[RSC]B-))*"
)
_OPENERS = re.compile(r"(?:``|[“‘\"'`„«‹(\[{¿¡「『（•‣◦▪●*–—-]|\s)*")
_ADDRESS = re.compile(r"://|\w@|^www(?:\.|$)")
_ENUMERATOR = re.compile(r"(?:\d{1,3}|[A-Za-z])\s?")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d\b")
_HIRAGANA = re.compile(r"[ぁ-ゟ]")


def split_sentences(text: str) -> list[Span]:
    """Return the half-open range of every sentence of *text*, in order, without overlap.

    Ranges are trimmed of white space and never empty. What stands between `<t>` and `</t>` is
    one sentence; a `<t>` that is never closed runs to the next `<t>` or to the end.
    """
    splitter = _Splitter(text)
    if "<t>" not in text and "</t>" not in text:
        return splitter.split(0, len(text))
    spans: list[Span] = []
    for start, end, is_marked in _stretches(text):
        spans += [_trim(text, start, end)] if is_marked else splitter.split(start, end)
    return [span for span in spans if span[0] < span[1]]


def _stretches(text: str) -> Iterator[tuple[int, int, bool]]:
    """Cut *text* at its marks; tell of each stretch whether it stands inside a pair of them."""
    position, is_open = 0, False
    for mark in _MARKS.finditer(text):
        yield position, mark.start(), is_open
        position, is_open = mark.end(), mark.group() == "<t>"
    yield position, len(text), is_open


def _trim(text: str, start: int, end: int) -> Span:
    inside = text[start:end]
    left = len(inside) - len(inside.lstrip())
    return start + left, max(start + len(inside.rstrip()), start + left)


def _past(pattern: re.Pattern[str], text: str, position: int, limit: int) -> int:
    """The end of the match of *pattern* at *position*, or *position* where there is none."""
    found = pattern.match(text, position, limit)
    return found.end() if found else position


def _past_space(text: str, position: int, limit: int) -> int:
    if text[position : position + 1] == " " and text[position + 1 : position + 2].isalnum():
        return position + 1  # by far the most frequent case
    return _past(_SPACE, text, position, limit)


def _past_openers(text: str, position: int, limit: int) -> int:
    return position if text[position].isalnum() else _past(_OPENERS, text, position, limit)


class _Splitter:
    """The rules, with what has to be known of the whole text to apply them."""

    __slots__ = ("_opening_quotes", "is_lower_case", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.is_lower_case = text == text.lower()
        self._opening_quotes: frozenset[int] | None = None

    def split(self, start: int, end: int) -> list[Span]:
        spans: list[Span] = []
        for block_start, block_end in self._blocks(start, end):
            spans += self._split_block(*_trim(self.text, block_start, block_end))
        return spans

    def _blocks(self, start: int, end: int) -> Iterator[Span]:
        """Cut at blank lines and before bullets: no sentence runs across either."""
        position = start
        for cut_start, cut_end in self._hard_breaks(start, end):
            if cut_start >= position:
                yield position, cut_start
                position = cut_end
        yield position, end

    def _hard_breaks(self, start: int, end: int) -> list[Span]:
        if not _ANY_BREAK.search(self.text, start, end):
            return []
        breaks = [found.span() for found in _BLANK_LINE.finditer(self.text, start, end)]
        bullets = list(_BULLET.finditer(self.text, start, end))
        # A lone "- " or "12. " may begin a wrapped line; several, or one after a colon, do not.
        breaks += [
            (bullet.start(), bullet.start())
            for bullet in bullets
            if bullet["clear"] or len(bullets) > 1 or self._line_is_over(bullet.start())
        ]
        return sorted(breaks)

    def _line_is_over(self, position: int) -> bool:
        before = self.text[max(0, position - _BACK) : position].rstrip()
        return before.endswith((".", "!", "?", ":", ";"))

    def _split_block(self, start: int, end: int) -> list[Span]:
        """Split a block; a piece without any word joins the sentence after or before it."""
        text = self.text
        spans: list[Span] = []
        checked = start
        for mark in _TERMINATOR.finditer(text, start, end):
            cut = self._end_after(mark, start, end)
            if not cut:
                continue
            is_worded = _WORD.search(text, checked, cut) is not None
            checked = cut
            if is_worded:
                spans.append((start, cut))
            elif spans and len(mark.group()) == 1:
                spans[-1] = (spans[-1][0], cut)
            else:
                continue  # an ellipsis leads on to what follows
            start = _past_space(text, cut, end)
        if start < end and spans and not _WORD.search(text, checked, end):
            spans[-1] = (spans[-1][0], end)
        elif start < end:
            spans.append((start, end))
        return spans

    def _end_after(self, mark: re.Match[str], start: int, limit: int) -> int:
        """Where the sentence that began at *start* ends if *mark* ends it, else 0."""
        text, mark_end = self.text, mark.end()
        if mark_end == limit:
            return 0  # the block's own end needs no decision
        end = mark_end if text[mark_end].isalnum() else self._past_closers(mark_end, start, limit)
        following = _past_space(text, end, limit)
        if following == limit:
            return 0
        if text[mark_end - 1] in _FINAL:
            is_end = end == mark_end or not _HIRAGANA.match(text, end)
        elif following == end:
            is_end = self._ends_glued(mark, start, end, limit)
        else:
            is_end = self._ends_spaced(mark, start, end, following, limit)
        return end if is_end else 0

    def _ends_glued(self, mark: re.Match[str], start: int, end: int, limit: int) -> bool:
        """Does the mark end a sentence although the next one follows without a space?"""
        text = self.text
        opening = _past_openers(text, end, limit)
        head = text[opening] if opening < limit else ""
        has_quotes = opening > mark.end()
        if not head.isupper() and not (head.isdigit() and (has_quotes or self._is_year(mark))):
            return False  # 3.5, example.com, Yahoo!'s
        if text[end] in "-–—*" or _ENUMERATOR.fullmatch(text, start, mark.start()):
            return False
        if mark.group() == "." and not has_quotes:
            word = self._word_before(mark.start(), start)
            return self._glued_word_ends(word, end) and not self._is_in_address(mark.start())
        return not self._is_in_address(mark.start())

    def _is_year(self, mark: re.Match[str]) -> bool:
        """Does a year follow a word, as in `founded.1975 - Morocco`?"""
        is_after_word = self.text[mark.start() - 1].islower()
        return is_after_word and _YEAR.match(self.text, mark.end()) is not None

    def _glued_word_ends(self, word: str, following: int) -> bool:
        """season.The and FBI.The are two sentences; J.Smith, St.Helens and ASP.NET are not."""
        if word in TITLES or not word:
            return False
        is_capitalised = self.text[following + 1 : following + 2].islower()
        is_starter = STARTER.match(self.text, following) is not None
        if is_initials(word) or word in MAY_END:
            return is_capitalised and is_starter
        if is_capitalised or is_starter:
            return True
        return word[-1].islower() or not word[-1].isalnum() or (word.isdigit() and len(word) > 3)

    def _is_in_address(self, position: int) -> bool:
        chunk = self.text[max(0, position - _ADDRESS_BACK) : position].rsplit(None, 1)
        return bool(chunk) and _ADDRESS.search(chunk[-1]) is not None

    def _ends_spaced(
        self, mark: re.Match[str], start: int, end: int, following: int, limit: int
    ) -> bool:
        text = self.text
        opening = _past_openers(text, following, limit)
        head = text[opening] if opening < limit else ""
        if "." not in mark.group() and "…" not in mark.group():
            if end > mark.end() and self._is_reported(opening):
                return False  # "Why?" he asked.
        elif len(mark.group()) > 1 or mark.group() == "…":
            return self._ellipsis_ends(mark.group(), head, opening)
        elif not self._period_ends(mark.start(), start, head, opening):
            return False
        return not head.islower() or self._may_begin_low(mark.start(), end, following)

    def _is_reported(self, opening: int) -> bool:
        if STARTER.match(self.text, opening):
            return False
        return REPORTED.match(self.text, opening) is not None

    def _ellipsis_ends(self, mark: str, head: str, opening: int) -> bool:
        if "!" in mark or "?" in mark:
            return not head.islower()
        is_letter = head.isalpha() and not head.islower()
        return is_letter and not self.text.startswith(("I ", "I'"), opening)

    def _may_begin_low(self, mark_start: int, end: int, following: int) -> bool:
        """May a lower-case word begin a sentence here?

        It may in a text without capitals, after a full stop set off by spaces, on a new line,
        and when it is a name such as iPhone.
        """
        return (
            self.is_lower_case
            or self.text[mark_start - 1].isspace()
            or _NEWLINE.search(self.text, end, following) is not None
            or self.text[following + 1 : following + 2].isupper()
        )

    def _period_ends(self, mark_start: int, start: int, head: str, opening: int) -> bool:
        """Is this full stop more than the end of an abbreviation or of a list's number?"""
        if _ENUMERATOR.fullmatch(self.text, start, mark_start):
            return False
        word = self._word_before(mark_start, start)
        if len(word) > LONGEST:
            return True
        if self.is_lower_case:
            return self._low_word_ends(word, mark_start, head)
        if word in TITLES or (word in BEFORE_NUMBERS and head.isdigit()):
            return False
        if self.text[mark_start - 1].isspace():
            return True
        if word in TIMES:
            return head.isupper() and not AFTER_TIME.match(self.text, opening)
        if word in MAY_END or is_initials(word):
            return STARTER.match(self.text, opening) is not None
        return True

    def _low_word_ends(self, word: str, mark_start: int, head: str) -> bool:
        if word in LOW_TITLES or (word in LOW_BEFORE_NUMBERS and head.isdigit()):
            return False
        if self.text[mark_start - 1].isspace():
            return True
        return word not in LOW_MAY_END and word not in TIMES and not is_initials(word.upper())

    def _word_before(self, position: int, start: int) -> str:
        chunk = self.text[max(start, position - _BACK) : position].rsplit(None, 1)
        return chunk[-1].lstrip("(\"'“‘[`") if chunk else ""

    def _past_closers(self, position: int, start: int, limit: int) -> int:
        """Step over the quotes and brackets that close with the sentence."""
        text = self.text
        if text[position] == " " and text[position + 1 : position + 2].isalnum():
            return position
        while True:
            position = _past(_CLOSERS, text, position, limit)
            quote = position + (position < limit and text[position].isspace())
            if quote == limit or text[quote] not in "\"'" or not self._closes(quote, start):
                return position
            position = quote + 1

    def _closes(self, quote: int, start: int) -> bool:
        """Does this straight quotation mark close? Its shape does not say, its place may."""
        text = self.text
        is_spaced = text[quote - 1].isspace()
        is_before_space = text[quote + 1 : quote + 2].strip() in AFTER_CLOSING
        if text[quote] == '"' or (is_spaced and is_before_space):
            return quote not in self._find_opening_quotes()
        if is_spaced or is_before_space:
            return is_before_space
        start = max(start, quote - _FAR_BACK)
        return text.startswith("'", start) or text.count(" '", start, quote) > 0

    def _find_opening_quotes(self) -> frozenset[int]:
        """Positions of the straight quotes that open."""
        if self._opening_quotes is None:
            self._opening_quotes = find_opening_quotes(self.text)
        return self._opening_quotes
