"""A requester with money and keys, and boto3 pointed at our endpoint, for tests of their side."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError
from botocore.validate import ParamValidator

from annotation.corpora.accounts.models import KeyScope
from annotation.crowd.market.accepting import accept_hit
from annotation.crowd.market.models_accounts import Requester, RequesterKey, WorkerAccount
from annotation.crowd.market.models_work import MarketAssignment, MarketHit
from annotation.crowd.market.money import deposit
from annotation.crowd.market.protocol import call
from annotation.crowd.market.requesters import create_key, create_requester
from annotation.crowd.market.validation import get_operation
from annotation.crowd.market.work import submit_assignment
from tests.annotation.crowd.wire import Wire
from tests.annotation.crowd.working import html_question
from tests.factories import make_user

HIT_TYPE = {
    "Title": "Judge a summary",
    "Description": "Read a summary and judge what it says.",
    "Keywords": "reading, summaries",
    "Reward": "0.15",
    "AssignmentDurationInSeconds": 600,
    "AutoApprovalDelayInSeconds": 86_400,
}
HIT = {**HIT_TYPE, "LifetimeInSeconds": 3600, "MaxAssignments": 3, "Question": html_question()}


def make_requester(balance: str = "100", name: str = "Lab") -> Requester:
    requester = create_requester(name=name)
    deposit(requester=requester, amount=Decimal(balance), note="For tests")
    requester.refresh_from_db()
    return requester


def make_key(requester: Requester, scope: str = KeyScope.PAY) -> RequesterKey:
    """A key of the requester's owner, who is made if there is none."""
    if requester.owner is None:
        requester.owner = make_user(f"Holder{requester.pk}")
        requester.save(update_fields=["owner"])
    return create_key(requester=requester, user=requester.owner, scope=scope)


def make_client(address: str, requester: Requester, **keys: str) -> Any:
    """boto3 as any script makes it; the endpoint is all that is ours."""
    key = make_key(requester)
    given = {"aws_access_key_id": key.access_key, "aws_secret_access_key": key.secret, **keys}
    config = Config(retries={"total_max_attempts": 1})
    return boto3.client(
        "mturk", endpoint_url=f"{address}/mturk/", region_name="us-east-1", config=config, **given
    )


def make_wired_client(requester: Requester) -> Any:
    """boto3 whose requests go to Django's test client."""
    key = make_key(requester)
    return Wire().make_client("http://testserver/mturk/", key.access_key, key.secret)


def ask(requester: Requester, operation: str, **params: Any) -> dict[str, Any]:
    """An operation without the wire; its answer must be what the service model describes."""
    answer = call(Requester.objects.get(pk=requester.pk), operation, params)
    model = get_operation(operation)
    assert model is not None
    report = ParamValidator().validate(answer, model.output_shape)
    assert not report.has_errors(), report.generate_report()
    return answer


def make_hit(requester: Requester, **changes: Any) -> MarketHit:
    made = ask(requester, "CreateHIT", **{**HIT, **changes})
    found: MarketHit = MarketHit.objects.get(hit_id=made["HIT"]["HITId"])
    return found


def work(hit: MarketHit, worker: WorkerAccount, **answers: str) -> MarketAssignment:
    """Accept and submit."""
    taken = accept_hit(hit_id=hit.hit_id, worker=worker)
    fields = {name: [value] for name, value in (answers or {"s1": "present"}).items()}
    submit_assignment(assignment_id=taken.assignment_id, fields=fields)
    taken.refresh_from_db()
    return taken


def books(requester: Requester) -> tuple[Decimal, Decimal]:
    """Balance and what is held of it."""
    requester.refresh_from_db()
    return requester.balance, requester.held


def code_of(error: ClientError) -> str:
    """MTurk's own code, from where boto3 puts it."""
    return str(error.response["TurkErrorCode"]).removeprefix("AWS.MechanicalTurk.")
