"""Review policies: known answers scored by assignment, agreement found by HIT.

Scores are shares in per cent, rounded down. Results are computed when they are asked for, from
what was submitted until then, so they are never out of date.
"""

from __future__ import annotations

import hashlib
import string
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.cache import cache
from django.db import transaction
from django.utils.translation import gettext as _

from annotation import clock
from annotation.crowd.market import decisions, money
from annotation.crowd.market.answers import AnswerError, read_answer_xml
from annotation.crowd.market.errors import TurkError, invalid, not_here
from annotation.crowd.market.models_accounts import make_id
from annotation.crowd.market.models_work import AssignmentStatus, MarketAssignment, MarketHit

ASSIGNMENT, HIT = "AssignmentReviewPolicy", "HITReviewPolicy"
KNOWN_ANSWERS = "ScoreMyKnownAnswers/2011-09-01"
PLURALITY = "SimplePlurality/2011-09-01"
NAMES = {ASSIGNMENT: KNOWN_ANSWERS, HIT: PLURALITY}
NEEDED = {ASSIGNMENT: ["AnswerKey"], HIT: ["QuestionIds", "QuestionAgreementThreshold"]}
MOST_QUESTIONS = 15
# Longer answers are texts, and texts never agree.
LONGEST_ANSWER = 256
LETTERS = string.ascii_uppercase + string.digits

Policy = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Result:
    """One computed value about a HIT or an assignment, or about one of its questions."""

    subject_id: str
    subject_type: str
    key: str
    value: str
    question_id: str = ""


# Reading -----------------------------------------------------------------------------------------


def read_policies(params: Mapping[str, Any]) -> dict[str, Any]:
    """The policies of a new HIT, checked."""
    policies = {name: params[name] for name in NAMES if name in params}
    for name, policy in policies.items():
        _check(name, policy)
    return policies


def _check(name: str, policy: Policy) -> None:
    if policy["PolicyName"] != NAMES[name]:
        raise invalid(f"{name}.PolicyName", _("must be {names}.").format(names=NAMES[name]))
    keys = [parameter.get("Key", "") for parameter in policy.get("Parameters", [])]
    if any(key.startswith("Extend") for key in keys):
        raise not_here(
            _("Review policies can't extend HITs on this marketplace, because that spends money.")
        )
    for key in NEEDED[name]:
        if key not in keys:
            raise invalid(
                f"{name}.Parameters",
                _("{key} is required.").format(key=key),
                "AWS.MissingParameters",
            )
    for key in keys:
        if _is_number(key):
            get_number(policy, key)
    if not 1 <= len(_questions(name, policy)) <= MOST_QUESTIONS:
        raise invalid(
            f"{name}.Parameters",
            _("takes 1 to {most_questions} questions.").format(most_questions=MOST_QUESTIONS),
        )


def _is_number(key: str) -> bool:
    return "Score" in key or key == "QuestionAgreementThreshold"


def _questions(name: str, policy: Policy) -> Sequence[str]:
    return list(read_key(policy)) if name == ASSIGNMENT else _question_ids(policy)


def get_values(policy: Policy, key: str) -> list[str]:
    found = (item for item in policy.get("Parameters", []) if item.get("Key") == key)
    return next((list(item.get("Values", [])) for item in found), [])


def get_number(policy: Policy, key: str) -> int | None:
    values = get_values(policy, key)
    if not values:
        return None
    if len(values) > 1 or not values[0].strip().isdecimal():
        raise invalid(key, _("must be a whole number."))
    return int(values[0])


def read_key(policy: Policy) -> dict[str, set[str]]:
    """The known answers by question."""
    found = (item for item in policy.get("Parameters", []) if item.get("Key") == "AnswerKey")
    entries: list[Any] = next((item.get("MapEntries", []) for item in found), [])
    return {
        entry["Key"]: {value.strip() for value in entry.get("Values", [])}
        for entry in entries
        if entry.get("Key")
    }


def _question_ids(policy: Policy) -> list[str]:
    values = get_values(policy, "QuestionIds")
    return [part.strip() for value in values for part in value.split(",") if part.strip()]


# Computing ---------------------------------------------------------------------------------------

Answers = dict[str, str]


def read_answers(assignments: Iterable[MarketAssignment]) -> dict[str, Answers]:
    """Answers by assignment; what can't be read agrees with nothing."""
    found = {}
    for assignment in assignments:
        try:
            answers = read_answer_xml(assignment.answer)
        except AnswerError:
            answers = {}
        found[assignment.assignment_id] = {
            name: value.strip() for name, value in answers.items() if len(value) <= LONGEST_ANSWER
        }
    return found


