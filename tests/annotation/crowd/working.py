"""A requester, HITs of every kind and workers, for tests of the marketplace's other side."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.utils import timezone

from annotation.crowd.market.models_accounts import Requester, WorkerAccount
from annotation.crowd.market.models_work import MarketAssignment, MarketHit, MarketHitType
from annotation.crowd.market.question_forms import read_question
from tests import factories

SCHEMAS = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas"
HTML = '<form method="post" action="{action}"><input name="s1"></form>'
FORM = f"""<QuestionForm xmlns="{SCHEMAS}/2017-11-06/QuestionForm.xsd">
<Overview><Title>About a dam</Title></Overview>
<Question><QuestionIdentifier>burst</QuestionIdentifier><DisplayName>Did it burst?</DisplayName>
<IsRequired>true</IsRequired><QuestionContent><Text>Think.</Text></QuestionContent>
<AnswerSpecification><SelectionAnswer><Selections>
<Selection><SelectionIdentifier>yes</SelectionIdentifier><Text>Yes</Text></Selection>
<Selection><SelectionIdentifier>no</SelectionIdentifier><Text>&lt;b&gt;No</Text></Selection>
</Selections></SelectionAnswer></AnswerSpecification></Question>
<Question><QuestionIdentifier>why</QuestionIdentifier>
<QuestionContent><Text>Why?</Text></QuestionContent>
<AnswerSpecification><FreeTextAnswer/></AnswerSpecification></Question>
</QuestionForm>"""


def html_question(html: str = HTML) -> str:
    schema = f"{SCHEMAS}/2011-11-11/HTMLQuestion.xsd"
    return (
        f'<HTMLQuestion xmlns="{schema}"><HTMLContent><![CDATA[{html}]]></HTMLContent>'
        "<FrameHeight>0</FrameHeight></HTMLQuestion>"
    )


def external_question(url: str) -> str:
    schema = f"{SCHEMAS}/2006-07-14/ExternalQuestion.xsd"
    return (
        f'<ExternalQuestion xmlns="{schema}"><ExternalURL>{url}</ExternalURL>'
        "<FrameHeight>0</FrameHeight></ExternalQuestion>"
    )


def make_requester(name: str = "Lab", balance: str = "1000") -> Requester:
    return Requester.objects.create(name=name, balance=Decimal(balance))


def make_type(requester: Requester | None = None, **fields: Any) -> MarketHitType:
    number = MarketHitType.objects.count()
    given = {
        "requester": requester or make_requester(),
        "digest": f"digest-{number}",
        "title": "Judge a summary",
        "description": "Read a summary and judge what it says.",
        "reward": Decimal("0.15"),
        "assignment_seconds": 600,
        "auto_approval_seconds": 86_400,
        **fields,
    }
    return MarketHitType.objects.create(**given)


def make_hit(hit_type: MarketHitType, places: int = 4, **fields: Any) -> MarketHit:
    given: dict[str, Any] = {
        "requester": hit_type.requester,
        "hit_type": hit_type,
        "question": html_question(),
        "max_assignments": places,
        "available": places,
        "held_places": places,
        "expires_at": timezone.now() + timedelta(days=1),
        **fields,
    }
    if "question_kind" not in given:
        given["question_kind"] = read_question(given["question"]).kind
    return MarketHit.objects.create(**given)


def make_worker(name: str = "Worker", **fields: Any) -> WorkerAccount:
    user = factories.make_outsider(name)
    return WorkerAccount.objects.create(user=user, **{"country": "DE", "is_adult": True, **fields})


def places_of(hit: MarketHit) -> tuple[int, int, int, int]:
    """Available, pending, submitted, completed."""
    hit.refresh_from_db()
    return hit.available, hit.pending, hit.submitted, hit.completed


def overdue(assignment: MarketAssignment, seconds: int) -> MarketAssignment:
    """As if its time had been over for that long."""
    assignment.deadline = timezone.now() - timedelta(seconds=seconds)
    assignment.save(update_fields=["deadline"])
    return assignment
