"""Marketplace requesters on the account page: created, funded, given keys."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.access import require_staff
from annotation.corpora.forms import KeyForm
from annotation.corpora.models import AttemptKind
from annotation.corpora.services import count_attempt
from annotation.corpora.services.attempts import user_key
from annotation.corpora.views.access import stay_here, user_of
from annotation.crowd.market import money, requesters
from annotation.crowd.market.messages import mark_questions_read
from annotation.crowd.models import Requester
from annotation.crowd.requester_forms import DepositForm, RequesterForm
from annotation.crowd.selectors import requesters as selectors
from annotation.crowd.selectors.messages import page_threads
from annotation.errors import Invalid
from annotation.headers import attach_as
from annotation.translation import gettext as _

NEW_KEY = "new_requester_key"


@login_required
@require_POST
def create_requester(request: HttpRequest) -> HttpResponse:
    """By staff, or by an owner for their project; the requester belongs to that project then."""
    user = user_of(request)
    requesters.check_may_create_some(user)
    form = RequesterForm(user, request.POST)
    if not form.is_valid():
        raise Invalid(
            _("A requester needs a name of 1 to 120 characters, and one of your projects."),
            _("Fill in the name and choose a project that has no requester yet."),
        )
    project = form.cleaned_data["project"]
    made = requesters.create_requester(
        name=form.cleaned_data["name"],
        project=project,
        owner=None if project else user,
        user=user,
    )
    return redirect("crowd:requester", made.pk)


@login_required
@never_cache
@require_safe
def requester(request: HttpRequest, pk: int) -> HttpResponse:
    return _page(request, selectors.get_requester(user_of(request), pk))


@login_required
@require_POST
def create_requester_key(request: HttpRequest, pk: int) -> HttpResponse:
    """The secret is shown on the next page, and not again."""
    user = user_of(request)
    found = selectors.get_requester(user, pk)
    form = KeyForm(request.POST)
    if not form.is_valid():
        return _page(request, found, key_form=form)
    count_attempt(kind=AttemptKind.KEY, account=user_key(user))
    key = requesters.create_key(requester=found, user=user, **form.cleaned_data)
    request.session[NEW_KEY] = {"access_key": key.access_key, "secret": key.secret}
    return redirect("crowd:requester", pk)


@login_required
@require_POST
def revoke_requester_key(request: HttpRequest, pk: int, key: int) -> HttpResponse:
    """By its holder, and by everybody else who may use the requester."""
    found = selectors.get_key(user_of(request), requester=pk, pk=key)
    requesters.revoke_key(key=found)
    page = reverse("crowd:requester", args=[pk])
    messages.success(request, _("The key {found} no longer works.").format(found=found))
    return redirect(stay_here(request, request.POST.get("next", ""), page))


@login_required
@require_POST
def deposit(request: HttpRequest, pk: int) -> HttpResponse:
    """Staff only. The form's key makes a second press of the same button add nothing."""
    user = user_of(request)
    found = selectors.get_requester(user, pk)
    require_staff(user, money.STAFF_ONLY, money.ASK_STAFF)
    form = DepositForm(request.POST)
    if not form.is_valid():
        return _page(request, found, deposit_form=form)
    money.deposit(
        requester=found,
        amount=form.cleaned_data["amount"],
        note=form.cleaned_data["note"],
        user=user,
        key=f"deposit:{form.cleaned_data['key']}",
    )
    messages.success(
        request,
        _("${amount:.2f} was added to the budget.").format(amount=form.cleaned_data["amount"]),
    )
    return redirect("crowd:requester", pk)


@login_required
@require_safe
def requester_statement(request: HttpRequest, pk: int) -> StreamingHttpResponse:
    found = selectors.get_requester(user_of(request), pk)
    lines = selectors.stream_statement(found)
    response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
    attach_as(response, f"budget-{found.pk}.csv")
    return response


def _page(request: HttpRequest, found: Requester, **shown: forms.Form) -> HttpResponse:
    new_key = request.session.pop(NEW_KEY, None)
    __, threads = page_threads(found.messages.all())
    if user_of(request) in selectors.list_people(found):
        mark_questions_read(threads=threads)
    project = found.project
    context: dict[str, Any] = {
        "requester": found,
        "is_member": project and project.memberships.filter(user=user_of(request)).exists(),
        "keys": found.held_keys,
        "entries": selectors.list_entries(found),
        "late": selectors.list_late_work(found),
        "threads": threads,
        "deposit_form": DepositForm(initial={"key": uuid4()}),
        "key_form": KeyForm(),
        "staff": selectors.list_staff(),
        "new_key": new_key,
        "example": _example(request, new_key),
        **shown,
    }
    status = 422 if any(form.errors for form in shown.values()) else 200
    return render(request, "crowd/requester.html", context, status=status)


def _example(request: HttpRequest, key: dict[str, str] | None) -> str:
    """A client for boto3, to be copied; with the secret while it is shown."""
    known = key or {"access_key": "…", "secret": "…"}
    return "\n".join(
        [
            "import boto3",
            "",
            "client = boto3.client(",
            '    "mturk",',
            f'    endpoint_url="{request.build_absolute_uri(reverse("crowd:mturk"))}",',
            '    region_name="us-east-1",',
            f'    aws_access_key_id="{known["access_key"]}",',
            f'    aws_secret_access_key="{known["secret"]}",',
            ")",
            'print(client.get_account_balance()["AvailableBalance"])',
        ]
    )
