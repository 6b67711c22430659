"""Deciding on what workers submitted: the table, one assignment, many at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.access import ProjectAccess
from annotation.corpora.corpus.queries import CountedPaginator
from annotation.corpora.jobs.models import Job
from annotation.corpora.projects.access import project_context, project_view, user_of
from annotation.corpora.projects.models import Role
from annotation.crowd.campaigns import queries as campaigns_queries
from annotation.crowd.campaigns.forms import DecisionForm, ExclusionForm, MessageForm
from annotation.crowd.campaigns.live import PAY_RULES, list_by_rule, price_bonus, price_decision
from annotation.crowd.campaigns.models import (
    Assignment,
    AssignmentState,
    Campaign,
    ProviderName,
    Worker,
)
from annotation.crowd.campaigns.planning import Price
from annotation.crowd.campaigns.queries import get_campaign
from annotation.crowd.campaigns.recollecting import stream_entries
from annotation.crowd.campaigns.sums import count_entries, floor_time, recall_books, recall_count
from annotation.crowd.campaigns.views import csv_response
from annotation.crowd.campaigns.views_steps import Question, ask, is_agreed
from annotation.crowd.market.messages import answer_worker, mark_questions_read
from annotation.crowd.requesters.queries import get_requester
from annotation.crowd.review import bulk, queries
from annotation.crowd.review.bulk import list_assignments
from annotation.crowd.review.queries import list_workers
from annotation.errors import Invalid
from annotation.translation import gettext_lazy
from annotation.wording import counted

PAGE = 50
ANY = "any"
WARNING = gettext_lazy(
    "A rejection lowers the worker's approval rate everywhere. Noisy but honest work is normally "
    "paid and excluded when labels are aggregated."
)

DONE = {
    "approve": gettext_lazy("{} approved."),
    "reject": gettext_lazy("{} rejected."),
    "bonus": gettext_lazy("Bonus paid for {}."),
    "override": gettext_lazy("Rejection overturned for {}."),
}


@project_view()
@require_safe
def review(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    campaign = campaigns_queries.get_campaign(access.project, pk)
    chosen = _filter(request.GET)
    rows = campaigns_queries.list_assignments(campaign, **chosen).defer("raw")
    number = recall_count(campaign, rows, *chosen.values())
    page = CountedPaginator(rows, PAGE, number).get_page(request.GET.get("page", 1))
    rest = request.GET.copy()
    rest.pop("page", None)
    context = project_context(
        access,
        "crowd",
        campaign=campaign,
        page=page,
        hasty=queries.list_hasty_ids(campaign, page.object_list),
        total=page.paginator.count,
        first=page.start_index(),
        last=page.end_index(),
        query_string=rest.urlencode(),
        state=chosen["state"] or ANY,
        worker=chosen["worker"],
        problem=chosen["problem"],
        states=queries.count_states(campaign),
        workers=queries.list_workers(campaign),
        rules=_rules(campaign) if access.can_own else [],
        form=DecisionForm(),
        can_decide=access.can_own and campaign.provider != ProviderName.OFFLINE,
        warning=WARNING,
    )
    return render(request, "crowd/campaigns/review.html", context)


def _filter(query: QueryDict) -> dict[str, Any]:
    state, worker = query.get("state", AssignmentState.SUBMITTED), query.get("worker", "")
    return {
        "state": state if state in AssignmentState.values else "",
        "worker": int(worker) if worker.isdecimal() and len(worker) < 19 else None,
        "problem": query.get("problem") == "1",
    }


def _rules(campaign: Campaign) -> list[tuple[str, str, int]]:
    now = floor_time()
    counted = [
        (rule, words, recall_count(campaign, list_by_rule(campaign, rule), rule, now))
        for rule, words in PAY_RULES.items()
    ]
    return [row for row in counted if row[2]]


@project_view()
@require_safe
def assignment(
    request: HttpRequest, access: ProjectAccess, pk: int, assignment: int
) -> HttpResponse:
    campaign = campaigns_queries.get_campaign(access.project, pk)
    found = queries.get_assignment(campaign, assignment)
    before, after = queries.get_neighbours(found)
    context = project_context(
        access,
        "crowd",
        campaign=campaign,
        assignment=found,
        lines=queries.list_lines(found),
        before=before,
        after=after,
        price=price_decision(campaign, [found]),
        bonuses=queries.list_bonuses(found),
        can_decide=access.can_own and campaign.provider != ProviderName.OFFLINE,
        warning=WARNING,
    )
    return render(request, "crowd/campaigns/assignment.html", context)


@project_view(Role.OWNER)
@require_POST
def decide(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    """One at once; several, and what spends more than its reward, after the sum was shown."""
    campaign = campaigns_queries.get_campaign(access.project, pk)
    form = DecisionForm(request.POST)
    if not form.is_valid():
        raise Invalid(_first_error(form), _("Complete the form and send it again."))
    data = form.cleaned_data
    rows = _chosen(request, campaign, data)
    price = _price(campaign, rows, data)
    is_one = len(rows) == 1 and data["action"] != "bonus"
    if not is_one and "total" not in request.POST:
        return ask(request, access, _question(campaign, rows, data, price))
    if not is_one and not is_agreed(request, price.total):
        return ask(request, access, _question(campaign, rows, data, price))
    done = bulk.review_assignments(
        campaign=campaign,
        user=user_of(request),
        action=data["action"],
        ids=[row.pk for row in rows],
        text=data["text"],
        amount=data["amount"],
    )
    return _after(request, access, campaign, rows, done)


def _first_error(form: DecisionForm) -> str:
    return str(next(iter(form.errors.values()))[0])


def _chosen(request: HttpRequest, campaign: Campaign, data: dict[str, Any]) -> list[Assignment]:
    """Those that can still be decided so."""
    wanted = {
        "override": [AssignmentState.REJECTED],
        "bonus": list(AssignmentState),
    }.get(data["action"], [AssignmentState.SUBMITTED])
    if data["rule"] in PAY_RULES:
        return list(list_by_rule(campaign, data["rule"]))
    ids = [int(pk) for pk in request.POST.getlist("assignment") if pk.isdecimal()]
    rows = [row for row in list_assignments(campaign, ids) if row.state in wanted]
    if not rows:
        raise Invalid(
            _("None of the selected assignments allows this action."),
            _("Select other assignments or another action."),
        )
    return rows


def _price(campaign: Campaign, rows: Sequence[Assignment], data: dict[str, Any]) -> Price:
    if data["action"] == "bonus":
        return price_bonus(campaign, data["amount"], len(rows))
    return price_decision(campaign, [] if data["action"] == "reject" else rows)


def _question(
    campaign: Campaign, rows: Sequence[Assignment], data: dict[str, Any], price: Price
) -> Question:
    number = counted(len(rows), "assignment", "assignments")
    is_reject = data["action"] == "reject"
    titles = {
        "reject": _("Reject {number}?").format(number=number),
        "bonus": _("Pay a bonus for {number}?").format(number=number),
    }
    kept = [(name, data[name]) for name in ("action", "rule", "text") if data[name]]
    kept += [("amount", f"{data['amount']:.2f}")] if data["amount"] else []
    ids = [] if data["rule"] else [("assignment", row.pk) for row in rows]
    said = _("Message to the workers: “{text}”").format(text=data["text"]) if data["text"] else ""
    words = [WARNING if is_reject else _("Nobody is paid twice."), said]
    doubtful = campaigns_queries.list_assignments(campaign, problem=True).values_list(
        "pk", flat=True
    )
    return Question(
        campaign,
        titles.get(data["action"], _("Approve {number}?").format(number=number)),
        [line for line in words if line],
        _("Reject {number}").format(number=number) if is_reject else f"Pay ${price.total:,.2f}",
        lines=[]
        if is_reject
        else [(_("Paid to workers"), price.amount), (_("Provider fees"), price.fees)],
        total=price.total,
        hidden=[*kept, *ids],
        action=reverse("crowd:decide", args=[campaign.project.slug, campaign.pk]),
        is_danger=is_reject,
        doubtful=0 if data["action"] != "approve" else len({row.pk for row in rows} & {*doubtful}),
    )


def _after(
    request: HttpRequest,
    access: ProjectAccess,
    campaign: Campaign,
    rows: Sequence[Assignment],
    done: Job | int,
) -> HttpResponse:
    """On to the next that waits, when one was decided on its own page."""
    if isinstance(done, Job):
        return redirect("corpora:job", access.project.slug, done.pk)
    messages.success(
        request, DONE[request.POST["action"]].format(counted(done, "assignment", "assignments"))
    )
    following = queries.get_next_to_review(rows[0]) if request.POST.get("one") else None
    if following is not None:
        return redirect("crowd:assignment", access.project.slug, campaign.pk, following.pk)
    return redirect("crowd:review", access.project.slug, campaign.pk)


WORKERS_PER_PAGE = 100


@project_view()
@require_safe
def workers(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    campaign = campaigns_queries.get_campaign(access.project, pk)
    return _workers_page(request, access, campaign, MessageForm(), 200)


def _workers_page(
    request: HttpRequest, access: ProjectAccess, campaign: Campaign, form: MessageForm, status: int
) -> HttpResponse:
    context = project_context(
        access,
        "crowd",
        campaign=campaign,
        standings=campaigns_queries.list_standings(campaign),
        form=form,
        can_reach=access.can_own and campaign.provider != ProviderName.OFFLINE,
    )
    return render(request, "crowd/campaigns/workers.html", context, status=status)


def _worker(campaign: Campaign, pk: int) -> Worker:
    return get_object_or_404(list_workers(campaign), pk=pk)


@project_view(Role.OWNER)
@require_POST
def exclude_worker(
    request: HttpRequest, access: ProjectAccess, pk: int, worker: int
) -> HttpResponse:
    campaign = campaigns_queries.get_campaign(access.project, pk)
    form = ExclusionForm(request.POST)
    if not form.is_valid():
        raise Invalid(_("An exclusion needs a reason."), _("Enter one."))
    found = _worker(campaign, worker)
    bulk.exclude_worker(campaign=campaign, worker=found, user=user_of(request), **form.cleaned_data)
    messages.success(
        request,
        _("{found} gets no further work in this project. Past work is still paid.").format(
            found=found
        ),
    )
    return redirect("crowd:workers", access.project.slug, pk)


@project_view(Role.OWNER)
@require_POST
def include_worker(
    request: HttpRequest, access: ProjectAccess, pk: int, worker: int
) -> HttpResponse:
    campaign = campaigns_queries.get_campaign(access.project, pk)
    found = _worker(campaign, worker)
    bulk.include_worker(campaign=campaign, worker=found, user=user_of(request))
    messages.success(request, _("{found} was re-admitted.").format(found=found))
    return redirect("crowd:workers", access.project.slug, pk)


@project_view(Role.OWNER)
@require_POST
def message_workers(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    campaign = campaigns_queries.get_campaign(access.project, pk)
    form = MessageForm(request.POST)
    ids = [int(row) for row in request.POST.getlist("worker") if row.isdecimal()]
    chosen = list(list_workers(campaign).filter(pk__in=ids))
    if form.is_valid() and not chosen:
        form.add_error(None, _("Select the workers to message."))
    if form.errors:
        return _workers_page(request, access, campaign, form, 422)
    told = bulk.notify_workers(
        campaign=campaign, user=user_of(request), workers=chosen, **form.cleaned_data
    )
    reached = len(chosen) - len(told.failures)
    if reached:
        messages.success(
            request,
            _("Sent to {reached} of {workers}.").format(
                reached=reached, workers=counted(len(chosen), "worker", "workers")
            ),
        )
    for worker, reason in told.failures.items():
        messages.warning(
            request, _("Not sent to {worker}: {reason}").format(worker=worker, reason=reason)
        )
    return redirect("crowd:workers", access.project.slug, pk)


@project_view()
@require_safe
def ledger(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    campaign = campaigns_queries.get_campaign(access.project, pk)
    rows = CountedPaginator(
        campaigns_queries.list_entries(campaign), WORKERS_PER_PAGE, count_entries(campaign)
    )
    page = rows.get_page(request.GET.get("page", 1))
    context = project_context(
        access,
        "crowd",
        campaign=campaign,
        books=recall_books(campaign),
        page=page,
        total=page.paginator.count,
        first=page.start_index(),
        last=page.end_index(),
        query_string="",
    )
    return render(request, "crowd/campaigns/ledger.html", context)


@project_view()
@require_safe
def ledger_csv(request: HttpRequest, access: ProjectAccess, pk: int) -> StreamingHttpResponse:
    campaign = campaigns_queries.get_campaign(access.project, pk)
    lines: Iterator[str] = stream_entries(campaign)
    return csv_response(lines, f"ledger-{pk}.csv")


@project_view()
@require_safe
@never_cache
def campaign_messages(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    """Those who may answer have read them once they are shown."""
    campaign = get_campaign(access.project, pk)
    rows = queries.list_campaign_messages(campaign)
    page, threads = queries.page_threads(rows, request.GET.get("page", 1))
    if access.can_own:
        mark_questions_read(threads=threads)
    context = project_context(
        access,
        "crowd",
        campaign=campaign,
        page=page,
        threads=threads,
        total=page.paginator.count,
        first=page.start_index(),
        last=page.end_index(),
    )
    return render(request, "crowd/campaigns/messages.html", context)


@project_view(Role.OWNER)
@require_POST
def answer_message(
    request: HttpRequest, access: ProjectAccess, pk: int, message: int
) -> HttpResponse:
    campaign = get_campaign(access.project, pk)
    question = queries.get_question(queries.list_campaign_messages(campaign), message)
    answer_worker(message=question, user=user_of(request), text=request.POST.get("text", ""))
    messages.success(request, _("Your reply to {worker} was sent.").format(worker=question.worker))
    return redirect("crowd:campaign_messages", access.project.slug, pk)


@login_required
@require_POST
def answer_requester_message(request: HttpRequest, pk: int, message: int) -> HttpResponse:
    found = get_requester(user_of(request), pk)
    question = queries.get_question(found.messages.all(), message)
    answer_worker(message=question, user=user_of(request), text=request.POST.get("text", ""))
    messages.success(request, _("Your reply to {worker} was sent.").format(worker=question.worker))
    return redirect("crowd:requester", pk)
