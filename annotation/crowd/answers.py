"""Answers as MTurk writes them: one XML text with a value for every field of a form.

Only `&`, `<` and `>` are escaped, since scripts read JSON out of the text with regular
expressions. The text is ASCII; other characters are character references.

What comes back from a provider was typed by strangers. It is read by a parser that takes neither
document types nor entities, so that nothing grows and nothing is fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser
from xml.sax.saxutils import escape

from annotation.errors import TooLarge
from annotation.translation import gettext as _

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
