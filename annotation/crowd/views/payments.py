"""For the people who run the marketplace: what is owed to whom, payouts, invitations."""

from __future__ import annotations

from uuid import uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotation import clock
from annotation.corpora.views.access import staff_view, user_of
from annotation.crowd.market.payouts import record_payout
from annotation.crowd.market.workers import invite_workers
from annotation.crowd.models import WorkerAccount, WorkerInvitation
from annotation.crowd.selectors.payments import list_accounts, stream_payments
from annotation.crowd.work_forms import PayoutForm, WorkerInvitationForm
from annotation.errors import Invalid
from annotation.headers import attach_as


@require_safe
@staff_view
def work_payments(request: HttpRequest) -> HttpResponse:
    accounts = list(list_accounts())
    context = {
        "accounts": accounts,
        "total": sum(account.owed for account in accounts),
        "key": uuid4().hex,
        "invitations": WorkerInvitation.objects.filter(
            uses_left__gt=0, expires_at__gt=clock.now()
        ).order_by("-pk"),
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
        raise Invalid("The amount was not understood.", "Write dollars, such as 12.50.")
    entry = record_payout(worker=worker, **form.cleaned_data)
    messages.success(request, f"Recorded: ${entry.amount:.2f} paid to {worker}.")
    return redirect("crowd:work_payments")


@require_POST
@staff_view
def work_invite(request: HttpRequest) -> HttpResponse:
    form = WorkerInvitationForm(request.POST)
    if not form.is_valid():
        raise Invalid("Say how many may join, and for how many days the link is open.")
    invite_workers(user=user_of(request), **form.cleaned_data)
    messages.success(request, "The link is in the list of invitations.")
    return redirect("crowd:work_payments")
