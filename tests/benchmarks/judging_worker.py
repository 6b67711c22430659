"""A process that judges its share of a sample, a slice whenever it is told to.

`python -m tests.benchmarks.judging_worker '{…}'` says `ready` once its model is loaded and warm. To
every line, the number of a slice, it answers with a line of JSON: logits and processor seconds.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from tests.benchmarks.judging_sample import PAIRS, Asked, sample

PADDED_TO = 400
BATCH = 32
SLICES = 5
Found = list[list[list[float]]]  # by summary and unit, the logits


@dataclass(frozen=True, slots=True)
class Work:
    """`way` is `padded`, the paper's, or a precision of the judge."""

    folder: str
    corpus: str
    way: str
    threads: int
    part: int = 0
    parts: int = 1
    pairs: int = PAIRS


def judge_padded(folder: str) -> Callable[[Sequence[Asked]], Found]:
    """As the paper's code runs: every pair padded to 400 tokens, in batches of 32."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)

    def run(asked: Sequence[Asked]) -> Found:
        pairs = [(one.summary, unit) for one in asked for unit in one.units]
        rows: list[list[float]] = []
        for start in range(0, len(pairs), BATCH):
            batch = tokenizer(
                *map(list, zip(*pairs[start : start + BATCH], strict=True)),
                padding="max_length",
                truncation=True,
                max_length=PADDED_TO,
                return_tensors="pt",
            )
            with torch.no_grad():
                rows += model(**batch).logits.tolist()
        left = iter(rows)
        return [[next(left) for _ in one.units] for one in asked]

    return run


def judge_ours(folder: str, precision: str, threads: int) -> Callable[[Sequence[Asked]], Found]:
    from scoring.judge import JudgeOptions, Question, load_judge

    judge = load_judge(folder, JudgeOptions(precision=precision, threads=threads))

    def run(asked: Sequence[Asked]) -> Found:
        answers = judge.judge(Question(one.summary, one.units) for one in asked)
        return [[verdict.logits[0].tolist() for verdict in row] for row in answers]

    return run


def main(argument: str) -> None:
    import torch

    work = Work(**json.loads(argument))
    torch.set_num_threads(work.threads)
    if work.way == "padded":
        run = judge_padded(work.folder)
    else:
        run = judge_ours(work.folder, work.way, work.threads)
    slices = cut(sample(work.corpus, work.pairs))
    run(slices[0][:1])
    print("ready", flush=True)
    for line in sys.stdin:
        share = slices[int(line)][work.part :: work.parts]
        started = time.process_time()
        logits = run(share)
        print(json.dumps([time.process_time() - started, logits]), flush=True)


def cut(asked: Sequence[Asked]) -> list[Sequence[Asked]]:
    """Slices, so that the ways take turns often and a burst of other work meets all of them."""
    return [asked[place::SLICES] for place in range(SLICES)]


class Team:
    """Processes of one way that share a sample among them. Of several runs, the shortest counts."""

    def __init__(self, work: Work) -> None:
        self.parts = work.parts
        self.processes = [_start(work, part) for part in range(work.parts)]
        self.wall = [math.inf] * SLICES
        self.used = [math.inf] * SLICES  # processor seconds of all processes
        self.rows: list[Found] = [[] for _ in range(SLICES)]

    def run(self, place: int) -> None:
        """Judge a slice once."""
        started = time.perf_counter()
        for process in self.processes:
            _tell(process, str(place))
        answers = [json.loads(_hear(process)) for process in self.processes]
        self.wall[place] = min(self.wall[place], time.perf_counter() - started)
        self.used[place] = min(self.used[place], sum(seconds for seconds, _ in answers))
        shares: list[Found] = [share for _, share in answers]
        count = sum(map(len, shares))
        self.rows[place] = [shares[at % self.parts][at // self.parts] for at in range(count)]

    @property
    def logits(self) -> NDArray[np.float64]:
        """Of all pairs, slice by slice."""
        return np.array([unit for rows in self.rows for row in rows for unit in row])

    def stop(self) -> None:
        for process in self.processes:
            process.communicate()


def _start(work: Work, part: int) -> subprocess.Popen[str]:
    argument = json.dumps(asdict(work) | {"part": part})
    return subprocess.Popen(
        [sys.executable, "-m", "tests.benchmarks.judging_worker", argument],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def _tell(process: subprocess.Popen[str], line: str) -> None:
    assert process.stdin is not None
    process.stdin.write(f"{line}\n")
    process.stdin.flush()


def _hear(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise RuntimeError(f"A judging process ended with {process.wait()}.")
    return line


@contextmanager
def teams(works: Sequence[Work]) -> Iterator[list[Team]]:
    """All teams, loaded and waiting; none outlives the block."""
    made = [Team(work) for work in works]
    try:
        for team in made:
            for process in team.processes:
                _hear(process)
        yield made
    finally:
        for team in made:
            team.stop()


def padded_seconds_per_pair(folder: str, corpus: str, *, pairs: int = 64) -> float:
    """Processor seconds of one pair the paper's way, for what would take too long to run whole."""
    with teams([Work(folder, corpus, "padded", threads=1, pairs=pairs)]) as [team]:
        for place in range(SLICES):
            team.run(place)
        return sum(team.used) / len(team.logits)


if __name__ == "__main__":
    main(sys.argv[1])
