"""Answers as MTurk writes them: one XML text with a value for every field of a form.

Only `&`, `<` and `>` are escaped, since scripts read JSON out of the text with regular
expressions. The text is ASCII; other characters are character references.

What comes back from a provider was typed by strangers. It is read by a parser that takes neither
document types nor entities, so that nothing grows and nothing is fetched.

- Answers to a QuestionForm: checked against its limits, and written as MTurk writes them.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser
from xml.sax.saxutils import escape

from django.utils.translation import gettext as _

from annotation.crowd.market.question_forms import (
    MAX_TEXT,
    FormQuestion,
    FreeText,
    Question,
    describe_range,
    matches,
)
from annotation.errors import Invalid, TooLarge
from annotation.translation import gettext_lazy

NAMESPACE = (
    "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2005-10-01/"
    "QuestionFormAnswers.xsd"
)
MAX_BYTES = 8 * 2**20
SEPARATOR = "|"
# How long a worker was at it, as our judging page measures it.
SECONDS_FIELD = "giza_seconds"
MOST_SECONDS = 86_400
VALUE_TAGS = (
    "FreeText",
    "SelectionIdentifier",
    "OtherSelectionText",
    "UploadedFileKey",
    "UploadedFileSizeInBytes",
)


class AnswerError(ValueError):
    """Answers that can't be read."""


_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def keep_xml_characters(text: str) -> str:
    """The text without the characters that no XML document can hold."""
    return _NOT_XML.sub("", text)


def escape_xml(text: str) -> str:
    """For the text of an element, not for an attribute: quotes stay quotes."""
    # A parser would turn a bare carriage return into a line feed.
    return escape(keep_xml_characters(text), {"\r": "&#13;"})


def build_answer_xml(fields: Mapping[str, Sequence[str]]) -> str:
    """A QuestionFormAnswers document; several values of a field are joined with `|`."""
    return write_answers(
        (name, [("FreeText", SEPARATOR.join(values))]) for name, values in fields.items()
    )


