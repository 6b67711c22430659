"""Campaigns made up with known truth, and what other numbers of judges would give.

`simulate_campaign` plants noisy people among careful ones, so that rules which look for them can be
held to what is known. `outlook` asks of answers at hand: with k judges a summary, how far would
people agree, which labels would change, and how would systems be ranked?
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scoring.aggregation.agreement import measure_levels
from scoring.aggregation.answers import Answers, Codes, Counts, Mask, PickedKeys
from scoring.aggregation.systems import score_labels, score_systems
from scoring.aggregation.votes import majority
from scoring.aggregation.workers import compare_with_others
from scoring.errors import InputError
from scoring.metaeval.rows import correlate_rows
from scoring.translation import gettext as _

Floats = NDArray[np.float64]
SUMMARIES_AT_ONCE = 10_000


@dataclass(frozen=True, slots=True)
class Campaign:
    """Simulated answers with what is known of them: the truth, and who was planted."""

    answers: Answers
    truth: NDArray[np.int8]
    is_noisy: Mask


@dataclass(frozen=True, slots=True)
class Spread:
    """A figure over many rounds: its mean and its middle 95 %."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Outlook:
    """What so many judges a summary would give, compared with the labels at hand.

    `flips` is the share of labels that change, `rmse` the error of system scores, `tau` Kendall's
    tau-b between the rankings of systems. `alpha` (the mean over summaries) and `tau` are None
    where they can't be told: with one judge, or one system. `simulated` judges a summary, on
    average, were made up because nobody had answered.
    """

    judges: int
    rounds: int
    alpha: Spread | None
    flips: Spread
    rmse: Spread
    tau: Spread | None
    simulated: float


def simulate_campaign(
    *,
    seed: int,
    documents: int = 100,
    systems: int = 10,
    units: int = 5,
    judges: int = 4,
    workers: int = 100,
    noisy: int = 10,
    accuracy: tuple[float, float] = (0.85, 0.98),
    noisy_accuracy: float = 0.5,
    present: float = 0.4,
) -> Campaign:
    """Every summary goes to *judges* different people.

    Careful people are right with a probability of their own, drawn from *accuracy*; noisy ones with
    `noisy_accuracy`: one half is a person who answers at random. People do very different numbers
    of HITs, as crowds do. Systems differ in how many units they carry, around *present*.
    """
    if not 0 < judges <= workers or not 0 <= noisy <= workers:
        raise InputError(
            _("There must be at least as many workers as judges and as noisy workers.")
        )
    rng = np.random.default_rng(seed)
    is_noisy = np.zeros(workers, dtype=bool)
    is_noisy[rng.choice(workers, noisy, replace=False)] = True
    skill = np.where(is_noisy, noisy_accuracy, rng.uniform(*accuracy, size=workers))
    people = _assign(rng, documents * systems, workers, judges)
    shares = np.clip(present + rng.uniform(-0.15, 0.15, size=systems), 0, 1)
    # Statements lie by document, then system, then unit; assignments by summary, then judge.
    truth = (rng.random((documents, systems, units)) < shares[:, None]).ravel().astype(np.int8)
    answers = _blank_campaign(documents, systems, units, people, workers)
    is_right = rng.random(len(answers)) < skill[answers.assignment_workers[answers.assignments]]
    right = truth[answers.statements]
    labels = np.where(is_right, right, 1 - right).astype(np.int8)
    return Campaign(replace(answers, labels=labels), truth, is_noisy)


def outlook(
    answers: Answers,
    judges: int,
    *,
    kept: Mask | None = None,
    rounds: int = 100,
    seed: int = 0,
    tie: str = "absent",
    weights: NDArray[np.integer] | None = None,
) -> Outlook:
    """What *judges* a summary would give, over random choices among those at hand.

    Where a statement has more answers, some are left out; where it has fewer, the missing ones are
    made up: a judge says *present* as often as judges do where the label is what it is.
    """
    if judges < 1 or rounds < 1:
        raise InputError(_("A simulation needs at least 1 judge and 1 round."))
    rest = answers if kept is None else answers.keep(kept)
    if not len(rest):
        raise InputError(_("There are no answers to draw judges from."))
    table = _Rounds(rest, judges, tie, seed, weights)
    rng = np.random.default_rng(seed)
    alphas, flips, errors, scores = zip(*(table.play(rng) for __ in range(rounds)), strict=True)
    return Outlook(
        judges=judges,
        rounds=rounds,
        alpha=_spread_of_known(alphas),
        flips=_spread(flips),
        rmse=_spread(errors),
        tau=_spread_of_known(_taus(table.scores, np.array(scores))),
        simulated=table.draws.made_up(),
    )


