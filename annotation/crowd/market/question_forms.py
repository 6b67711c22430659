"""AnswerFormatRegex: patterns that strangers wrote, matched against what other strangers typed.

By RE2, whose time grows with the text and not with its combinations: no pattern hangs the server.
It has no lookaround and no backreferences; a pattern with them is refused when the HIT is created.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import re2
from django.conf import settings
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from annotation.crowd.market.content import (
    DocumentError,
    Node,
    join_html,
    read_document,
    read_words,
    render_content,
)
from annotation.crowd.market.models_work import QuestionKind
from annotation.origins import AddressError, Origin, read_origin, read_url

# What a compiled pattern may take. The slowest pattern found needs 0.3 s for the longest answer.
MAX_MEMORY = 2**19
MAX_TEXT = 10_000

# JavaScript's \uFFFF, and the escaped backslash that may stand before such letters.
ESCAPES = re.compile(r"\\(?:\\|u([0-9a-fA-F]{4}))")


class PatternError(ValueError):
    """A pattern that can't be used."""


def check_pattern(regex: str, flags: str) -> None:
    """Raises PatternError with what is wrong."""
    if set(flags) - set("i"):
        raise PatternError(
            _("the flags '{flags}' are not known; expected i or nothing").format(flags=flags)
        )
    _compile(regex, "i" in flags)


def matches(regex: str, flags: str, text: str) -> bool:
    """Whether the pattern is found in the text, as `test` of JavaScript says it."""
    return _compile(regex, "i" in flags).search(text) is not None


@lru_cache(maxsize=32)
def _compile(regex: str, ignores_case: bool) -> Any:
    options = re2.Options()
    options.max_mem = MAX_MEMORY
    options.log_errors = False
    options.case_sensitive = not ignores_case
    try:
        return re2.compile(ESCAPES.sub(_translate, regex), options)
    except re2.error as error:
        reason = error.args[0].decode(errors="replace") if error.args else "unknown"
        raise PatternError(
            _("the pattern {pattern} can't be used here: {reason}").format(
                pattern=regex[:80], reason=reason
            )
        ) from error


def _translate(found: re.Match[str]) -> str:
    return rf"\x{{{found[1]}}}" if found[1] else found[0]


MAX_LINES = 50
# Lines of a list that are shown at once.
LIST_LINES = 8
# By StyleSuggestion, for questions with one answer. Others have buttons or boxes.
MENUS = {"dropdown": 1, "combobox": 1, "list": LIST_LINES}
LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class Choice:
    key: str
    html: SafeString
    words: str


@dataclass(frozen=True, slots=True)
class AnswerPattern:
    """A regular expression that an answer must match, and what to say if it does not."""

    regex: str
    flags: str
    words: str


@dataclass(frozen=True, slots=True)
class FreeText:
    """A text that a worker types, and its limits."""

    default: str = ""
    lines: int = 1
    is_numeric: bool = False
    least: int | None = None
    most: int | None = None
    shortest: int | None = None
    longest: int | None = None
    patterns: tuple[AnswerPattern, ...] = ()

    @property
    def hint(self) -> str:
        """What may be typed, in words."""
        parts = []
        if self.is_numeric:
            bounds = describe_range(self.least, self.most)
            parts.append(
                _("A number: {bounds}.").format(bounds=bounds) if bounds else _("A number.")
            )
        if bounds := describe_range(self.shortest, self.longest):
            parts.append(_("{bounds} characters.").format(bounds=bounds.capitalize()))
        return " ".join([*parts, *(pattern.words for pattern in self.patterns)])

    @property
    def patterns_json(self) -> str:
        """For the script of the page."""
        return json.dumps([[item.regex, item.flags, item.words] for item in self.patterns])


@dataclass(frozen=True, slots=True)
class FormQuestion:
    """With choices it is a selection, otherwise free text. `other` is an answer of one's own.

    A menu shows that many of its choices at once; without, each choice has a button or a box.
    """

    key: str
    title: str
    html: SafeString
    words: str
    is_required: bool
    text: FreeText | None = None
    choices: tuple[Choice, ...] = ()
    other: FreeText | None = None
    least: int = 1
    most: int = 1
    menu: int = 0

    @property
    def name(self) -> str:
        """How messages and labels call it."""
        return self.title or self.words[:LONGEST_NAME] or self.key

    @property
    def other_field(self) -> str:
        """The name of the field for an answer of one's own."""
        return f"other:{self.key}"

    @property
    def fewest(self) -> int:
        return max(self.least, 1) if self.is_required else self.least

    @property
    def counts(self) -> str:
        """How many answers may be chosen."""
        return describe_range(self.fewest or None, self.most)

    @property
    def hint(self) -> str:
        return _("Choose {counts}.").format(counts=self.counts) if self.most > 1 else ""