def write_answers(answers: Iterable[tuple[str, Iterable[tuple[str, str]]]]) -> str:
    """The same of the parts of each answer, which are tags of VALUE_TAGS with their texts.

    What is built here can be read here: TooLarge is raised beyond MAX_BYTES.
    """
    written = "".join(_answer(name, parts) for name, parts in answers)
    head = '<?xml version="1.0" encoding="ASCII"?>'
    xml = _(
        '{head}<QuestionFormAnswers xmlns="{namespace}">{written}</QuestionFormAnswers>'
    ).format(head=head, namespace=NAMESPACE, written=written)
    encoded = xml.encode("ascii", "xmlcharrefreplace")
    if len(encoded) > MAX_BYTES:
        raise TooLarge(
            _(
                "The answers are too large: {encoded:.1f} MB as XML, and the maximum is "
                "{max_bytes} MB. Nothing was saved."
            ).format(encoded=len(encoded) / 2**20, max_bytes=MAX_BYTES // 2**20),
            _("Shorten the answers and send them again."),
        )
    return encoded.decode("ascii")


def _answer(name: str, parts: Iterable[tuple[str, str]]) -> str:
    values = "".join(f"<{tag}>{escape_xml(text)}</{tag}>" for tag, text in parts)
    identifier = f"<QuestionIdentifier>{escape_xml(name)}</QuestionIdentifier>"
    return f"<Answer>{identifier}{values}</Answer>"


def read_answer_xml(xml: str) -> dict[str, str]:
    """The value of every field; raises `ValueError` saying what is wrong with the document."""
    root = _parse(xml)
    if root.tag != _named("QuestionFormAnswers"):
        raise AnswerError(
            _("The root is <{tag}>, not QuestionFormAnswers of {namespace}.").format(
                tag=root.tag, namespace=NAMESPACE
            )
        )
    fields: dict[str, str] = {}
    for name, value in map(_read_answer, root):
        if name in fields:
            raise AnswerError(_("The field '{name}' is answered twice.").format(name=name))
        fields[name] = value
    return fields


def read_seconds(text: str) -> float | None:
    """What a page wrote as its time, if it is one."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 < value < MOST_SECONDS else None


def _read_answer(answer: Element) -> tuple[str, str]:
    if answer.tag != _named("Answer"):
        raise AnswerError(_("Unexpected element <{tag}> in the answers.").format(tag=answer.tag))
    name = answer.findtext(_named("QuestionIdentifier"))
    if not name:
        raise AnswerError(_("An answer has no QuestionIdentifier."))
    return name, SEPARATOR.join(_values(answer))


def _values(answer: Element) -> Iterator[str]:
    tags = {_named(tag) for tag in VALUE_TAGS}
    return (part.text or "" for part in answer if part.tag in tags)


def _named(tag: str) -> str:
    return f"{{{NAMESPACE}}}{tag}"


class _NoDoctype(TreeBuilder):
    """Builds the tree, and stops at a document type: all that is dangerous begins there."""

    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:
        raise AnswerError(_("The answers have a document type declaration, which isn't allowed."))


def _parse(xml: str) -> Element:
    try:
        size = len(xml.encode())
        if size > MAX_BYTES:
            raise AnswerError(
                _("The answers have {size:,} bytes; the maximum is {max_bytes:,}.").format(
                    size=size, max_bytes=MAX_BYTES
                )
            )
        parser = XMLParser(target=_NoDoctype())
        parser.feed(xml)
        return parser.close()
    except ParseError as error:
        raise AnswerError(_("The answers are not XML: {error}.").format(error=error)) from None
    except UnicodeEncodeError:
        raise AnswerError(_("The answers contain an unpaired surrogate.")) from None


Fields = Mapping[str, Sequence[str]]

# For the patterns of one submission; those of an honest form need a thousandth of it.
PATTERN_SECONDS = 1.0
NUMBER = re.compile(r"[-+]?(\d{1,40}(\.\d{0,40})?|\.\d{1,40})([eE][-+]?\d{1,3})?", re.ASCII)


class WrongAnswers(Invalid):
    """Answers that don't keep the limits of their questions, with what is wrong by question."""

    status = 422
    code = "wrong_answers"
    title = gettext_lazy("Some answers need correcting")

    def __init__(self, form: Question, problems: Mapping[str, str]) -> None:
        self.form = form
        self.problems = problems
        names = {question.key: question.name for question in form.form}
        message = " ".join(f"{names[key]}: {problem}" for key, problem in problems.items())
        super().__init__(message, _("Correct these answers and submit again."))


@dataclass(frozen=True, slots=True)
class Given:
    """What was sent for one question: None for a text that was not, an `other` not chosen."""

    text: str | None = None
    chosen: tuple[str, ...] = ()
    other: str | None = None


def read_given(question: FormQuestion, fields: Fields) -> Given:
    """The choice of an answer of one's own is sent as an empty value, or as its text only.

    In a menu the empty value is the entry that chooses nothing.
    """
    values = fields.get(question.key, ())
    if question.text is not None:
        return Given(text=SEPARATOR.join(values) if values else None)
    chosen = tuple(dict.fromkeys(filter(None, values)))
    text = SEPARATOR.join(fields.get(question.other_field, ()))
    is_picked = bool(text.strip()) if question.menu else "" in values
    has_other = question.other is not None and (is_picked or (not chosen and text.strip()))
    return Given(chosen=chosen, other=text if has_other else None)


def build_form_answers(form: Question, fields: Fields) -> str:
    """A QuestionFormAnswers document; raises WrongAnswers."""
    given = {question.key: read_given(question, fields) for question in form.form}
    if problems := find_problems(form, given):
        raise WrongAnswers(form, problems)
    answers = (
        (question.key, list(_parts(question, given[question.key]))) for question in form.form
    )
    return write_answers((key, parts) for key, parts in answers if parts)


def _parts(question: FormQuestion, given: Given) -> Iterator[tuple[str, str]]:
    if given.text is not None:
        yield "FreeText", given.text
    for key in given.chosen:
        yield "SelectionIdentifier", key
    if given.other is not None:
        yield "OtherSelectionText", given.other


def find_problems(form: Question, given: Mapping[str, Given]) -> dict[str, str]:
    deadline = time.monotonic() + PATTERN_SECONDS
    found = {item.key: _find_problem(item, given[item.key], deadline) for item in form.form}
    return {key: problem for key, problem in found.items() if problem}


def _find_problem(question: FormQuestion, given: Given, deadline: float) -> str:
    if question.text is not None:
        return _check_text(question.text, given.text or "", question.is_required, deadline)
    if not set(given.chosen) <= {choice.key for choice in question.choices}:
        return _("Choose one of the answers offered.")
    count = len(given.chosen) + (given.other is not None)
    if not count and not question.is_required:
        return ""
    if not question.fewest <= count <= question.most:
        return _("Choose {counts}.").format(counts=question.counts)
    if question.other is None or given.other is None:
        return ""
    return _check_text(question.other, given.other, True, deadline)


def _check_text(limits: FreeText, text: str, is_required: bool, deadline: float) -> str:
    """An answer that is left out keeps every limit, unless it is required."""
    if not text.strip():
        return _("Enter an answer.") if is_required else ""
    if problem := _check_number(limits, text.strip()) or _check_length(limits, text):
        return problem
    return _check_patterns(limits, text, deadline)


def _check_number(limits: FreeText, text: str) -> str:
    if not limits.is_numeric:
        return ""
    if not NUMBER.fullmatch(text):
        return _("Enter a number.")
    number = Decimal(text)
    is_low = limits.least is not None and number < limits.least
    is_high = limits.most is not None and number > limits.most
    bounds = describe_range(limits.least, limits.most)
    return _("Enter a number: {bounds}.").format(bounds=bounds) if is_low or is_high else ""


def _check_length(limits: FreeText, text: str) -> str:
    """Browsers send a line break as two characters and count it as one."""
    size = len(text.replace("\r\n", "\n"))
    is_short = limits.shortest is not None and size < limits.shortest
    if not is_short and (limits.longest is None or size <= limits.longest):
        return ""
    return _("Enter {describe_range} characters, not {size:,}.").format(
        describe_range=describe_range(limits.shortest, limits.longest), size=size
    )


def _check_patterns(limits: FreeText, text: str, deadline: float) -> str:
    for pattern in limits.patterns:
        if len(text) > MAX_TEXT:
            return _("Enter at most {max_text:,} characters.").format(max_text=MAX_TEXT)
        if time.monotonic() > deadline:
            return _("Checking the format took too long. Enter a shorter answer.")
        if not matches(pattern.regex, pattern.flags, text):
            return pattern.words
    return ""
