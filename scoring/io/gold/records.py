"""What a gold dataset holds: facts about the study, its systems, and examples with labels."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scoring.errors import InputError
from scoring.io.gold.shapes import LATER
from scoring.types import ReferenceText, UnitRecord

PSEUDONYM_LENGTH = 12  # of 5 bits each: a million people meet once in a million studies

Label = int | None
Posterior = float | None


@dataclass(frozen=True, slots=True)
class GoldSystem:
    """A system that was judged, and its kind."""

    name: str
    kind: str = "other"


@dataclass(frozen=True, slots=True, order=True)
class GoldBonus:
    """A bonus that was paid for an assignment, and why. Money is decimal, written as a string."""

    amount: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class GoldAnswer:
    """One person's answer to one statement; `unit` counts from 0 in the example's units.

    `worker` is empty where nobody knows who it was. What is said of the assignment is repeated
    with each of its answers: its seconds, how many gold items it was asked and had right, which of
    the campaigns it belongs to (counted from 0), what the requester decided and paid, and, as
    `verdict`, whether a researcher left it out or kept it.
    """

    system: str
    unit: int
    worker: str
    assignment: str
    present: bool
    kept: bool = True
    dropped_by: str = ""
    seconds: float | None = None
    gold_asked: int = 0
    gold_right: int = 0
    campaign: int = field(default=0, metadata=LATER)
    status: str = field(default="approved", metadata=LATER)
    feedback: str = field(default="", metadata=LATER)
    problem: str = field(default="", metadata=LATER)
    reward: str = field(default="", metadata=LATER)
    bonuses: tuple[GoldBonus, ...] = field(default=(), metadata=LATER)
    drop_reason: str = field(default="", metadata=LATER)
    verdict: str = field(default="", metadata=LATER)
    verdict_reason: str = field(default="", metadata=LATER)


@dataclass(frozen=True, slots=True)
class GoldAdjudication:
    """A label that an expert set, whatever the vote was.

    A statement that was drawn at random to be settled has the label that it had `before`, and the
    `chance` with which it was drawn: estimates count it by one over that.
    """

    system: str
    unit: int
    present: bool
    expert: str = ""
    reason: str = ""
    before: int | None = field(default=None, metadata=LATER)
    chance: float | None = field(default=None, metadata=LATER)


@dataclass(frozen=True, slots=True)
class GoldExample:
    """One example with its units, and for each system its summary, labels and answers.

    Labels and posteriors go by the order of `units`; None is a label that the vote left open.
    Answers and adjudications have one order, whichever they came in. `unanswered` are assignments
    without a single answer; their `unit` and `present` mean nothing.
    """

    key: str
    documents: tuple[str, ...] = ()
    references: tuple[ReferenceText, ...] = ()
    units: tuple[UnitRecord, ...] = ()
    summaries: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, tuple[Label, ...]] = field(default_factory=dict)
    posteriors: Mapping[str, tuple[Posterior, ...]] = field(default_factory=dict)
    answers: tuple[GoldAnswer, ...] = ()
    adjudications: tuple[GoldAdjudication, ...] = ()
    unanswered: tuple[GoldAnswer, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "answers", tuple(sorted(self.answers, key=_answer_order)))
        object.__setattr__(self, "unanswered", tuple(sorted(self.unanswered, key=_answer_order)))
        by_unit = sorted(self.adjudications, key=lambda item: (item.system, item.unit))
        object.__setattr__(self, "adjudications", tuple(by_unit))


def assignment_facts(answer: GoldAnswer) -> tuple[Any, ...]:
    """All that is said of the assignment of an answer."""
    return (
        answer.system,
        answer.assignment,
        answer.worker,
        answer.kept,
        answer.dropped_by,
        -1.0 if answer.seconds is None else answer.seconds,
        answer.gold_asked,
        answer.gold_right,
        answer.campaign,
        answer.status,
        answer.feedback,
        answer.problem,
        answer.reward,
        answer.bonuses,
        answer.drop_reason,
        answer.verdict,
        answer.verdict_reason,
    )


def _answer_order(answer: GoldAnswer) -> tuple[Any, ...]:
    return (*assignment_facts(answer), answer.unit, answer.present)


@dataclass(frozen=True, slots=True)
class UnitSetFacts:
    """The version of a unit set that was judged.

    `unchecked` is the reason that was given for freezing it before a second person had checked
    every example; it is empty where somebody had.
    """

    name: str = ""
    version: int = 1
    hash: str = ""
    unchecked: str = field(default="", metadata=LATER)


@dataclass(frozen=True, slots=True)
class CampaignFacts:
    """What the judges were asked, under which terms. Money is decimal, written as a string."""

    title: str
    instructions: str = ""
    marketplace: str = ""
    judges: int = 0
    hits: int = 0
    assignments: int = 0
    currency: str = "USD"
    rewards: tuple[str, ...] = ()
    median_wage: str | None = None
    qualifications: tuple[str, ...] = ()
    started: str = ""
    ended: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DropFacts:
    """What one rule of filtering set aside."""

    rule: str
    assignments: int
    answers: int = 0
    workers: int = 0


@dataclass(frozen=True, slots=True)
class DecisionFacts:
    """A researcher's word on all work of a worker: `verdict` is "drop" or "keep"."""

    worker: str
    verdict: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class AgreementFacts:
    """A measure of agreement at a level, with its interval; None where it can't be told."""

    measure: str
    level: str
    value: float | None
    low: float | None = None
    high: float | None = None
    items: int = 0
    undefined: str = ""


