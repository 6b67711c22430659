"""Scores of qualification tests: an AnswerKey applied to a worker's answers.

- A worker asks for a qualification: granted at once, scored by a key, or left to the requester.
- Qualification requirements of a HIT type: what the API allows to be written into them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotation import clock
from annotation.crowd.market.answers import build_form_answers, read_answer_xml
from annotation.crowd.market.content import DocumentError, Node, read_document
from annotation.crowd.market.errors import TurkError, invalid, missing
from annotation.crowd.market.models_accounts import WorkerAccount
from annotation.crowd.market.models_work import (
    Qualification,
    QualificationRequest,
    QualificationType,
)
from annotation.crowd.market.question_forms import read_form
from annotation.crowd.market.rows import patient
from annotation.crowd.market.system_qualifications import LOCALE, SYSTEM_TYPES
from annotation.errors import DomainError

SEPARATOR = "|"


def read_answer_key(xml: str) -> Node:
    """The key, checked as far as scoring needs it; raises DocumentError."""
    key = read_document(xml, "AnswerKey")
    for question in key.all("Question"):
        if not question.value("QuestionIdentifier"):
            raise DocumentError(_("a Question of the answer key has no QuestionIdentifier"))
        for option in question.all("AnswerOption"):
            _number(option, "AnswerScore")
    mapping = key.find("QualificationValueMapping")
    if mapping is not None:
        _map(mapping, 0)
    return key


def score_answers(xml: str, answers: Mapping[str, str]) -> int:
    """The value of the qualification for these answers, by the key's mapping."""
    key = read_answer_key(xml)
    total = sum(_score(question, answers) for question in key.all("Question"))
    mapping = key.find("QualificationValueMapping")
    return total if mapping is None else _map(mapping, total)


def _score(question: Node, answers: Mapping[str, str]) -> int:
    """An option counts if the worker chose all of its selections and no others."""
    given = answers.get(question.value("QuestionIdentifier"), "")
    chosen = {part for part in given.split(SEPARATOR) if part}
    for option in question.all("AnswerOption"):
        if chosen == {item.text.strip() for item in option.all("SelectionIdentifier")}:
            return _number(option, "AnswerScore")
    return _number(question, "DefaultScore", 0)


def _map(mapping: Node, total: int) -> int:
    if percentage := mapping.find("PercentageMapping"):
        most = _number(percentage, "MaximumSummedScore")
        if most <= 0:
            raise DocumentError(_("MaximumSummedScore must be above 0"))
        return 100 * total // most
    if scale := mapping.find("ScaleMapping"):
        return int(total * _decimal(scale, "SummedScoreMultiplier"))
    if ranges := mapping.find("RangeMapping"):
        return _map_range(ranges, total)
    raise DocumentError(_("QualificationValueMapping has no known mapping"))


def _map_range(ranges: Node, total: int) -> int:
    for item in ranges.all("SummedScoreRange"):
        low, high = _number(item, "InclusiveLowerBound"), _number(item, "InclusiveUpperBound")
        value = _number(item, "QualificationValue")
        if low <= total <= high:
            return value
    return _number(ranges, "OutOfRangeQualificationValue")


def _number(node: Node, name: str, default: int | None = None) -> int:
    text = node.value(name)
    if not text and default is not None:
        return default
    try:
        return int(text)
    except ValueError as error:
        raise DocumentError(
            _("{name} of {node} must be a whole number").format(name=name, node=node.name)
        ) from error


def _decimal(node: Node, name: str) -> float:
    try:
        return float(node.value(name))
    except ValueError as error:
        raise DocumentError(
            _("{name} of {node} must be a number").format(name=name, node=node.name)
        ) from error


# A test is submitted over a network; a moment's delay is not the worker's.
TEST_SLACK = timedelta(seconds=30)


def grant(
    *, kind: QualificationType, worker: WorkerAccount, value: int, at: datetime
) -> Qualification:
    """Give a worker a value of a type, whatever they had of it before."""
    held, __ = Qualification.objects.update_or_create(
        type=kind,
        worker=worker,
        defaults={"value": value, "is_granted": True, "reason": "", "granted_at": at},
    )
    return held


def may_ask(kind: QualificationType, worker: WorkerAccount, now: datetime) -> str:
    """Why the worker can't ask for it now; empty if they can."""
    if kind.is_deleted or not kind.is_active or not kind.is_requestable:
        return _("This qualification can't be requested.")
    held = Qualification.objects.filter(type=kind, worker=worker, is_granted=True).exists()
    if held and not kind.answer_key:
        return _("You already have this qualification.")
    last = kind.requests.filter(worker=worker).order_by("-pk").first()
    if last is None or _is_being_taken(last, now):
        return ""
    if last.state == "open" and last.submitted_at:
        return _("You have already requested it. The requester hasn't decided yet.")
    if kind.retry_seconds is None:
        return _("This qualification can be requested only once.")
    again = (last.submitted_at or last.started_at) + timedelta(seconds=kind.retry_seconds)
    return (
        _("You can request it again after {again:%d %B %Y, %H:%M} UTC.").format(again=again)
        if again > now
        else ""
    )


