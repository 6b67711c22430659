"""The fields of a submitted task, within a bound of bytes, fields and memory.

- Task pages, which strangers wrote, in a sandbox; and the address that takes their answers.
- A QuestionForm on a page: empty, or as it was filled in with what is wrong with it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes, urlencode, urlsplit

from django.conf import settings
from django.core.exceptions import TooManyFieldsSent
from django.db import Error as DatabaseFault
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from annotation import clock
from annotation.body_limit import TYPED_FORM, is_too_large
from annotation.crowd.market.answers import Fields, Given, WrongAnswers, read_given
from annotation.crowd.market.content import DocumentError, wrap_in_form
from annotation.crowd.market.models_accounts import WorkerAccount
from annotation.crowd.market.models_work import MarketHit, QuestionKind
from annotation.crowd.market.question_forms import FormQuestion, Question, read_question
from annotation.crowd.market.rows import read_task
from annotation.crowd.market.work import PREVIEW_ID, Outcome, Submitted, submit_assignment
from annotation.crowd.work.access import worker_view
from annotation.crowd.work.queries import get_hit, get_offer
from annotation.crowd.work.views_sandbox import (
    SUBMIT_PATH,
    Shell,
    home,
    own_policy,
    prepare_page,
    task_policy,
)
from annotation.errors import (
    TOO_LARGE_FORMS,
    DomainError,
    Forbidden,
    Invalid,
    NotFound,
    Unavailable,
    as_unavailable,
    describe_form_limits,
    render_unavailable,
)
from annotation.headers import set_policy
from annotation.translation import gettext_lazy

SentFields = dict[str, list[str]]
PIECE_BYTES = 2**16
# "%", and two digits.
ESCAPE_BYTES = 3


def read_fields(request: HttpRequest) -> SentFields:
    """Raises TooLarge if the web server, Django or this function finds that it is too large."""
    too_large = describe_form_limits()
    if is_too_large(request):
        raise too_large
    try:
        if request.content_type == TYPED_FORM:
            return parse_typed_form(request.body)
        return {name: request.POST.getlist(name) for name in request.POST}
    except TOO_LARGE_FORMS:
        raise too_large from None


def parse_typed_form(body: bytes) -> SentFields:
    """A form as browsers write it by default, `a=1&b=%22`.

    Python's parser makes two objects of every escape, which takes some eighty times the memory of
    the form. Strangers may send forms of several megabytes here.
    """
    if body.count(b"&") >= settings.DATA_UPLOAD_MAX_NUMBER_FIELDS:
        raise TooManyFieldsSent(_("The form has too many fields."))
    fields: SentFields = {}
    for field in filter(None, body.split(b"&")):
        name, __, value = field.partition(b"=")
        fields.setdefault(_decode(name), []).append(_decode(value))
    return fields


def _decode(text: bytes) -> str:
    text = text.replace(b"+", b" ")
    decoded, start = bytearray(), 0
    while start < len(text):
        end = _find_end(text, start + PIECE_BYTES)
        decoded += unquote_to_bytes(text[start:end])
        start = end
    return decoded.decode(errors="replace")


def _find_end(text: bytes, end: int) -> int:
    """Where a piece may end: not within an escape."""
    if end >= len(text):
        return len(text)
    begun = text.rfind(b"%", end - ESCAPE_BYTES + 1, end)
    return end if begun < 0 else begun


@dataclass(frozen=True, slots=True)
class Entry:
    question: FormQuestion
    given: Given
    problem: str = ""


def list_entries(
    form: Question, fields: Fields | None = None, problems: Mapping[str, str] | None = None
) -> list[Entry]:
    """One for each question; without fields, with the texts that the requester begins with."""
    if fields is None:
        return [Entry(item, _begin(item)) for item in form.form]
    found = problems or {}
    return [Entry(item, read_given(item, fields), found.get(item.key, "")) for item in form.form]


def _begin(question: FormQuestion) -> Given:
    return Given(text=question.text.default if question.text else "")


def origin_of(request: HttpRequest) -> str:
    return f"{request.scheme}://{request.get_host()}"


@require_safe
@xframe_options_exempt
def task_frame(request: HttpRequest, assignment_id: str) -> HttpResponse:
    """The task of an assignment that is in somebody's hands."""
    found = read_task(assignment_id)
    if found is None:
        raise NotFound(_("There is no such assignment."))
    hit, worker = found
    return show_task(request, hit, assignment_id, worker)


@require_safe
@xframe_options_exempt
@worker_view
def preview_frame(request: HttpRequest, worker: WorkerAccount, hit_id: str) -> HttpResponse:
    """The same task before it is accepted; nothing can be sent from it."""
    hit = get_hit(hit_id)
    if not get_offer(worker, hit.hit_type, clock.now()).can_preview:
        raise Forbidden(_("You need a qualification to preview this work."))
    return show_task(request, hit, PREVIEW_ID, worker)


def show_task(
    request: HttpRequest, hit: MarketHit, assignment_id: str, worker: WorkerAccount
) -> HttpResponse:
    try:
        question = read_question(hit.question)
    except DocumentError as error:
        return show_refusal(
            request,
            _("This task can't be shown: {error}.").format(error=error),
            _("Return the HIT."),
        )
    if question.url:
        # Redirecting there would let links to this server lead strangers to any other.
        return show_refusal(
            request, _("This task is hosted on another site."), _("Open it from your HIT.")
        )
    if "assignmentId" not in request.GET:
        return HttpResponseRedirect(frame_address(request, "", hit, assignment_id, worker))
    if question.kind == QuestionKind.FORM:
        return show_form(request, question, assignment_id)
    return show_page(request, question.html, assignment_id)