def score_known(policy: Policy, answers: Answers) -> tuple[dict[str, bool], int]:
    """Which known answers were given, and their share."""
    key = read_key(policy)
    right = {name: _chosen(answers, name) == wanted for name, wanted in key.items()}
    return right, 100 * sum(right.values()) // len(right)


def _chosen(answers: Answers, question: str) -> set[str]:
    return {part.strip() for part in answers.get(question, "").split("|") if part.strip()}


def score_assignments(policy: Policy, given: Mapping[str, Answers]) -> Iterator[Result]:
    for assignment_id, answers in given.items():
        right, score = score_known(policy, answers)
        for question, is_right in right.items():
            yield Result(
                assignment_id, "Assignment", "KnownAnswerCorrect", str(int(is_right)), question
            )
        yield Result(assignment_id, "Assignment", "KnownAnswerScore", str(score))


@dataclass(frozen=True, slots=True)
class Agreement:
    """The answer of most workers by question, where enough of them gave it."""

    questions: list[str]
    agreed: dict[str, tuple[str, int]]

    @property
    def score(self) -> int:
        return 100 * len(self.agreed) // len(self.questions)

    def count_right(self, answers: Answers) -> int:
        return sum(answers.get(name) == answer for name, (answer, __) in self.agreed.items())

    def score_worker(self, answers: Answers) -> int:
        return 100 * self.count_right(answers) // len(self.agreed) if self.agreed else 0


def find_agreement(policy: Policy, given: Mapping[str, Answers]) -> Agreement:
    threshold = get_number(policy, "QuestionAgreementThreshold") or 0
    questions = _question_ids(policy)
    agreed = {}
    for name in questions:
        counts = Counter(answers[name] for answers in given.values() if answers.get(name))
        answer, count = counts.most_common(1)[0] if counts else ("", 0)
        score = 100 * count // len(given) if given else 0
        if score > threshold:
            agreed[name] = (answer, score)
    return Agreement(questions, agreed)


def compare_assignments(
    hit_id: str, policy: Policy, given: Mapping[str, Answers]
) -> Iterator[Result]:
    found = find_agreement(policy, given)
    for name in found.questions:
        is_agreed = str(name in found.agreed).lower()
        yield Result(hit_id, "HIT", "AgreedAnswerFound", is_agreed, name)
        if name in found.agreed:
            answer, score = found.agreed[name]
            yield Result(hit_id, "HIT", "AgreedAnswer", answer, name)
            yield Result(hit_id, "HIT", "AnswerAgreementScore", str(score), name)
    for assignment_id, answers in given.items():
        right = found.count_right(answers)
        for key, value in [
            ("WorkerAgreementScore", found.score_worker(answers)),
            ("PluralityAnswersCorrect", right),
            ("PluralityAnswersIncorrect", len(found.agreed) - right),
        ]:
            yield Result(assignment_id, "Assignment", key, str(value))
    yield Result(hit_id, "HIT", "HitAgreementScore", str(found.score))


def compute_results(hit: MarketHit) -> dict[str, list[Result]]:
    """Results by the name of the policy that asked for them."""
    rows = hit.assignments.filter(
        status__in=[
            AssignmentStatus.SUBMITTED,
            AssignmentStatus.APPROVED,
            AssignmentStatus.REJECTED,
        ]
    ).order_by("submitted_at", "pk")
    given = read_answers(rows)
    results: dict[str, list[Result]] = {}
    if policy := hit.review_policies.get(ASSIGNMENT):
        results[ASSIGNMENT] = list(score_assignments(policy, given))
    if policy := hit.review_policies.get(HIT):
        kept = _without_rejected(policy, rows, given)
        results[HIT] = list(compare_assignments(hit.hit_id, policy, kept))
    return results


def _without_rejected(
    policy: Policy, rows: Iterable[MarketAssignment], given: Mapping[str, Answers]
) -> dict[str, Answers]:
    disregards = get_values(policy, "DisregardAssignmentIfRejected")[:1]
    if [value.lower() for value in disregards] not in (["true"], ["t"]):
        return dict(given)
    rejected = {row.assignment_id for row in rows if row.status == AssignmentStatus.REJECTED}
    return {key: answers for key, answers in given.items() if key not in rejected}


