"""A requester's layouts: listed, created, edited, filled with values and looked at."""

from __future__ import annotations

from uuid import uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.corpora.views.access import user_of
from annotation.crowd.market import layouts as services
from annotation.crowd.market.batches import price_batch, publish_batch
from annotation.crowd.market.work import PREVIEW_ID
from annotation.crowd.models import HitLayout
from annotation.crowd.requester_forms import BatchForm, LayoutForm
from annotation.crowd.selectors.layouts import find_layout
from annotation.crowd.selectors.requesters import get_requester
from annotation.crowd.views.frame import show_page
from annotation.crowd.views.sandbox import SANDBOX
from annotation.file_views import takes_files
from annotation.headers import set_policy
from annotation.middleware import framing_policy
from annotation.translation import gettext as _

# Placeholders may have any name, so values come under a prefix.
VALUE = "value-"


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def layouts(request: HttpRequest, pk: int) -> HttpResponse:
    user = user_of(request)
    requester = get_requester(user, pk)
    form = LayoutForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        made = services.create_layout(requester=requester, user=user, **form.cleaned_data)
        messages.success(request, _("The layout “{made}” was created.").format(made=made))
        return redirect("crowd:layout", pk, made.layout_id)
    context = {"requester": requester, "layouts": requester.layouts.all(), "form": form}
    status = 422 if form.errors else 200
    return render(request, "crowd/layouts.html", context, status=status)


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def layout(request: HttpRequest, pk: int, layout_id: str) -> HttpResponse:
    user = user_of(request)
    found = find_layout(get_requester(user, pk), layout_id)
    initial = {"name": found.name, "html": found.html, "frame_height": found.frame_height}
    form = LayoutForm(request.POST if request.method == "POST" else None, initial=initial)
    if request.method == "POST" and form.is_valid():
        services.update_layout(layout=found, user=user, **form.cleaned_data)
        messages.success(request, _("Layout saved. Existing HITs don't change."))
        return redirect("crowd:layout", pk, layout_id)
    context = {
        "requester": found.requester,
        "layout": found,
        "fields": [(name, VALUE + name) for name in services.list_placeholders(found.html)],
        "form": form,
        "sandbox": SANDBOX,
    }
    status = 422 if form.errors else 200
    response = render(request, "crowd/layout.html", context, status=status)
    set_policy(response, framing_policy("'self'"))
    return response


@login_required
@xframe_options_exempt
@require_safe
def layout_preview(request: HttpRequest, pk: int, layout_id: str) -> HttpResponse:
    """As workers see it before they accept; with the values that were sent along.

    Scripts of such pages read from the address that it is a preview, so it says so.
    """
    found: HitLayout = find_layout(get_requester(user_of(request), pk), layout_id)
    if "assignmentId" not in request.GET:
        query = request.GET.copy()
        query["assignmentId"] = PREVIEW_ID
        address = reverse("crowd:layout_preview", args=[pk, layout_id])
        return redirect(f"{address}?{query.urlencode()}")
    values = {
        name.removeprefix(VALUE): str(value)
        for name, value in request.GET.items()
        if name.startswith(VALUE)
    }
    return show_page(request, services.fill_page(found.html, values))


@takes_files
@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def layout_hits(request: HttpRequest, pk: int, layout_id: str) -> HttpResponse:
    """HITs from a table: first what they cost, then, on the same address, they are published."""
    user = user_of(request)
    found = find_layout(get_requester(user, pk), layout_id)
    if request.method != "POST":
        return _show_batch(request, found, BatchForm(found, initial={"key": uuid4()}))
    form = BatchForm(found, request.POST, request.FILES)
    if not form.is_valid():
        return _show_batch(request, found, form)
    if "publish" not in request.POST:
        return _confirm_batch(request, found, form)
    made = publish_batch(
        layout=found, user=user, hit=form.hit, rows=form.rows, key=form.cleaned_data["key"]
    )
    messages.success(request, _("{made:,} HITs were published.").format(made=len(made)))
    return redirect("crowd:layout", pk, layout_id)


def _show_batch(request: HttpRequest, found: HitLayout, form: BatchForm) -> HttpResponse:
    names = services.list_placeholders(found.html)
    context = {"requester": found.requester, "layout": found, "form": form, "names": names}
    status = 422 if form.errors else 200
    return render(request, "crowd/layout_hits.html", context, status=status)


def _confirm_batch(request: HttpRequest, found: HitLayout, form: BatchForm) -> HttpResponse:
    data = form.cleaned_data
    cost = price_batch(form.hit, form.rows)
    context = {
        "requester": found.requester,
        "layout": found,
        "data": data,
        "confirmed": BatchForm(found, initial=data),
        "count": len(form.rows),
        "places": len(form.rows) * data["assignments"],
        "first": form.rows[0],
        "cost": cost,
        "is_covered": cost <= found.requester.available,
    }
    return render(request, "crowd/layout_hits_confirm.html", context)


@login_required
@require_POST
def delete_layout(request: HttpRequest, pk: int, layout_id: str) -> HttpResponse:
    user = user_of(request)
    found = find_layout(get_requester(user, pk), layout_id)
    services.delete_layout(layout=found, user=user)
    messages.success(request, _("The layout “{found}” was deleted.").format(found=found))
    return redirect("crowd:layouts", pk)
