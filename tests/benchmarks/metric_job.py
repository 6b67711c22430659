"""Scores of a metric as the product's job makes them, on a sample in the shape of CNN/DailyMail.

Every worker is a process of its own on a fresh SQLite. The first is killed by SIGKILL on its way,
the second goes on with the same job, the third scores the same anew and finds all of it stored.
What the second needs is projected to all 287,250 summaries. An encoder remembers vectors up to a
bound that a sample this small would not reach: here its memory is full from the beginning, as it is
after the first few dozen examples of a whole corpus.
"""

from __future__ import annotations

import itertools
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests import servers
from tests.benchmarks.database import BENCH_DIR, fresh_database, run_in, set_up_django
from tests.benchmarks.generated import EXAMPLES, SYSTEMS, write_corpus
from tests.benchmarks.report import Figure

if TYPE_CHECKING:
    from annotation.evaluation.metrics.models import ScoreSet
    from scoring.backends.encoders import Kept


WHOLE = EXAMPLES * SYSTEMS
# By metric, how many examples of 25 summaries are scored.
SAMPLES = {"rouge": 240, "bertscore": 24}
MOST_MEMORY_MB = 1000
# Between the first third of its blocks and the last: what would add up over a whole corpus.
MOST_GROWTH_MB = 60
SLUG = "bench"
PIECES = 100  # of a text that fills the store


def measure() -> list[Figure]:
    return [figure for metric, size in SAMPLES.items() for figure in _measure(metric, size)]


def _measure(metric: str, examples: int) -> Iterator[Figure]:
    corpus = write_corpus(BENCH_DIR / f"metric-job-{examples}", examples=examples)
    with fresh_database("sqlite") as environment:
        environment["JOB_LEASE_SECONDS"] = "2"
        run_in(environment, __name__, "bring", str(corpus), metric)
        _kill_on_its_way(environment)
        rest = run_in(environment, __name__, "go-on")
        again = run_in(environment, __name__, "again", metric)
    yield Figure(f"{metric}: summaries scored when the worker was killed", rest["before"], "", 1)
    yield Figure(
        f"{metric}: summaries that the next one scored", rest["scored"], "",
        None, examples * SYSTEMS - rest["before"],
    )  # fmt: skip
    rate = rest["scored"] / rest["seconds"]
    yield Figure(f"{metric}: summaries a second", rate)
    yield Figure(f"{metric}: projected for {WHOLE:,} summaries", WHOLE / rate / 3600, "h")
    yield Figure(f"{metric}: peak memory", rest["peak_mb"], "MB", None, MOST_MEMORY_MB)
    yield Figure(f"{metric}: growth of memory", rest["growth_mb"], "MB", None, MOST_GROWTH_MB)
    yield Figure(
        f"{metric}: taken from the store by a second run", again["stored"], "", examples * SYSTEMS
    )
    yield Figure(f"{metric}: of those a second", again["stored"] / again["seconds"])


def _kill_on_its_way(environment: dict[str, str]) -> None:
    command = [sys.executable, "-m", __name__, "die"]
    done = subprocess.run(command, cwd=servers.ROOT, env=environment, check=False)
    assert done.returncode == -signal.SIGKILL, f"the worker ended with {done.returncode}"


def bring(corpus: str, metric: str) -> dict[str, Any]:
    from annotation.corpora.projects.service import create_project
    from tests import factories

    project = create_project(user=None, name=SLUG, slug=SLUG)
    factories.import_corpus(project, Path(corpus))
    return {"score_set": begin(metric).pk}


def begin(metric: str) -> ScoreSet:
    from annotation.corpora.projects.models import Project
    from annotation.evaluation.metrics.service import score_metric

    return score_metric(project=Project.objects.get(slug=SLUG), user=None, metric=metric)


def die() -> dict[str, Any]:
    """Work on the job, and be killed once a third of it is committed, with a block in hand."""
    from annotation.evaluation.metrics import service as metrics_service
    from annotation.evaluation.metrics.models import ScoreSet

    made, inner = ScoreSet.objects.get(), metrics_service.score_block

    def block(score_set: Any, metric: Any, rows: Any) -> Any:
        found = inner(score_set, metric, rows)
        done, left = (_count(made, is_done) for is_done in (True, False))
        if 2 * done >= left:
            os.kill(os.getpid(), signal.SIGKILL)
        return found

    metrics_service.score_block = block
    return finish(made)


def go_on() -> dict[str, Any]:
    from annotation.evaluation.metrics.models import ScoreSet

    made = ScoreSet.objects.select_related("job").get()
    assert made.job is not None
    while not type(made.job).objects.claimable(_now()).filter(pk=made.job.pk).exists():
        time.sleep(0.2)
    before = _count(made, True)
    return {"before": before * SYSTEMS, **finish(made)}


def again(metric: str) -> dict[str, Any]:
    return finish(begin(metric))


def finish(made: ScoreSet) -> dict[str, Any]:
    """Run the job to its end, and tell how long it took and how memory went."""
    from annotation.corpora.jobs.service import finish_job
    from annotation.evaluation.metrics import service as metrics_service
    from scoring.backends import encoders

    encoders.Kept = make_full_store()  # type: ignore[misc]
    peaks, scored, inner = [0.0], 0, metrics_service.score_block

    def block(score_set: Any, metric: Any, rows: Any) -> Any:
        nonlocal scored
        found = inner(score_set, metric, rows)
        scored += len(rows) * SYSTEMS
        peaks.append(_peak())
        return found

    metrics_service.score_block = block
    assert made.job is not None
    started = time.perf_counter()
    finish_job(job=made.job)
    seconds = time.perf_counter() - started
    assert made.job.state == "done", made.job.error
    made.refresh_from_db()
    return {
        "seconds": seconds,
        "scored": scored,
        "stored": made.counts["stored"],
        "peak_mb": _peak(),
        "growth_mb": peaks[-1] - peaks[1 + (len(peaks) - 1) // 3],
    }


def make_full_store() -> type[Kept]:
    """A store that is born full, with texts that nobody asks for."""
    import numpy as np

    from scoring.backends.encoders import Kept
    from scoring.metrics.encoding import Encoded

    class FullStore(Kept):
        def __init__(self, most: int) -> None:
            super().__init__(most)
            for number in itertools.count():
                ids, flags = np.ones(PIECES, dtype=np.int64), np.ones(PIECES, dtype=bool)
                spans, vectors = np.ones((PIECES, 2), dtype=np.int64), np.ones((PIECES, 384), "f4")
                filler = Encoded(f"\N{NULL}{number}", ids, spans, flags, flags, vectors)
                if self.bytes + filler.size > most:
                    return
                self.put(filler)

    return FullStore


def _count(made: ScoreSet, is_done: bool) -> int:
    rows = made.examples.all()
    return (rows.exclude(values=b"") if is_done else rows.filter(values=b"")).count()


def _now() -> Any:
    from django.utils import timezone

    return timezone.now()


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main(way: str, *arguments: str) -> None:
    set_up_django()
    ways = {"bring": bring, "die": die, "go-on": go_on, "again": again}
    print(json.dumps(ways[way](*arguments)))  # type: ignore[operator]


if __name__ == "__main__":
    main(*sys.argv[1:])