class JudgeDraws:
    """Answers of so many judges a summary, drawn from those at hand, and made up where they lack.

    A judge who is made up says *present* as often as judges do where the label *before* is what it
    is.
    """

    def __init__(self, answers: Answers, judges: int, before: NDArray[np.int8]) -> None:
        self.answers, self.judges, self.before = answers, judges, before
        sizes = answers.counts().sum(axis=1)
        self.missing = np.where(sizes > 0, np.maximum(judges - sizes, 0), 0)
        self.rates = _present_rates(answers) if self.missing.any() else np.zeros(2)

    def draw(self, rng: np.random.Generator) -> Counts:
        """Counts of *judges* answers a statement: a summary's judges are chosen together."""
        answers = self.answers
        order = rng.permutation(len(answers.assignment_keys))
        rows = np.lexsort((order[answers.assignments], answers.statements))
        statements = answers.statements[rows]
        starts = np.searchsorted(statements, statements)
        chosen = rows[np.arange(len(rows)) - starts < self.judges]
        places = answers.statements[chosen] * 2 + answers.labels[chosen]
        counts = np.bincount(places, minlength=2 * len(self.before)).reshape(-1, 2)
        return counts + self._make_up(rng)

    def made_up(self) -> float:
        """How many judges a labelled statement lacks, on average."""
        return float(self.missing[self.before >= 0].mean())

    def _make_up(self, rng: np.random.Generator) -> Counts:
        present = rng.binomial(self.missing, self.rates[np.maximum(self.before, 0)])
        return np.column_stack([self.missing - present, present])


class _Rounds:
    """What stays the same from round to round."""

    def __init__(
        self,
        answers: Answers,
        judges: int,
        tie: str,
        seed: int,
        weights: NDArray[np.integer] | None,
    ) -> None:
        self.answers, self.tie, self.weights = answers, tie, weights
        self.before = majority(answers.counts(), tie=tie, seed=seed).present
        self.is_labelled = self.before >= 0
        self.draws = JudgeDraws(answers, judges, self.before)
        self.scores = self._score(self.before)

    def play(self, rng: np.random.Generator) -> tuple[float | None, float, float, Floats]:
        """Alpha, share of labels that flip, error of system scores and these, of one draw."""
        counts = self.draws.draw(rng)
        after = majority(counts, tie=self.tie, seed=int(rng.integers(2**31))).present
        scores = self._score(after)
        alpha = measure_levels(
            counts,
            self.answers.statement_summaries,
            level="summary",
            size=len(self.answers.summary_keys),
            samples=0,
        ).mean
        flips = float((after != self.before)[self.is_labelled].mean())
        rmse = float(np.sqrt(np.nanmean((scores - self.scores) ** 2)))
        return alpha, flips, rmse, scores

    def _score(self, present: NDArray[np.int8]) -> Floats:
        return score_systems(self.answers, score_labels(self.answers, present, self.weights))


def _present_rates(answers: Answers) -> Floats:
    """How often people say *present* where the others' strict majority says absent, and present."""
    found = compare_with_others(answers)
    says_present = answers.labels[found.counted] > 0
    others_present = says_present != found.departed[found.counted]
    if not others_present.any() or others_present.all():
        raise InputError(
            _(
                "Too few statements have two answers to estimate judges' errors, so answers can't "
                "be simulated. Use at most the number of judges per statement in the data."
            )
        )
    return np.array([says_present[others_present == side].mean() for side in (False, True)])


def _taus(before: Floats, after: Floats) -> list[float | None]:
    """Kendall's tau-b of a ranking with each row's; None without two different ranks in both."""
    found = correlate_rows(before, after, ["kendall"])["kendall"]
    return [None if np.isnan(tau) else float(tau) for tau in found]


def _spread(values: Sequence[float]) -> Spread:
    low, high = np.percentile(values, [2.5, 97.5])
    return Spread(float(np.mean(values)), float(low), float(high))


def _spread_of_known(values: Sequence[float | None]) -> Spread | None:
    known = [value for value in values if value is not None]
    return _spread(known) if known else None


def _assign(rng: np.random.Generator, summaries: int, workers: int, judges: int) -> Codes:
    """Different people for every summary, some far busier than others: summaries × judges."""
    busy = rng.normal(0, 1, size=workers)
    parts = []
    for start in range(0, summaries, SUMMARIES_AT_ONCE):
        shape = (min(SUMMARIES_AT_ONCE, summaries - start), workers)
        # The largest of log weight + Gumbel noise are a draw by weight, without replacement.
        drawn = busy + rng.gumbel(size=shape)
        parts.append(np.argpartition(-drawn, judges - 1, axis=1)[:, :judges])
    return np.concatenate(parts)


def _blank_campaign(
    documents: int, systems: int, units: int, people: Codes, workers: int
) -> Answers:
    """Everything but the answers themselves, which are all *absent*."""
    summaries, judges = people.shape
    assignments = np.arange(summaries * judges)
    statements = np.arange(summaries * units).reshape(summaries, 1, units)
    names = [f"u{number}" for number in range(units)]
    return Answers(
        statements=np.broadcast_to(statements, (summaries, judges, units)).ravel(),
        assignments=np.repeat(assignments, units),
        labels=np.zeros(len(assignments) * units, dtype=np.int8),
        statement_summaries=np.repeat(np.arange(summaries), units),
        assignment_workers=people.ravel(),
        summary_documents=np.repeat(np.arange(documents), systems),
        summary_systems=np.tile(np.arange(systems), documents),
        statement_keys=PickedKeys(names, np.tile(np.arange(units), summaries)),
        summary_keys=[f"d{code // systems}/s{code % systems}" for code in range(summaries)],
        assignment_keys=[f"a{code}" for code in assignments],
        worker_keys=[f"w{code}" for code in range(workers)],
        document_keys=[f"d{code}" for code in range(documents)],
        system_keys=[f"s{code}" for code in range(systems)],
        assignment_seconds=np.full(len(assignments), np.nan),
        assignment_gold_asked=np.zeros(len(assignments), dtype=np.int64),
        assignment_gold_right=np.zeros(len(assignments), dtype=np.int64),
    )
