"""The requester's prepaid budget, and bonuses paid from it."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from annotation.crowd.market import decisions, money
from annotation.crowd.market.errors import (
    TurkError,
    already_processed,
    invalid,
    own_work,
    wrong_state,
)
from annotation.crowd.market.operations.found import get_hit
from annotation.crowd.market.paging import read_page
from annotation.crowd.market.patience import patient
from annotation.crowd.market.shapes import amount, bonus_shape
from annotation.crowd.market.ties import acts_for_themselves, is_tied
from annotation.crowd.market.tokens import claim_token
from annotation.crowd.market.validation import check_length
from annotation.crowd.models import AssignmentStatus, Bonus, MarketAssignment, Requester

Params = dict[str, Any]

# Work that came too late for a place can still be rewarded.
WORKED = [*decisions.SHOWN, AssignmentStatus.LATE]


def get_account_balance(requester: Requester, params: Params) -> Params:
    return {
        "AvailableBalance": amount(requester.available),
        "OnHoldBalance": amount(requester.held),
    }


@patient
@transaction.atomic
def send_bonus(requester: Requester, params: Params) -> Params:
    value = money.read_amount("BonusAmount", params["BonusAmount"], least=money.CENT)
    reason = check_length("Reason", params["Reason"], 4096, 1)
    assignment = _get_worked(requester, params)
    claim_token(
        requester,
        "SendBonus",
        params.get("UniqueRequestToken"),
        assignment.assignment_id,
        _already_paid,
    )
    bonus = Bonus.objects.create(
        requester=requester, assignment=assignment, amount=value, reason=reason
    )
    money.pay_bonus(bonus)
    return {}


def _get_worked(requester: Requester, params: Params) -> MarketAssignment:
    assignment = decisions.get_assignment(requester, params["AssignmentId"])
    if assignment.worker.worker_id != params["WorkerId"]:
        raise invalid("WorkerId", f"is not the worker of assignment {assignment.assignment_id}.")
    if assignment.status not in WORKED:
        allowed = ", ".join(decisions.SHOWN)
        raise wrong_state("Assignment", assignment.assignment_id, assignment.status, allowed)
    user = assignment.worker.user_id
    if acts_for_themselves(user) or is_tied(requester.pk, user):
        raise own_work("Assignment", assignment.assignment_id)
    return assignment


def _already_paid(token: str, made: str) -> TurkError:
    return already_processed("BonusAlreadyPaid", token, f"It paid a bonus for assignment {made}.")


def list_bonus_payments(requester: Requester, params: Params) -> Params:
    rows = Bonus.objects.filter(requester=requester).select_related("assignment__worker")
    if "AssignmentId" in params:
        found = decisions.get_assignment(requester, params["AssignmentId"])
        rows = rows.filter(assignment=found)
    elif "HITId" in params:
        rows = rows.filter(assignment__hit=get_hit(requester, params["HITId"]))
    else:
        raise invalid("HITId or AssignmentId", "one is required.", "AWS.MissingParameters")
    page = read_page(rows, params, "pk", about=f"bonuses:{requester.pk}")
    return page.answer("BonusPayments", [bonus_shape(bonus) for bonus in page.rows])


OPERATIONS = {
    "GetAccountBalance": get_account_balance,
    "SendBonus": send_bonus,
    "ListBonusPayments": list_bonus_payments,
}
