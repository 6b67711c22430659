"""Resampled correlations of fifteen metrics: speed against a loop of scipy's, and memory.

The permutations of Soft Pairwise Accuracy are timed against a loop over pairs and permutations,
with the same random signs.
Both sides have the same scores and the same draws. The loop is timed on the first draws of each
method and its time multiplied up; every figure that it gives is held against ours. Memory is that
of a process of its own, on as many inputs as CNN/DailyMail's test set has.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time

import numpy as np
import scipy.stats

from scoring.metaeval.bootstrap import Paired, resample_correlations, stack_scores
from scoring.metaeval.clusters import PERMUTATIONS, pairwise_p_values
from scoring.metaeval.draws import METHODS, RESAMPLES, Draws, draw
from scoring.metaeval.rows import MEASURES
from scoring.metaeval.study import Floats, Study
from tests.benchmarks.aggregating import peak_mb
from tests.benchmarks.report import Figure

SYSTEMS, INPUTS, ALL_INPUTS, METRICS = 25, 100, 11_490, 15
LOOPED = 20
LEAST_SPEED = 50
MOST_DIFFERENCE = 1e-12
MOST_MEMORY_MB = 1024
ROUNDS = 3
LOOPED_PERMUTATIONS = 20
SCIPY = {
    "pearson": scipy.stats.pearsonr,
    "spearman": scipy.stats.spearmanr,
    "kendall": scipy.stats.kendalltau,
}


def measure() -> list[Figure]:
    paired = stack_scores(make_study(INPUTS))
    drawn = {method: _draw(paired, method) for method in METHODS}
    ours = min(_seconds_of(paired, drawn) for _ in range(ROUNDS))
    looped, furthest = _loop_all(paired, drawn)
    theirs = looped * RESAMPLES / LOOPED
    child = _in_a_process()
    return [
        Figure("correlations", RESAMPLES * len(METHODS) * METRICS * len(MEASURES)),
        Figure(f"a loop of scipy's, from {LOOPED} draws a method", theirs, "s"),
        Figure("resampled correlations", ours, "s"),
        Figure("times as fast as the loop", theirs / ours, "x", LEAST_SPEED),
        Figure("largest difference, in 1e-15", furthest / 1e-15, at_most=MOST_DIFFERENCE / 1e-15),
        Figure(f"on {ALL_INPUTS:,} inputs", child["seconds"], "s"),
        Figure("peak memory of that", child["peak_mb"], "MB", None, MOST_MEMORY_MB),
        *_measure_permutations(),
    ]


def _measure_permutations() -> list[Figure]:
    scores = make_study(INPUTS).people
    start = time.process_time()
    theirs = _permute_in_a_loop(scores)
    looped = (time.process_time() - start) * PERMUTATIONS / LOOPED_PERMUTATIONS
    ours = pairwise_p_values(scores, permutations=LOOPED_PERMUTATIONS)[0]
    seconds = min(_seconds_of_permutations(scores) for _ in range(ROUNDS))
    pairs = SYSTEMS * (SYSTEMS - 1) // 2
    return [
        Figure("permutations of Soft Pairwise Accuracy, all pairs", pairs * PERMUTATIONS),
        Figure(f"a loop over them, from {LOOPED_PERMUTATIONS} a pair", looped, "s"),
        Figure("ours", 1000 * seconds, "ms"),
        Figure("times as fast as that loop", looped / seconds, "x", LEAST_SPEED),
        Figure("largest difference of a p value", np.abs(ours - theirs).max(), at_most=1e-9),
    ]


def _seconds_of_permutations(scores: Floats) -> float:
    start = time.process_time()
    pairwise_p_values(scores)
    return time.process_time() - start


def _permute_in_a_loop(scores: Floats) -> Floats:
    """Each pair of systems and each permutation by itself."""
    found = []
    for one in range(len(scores)):
        for two in range(one + 1, len(scores)):
            rng, as_large = np.random.default_rng(0), 0
            seen = scores[one].sum() - scores[two].sum()
            for _ in range(LOOPED_PERMUTATIONS):
                stays = np.rint(rng.random(scores.shape[1], dtype=np.float32)) == 1
                first = np.where(stays, scores[one], scores[two]).sum()
                second = np.where(stays, scores[two], scores[one]).sum()
                as_large += bool(first - second >= seen - MOST_DIFFERENCE)
            found.append(as_large / LOOPED_PERMUTATIONS)
    return np.array(found)


def make_study(inputs: int) -> Study:
    """Systems of different quality, inputs of different difficulty, and noise by metric."""
    rng = np.random.default_rng(0)
    quality, ease = rng.normal(size=(SYSTEMS, 1)), rng.normal(size=(1, inputs))
    scores = {
        name: quality + ease + 3 * rng.normal(size=(SYSTEMS, inputs))
        for name in ["human", *(f"metric{place}" for place in range(METRICS))]
    }
    systems = tuple(f"s{place}" for place in range(SYSTEMS))
    return Study(systems, tuple(f"d{place}" for place in range(inputs)), {}, "human", scores)


def _draw(paired: Paired, method: str) -> Draws:
    return draw(method, systems=SYSTEMS, judged=paired.judged, resamples=RESAMPLES, seed=0)


def _seconds_of(paired: Paired, drawn: dict[str, Draws]) -> float:
    start = time.process_time()
    for draws in drawn.values():
        resample_correlations(paired, draws, level="system")
    return time.process_time() - start


def _loop_all(paired: Paired, drawn: dict[str, Draws]) -> tuple[float, float]:
    """Seconds of the loop on the first draws of all methods, and how far ours is from it."""
    seconds, furthest = 0.0, 0.0
    for draws in drawn.values():
        start = time.process_time()
        theirs = _loop(paired, draws)
        seconds += time.process_time() - start
        ours = resample_correlations(paired, draws, level="system")
        gaps = [np.abs(ours[name][:LOOPED] - theirs[name]).max() for name in MEASURES]
        furthest = max(furthest, *map(float, gaps))
    return seconds, furthest


def _loop(paired: Paired, draws: Draws) -> dict[str, Floats]:
    """What one would write first: each draw, each metric, each measure by itself."""
    found = {name: np.empty((LOOPED, METRICS)) for name in MEASURES}
    for row in range(LOOPED):
        inputs = slice(None) if draws.inputs is None else draws.inputs[row]
        systems = slice(None) if draws.systems is None else draws.systems[row]
        human = paired.second[0][systems][:, inputs].mean(axis=1)
        for place in range(METRICS):
            metric = paired.first[place][systems][:, inputs].mean(axis=1)
            for name, correlate in SCIPY.items():
                found[name][row, place] = correlate(metric, human)[0]
    return found


def _in_a_process() -> dict[str, float]:
    command = [sys.executable, "-m", "tests.benchmarks.metaeval"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def resample_all_inputs() -> dict[str, float]:
    """What a process that does nothing else needs for a test set of the usual size."""
    paired = stack_scores(make_study(ALL_INPUTS))
    seconds = 0.0
    for method in METHODS:
        seconds += _seconds_of(paired, {method: _draw(paired, method)})
    return {"seconds": seconds, "peak_mb": peak_mb()}


if __name__ == "__main__":
    print(json.dumps(resample_all_inputs()))
