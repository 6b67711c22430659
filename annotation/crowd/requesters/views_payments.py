"""For the people who run the marketplace: what is owed to whom, payouts, invitations."""

from __future__ import annotations

from uuid import uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import ProjectAccess
from annotation.corpora.projects.access import project_view, sent, staff_view, user_of
from annotation.corpora.projects.models import Role
from annotation.crowd.campaigns.presets import name_country
from annotation.crowd.market.models_accounts import WorkerAccount
from annotation.crowd.market.workers import (
    change_place,
    invite_workers,
    list_invitations,
    record_payout,
    withdraw_invitation,
)
from annotation.crowd.requesters.payments import list_accounts, list_payers, stream_payments
from annotation.crowd.requesters.queries import list_requesters
from annotation.crowd.work.forms import PayoutForm, PlaceForm, WorkerInvitationForm
from annotation.errors import Invalid, NotFound
from annotation.headers import attach_as


@require_safe
@staff_view
def work_payments(request: HttpRequest) -> HttpResponse:
    accounts = list_accounts()
    context = {
        "accounts": accounts,
        "total": sum(account.owed for account in accounts),
        "payers": list_payers(accounts),
        "key": uuid4().hex,
        "origin": f"{request.scheme}://{request.get_host()}",
        "requesters": list_requesters(),
        "invitations": list_invitations(),
        "invitation_form": WorkerInvitationForm(),
    }
    return render(request, "crowd/work/payments.html", context)


@require_safe
@staff_view
def work_payments_csv(request: HttpRequest) -> StreamingHttpResponse:
    response = StreamingHttpResponse(stream_payments(), content_type="text/csv; charset=utf-8")
    attach_as(response, "payments.csv")
    return response


@require_POST
@staff_view
def work_payout(request: HttpRequest, worker_id: str) -> HttpResponse:
    """The form's key makes a second press of the same button do nothing."""
    worker = get_object_or_404(WorkerAccount, worker_id=worker_id)
    form = PayoutForm(request.POST)
    if not form.is_valid():
        raise Invalid(_("The amount isn't a number."), _("Enter dollars, such as 12.50."))
    entry = record_payout(worker=worker, **form.cleaned_data)
    messages.success(
        request,
        _("Payout recorded: ${amount:.2f} to {worker}.").format(amount=entry.amount, worker=worker),
    )
    return redirect("crowd:work_payments")


@require_http_methods(["GET", "POST"])
@staff_view
def work_place(request: HttpRequest) -> HttpResponse:
    """A worker's country, which only staff change; the address names the worker."""
    wanted = request.GET.get("worker", "").strip()
    worker = WorkerAccount.objects.select_related("user").filter(worker_id=wanted).first()
    if request.method == "POST" and worker is None:
        raise NotFound(
            _("No worker has the ID {wanted}.").format(wanted=wanted[:20]), _("Check the ID.")
        )
    known = {"country": worker.country, "subdivision": worker.subdivision} if worker else {}
    form = PlaceForm(sent(request), initial=known)
    form.fields["country"].help_text = ""
    if request.method == "POST" and worker is not None and form.is_valid():
        change_place(worker=worker, user=user_of(request), **form.cleaned_data)
        messages.success(request, _("Country of {worker} changed.").format(worker=worker))
        return redirect("crowd:work_payments")
    country = name_country(worker.country) if worker else ""
    context = {"worker": worker, "wanted": wanted, "form": form, "country": country}
    status = 422 if form.errors else 200
    return render(request, "crowd/work/place.html", context, status=status)


@require_POST
@staff_view
def work_invite(request: HttpRequest) -> HttpResponse:
    form = _read_invitation(request)
    invite_workers(user=user_of(request), **form.cleaned_data)
    messages.success(request, _("Invitation link created. Copy it from the list."))
    return redirect("crowd:work_payments")


@project_view(Role.OWNER)
@require_POST
def invite_project_workers(request: HttpRequest, access: ProjectAccess) -> HttpResponse:
    form = _read_invitation(request)
    invite_workers(user=user_of(request), project=access.project, **form.cleaned_data)
    messages.success(request, _("Link created. Send it to your workers."))
    return redirect("corpora:members", access.project.slug)


def _read_invitation(request: HttpRequest) -> WorkerInvitationForm:
    form = WorkerInvitationForm(request.POST)
    if not form.is_valid():
        raise Invalid(
            _("Enter how many workers can join, and for how many days the link is valid.")
        )
    return form


@login_required
@require_POST
def work_withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    withdrawn = withdraw_invitation(user=user_of(request), pk=pk)
    messages.success(request, _("Link withdrawn. It no longer works."))
    if withdrawn.project is None or request.POST.get("from") == "payments":
        return redirect("crowd:work_payments")
    return redirect("corpora:members", withdrawn.project.slug)