def describe_range(least: int | None, most: int | None) -> str:
    if least is None:
        return "" if most is None else _("at most {most:,}").format(most=most)
    if most is None:
        return _("at least {least:,}").format(least=least)
    return (
        f"{least:,}" if least == most else _("{least:,} to {most:,}").format(least=least, most=most)
    )


def read_questions(root: Node) -> tuple[FormQuestion, ...]:
    """Raises DocumentError with what is wrong, and with which question."""
    questions = tuple(map(_read_item, root.all("Question")))
    if not questions:
        raise DocumentError(_("a QuestionForm has at least one Question"))
    names = [question.key for question in questions]
    names += [question.other_field for question in questions if question.other is not None]
    if len(set(names)) < len(names):
        raise DocumentError(_("two questions have the same QuestionIdentifier"))
    return questions


def _read_item(node: Node) -> FormQuestion:
    key = node.value("QuestionIdentifier")
    specification = node.find("AnswerSpecification")
    if not key or specification is None:
        raise DocumentError(_("a Question needs a QuestionIdentifier and an AnswerSpecification"))
    try:
        return _read_question(key, node, specification)
    except DocumentError as error:
        raise DocumentError(_("question {key}: {error}").format(key=key, error=error)) from error


def _read_question(key: str, node: Node, specification: Node) -> FormQuestion:
    content = node.find("QuestionContent")
    title, html, words = node.value("DisplayName"), render_content(content), read_words(content)
    is_required = _is_true(node.value("IsRequired"))
    if free := specification.find("FreeTextAnswer"):
        return FormQuestion(key, title, html, words, is_required, _read_text(free))
    selection = specification.find("SelectionAnswer")
    if selection is None:
        raise DocumentError(_describe_refusal(specification))
    choices, other = _read_choices(selection.find("Selections"))
    least, most = _read_counts(selection, len(choices) + (other is not None))
    return FormQuestion(
        key,
        title,
        html,
        words,
        is_required,
        None,
        choices,
        other,
        least=least,
        most=most,
        menu=_read_menu(selection, len(choices), other) if most == 1 else 0,
    )


def _describe_refusal(specification: Node) -> str:
    if specification.find("FileUploadAnswer"):
        return _(
            "FileUploadAnswer isn't supported: workers can't upload files here. Ask for an "
            "address by a FreeTextAnswer, or take the file in an ExternalQuestion"
        )
    return _("answers may be FreeTextAnswer or SelectionAnswer")


def _read_menu(selection: Node, number: int, other: FreeText | None) -> int:
    """How many choices a menu shows at once. Its entries are text, and nothing is typed yet."""
    style = selection.value("StyleSuggestion").lower()
    holder = selection.find("Selections") or Node("Selections")
    has_text = all(item.find("Text") for item in holder.all("Selection"))
    if style not in MENUS or not has_text or (other and other.default):
        return 0
    return max(1, min(MENUS[style], number))


def _is_true(text: str) -> bool:
    return text in ("true", "1")


def _read_choices(holder: Node | None) -> tuple[tuple[Choice, ...], FreeText | None]:
    found = tuple(
        Choice(item.value("SelectionIdentifier"), _render_choice(item), read_words(item))
        for item in (holder.all("Selection") if holder else ())
    )
    if not found or not all(choice.key for choice in found):
        raise DocumentError(_("every Selection needs a SelectionIdentifier"))
    if len({choice.key for choice in found}) < len(found):
        raise DocumentError(_("two selections have the same SelectionIdentifier"))
    other = holder.find("OtherSelection") if holder else None
    return found, None if other is None else _read_text(other.find("FreeTextAnswer") or other)


def _render_choice(item: Node) -> SafeString:
    """On one line with its button, if it is text."""
    return escape(item.value("Text")) if item.find("Text") else render_content(item)


