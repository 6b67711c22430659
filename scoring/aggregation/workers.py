"""Each person's answers beside those of the others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.aggregation.answers import Answers, Codes, Mask

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Departures:
    """For each row, whether it counts, and whether it departs from what the others say."""

    counted: Mask
    departed: Mask


@dataclass(frozen=True, slots=True)
class WorkerTable:
    """What each worker did, by worker code.

    `compared` answers met a strict majority of the others, `agreed` of them say the same.
    `judged` answers lie on statements with a strict majority of everybody, own answer included,
    and `departed` of them differ from it. `seconds` is nan where no time is known.
    """

    hits: Codes
    answers: Codes
    present: Codes
    compared: Codes
    agreed: Codes
    judged: Codes
    departed: Codes
    seconds: Floats
    gold_asked: Codes
    gold_right: Codes


def find_departures(answers: Answers) -> Departures:
    """Answers against the strict majority of everybody: ties and single answers do not count."""
    counts = answers.counts()
    lead = counts[:, 1] - counts[:, 0]
    lead[counts[:, 0] + counts[:, 1] < 2] = 0
    return _against(answers.labels, lead[answers.statements])


def compare_with_others(answers: Answers) -> Departures:
    """Answers against the strict majority of the other people; where they tie, none counts."""
    counts = answers.counts()
    lead = (counts[:, 1] - counts[:, 0])[answers.statements]
    own = 2 * answers.labels.astype(np.int64) - 1
    return _against(answers.labels, lead - own)


def describe_workers(answers: Answers, kept: Mask | None = None) -> WorkerTable:
    """The kept work of every worker, in numbers."""
    kept = answers.everyone() if kept is None else kept
    rest = answers.keep(kept)
    others, everybody = compare_with_others(rest), find_departures(rest)
    people = rest.assignment_workers[rest.assignments]
    size = len(answers.worker_keys)
    by_row = {
        "answers": np.ones(len(rest), dtype=bool),
        "present": rest.labels > 0,
        "compared": others.counted,
        "agreed": others.counted & ~others.departed,
        "judged": everybody.counted,
        "departed": everybody.departed,
    }
    return WorkerTable(
        hits=np.bincount(answers.assignment_workers[kept], minlength=size),
        **{name: np.bincount(people[mask], minlength=size) for name, mask in by_row.items()},
        seconds=_sum_known(answers, kept),
        gold_asked=_sum_by_worker(answers, answers.assignment_gold_asked, kept),
        gold_right=_sum_by_worker(answers, answers.assignment_gold_right, kept),
    )


def measure_biases(answers: Answers, worker: int, kept: Mask | None = None) -> Floats:
    """For each system, how much more often a worker says *present* than others do there.

    The worker's share of *present* less the others' mean share on the same statements; nan for a
    system of which nobody else answered the same statements.
    """
    rest = answers if kept is None else answers.keep(kept)
    counts = rest.counts()
    rows = rest.assignment_workers[rest.assignments] == worker
    statements, labels = rest.statements[rows], rest.labels[rows].astype(np.int64)
    others = counts[statements].sum(axis=1) - 1
    shared = others > 0
    shares = (counts[statements, 1] - labels)[shared] / others[shared]
    systems = rest.summary_systems[rest.statement_summaries[statements]][shared]
    size = len(rest.system_keys)
    sums = np.bincount(systems, weights=labels[shared] - shares, minlength=size)
    numbers = np.bincount(systems, minlength=size)
    return np.divide(sums, numbers, out=np.full(size, np.nan), where=numbers > 0)


def _against(labels: NDArray[np.int8], lead: Codes) -> Departures:
    counted = lead != 0
    return Departures(counted, counted & ((lead > 0) != (labels > 0)))


def _sum_by_worker(answers: Answers, values: Codes, kept: Mask) -> Codes:
    sums = np.bincount(
        answers.assignment_workers[kept], weights=values[kept], minlength=len(answers.worker_keys)
    )
    return sums.astype(np.int64)


def _sum_known(answers: Answers, kept: Mask) -> Floats:
    """Seconds by worker over the assignments whose time is known; nan where none is."""
    known = kept & ~np.isnan(answers.assignment_seconds)
    people, size = answers.assignment_workers[known], len(answers.worker_keys)
    sums = np.bincount(people, weights=answers.assignment_seconds[known], minlength=size)
    return np.where(np.bincount(people, minlength=size) > 0, sums, np.nan)
