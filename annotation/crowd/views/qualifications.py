"""A qualification as a worker sees it: what it is, whether they have it, how to ask for it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotation import clock
from annotation.crowd.market.form_answers import Fields, WrongAnswers
from annotation.crowd.market.qualifying import may_ask, request_qualification
from annotation.crowd.market.questions import read_form
from annotation.crowd.models import QualificationType, WorkerAccount
from annotation.crowd.selectors.work import get_qualification_type
from annotation.crowd.views.question_forms import list_entries
from annotation.crowd.views.workers_only import worker_view
from annotation.headers import set_policy
from annotation.middleware import picture_policy
from annotation.translation import gettext as _

NOT_ANSWERS = {"csrfmiddlewaretoken", "answers"}


@require_http_methods(["GET", "POST"])
@worker_view
def work_qualification(request: HttpRequest, worker: WorkerAccount, type_id: str) -> HttpResponse:
    kind = get_qualification_type(type_id)
    if request.method != "POST":
        return _page(request, worker, kind)
    names = [name for name in request.POST if name not in NOT_ANSWERS]
    fields = {name: request.POST.getlist(name) for name in names}
    try:
        return _ask(request, worker, kind, fields)
    except WrongAnswers as error:
        return _page(request, worker, kind, fields, error)


def _page(
    request: HttpRequest,
    worker: WorkerAccount,
    kind: QualificationType,
    fields: Fields | None = None,
    error: WrongAnswers | None = None,
) -> HttpResponse:
    open_ = kind.requests.filter(worker=worker, state="open").first()
    is_begun = open_ is not None and open_.submitted_at is None
    question = read_form(kind.test) if kind.test and is_begun else None
    problems = error.problems if error else None
    context = {
        "worker": worker,
        "tab": "work",
        "kind": kind,
        "held": kind.holders.filter(worker=worker, is_granted=True).first(),
        "is_waiting": open_ is not None and not is_begun,
        "reason": may_ask(kind, worker, clock.now()),
        "question": question,
        "entries": list_entries(question, fields, problems) if question else [],
        "error": error,
    }
    status = error.status if error else 200
    response = render(request, "crowd/work/qualification.html", context, status=status)
    set_policy(response, picture_policy())
    return response


def _ask(
    request: HttpRequest, worker: WorkerAccount, kind: QualificationType, fields: Fields
) -> HttpResponse:
    """With a test, the first press begins it and the second sends the answers."""
    asked = request_qualification(
        kind=kind, worker=worker, fields=fields if "answers" in request.POST else None
    )
    if asked.state == "granted":
        messages.success(request, _("You now have the qualification “{kind}”.").format(kind=kind))
    elif asked.submitted_at is not None:
        messages.success(request, _("Your request was sent. The requester will decide."))
    return redirect("crowd:work_qualification", kind.qualification_type_id)