def show_page(request: HttpRequest, html: str, assignment_id: str = PREVIEW_ID) -> HttpResponse:
    """A requester's page, whose form leads to us; one without a form gets one."""
    origin = origin_of(request)
    page = wrap_in_form(
        prepare_page(html, origin, assignment_id),
        action=home(origin, assignment_id),
        assignment_id=assignment_id,
        is_preview=assignment_id == PREVIEW_ID,
    )
    return framed(page, task_policy(origin))


def show_refusal(request: HttpRequest, message: str, hint: str) -> HttpResponse:
    """In the frame; the page around it can return the HIT."""
    refusal = Invalid(message, hint)
    context = {"title": refusal.title, "error": refusal}
    html = render_to_string("crowd/work/refused.html", context)
    return framed(html, own_policy(origin_of(request)), refusal.status)


def find_external(hit: MarketHit) -> Question:
    """The question if its task is elsewhere; one without an address if it is here or unreadable."""
    if hit.question_kind == QuestionKind.EXTERNAL:
        with contextlib.suppress(DocumentError):
            return read_question(hit.question)
    return Question(QuestionKind(hit.question_kind))


def frame_address(
    request: HttpRequest, external: str, hit: MarketHit, assignment_id: str, worker: WorkerAccount
) -> str:
    """Where the frame of a task points: to our own page, or to the external one."""
    values = frame_values(request, hit, assignment_id, worker)
    if external:
        return external_address(external, values)
    if assignment_id == PREVIEW_ID:
        return f"{reverse('crowd:work_preview_frame', args=[hit.hit_id])}?{urlencode(values)}"
    return f"{reverse('crowd:work_frame', args=[assignment_id])}?{urlencode(values)}"


def frame_values(
    request: HttpRequest, hit: MarketHit, assignment_id: str, worker: WorkerAccount
) -> dict[str, str]:
    """What MTurk appends to a task's address. A preview knows neither worker nor where to send."""
    values = {"assignmentId": assignment_id, "hitId": hit.hit_id}
    if assignment_id != PREVIEW_ID:
        values |= {"workerId": worker.worker_id}
    return values | {"turkSubmitTo": origin_of(request)}


def external_address(url: str, values: dict[str, str]) -> str:
    parts = urlsplit(url)
    query = "&".join(filter(None, [parts.query, urlencode(values)]))
    return parts._replace(query=query).geturl()


def show_form(
    request: HttpRequest,
    question: Question,
    assignment_id: str,
    fields: Fields | None = None,
    error: WrongAnswers | None = None,
) -> HttpResponse:
    context = {
        "question": question,
        "entries": list_entries(question, fields, error.problems if error else None),
        "error": error,
        "assignment_id": assignment_id,
        "is_preview": assignment_id == PREVIEW_ID,
        "action": SUBMIT_PATH,
    }
    html = render_to_string("crowd/work/question_form.html", context)
    policy = own_policy(origin_of(request), images=("https:",))
    return framed(html, policy, error.status if error else 200)


@csrf_exempt
@xframe_options_exempt
@require_POST
def external_submit(request: HttpRequest) -> HttpResponse:
    """Where every task sends its answers. The id of the assignment is the authority."""
    try:
        fields = read_fields(request)
        named = [*fields.get("assignmentId", []), *request.GET.getlist("assignmentId")]
        assignment_id = next(filter(None, named), "")
        submitted = submit_assignment(assignment_id=assignment_id, fields=fields)
    except DatabaseFault as error:
        if (found := as_unavailable(error)) is None:
            raise
        return _show_unavailable(request, found)
    except WrongAnswers as error:
        return show_form(request, error.form, assignment_id, fields, error)
    except DomainError as error:
        context = {"title": error.title, "error": error}
        html = render_to_string("crowd/work/refused.html", context)
        return framed(html, own_policy(origin_of(request)), error.status)
    return framed(_receipt(submitted), own_policy(origin_of(request)))


def _show_unavailable(request: HttpRequest, error: Unavailable) -> HttpResponse:
    """The frame keeps the answers, and sends them again until they are taken."""
    html = render_unavailable(request, error)
    page = framed(html, own_policy(origin_of(request)), error.status)
    for name, value in error.headers.items():
        page[name] = value
    return page


WORDS = {
    Outcome.KEPT: gettext_lazy("The requester will review your work."),
    Outcome.ALREADY: gettext_lazy(
        "You submitted this HIT before. Your first submission stays as it is."
    ),
    Outcome.LATE: gettext_lazy("Your time had run out. Your answers are saved and marked as late."),
}
TITLES = {
    Outcome.KEPT: gettext_lazy("Submitted"),
    Outcome.ALREADY: gettext_lazy("Already submitted"),
    Outcome.LATE: gettext_lazy("Submitted late"),
}
ASIDE = gettext_lazy(
    "Your time had run out, and your place had gone to another worker. Your answers are saved and "
    "the requester can see them, but you may not be paid for them."
)


RECEIPT = Shell("crowd/work/receipt.html", ["title", "words", "address"])


def _receipt(submitted: Submitted) -> str:
    assignment = submitted.assignment
    is_aside = submitted.outcome == Outcome.LATE and assignment.status == "Late"
    title = TITLES[submitted.outcome]
    words = ASIDE if is_aside else WORDS[submitted.outcome]
    address = reverse("crowd:work_assignment", args=[assignment.assignment_id])
    return RECEIPT.render(title=str(title), words=str(words), address=address)


def framed(html: str, policy: str, status: int = 200) -> HttpResponse:
    response = HttpResponse(html, status=status)
    set_policy(response, policy)
    response["Cache-Control"] = "no-store"
    return response
