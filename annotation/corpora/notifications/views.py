"""What needs the person who is signed in: the list, the bell of the header, and what is mailed."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.corpora.notifications import queries, service
from annotation.corpora.notifications.models import NotificationKind
from annotation.corpora.projects.access import user_of
from annotation.wording import counted

PAGE = 50


@login_required
@require_safe
def notifications(request: HttpRequest) -> HttpResponse:
    unread = request.GET.get("show") == "unread"
    rows = queries.list_by_need(user_of(request), unread=unread)
    page = Paginator(rows, PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "first": page.start_index(),
        "last": page.end_index(),
        "total": page.paginator.count,
        "query_string": "show=unread" if unread else "",
        "only_unread": unread,
        "can_mail": bool(settings.EMAIL_HOST),
    }
    answer = render(request, "corpora/notifications.html", context)
    service.mark_done_read(user=user_of(request))
    return answer


@login_required
@require_safe
def bell(request: HttpRequest) -> HttpResponse:
    """The bell alone, for a page that is open for long."""
    return render(request, "corpora/_bell.html")


@login_required
@require_safe
def notification(request: HttpRequest, pk: int) -> HttpResponse:
    """On to the thing; who goes there has read of it."""
    return redirect(queries.find_place(service.mark_read(user=user_of(request), pk=pk)))


@login_required
@require_POST
def mark_read(request: HttpRequest, pk: int) -> HttpResponse:
    service.mark_read(user=user_of(request), pk=pk)
    return redirect("corpora:notifications")


@login_required
@require_POST
def mark_all_read(request: HttpRequest) -> HttpResponse:
    number = service.mark_all_read(user=user_of(request))
    messages.success(
        request,
        _("{notifications} marked as read.").format(
            notifications=counted(number, "notification", "notifications")
        ),
    )
    return redirect("corpora:notifications")


@login_required
@require_POST
def choose_mail(request: HttpRequest) -> HttpResponse:
    wanted = [kind for kind in request.POST.getlist("kinds") if kind in NotificationKind.values]
    service.choose_mail(user=user_of(request), kinds=wanted)
    messages.success(request, "Saved.")
    return redirect(f"{reverse('corpora:account')}#notifications")
