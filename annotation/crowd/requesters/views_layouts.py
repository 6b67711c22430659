"""A requester's layouts: listed, created, edited, filled with values and looked at.

- The endpoint that speaks the MTurk Requester API.
- MTurk clients whose endpoint URL lacks `/mturk/`: what to set, in the shape that they read.
"""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.body_limit import UNREAD
from annotation.corpora.projects.access import user_of
from annotation.crowd.market import layouts as services
from annotation.crowd.market import protocol
from annotation.crowd.market import protocol as market_protocol
from annotation.crowd.market.batches import price_batch, publish_batch
from annotation.crowd.market.models_work import HitLayout
from annotation.crowd.market.protocol import Answer
from annotation.crowd.market.validation import TARGET_PREFIX
from annotation.crowd.market.work import PREVIEW_ID
from annotation.crowd.requesters.queries import find_layout, get_requester
from annotation.crowd.requesters.views import BatchForm, LayoutForm
from annotation.crowd.work.views_frame import show_page
from annotation.crowd.work.views_sandbox import SANDBOX
from annotation.file_views import takes_files
from annotation.headers import set_policy
from annotation.middleware import framing_policy

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


# A question has at most 65,535 bytes, which JSON may write as six times as many; every other
# parameter together is far less.
MAX_BYTES = 2**19


@csrf_exempt
@require_POST
def mturk_endpoint(request: HttpRequest) -> HttpResponse:
    """Authorised by the signature alone: no session and no cookie is looked at."""
    found = (
        protocol.TOO_LARGE
        if request.META.get(UNREAD) or int(request.META.get("CONTENT_LENGTH") or 0) > MAX_BYTES
        else protocol.answer(_read(request))
    )
    return respond(found)


def respond(found: protocol.Answer) -> HttpResponse:
    response = HttpResponse(
        found.to_json(), status=found.status, content_type=protocol.CONTENT_TYPE
    )
    for name, value in found.headers.items():
        response[name] = value
    response["x-amzn-RequestId"] = str(uuid4())
    response["Cache-Control"] = "no-store"
    return response


def _read(request: HttpRequest) -> market_protocol.Request:
    return market_protocol.Request(
        method=str(request.method),
        path=request.path,
        query=request.META.get("QUERY_STRING", ""),
        headers={name.lower(): value for name, value in request.headers.items()},
        body=request.body,
    )


class MisaddressedMiddleware:
    """Answers calls of the API anywhere but at its address, before a page asks for a form token."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        target = request.META.get("HTTP_X_AMZ_TARGET", "")
        if not target.startswith(TARGET_PREFIX) or request.path in _addresses():
            return self.get_response(request)
        return respond(_describe(request))


def _addresses() -> tuple[str, str]:
    return reverse("crowd:mturk"), reverse("crowd:mturk_plain")


def _describe(request: HttpRequest) -> Answer:
    right = request.build_absolute_uri(reverse("crowd:mturk"))
    wrong = request.build_absolute_uri(request.path)
    message = _(
        "The MTurk API of this server is at {right}, not at {wrong}. Set endpoint_url, or the "
        "environment variable AWS_ENDPOINT_URL_MTURK, to {right}"
    ).format(right=right, wrong=wrong)
    return Answer(404, {"__type": "UnknownOperationException", "message": message})