def _read_counts(selection: Node, number: int) -> tuple[int, int]:
    least = _read_number("MinSelectionCount", selection.value("MinSelectionCount") or "1")
    most = _read_number("MaxSelectionCount", selection.value("MaxSelectionCount") or "1")
    if not most or least > most or least > number:
        raise DocumentError(
            _(
                "MinSelectionCount {least} and MaxSelectionCount {most} don't fit {number} "
                "selections"
            ).format(least=least, most=most, number=number)
        )
    return least, most


def _read_text(node: Node) -> FreeText:
    constraints = node.find("Constraints") or Node("Constraints")
    numeric, length = constraints.find("IsNumeric"), constraints.find("Length")
    lines = node.value("NumberOfLinesSuggestion", "1")
    return FreeText(
        default=node.value("DefaultText"),
        lines=min(int(lines), MAX_LINES) if lines.isdecimal() else 1,
        is_numeric=numeric is not None,
        least=_read_limit(numeric, "minValue"),
        most=_read_limit(numeric, "maxValue"),
        shortest=_read_limit(length, "minLength"),
        longest=_read_limit(length, "maxLength"),
        patterns=tuple(_read_patterns(constraints)),
    )


def _read_limit(node: Node | None, name: str) -> int | None:
    text = node.attributes.get(name, "").strip() if node else ""
    return _read_number(name, text) if text else None


def _read_number(name: str, text: str) -> int:
    """A whole number; only the values of IsNumeric may be below 0."""
    digits = text.removeprefix("-") if name.endswith("Value") else text
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 18):
        raise DocumentError(_("{name} must be a whole number").format(name=name))
    return int(text)


def _read_patterns(constraints: Node) -> Iterator[AnswerPattern]:
    for node in constraints.all("AnswerFormatRegex"):
        regex, flags = node.attributes.get("regex", ""), node.attributes.get("flags", "")
        try:
            check_pattern(regex, flags)
        except PatternError as error:
            raise DocumentError(_("AnswerFormatRegex: {error}").format(error=error)) from error
        words = node.attributes.get("errorText", "") or _("It must match {pattern}.").format(
            pattern=regex
        )
        yield AnswerPattern(regex, flags, words)


KINDS = {
    "HTMLQuestion": QuestionKind.HTML,
    "ExternalQuestion": QuestionKind.EXTERNAL,
    "QuestionForm": QuestionKind.FORM,
}


@dataclass(frozen=True, slots=True)
class Question:
    kind: QuestionKind
    html: str = ""
    url: str = ""
    frame_height: int = 0
    overview: str = ""
    form: tuple[FormQuestion, ...] = ()


def read_question(xml: str) -> Question:
    """Raises DocumentError with what is wrong. A frame height of 0 asks for the whole window."""
    root = read_document(xml, *KINDS)
    return {
        QuestionKind.HTML: _read_html,
        QuestionKind.EXTERNAL: _read_external,
        QuestionKind.FORM: _read_form,
    }[KINDS[root.name]](root)


def read_form(xml: str) -> Question:
    """A QuestionForm and nothing else: the test of a qualification."""
    return _read_form(read_document(xml, "QuestionForm"))


def _read_html(root: Node) -> Question:
    html = root.value("HTMLContent")
    if not html:
        raise DocumentError(_("HTMLContent is missing or empty"))
    return Question(QuestionKind.HTML, html=html, frame_height=_frame_height(root))


def _read_external(root: Node) -> Question:
    try:
        url = read_url(root.value("ExternalURL"))
    except AddressError as error:
        raise DocumentError(_("ExternalURL: {error}").format(error=error)) from error
    origin = read_origin(url)
    if origin.scheme != "https" and not (origin.is_loopback or origin == _own_origin()):
        raise DocumentError(_("ExternalURL: the address must begin with https://"))
    return Question(QuestionKind.EXTERNAL, url=url, frame_height=_frame_height(root))


def _own_origin() -> Origin:
    """A server on a lab's own network may have no certificate, and serves its tasks itself."""
    return read_origin(settings.PUBLIC_URL)


def _frame_height(root: Node) -> int:
    text = root.value("FrameHeight")
    if not text.isdecimal():
        raise DocumentError(_("FrameHeight must be a number of pixels, or 0"))
    return int(text)


def _read_form(root: Node) -> Question:
    overview = join_html(map(render_content, root.all("Overview")))
    return Question(QuestionKind.FORM, overview=overview, form=read_questions(root))
