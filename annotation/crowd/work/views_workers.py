"""Joining as a worker, and a worker's own pages: history, earnings, messages, settings.

- A qualification as a worker sees it: what it is, whether they have it, how to ask for it.
"""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from annotation import clock
from annotation.corpora.accounts import service as accounts_service
from annotation.corpora.accounts import sign_in
from annotation.corpora.accounts.models import AttemptKind, User
from annotation.corpora.accounts.sign_in import address_of, begin_sign_in
from annotation.corpora.projects.access import sent, user_of
from annotation.crowd.campaigns.presets import name_country
from annotation.crowd.market import workers
from annotation.crowd.market.answers import Fields, WrongAnswers
from annotation.crowd.market.messages import (
    get_reachable_requester,
    mark_answers_read,
    write_to_requester,
)
from annotation.crowd.market.models_accounts import WorkerAccount, WorkerInvitation
from annotation.crowd.market.models_work import QualificationType
from annotation.crowd.market.qualifying import may_ask, request_qualification
from annotation.crowd.market.question_forms import read_form
from annotation.crowd.requesters.payments import get_earnings, list_days, list_payouts
from annotation.crowd.work.access import worker_view
from annotation.crowd.work.forms import ContactForm, JoinForm, PlaceForm, WorkerSignUpForm
from annotation.crowd.work.queries import get_qualification_type, list_history
from annotation.crowd.work.views_frame import list_entries
from annotation.errors import DomainError
from annotation.headers import set_policy
from annotation.middleware import picture_policy

PER_PAGE = 50


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "POST"])
def work_join(request: HttpRequest, token: str = "") -> HttpResponse:
    """Open to all, or with an invitation; with an account or without."""
    invitation = workers.get_invitation(token) if token else None
    if WorkerAccount.objects.filter(user=request.user.pk or 0).exists():
        return redirect("crowd:work_home")
    form_class = JoinForm if request.user.is_authenticated else WorkerSignUpForm
    form = form_class(sent(request))
    if request.method == "POST" and form.is_valid():
        try:
            return _join(request, form, invitation)
        except DomainError as error:
            form.add_error(None, f"{error.message} {error.hint}")
    here = urlencode({"next": request.path})
    context = {
        "form": form,
        "invitation": invitation,
        "is_open": is_open(invitation),
        "sign_in_url": f"{reverse('corpora:sign_in')}?{here}",
    }
    status = 422 if form.errors else 200
    return render(request, "crowd/work/join.html", context, status=status)


def is_open(invitation: WorkerInvitation | None) -> bool:
    if invitation is None:
        return bool(settings.MARKET_SIGN_UP == "open")
    return WorkerInvitation.objects.open().filter(pk=invitation.pk).exists()


def _join(
    request: HttpRequest, form: JoinForm | WorkerSignUpForm, invitation: WorkerInvitation | None
) -> HttpResponse:
    # First of all: people who may not join must not learn who has an account.
    workers.check_may_join(invitation)
    data = form.cleaned_data
    if isinstance(form, WorkerSignUpForm):
        sign_in.count_attempt(kind=AttemptKind.SIGN_UP, address=address_of(request))
    with transaction.atomic():
        user = _account(request, form)
        workers.join_workers(
            user=user,
            country=data["country"],
            subdivision=data["subdivision"],
            invitation=invitation,
        )
    if isinstance(form, WorkerSignUpForm):
        begin_sign_in(request, user)
    messages.success(request, _("Welcome. Choose some work, and preview it before you accept."))
    return redirect("crowd:work_home")


def _account(request: HttpRequest, form: JoinForm | WorkerSignUpForm) -> User:
    if not isinstance(form, WorkerSignUpForm):
        return user_of(request)
    given = {name: form.cleaned_data[name] for name in ("name", "email", "password")}
    return accounts_service.sign_up(**given)


@require_safe
@worker_view
def work_history(request: HttpRequest, worker: WorkerAccount) -> HttpResponse:
    page = Paginator(list_history(worker), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "worker": worker,
        "tab": "history",
        "page": page,
        "total": page.paginator.count,
        "first": page.start_index(),
        "last": page.end_index(),
    }
    return render(request, "crowd/work/history.html", context)


@require_safe
@worker_view
def work_earnings(request: HttpRequest, worker: WorkerAccount) -> HttpResponse:
    context = {
        "worker": worker,
        "tab": "earnings",
        "earnings": get_earnings(worker),
        "days": list_days(worker)[:PER_PAGE],
        "payouts": list_payouts(worker)[:PER_PAGE],
    }
    return render(request, "crowd/work/earnings.html", context)


@require_safe
@worker_view
def work_messages(request: HttpRequest, worker: WorkerAccount) -> HttpResponse:
    letters = list(worker.messages.select_related("requester")[:PER_PAGE])
    mark_answers_read(worker=worker)
    context = {"worker": worker, "tab": "messages", "letters": letters}
    return render(request, "crowd/work/messages.html", context)


@require_http_methods(["GET", "POST"])
@worker_view
def work_contact(request: HttpRequest, worker: WorkerAccount, hit_id: str) -> HttpResponse:
    """Write to the requester of a HIT."""
    requester = get_reachable_requester(hit_id=hit_id)
    form = ContactForm(sent(request))
    if request.method == "POST" and form.is_valid():
        write_to_requester(worker=worker, requester=requester, hit_id=hit_id, **form.cleaned_data)
        messages.success(
            request, _("Your message to {requester} was sent.").format(requester=requester)
        )
        return redirect("crowd:work_messages")
    context = {"worker": worker, "tab": "messages", "requester": requester, "form": form}
    status = 422 if form.errors else 200
    return render(request, "crowd/work/contact.html", context, status=status)


@require_http_methods(["GET", "POST"])
@worker_view
def work_settings(request: HttpRequest, worker: WorkerAccount) -> HttpResponse:
    form = PlaceForm(sent(request))
    if request.method == "POST" and form.is_valid():
        workers.set_own_place(worker=worker, **form.cleaned_data)
        messages.success(request, _("Country saved."))
        return redirect("crowd:work_settings")
    country = name_country(worker.country)
    context = {"worker": worker, "tab": "settings", "form": form, "country": country}
    status = 422 if form.errors else 200
    return render(request, "crowd/work/settings.html", context, status=status)


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