def _is_being_taken(request: QualificationRequest, now: datetime) -> bool:
    """A test that was begun and whose time is not over."""
    allotted = timedelta(seconds=request.type.test_seconds or 0) + TEST_SLACK
    is_begun = request.state == "open" and request.submitted_at is None
    return is_begun and now <= request.started_at + allotted


@patient
@transaction.atomic
def request_qualification(
    *,
    kind: QualificationType,
    worker: WorkerAccount,
    fields: Mapping[str, Sequence[str]] | None = None,
) -> QualificationRequest:
    """Ask for a qualification. The first call begins a test, the second brings its answers.

    One thing at a time for one worker: of two clicks at once, the first counts.
    """
    list(WorkerAccount.objects.select_for_update().filter(pk=worker.pk).values_list("pk"))
    now = clock.now()
    if problem := may_ask(kind, worker, now):
        raise DomainError(problem)
    request = _begin(kind, worker, now, has_answers=bool(kind.test) and fields is not None)
    if kind.test:
        if fields is None:
            return request
        request.answer = build_form_answers(read_form(kind.test), fields)
    request.submitted_at = now
    _decide_at_once(kind, request, now)
    request.save()
    return request


def _begin(
    kind: QualificationType, worker: WorkerAccount, now: datetime, *, has_answers: bool
) -> QualificationRequest:
    """The attempt in hand, or a new one; one whose time is over is closed."""
    mine = kind.requests.filter(worker=worker, state="open").first()
    if mine is not None and _is_being_taken(mine, now):
        return mine
    if has_answers:
        raise DomainError(
            _("The time for this test has run out, or it wasn't started."),
            _("Start the test again."),
        )
    kind.requests.filter(worker=worker, state="open").update(
        state="rejected", reason=_("The time for the test ran out."), decided_at=now
    )
    return QualificationRequest.objects.create(type=kind, worker=worker, started_at=now)


def _decide_at_once(kind: QualificationType, request: QualificationRequest, now: datetime) -> None:
    if kind.auto_granted:
        value = kind.auto_granted_value
    elif kind.test and kind.answer_key:
        value = score_answers(kind.answer_key, read_answer_xml(request.answer))
    else:
        return
    grant(kind=kind, worker=request.worker, value=value, at=now)
    request.state = "granted"
    request.decided_at = now


MOST = 10
PRESENCE = ("Exists", "DoesNotExist")
SETS = ("In", "NotIn")
PLACES = ("EqualTo", "NotEqualTo", "In", "NotIn")
MOST_VALUES = {"IntegerValues": 15, "LocaleValues": 30}

Requirement = Mapping[str, Any]


def check_requirements(requirements: Sequence[Requirement]) -> list[dict[str, Any]]:
    """The requirements as they are kept; a TurkError names the first that can't be."""
    if len(requirements) > MOST:
        raise invalid("QualificationRequirements", f"at most {MOST} are allowed.")
    for requirement in requirements:
        _check_values(requirement)
    ids = [str(item["QualificationTypeId"]) for item in requirements]
    if len(set(ids)) < len(ids):
        raise TurkError(
            "InvalidQualificationRequirements", "Two requirements name the same qualification type."
        )
    _check_types({key for key in ids if key not in SYSTEM_TYPES})
    return [dict(item) for item in requirements]


def _check_types(ids: set[str]) -> None:
    if not ids:
        return
    rows = QualificationType.objects.filter(qualification_type_id__in=ids, is_deleted=False)
    found = dict(rows.values_list("qualification_type_id", "is_active"))
    for key in sorted(ids):
        if key not in found:
            raise missing("QualificationType", key)
        if not found[key]:
            raise _wrong(key, "the qualification type is inactive")


def _check_values(requirement: Requirement) -> None:
    key, comparator = str(requirement["QualificationTypeId"]), requirement["Comparator"]
    name = "LocaleValues" if key == LOCALE else "IntegerValues"
    other = "IntegerValues" if key == LOCALE else "LocaleValues"
    values = requirement.get(name) or []
    if requirement.get(other):
        raise _wrong(key, f"{other} can't be used with this qualification type")
    if comparator in PRESENCE:
        if values:
            raise _wrong(key, f"{comparator} takes no {name}")
        return
    if key == LOCALE and comparator not in PLACES:
        raise _wrong(key, f"locations can be compared only by {', '.join(PLACES)}")
    most = MOST_VALUES[name] if comparator in SETS else 1
    if not 1 <= len(values) <= most:
        raise _wrong(key, f"{comparator} takes 1 to {most} {name}, not {len(values)}")


def _wrong(key: str, message: str) -> TurkError:
    return TurkError("InvalidQualificationRequirements", f"Requirement {key}: {message}.")
