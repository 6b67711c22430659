"""Deciding on what workers submitted: the table, one assignment, many at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from annotation.access import ProjectAccess
from annotation.corpora.models import Job, Role
from annotation.corpora.selectors.corpus import CountedPaginator
from annotation.corpora.views.access import project_context, project_view, user_of
from annotation.crowd import services
from annotation.crowd.forms import DecisionForm
from annotation.crowd.models import Assignment, AssignmentState, Campaign, ProviderName
from annotation.crowd.selectors import campaigns as selectors
from annotation.crowd.selectors import review as review_selectors
from annotation.crowd.selectors.live import RULES, list_by_rule
from annotation.crowd.selectors.prices import Price, price_bonus, price_decision
from annotation.crowd.selectors.sums import floor_time, recall_count
from annotation.crowd.services.bulk import list_assignments
from annotation.crowd.views.steps import Question, ask, is_agreed
from annotation.errors import Invalid
from annotation.translation import gettext as _
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
    campaign = selectors.get_campaign(access.project, pk)
    chosen = _filter(request.GET)
    rows = selectors.list_assignments(campaign, **chosen).defer("raw")
    number = recall_count(campaign, rows, *chosen.values())
    page = CountedPaginator(rows, PAGE, number).get_page(request.GET.get("page", 1))
    rest = request.GET.copy()
    rest.pop("page", None)
    context = project_context(
        access,
        "crowd",
        campaign=campaign,
        page=page,
        hasty=review_selectors.list_hasty_ids(campaign, page.object_list),
        total=page.paginator.count,
        first=page.start_index(),
        last=page.end_index(),
        query_string=rest.urlencode(),
        state=chosen["state"] or ANY,
        worker=chosen["worker"],
        problem=chosen["problem"],
        states=review_selectors.count_states(campaign),
        workers=review_selectors.list_workers(campaign),
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
        for rule, words in RULES.items()
    ]
    return [row for row in counted if row[2]]


@project_view()
@require_safe
def assignment(
    request: HttpRequest, access: ProjectAccess, pk: int, assignment: int
) -> HttpResponse:
    campaign = selectors.get_campaign(access.project, pk)
    found = review_selectors.get_assignment(campaign, assignment)
    before, after = review_selectors.get_neighbours(found)
    context = project_context(
        access,
        "crowd",
        campaign=campaign,
        assignment=found,
        lines=review_selectors.list_lines(found),
        before=before,
        after=after,
        price=price_decision(campaign, [found]),
        bonuses=review_selectors.list_bonuses(found),
        can_decide=access.can_own and campaign.provider != ProviderName.OFFLINE,
        warning=WARNING,
    )
    return render(request, "crowd/campaigns/assignment.html", context)


@project_view(Role.OWNER)
@require_POST
def decide(request: HttpRequest, access: ProjectAccess, pk: int) -> HttpResponse:
    """One at once; several, and what spends more than its reward, after the sum was shown."""
    campaign = selectors.get_campaign(access.project, pk)
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
    done = services.review_assignments(
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
    if data["rule"] in RULES:
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
    doubtful = selectors.list_assignments(campaign, problem=True).values_list("pk", flat=True)
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
    following = review_selectors.get_next_to_review(rows[0]) if request.POST.get("one") else None
    if following is not None:
        return redirect("crowd:assignment", access.project.slug, campaign.pk, following.pk)
    return redirect("crowd:review", access.project.slug, campaign.pk)
