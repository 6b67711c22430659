"""NLI judges against the way the paper's code runs: the same weights, the same pairs, two cores.

Every way has its processes loaded and waiting, and they take turns. Ratios are of processor time of
two processes of one thread, one for each core, the paper's way included. Whether one process of two
threads would be faster is measured by the clock, which other work on the machine disturbs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scoring.judge import read_presence
from tests.benchmarks.judging_sample import Asked, make_cross_encoder, sample
from tests.benchmarks.judging_worker import SLICES, Team, Work, cut, teams
from tests.benchmarks.report import Figure

CORES = 2
ROUNDS = 2
LEAST_FASTER = {"realsumm": 4.0, "pyrxsum": 8.0}
LEAST_INT8 = 1.3
MOST_APART = 1e-4
Values = NDArray[np.float64]


def measure() -> list[Figure]:
    samples = {corpus: sample(corpus) for corpus in LEAST_FASTER}
    folder = make_cross_encoder([one for asked in samples.values() for one in asked])
    return [
        figure for corpus, asked in samples.items() for figure in _corpus(folder, corpus, asked)
    ]


def _corpus(folder: str, corpus: str, asked: list[Asked]) -> list[Figure]:
    ways = [Work(folder, corpus, way, 1, parts=CORES) for way in ("padded", "fp32", "int8")]
    with teams([*ways, Work(folder, corpus, "fp32", CORES)]) as made:
        for _ in range(ROUNDS):
            for place in range(SLICES):
                for team in made:
                    team.run(place)
    padded, ours, int8, threads = made
    return [
        Figure(f"{corpus}: a pair the paper's way, of processor time", _each(padded), "ms"),
        Figure(f"{corpus}: a pair", _each(ours), "ms"),
        Figure(
            f"{corpus}: times as fast as the paper's way",
            sum(padded.used) / sum(ours.used),
            "x",
            at_least=LEAST_FASTER[corpus],
        ),
        Figure(
            f"{corpus}: largest |Δp|, in units of {MOST_APART:g}",
            _apart(padded, ours).max() / MOST_APART,
            at_most=1,
        ),
        Figure(
            f"{corpus}: time of one process of 2 threads, of two of 1",
            sum(threads.wall) / sum(ours.wall),
            "x",
        ),
        *_int8_figures(corpus, asked, ours, int8),
    ]


def _int8_figures(corpus: str, asked: list[Asked], exact: Team, int8: Team) -> list[Figure]:
    flips = _presence(exact, "l3c") != _presence(int8, "l3c")
    before, after = (_correlation(team, asked) for team in (exact, int8))
    apart = _apart(exact, int8)
    return [
        Figure(
            f"{corpus}: int8, times as fast again",
            sum(exact.used) / sum(int8.used),
            "x",
            at_least=LEAST_INT8,
        ),
        Figure(f"{corpus}: int8, mean |Δp|", float(apart.mean())),
        Figure(f"{corpus}: int8, largest |Δp|", float(apart.max())),
        Figure(f"{corpus}: int8, labels that flip", 100 * float(flips.mean()), "%"),
        Figure(f"{corpus}: correlation of summaries with people", before),
        Figure(f"{corpus}: the same by int8", after),
    ]


def _each(team: Team) -> float:
    """Milliseconds of a core."""
    return 1000 * sum(team.used) / len(team.logits)


def _presence(team: Team, function: str) -> Values:
    rows = team.logits.astype(np.float32)
    return np.array([read_presence(function, row[np.newaxis]) for row in rows])


def _apart(first: Team, second: Team) -> Values:
    return np.abs(_presence(first, "p3c") - _presence(second, "p3c"))


def _correlation(team: Team, asked: list[Asked]) -> float:
    """Pearson's, of the summaries' scores with those by the labels."""
    asked = [one for part in cut(asked) for one in part]
    ends = np.cumsum([len(one.units) for one in asked])[:-1]
    scores = [part.mean() for part in np.split(_presence(team, "p3c"), ends)]
    return float(np.corrcoef(scores, [np.mean(one.labels) for one in asked])[0, 1])
