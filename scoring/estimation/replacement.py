"""May a judge replace people? The alternative annotator test (Calderon, Reichart & Dror 2025).

Each annotator is left out in turn. On every statement that the annotator answered, the judge and
the annotator are compared by how many of the other annotators each agrees with; equal counts are a
win of both. The judge's wins may fall short of the annotator's by ε, for a judge is cheaper: .1 for
crowd workers, .15 for trained people, .2 for experts (§3.2). A one-sided t-test of each annotator,
corrected by Benjamini and Yekutieli, decides whether the judge is as good as that annotator. The
winning rate ω is the share of annotators for whom it is; from .5 on the judge may replace people.
The advantage probability ρ is the judge's mean share of wins.

Statements about one document are not independent of each other, which the paper leaves open. The
test is of documents: the error is cluster-robust, with as many degrees of freedom as documents
less one. Where every statement has a document of its own, it is the paper's test to the digit.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.aggregation import Answers
from scoring.errors import InputError
from scoring.multiplicity import benjamini_yekutieli
from scoring.translation import gettext as _

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

EPSILON, LEVEL = 0.1, 0.05
HALF = 0.5
# Below these the t-test does not hold (§3.3), or one annotator's bias decides (FAQ of the paper).
LEAST_STATEMENTS, LEAST_DOCUMENTS, LEAST_ANNOTATORS = 30, 5, 3
MAY, NOT_SHOWN, UNTOLD = "may", "not_shown", "untold"


@dataclass(frozen=True, slots=True)
class AnnotatorTest:
    """The judge against one annotator, on what others answered too.

    `judge_wins` and `annotator_wins` are shares of statements; both win where they are equal.
    """

    annotator: str
    statements: int
    documents: int
    judge_wins: float
    annotator_wins: float
    p: float
    p_corrected: float
    is_won: bool


@dataclass(frozen=True, slots=True)
class Replacement:
    """`verdict` follows from the tests: `may`, `not_shown`, or `untold` where they can't be made.

    `skipped` annotators share too few statements or documents with others. A judge that
    `has_learned` from these answers agrees with them for that reason: no verdict either.
    """

    verdict: str
    winning_rate: float
    advantage: float
    epsilon: float
    level: float
    annotators: tuple[AnnotatorTest, ...]
    skipped: int
    has_learned: bool

    @property
    def sentence(self) -> str:
        return say_verdict(asdict(self))

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def replace_annotators(
    answers: Answers,
    judge: Sequence[float] | Floats,
    *,
    epsilon: float = EPSILON,
    level: float = LEVEL,
    has_learned: bool = False,
) -> Replacement:
    """*judge* has an answer for each statement: 1 present, 0 absent, nan where it has none."""
    said = np.asarray(judge, dtype=np.float64)
    _check(answers, said, epsilon, level)
    found, skipped = [], 0
    wins = _compare(answers, said)
    for code in np.unique(answers.assignment_workers[answers.assignments]):
        own = wins.workers == code
        documents = len(np.unique(wins.documents[own]))
        if own.sum() < LEAST_STATEMENTS or documents < LEAST_DOCUMENTS:
            skipped += 1
            continue
        shares = wins.judge[own].mean(), wins.annotator[own].mean()
        gaps = wins.annotator[own].astype(float) - wins.judge[own]
        p = _test(gaps, wins.documents[own], epsilon)
        key = answers.worker_keys[code]
        found.append((key, int(own.sum()), documents, float(shares[0]), float(shares[1]), p))
    return _sum_up(found, skipped, epsilon, level, has_learned)


@dataclass(frozen=True, eq=False)
class _Wins:
    """By answer that others gave one to, too: who gave it, where, and who agrees with more."""

    workers: Codes
    documents: Codes
    judge: NDArray[np.bool_]
    annotator: NDArray[np.bool_]


def _compare(answers: Answers, said: Floats) -> _Wins:
    counts = answers.counts()
    places, labels = answers.statements, answers.labels.astype(np.int64)
    others = counts[places]
    others[np.arange(len(places)), labels] -= 1
    known = (others.sum(axis=1) > 0) & ~np.isnan(said[places])
    places, labels, others = places[known], labels[known], others[known]
    rows = np.arange(len(places))
    judge, annotator = others[rows, said[places].astype(np.int64)], others[rows, labels]
    return _Wins(
        answers.assignment_workers[answers.assignments[known]],
        answers.summary_documents[answers.statement_summaries[places]],
        judge >= annotator,
        annotator >= judge,
    )


def _test(gaps: Floats, documents: Codes, epsilon: float) -> float:
    """One-sided: the annotator's wins exceed the judge's by less than ε."""
    from scipy import special  # takes a while, and a server seldom needs it

    __, codes = np.unique(documents, return_inverse=True)
    rests = np.bincount(codes, weights=gaps - gaps.mean())
    number = len(rests)
    error = math.sqrt(float((rests**2).sum()) * number / (number - 1)) / len(gaps)
    short = float(gaps.mean()) - epsilon
    if error < 1e-12:
        return 0.0 if short < 0 else 1.0
    return float(special.stdtr(number - 1, short / error))


def _sum_up(
    found: Sequence[tuple[str, int, int, float, float, float]],
    skipped: int,
    epsilon: float,
    level: float,
    has_learned: bool,
) -> Replacement:
    corrected = benjamini_yekutieli([row[-1] for row in found])
    tests = tuple(
        AnnotatorTest(*row, float(p), bool(p <= level))
        for row, p in zip(found, corrected, strict=True)
    )
    rate = float(np.mean([row.is_won for row in tests])) if tests else math.nan
    verdict = MAY if rate >= HALF else NOT_SHOWN
    if has_learned or len(tests) < LEAST_ANNOTATORS:
        verdict = UNTOLD
    return Replacement(
        verdict,
        rate,
        float(np.mean([row.judge_wins for row in tests])) if tests else math.nan,
        epsilon,
        level,
        tests,
        skipped,
        has_learned,
    )


def say_verdict(found: Mapping[str, Any]) -> str:
    """The one sentence that the tests support, from a `Replacement` as JSON."""
    tests = found["annotators"]
    won = sum(row["is_won"] for row in tests)
    if found["has_learned"]:
        return _("Not tested: the judge was trained on these labels. Test it on new labels.")
    if found["verdict"] == UNTOLD:
        return _(
            "Not tested: {tests} annotators share {least_statements} statements on "
            "{least_documents} examples with others; at least {least_annotators} are needed."
        ).format(
            tests=len(tests),
            least_statements=LEAST_STATEMENTS,
            least_documents=LEAST_DOCUMENTS,
            least_annotators=LEAST_ANNOTATORS,
        )
    told = _("it passes against {won} of {tests} annotators at ε = {epsilon:g}").format(
        won=won, tests=len(tests), epsilon=found["epsilon"]
    )
    if found["verdict"] == MAY:
        return _("The judge can replace annotators here: {told}.").format(told=told)
    return _(
        "The test does not show that the judge can replace annotators: {told}; at least half are "
        "needed."
    ).format(told=told)


def _check(answers: Answers, said: Floats, epsilon: float, level: float) -> None:
    if said.shape != (len(answers.statement_keys),):
        raise InputError(
            _(
                "The judge has {said} answers for {statement_keys} statements that "
                "people answered. Expected one answer per statement."
            ).format(said=len(said), statement_keys=len(answers.statement_keys))
        )
    if not np.isin(said[~np.isnan(said)], (0, 1)).all():
        raise InputError(_("The judge's answers must be 1 (present) or 0 (absent)."))
    if not 0 <= epsilon < 1 or not 0 < level < 1:
        raise InputError(_("ε must be from 0 to below 1, and the level between 0 and 1."))
