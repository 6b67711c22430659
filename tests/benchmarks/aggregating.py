"""Aggregating the answers to CNN/DailyMail's test set: speed against crowd-kit, and memory.

Every summary has one judge, a tenth of them four. Both sides start from the same codes in memory.
Memory is that of a process of its own, which reads the answers from a CSV and aggregates them.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from scoring.aggregation import Answers, FilterStep, Recipe, aggregate, simulate_campaign, vote
from scoring.io.answers import load_answers
from tests.benchmarks.database import BENCH_DIR
from tests.benchmarks.report import Figure

DOCUMENTS, SYSTEMS, UNITS, JUDGES = 11_490, 25, 10, 4
MOST_OF_CROWD_KIT = 0.2
MOST_MEMORY_MB = 700
ROUNDS = 3
RECIPE = Recipe((FilterStep("per-summary"),))


def measure() -> list[Figure]:
    answers = make_answers()
    theirs, their_labels = _best_of(_crowd_kit(answers))
    ours, labels = _best_of(lambda: vote(answers))
    whole, _ = _best_of(lambda: aggregate(answers, RECIPE))
    is_clear = ~labels.ties
    differing = int((labels.present != their_labels)[is_clear].sum())
    child = _in_a_process(_write(answers, BENCH_DIR / "answers.csv"))
    return [
        Figure("answers", len(answers), at_least=3_000_000),
        Figure("crowd-kit's MajorityVote", theirs, "s"),
        Figure("majority vote", ours, "s"),
        Figure("majority vote, of crowd-kit's time", ours / theirs, "x", None, MOST_OF_CROWD_KIT),
        Figure("filter, vote and alpha with intervals", whole, "s"),
        Figure("all that, of crowd-kit's time", whole / theirs, "x", None, MOST_OF_CROWD_KIT),
        Figure("labels that differ, ties apart", differing, at_most=0),
        Figure("reading the CSV and aggregating", child["seconds"], "s"),
        Figure("peak memory of that", child["peak_mb"], "MB", None, MOST_MEMORY_MB),
    ]


def make_answers() -> Answers:
    """One judge a summary, four for a tenth."""
    answers = simulate_campaign(
        seed=0, documents=DOCUMENTS, systems=SYSTEMS, units=UNITS, judges=JUDGES
    ).answers
    summaries = answers.assignment_summaries
    is_first = np.zeros(len(summaries), dtype=bool)
    is_first[np.unique(summaries, return_index=True)[1]] = True
    in_tenth = np.random.default_rng(0).random(len(answers.summary_keys)) < 0.1
    return answers.keep(is_first | in_tenth[summaries])


def _crowd_kit(answers: Answers) -> Callable[[], Any]:
    import pandas as pd
    from crowdkit.aggregation import MajorityVote

    workers = answers.assignment_workers[answers.assignments]
    frame = pd.DataFrame({"task": answers.statements, "worker": workers, "label": answers.labels})
    return lambda: MajorityVote().fit_predict(frame).sort_index().to_numpy()


def _best_of(run: Callable[[], Any]) -> tuple[float, Any]:
    """Processor seconds of the quickest of a few runs, and what the last one gave."""
    seconds, found = [], None
    for _ in range(ROUNDS):
        start = time.process_time()
        found = run()
        seconds.append(time.process_time() - start)
    return min(seconds), found


def _write(answers: Answers, path: Path) -> Path:
    documents = answers.summary_documents[answers.statement_summaries]
    systems = answers.summary_systems[answers.statement_summaries]
    workers = answers.assignment_workers[answers.assignments]
    columns = (
        documents[answers.statements],
        systems[answers.statements],
        answers.statements % UNITS,
        workers,
        answers.assignments,
        answers.labels,
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as out:
        out.write("document,system,statement,worker,assignment,answer\n")
        for row in zip(*(column.tolist() for column in columns), strict=True):
            out.write("d{},s{},u{},w{},a{},{}\n".format(*row))
    return path


def _in_a_process(path: Path) -> dict[str, float]:
    command = [sys.executable, "-m", "tests.benchmarks.aggregating", str(path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def read_and_aggregate(path: Path) -> dict[str, float]:
    """What a process that does nothing else needs."""
    start = time.process_time()
    aggregate(load_answers(path), RECIPE)
    return {"seconds": time.process_time() - start, "peak_mb": peak_mb()}


def peak_mb() -> float:
    """The most memory that this program held.

    What `getrusage` tells counts the process that started this one too, as large as that was.
    """
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    [line] = [line for line in status.read_text().splitlines() if line.startswith("VmHWM:")]
    return int(line.split()[1]) / 1024


if __name__ == "__main__":
    print(json.dumps(read_and_aggregate(Path(sys.argv[1]))))
