"""From answers to one label a statement: the majority, or a model of the people who answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.aggregation.answers import Answers, Counts, Mask
from scoring.errors import InputError
from scoring.translation import gettext as _

MAJORITY = "majority"
MODELS = ("dawid-skene", "mace", "glad", "wawa")
VOTES = (MAJORITY, *MODELS)

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Labels:
    """One label a statement: 1 present, 0 not present, -1 none.

    `posterior` is the vote's own probability of *present* (the share of answers, for a majority);
    nan where nobody answered. `ties` marks statements that the tie rule decided.
    """

    present: NDArray[np.int8]
    posterior: Floats
    ties: NDArray[np.bool_]


def _all_of(value: int) -> Callable[[int, int], NDArray[np.int8]]:
    return lambda number, seed: np.full(number, value, dtype=np.int8)


def _coins(number: int, seed: int) -> NDArray[np.int8]:
    return np.random.default_rng(seed).integers(2, size=number).astype(np.int8)


TIES: dict[str, Callable[[int, int], NDArray[np.int8]]] = {
    "absent": _all_of(0),
    "present": _all_of(1),
    "unlabelled": _all_of(-1),
    "random": _coins,
}


def vote(
    answers: Answers,
    kept: Mask | None = None,
    *,
    rule: str = MAJORITY,
    tie: str = "absent",
    seed: int = 0,
) -> Labels:
    """Labels of all statements from the kept assignments, by the rules of these names."""
    check_vote(rule, tie)
    if rule == MAJORITY:
        return majority(answers.counts(kept), tie=tie, seed=seed)
    from scoring.backends import crowdkit

    rest = answers if kept is None else answers.keep(kept)
    posterior = crowdkit.infer_posterior(
        rule,
        statements=rest.statements,
        workers=rest.assignment_workers[rest.assignments],
        labels=rest.labels,
        size=len(answers.statement_keys),
        seed=seed,
    )
    return _decide(posterior, tie, seed)


def majority(counts: Counts, *, tie: str = "absent", seed: int = 0) -> Labels:
    """Present where more people say so than not; as many on both sides is a tie."""
    absent, present = counts[:, 0], counts[:, 1]
    sizes = absent + present
    posterior = np.divide(
        present, sizes, out=np.full(len(counts), np.nan), where=sizes > 0, dtype=np.float64
    )
    return _decide(posterior, tie, seed)


def check_vote(rule: str, tie: str) -> None:
    if rule not in VOTES:
        raise InputError(
            _("There is no vote '{rule}'. Use one of {votes}.").format(
                rule=rule, votes=", ".join(VOTES)
            )
        )
    if tie not in TIES:
        raise InputError(
            _("There is no tie rule '{tie}'. Use one of {ties}.").format(
                tie=tie, ties=", ".join(TIES)
            )
        )


def is_seeded(rule: str, tie: str) -> bool:
    """Whether labels depend on the seed."""
    return rule == "mace" or tie == "random"


def _decide(posterior: Floats, tie: str, seed: int) -> Labels:
    ties = posterior == 0.5
    present = (posterior > 0.5).astype(np.int8)
    present[np.isnan(posterior)] = -1
    present[ties] = TIES[tie](int(ties.sum()), seed)
    return Labels(present, posterior, ties)
