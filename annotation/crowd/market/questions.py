"""What a HIT shows: an HTML page, a page elsewhere, or a form. Read and checked from its XML."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings

from annotation.crowd.market.documents import DocumentError, Node, read_document
from annotation.crowd.models import QuestionKind
from annotation.origins import AddressError, Origin, read_origin, read_url

KINDS = {
    "HTMLQuestion": QuestionKind.HTML,
    "ExternalQuestion": QuestionKind.EXTERNAL,
    "QuestionForm": QuestionKind.FORM,
}


@dataclass(frozen=True, slots=True)
class Choice:
    key: str
    text: str


@dataclass(frozen=True, slots=True)
class FormQuestion:
    """One question of a QuestionForm. With choices it is a selection, otherwise free text."""

    key: str
    title: str
    text: str
    is_required: bool
    choices: tuple[Choice, ...] = ()
    most: int = 1
    default: str = ""
    lines: int = 1


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
        raise DocumentError("HTMLContent is missing or empty")
    return Question(QuestionKind.HTML, html=html, frame_height=_frame_height(root))


def _read_external(root: Node) -> Question:
    try:
        url = read_url(root.value("ExternalURL"))
    except AddressError as error:
        raise DocumentError(f"ExternalURL: {error}") from error
    origin = read_origin(url)
    if origin.scheme != "https" and not (origin.is_loopback or origin == _own_origin()):
        raise DocumentError("ExternalURL: the address must begin with https://")
    return Question(QuestionKind.EXTERNAL, url=url, frame_height=_frame_height(root))


def _own_origin() -> Origin:
    """A server on a lab's own network may have no certificate, and serves its tasks itself."""
    return read_origin(settings.PUBLIC_URL)


def _frame_height(root: Node) -> int:
    text = root.value("FrameHeight")
    if not text.isdecimal():
        raise DocumentError("FrameHeight must be a number of pixels, or 0")
    return int(text)


def _read_form(root: Node) -> Question:
    questions = tuple(_read_item(node) for node in root.all("Question"))
    keys = [question.key for question in questions]
    if not questions:
        raise DocumentError("a QuestionForm has at least one Question")
    if len(set(keys)) < len(keys):
        raise DocumentError("two questions have the same QuestionIdentifier")
    overview = "\n\n".join(filter(None, map(_plain, root.all("Overview"))))
    return Question(QuestionKind.FORM, overview=overview, form=questions)


def _read_item(node: Node) -> FormQuestion:
    key = node.value("QuestionIdentifier")
    specification = node.find("AnswerSpecification")
    if not key or specification is None:
        raise DocumentError("a Question needs a QuestionIdentifier and an AnswerSpecification")
    content = node.find("QuestionContent")
    shared = {
        "key": key,
        "title": node.value("DisplayName"),
        "text": _plain(content) if content else "",
        "is_required": node.value("IsRequired") == "true",
    }
    return _with_answer(specification, shared)


def _with_answer(specification: Node, shared: dict[str, object]) -> FormQuestion:
    free = specification.find("FreeTextAnswer")
    if free is not None:
        lines = free.value("NumberOfLinesSuggestion", "1")
        return FormQuestion(
            **shared,  # type: ignore[arg-type]
            default=free.value("DefaultText"),
            lines=int(lines) if lines.isdecimal() else 1,
        )
    selection = specification.find("SelectionAnswer")
    if selection is None:
        raise DocumentError(
            f"question {shared['key']}: answers may be FreeTextAnswer or SelectionAnswer"
        )
    most = selection.value("MaxSelectionCount", "1")
    return FormQuestion(
        **shared,  # type: ignore[arg-type]
        choices=_choices(selection, str(shared["key"])),
        most=int(most) if most.isdecimal() else 1,
    )


def _choices(selection: Node, key: str) -> tuple[Choice, ...]:
    holder = selection.find("Selections")
    found = tuple(
        Choice(item.value("SelectionIdentifier"), item.value("Text") or _plain(item))
        for item in (holder.all("Selection") if holder else ())
    )
    if not found or not all(choice.key for choice in found):
        raise DocumentError(f"question {key}: every Selection needs a SelectionIdentifier")
    return found


SPOKEN = {"Title", "Text", "FormattedContent", "List", "ListItem"}


def _plain(node: Node) -> str:
    """The words of some content; pictures, applets and markup are left out."""
    parts = []
    for child in node.children:
        if child.name in SPOKEN:
            parts.append(child.text.strip())
            parts.append(_plain(child))
    return "\n".join(filter(None, parts))