def make_result_id(result: Result) -> str:
    """The same result always has the same id, in the letters that the API allows."""
    parts = (result.subject_id, result.question_id, result.key)
    digest = hashlib.sha256("\x1f".join(parts).encode()).digest()
    return "".join(LETTERS[byte % len(LETTERS)] for byte in digest[:30])


SWEEP_SIZE = 50
CURSOR = "market:policies-after"
SCORES = {ASSIGNMENT: "KnownAnswerScore", HIT: "WorkerAgreementScore"}


@dataclass(frozen=True, slots=True)
class Decision:
    policy: str
    assignment_id: str
    approves: bool
    reason: str


def has_actions(policies: Mapping[str, Any]) -> bool:
    """Whether any of a HIT's policies asks for more than to be computed."""
    return any(
        parameter.get("Key", "").startswith(("ApproveIf", "RejectIf"))
        for name in SCORES
        for parameter in policies.get(name, {}).get("Parameters", [])
    )


def apply_policies(now: datetime) -> None:
    """The sweep: HITs whose policies decide, and that have something to be decided.

    What no score decides stays, so each sweep goes on where the last one ended.
    """
    waiting = MarketHit.objects.alive().filter(has_review_actions=True, submitted__gt=0)
    after = waiting.filter(pk__gt=cache.get(CURSOR, 0)).order_by("pk")
    found = list(after.select_related("requester")[:SWEEP_SIZE])
    for hit in found:
        for decision in list(decide(hit, now)):
            _carry_out(hit, decision)
    cache.set(CURSOR, found[-1].pk if len(found) == SWEEP_SIZE else 0)


def decide(hit: MarketHit, now: datetime) -> Iterator[Decision]:
    """Known answers decide as soon as work is in; agreement decides when all of it is."""
    rows = list(hit.assignments.filter(status__in=decisions.SHOWN))
    given = read_answers(rows)
    open_ = [row.assignment_id for row in rows if row.status == decisions.SUBMITTED]
    for name, scores in _score(hit, given, now).items():
        for assignment_id in open_:
            yield from _judge(name, hit.review_policies[name], assignment_id, scores[assignment_id])


def _score(
    hit: MarketHit, given: Mapping[str, Answers], now: datetime
) -> dict[str, dict[str, int]]:
    scores = {}
    if policy := hit.review_policies.get(ASSIGNMENT):
        scores[ASSIGNMENT] = {key: score_known(policy, item)[1] for key, item in given.items()}
    is_complete = hit.status(now) in ("Reviewable", "Reviewing")
    if is_complete and (policy := hit.review_policies.get(HIT)):
        found = find_agreement(policy, given)
        scores[HIT] = {key: found.score_worker(item) for key, item in given.items()}
    return scores


def _judge(name: str, policy: Policy, assignment_id: str, score: int) -> Iterator[Decision]:
    least = get_number(policy, f"ApproveIf{SCORES[name]}IsAtLeast")
    most = get_number(policy, f"RejectIf{SCORES[name]}IsLessThan")
    if least is not None and score >= least:
        yield Decision(name, assignment_id, True, _reason(policy, "ApproveReason"))
    elif most is not None and score < most:
        yield Decision(name, assignment_id, False, _reason(policy, "RejectReason"))


def _reason(policy: Policy, key: str) -> str:
    return " ".join(get_values(policy, key))[:1024]


def _carry_out(hit: MarketHit, decision: Decision) -> None:
    """The first decision counts; a later one has nothing to record."""
    act: dict[str, Any] = {"requester": hit.requester, "assignment_id": decision.assignment_id}
    try:
        if decision.approves:
            decisions.approve(**act, feedback=decision.reason or None)
        else:
            decisions.reject(**act, feedback=decision.reason)
    except TurkError:
        return
    _record(hit, decision)


@transaction.atomic
def _record(hit: MarketHit, decision: Decision) -> None:
    locked = money.lock(hit)
    actions = locked.review_policies.setdefault("Actions", {}).setdefault(decision.policy, [])
    actions.append(
        {
            "ActionId": make_id(),
            "ActionName": "Approve" if decision.approves else "Reject",
            "TargetId": decision.assignment_id,
            "TargetType": "Assignment",
            "Status": "Succeeded",
            "CompleteTime": round(clock.now().timestamp(), 3),
            "Result": decision.reason or _("By the score that the policy names."),
        }
    )
    locked.save(update_fields=["review_policies"])
