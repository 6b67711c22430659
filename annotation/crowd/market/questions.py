"""What a HIT shows: an HTML page, a page elsewhere, or a form. Read and checked from its XML."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings

from annotation.crowd.market.content import join_html, render_content
from annotation.crowd.market.documents import DocumentError, Node, read_document
from annotation.crowd.market.question_forms import FormQuestion, read_questions
from annotation.crowd.models import QuestionKind
from annotation.origins import AddressError, Origin, read_origin, read_url
from annotation.translation import gettext as _

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
