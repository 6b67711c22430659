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
from typing import Any

from annotation.crowd.answers import AnswerError, read_answer_xml
from annotation.crowd.market.errors import invalid, not_here
from annotation.crowd.models import AssignmentStatus, MarketAssignment, MarketHit
from annotation.translation import gettext as _

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