@dataclass(frozen=True, slots=True)
class ScoreFacts:
    """A system's gold score, with its interval, over so many examples."""

    system: str
    score: float | None
    low: float | None = None
    high: float | None = None
    examples: int = 0
    method: str = "exhaustive"


@dataclass(frozen=True, slots=True)
class GoldCounts:
    """How much there is; `count_gold` counts it.

    What has at least one label is judged; the rest came along with the corpus. `answers_least`
    and `answers_most` are of one statement that anybody has answered.
    """

    examples: int = 0
    systems: int = 0
    summaries: int = 0
    units: int = 0
    labels: int = 0
    present: int = 0
    unlabelled: int = 0
    adjudicated: int = 0
    answers: int = 0
    answers_kept: int = 0
    assignments: int = 0
    assignments_kept: int = 0
    workers: int = 0
    judged_examples: int = field(default=0, metadata=LATER)
    judged_systems: int = field(default=0, metadata=LATER)
    judged_summaries: int = field(default=0, metadata=LATER)
    judged_scus: int = field(default=0, metadata=LATER)
    judged_stus: int = field(default=0, metadata=LATER)
    examples_without_units: int = field(default=0, metadata=LATER)
    answers_least: int = field(default=0, metadata=LATER)
    answers_most: int = field(default=0, metadata=LATER)

    @property
    def judged_units(self) -> int:
        return self.judged_scus + self.judged_stus


@dataclass(frozen=True, slots=True)
class GoldFacts:
    """How the gold came about: all that its card, methods and tables are written from."""

    name: str
    version: int
    created: str
    description: str = ""
    licence: str = ""
    citation: str = ""
    corpus_hash: str = ""
    unit_set: UnitSetFacts = field(default_factory=UnitSetFacts)
    campaigns: tuple[CampaignFacts, ...] = ()
    recipe: Mapping[str, Any] = field(default_factory=dict)
    drops: tuple[DropFacts, ...] = ()
    agreement: tuple[AgreementFacts, ...] = ()
    scores: tuple[ScoreFacts, ...] = ()
    confidence: float = 0.95
    counts: GoldCounts = field(default_factory=GoldCounts)
    signature: str = ""
    program: str = ""
    pseudonymous: bool = True
    decisions: tuple[DecisionFacts, ...] = field(default=(), metadata=LATER)


def pseudonym(key: bytes, worker_id: str) -> str:
    """A short name that is the same for one worker under one key, and tells nobody without it.

    It begins with a letter, so that no spreadsheet takes it for a number. A worker whom nobody
    knows stays unknown: two of them are not one person.
    """
    if not key:
        raise InputError("a pseudonym needs a key that is not empty")
    if not worker_id:
        return ""
    digest = hmac.new(key, worker_id.encode(), hashlib.sha256).digest()
    return "w" + base64.b32encode(digest).decode()[:PSEUDONYM_LENGTH].lower()
