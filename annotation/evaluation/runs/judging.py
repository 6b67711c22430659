"""The work of a run: many workers, one chunk each at a time, every chunk done once.

One worker runs the job and so leads the run; others help as long as chunks are left. All of them
claim chunks by lease, judge outside of any transaction, and store what came of it together with
the chunk's end, if it is still theirs. Only pairs that nothing is stored of are judged.
"""

from __future__ import annotations

import logging
import time
import uuid
from datetime import timedelta
from typing import Any, NamedTuple

from django.db import Error as DatabaseFault
from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, Sum
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.activity.models import Verb
from annotation.corpora.activity.service import record_activity
from annotation.corpora.jobs.kinds import (
    KINDS,
    SWEEPS,
    JobKind,
    heartbeat,
    lease_end,
    list_long_kinds,
)
from annotation.corpora.jobs.models import Job, JobLine, JobState
from annotation.corpora.jobs.work import JobPaused, Work
from annotation.corpora.notifications.service import send_message
from annotation.errors import DomainError
from annotation.evaluation.judges.offered import get_judge, resolve_judge
from annotation.evaluation.judges.queries import keep_learned
from annotation.evaluation.runs.compare import compare_newest
from annotation.evaluation.runs.models import (
    ChunkState,
    JudgeIdentity,
    JudgeRun,
    RunChunk,
    SummaryPresence,
)
from annotation.evaluation.runs.queries import keep_run_scores
from annotation.evaluation.runs.service import KIND
from annotation.evaluation.runs.work import (
    describe_results,
    hash_results,
    judge_summaries,
    store_verdicts,
)
from annotation.faults import classify_fault
from annotation.references import describe_defect, make_reference
from scoring.errors import InputError
from scoring.extras import MissingLibrary
from scoring.judge import Judge, check_function

logger = logging.getLogger(__name__)

HELPERS = 16
# How long a worker stays with one run while other work waits.
TURN_SECONDS = 60.0
HELP_AGAIN_AFTER = timedelta(seconds=10)
WAIT_SECONDS = 0.2


class ChunkLost(Exception):
    """Another worker has the chunk by now, or nobody wants it any more."""


def run_judging(work: Work) -> dict[str, Any]:
    """Lead a run to its end: judge, call others to help, wait for them, then sum up."""
    run = _get_run(work.job.params["run"])
    if run is None:
        raise DomainError(_("The run was deleted."))
    work.report(work.done, run.counts["pairs"], phase=_("Loading the judge"))
    judge = _identify(run)
    work.report(work.done, phase=_("Judging"))
    call_helpers(run, HELPERS)
    until = time.monotonic() + TURN_SECONDS
    while (left := _count_left(run)).chunks:
        work.report(run.counts["pairs"] - left.pairs)
        if time.monotonic() > until and _is_room_wanted(work.job):
            raise JobPaused
        if not judge_next(run, judge):
            time.sleep(WAIT_SECONDS)
    work.report(run.counts["pairs"], phase=_("Aggregating"))
    run.figures = describe_results(run)
    run.content_hash = hash_results(run)
    keep_run_scores(run)
    keep_learned(run)
    with work.step():
        _show(run)
        work.done = run.counts["pairs"]
    return {"run": run.pk, **run.figures["counts"]}


def work_on_run(*, run_id: int) -> None:
    """Help with a run that another worker leads, chunk by chunk, until none is left."""
    run = _get_run(run_id)
    if run is None or run.identity is None or not _is_led(run):
        return
    try:
        judge = _load(run)
        if judge.identity.key != run.identity.key:
            raise DomainError(_differs(run, judge))
        until = time.monotonic() + TURN_SECONDS
        while _is_led(run) and judge_next(run, judge):
            if time.monotonic() > until:
                call_helpers(run, 1)
                return
    except (DomainError, InputError, MissingLibrary) as error:
        # Who leads the run goes on, or fails of the same and says so.
        _log(run, _("A worker couldn't judge a chunk: {error}").format(error=error))
    except Exception as error:
        if isinstance(error, DatabaseFault) or classify_fault(error):
            raise  # helpers are called again while there is something left to do
        reference = make_reference()
        logger.exception("helping with run %s failed (reference %s)", run.pk, reference)
        _log(
            run,
            _("A worker couldn't judge a chunk. {describe_defect}").format(
                describe_defect=describe_defect(reference)
            ),
        )


def judge_next(run: JudgeRun, judge: Judge) -> bool:
    """Claim a chunk and judge it; tells whether there was one to claim."""
    chunk = claim_chunk(run)
    if chunk is None:
        return False
    try:
        with heartbeat(lambda: _renew(chunk), str(chunk)):
            _judge(run, chunk, judge)
    except ChunkLost:
        logger.warning("%s was taken over by another worker", chunk)
    except Exception:
        _mine(chunk).update(state=ChunkState.WAITING, lease="", lease_until=None)
        raise
    return True


def claim_chunk(run: JudgeRun) -> RunChunk | None:
    """The next chunk that nobody has, if it is still there when we reach for it."""
    lease = str(uuid.uuid4())
    while True:
        free = RunChunk.objects.filter(run=run).claimable(clock.now())
        pk = free.order_by("position").values_list("pk", flat=True).first()
        if pk is None:
            return None
        claimed = {"state": ChunkState.CLAIMED, "lease": lease, "lease_until": lease_end()}
        if free.filter(pk=pk).update(**claimed):
            return RunChunk.objects.get(pk=pk)


def _judge(run: JudgeRun, chunk: RunChunk, judge: Judge) -> None:
    started = time.monotonic()
    found = judge_summaries(run, chunk.summaries, judge)
    with transaction.atomic():
        done = _mine(chunk).update(
            state=ChunkState.DONE,
            lease="",
            lease_until=None,
            done_at=clock.now(),
            seconds=time.monotonic() - started,
            stored=found.stored,
        )
        if not done:
            raise ChunkLost
        store_verdicts(found, with_sentences=run.options["evidence"])
        SummaryPresence.objects.bulk_create(found.presences)


def _mine(chunk: RunChunk) -> Any:
    return RunChunk.objects.filter(pk=chunk.pk, lease=chunk.lease, state=ChunkState.CLAIMED)


def _renew(chunk: RunChunk) -> None:
    _mine(chunk).update(lease_until=lease_end())


def _get_run(pk: int) -> JudgeRun | None:
    rows = JudgeRun.objects.select_related("project", "unit_set", "identity", "job")
    return rows.filter(pk=pk).first()


def _load(run: JudgeRun) -> Judge:
    return get_judge(resolve_judge(run.project, run.judge), run.options)


def _identify(run: JudgeRun) -> Judge:
    """Load the judge, and see that it is the one that began the run."""
    judge = _load(run)
    is_other = run.identity is not None and run.identity.key != judge.identity.key
    if is_other and run.chunks.filter(state=ChunkState.DONE).exists():
        raise DomainError(_differs(run, judge), _("Start a new run."))
    run.function = check_function(run.function or judge.default_function, judge.classes)
    run.identity = _identity(judge)
    signature = judge.identity.signature(run.function)
    run.signature = f"{signature}|units:{run.unit_set.content_hash[:16]}|data:{run.data_hash[:16]}"
    run.save(update_fields=["function", "identity", "signature"])
    return judge


def _identity(judge: Judge) -> JudgeIdentity:
    identity = judge.identity
    return JudgeIdentity.objects.get_or_create(
        key=identity.key,
        defaults={
            "name": identity.name[:300],
            "kind": identity.kind,
            "weights": identity.weights,
            "revision": identity.revision,
            "options": dict(identity.options),
            "classes": judge.classes,
        },
    )[0]


def _differs(run: JudgeRun, judge: Judge) -> str:
    was = run.identity.weights[:16] if run.identity else ""
    return _(
        "The judge has changed since the run was started: weights {weights}, not {was}."
    ).format(weights=judge.identity.weights[:16], was=was)


class Left(NamedTuple):
    chunks: int
    pairs: int


def _count_left(run: JudgeRun) -> Left:
    rows = RunChunk.objects.filter(run=run).exclude(state=ChunkState.DONE)
    left = rows.aggregate(chunks=Count("pk"), pairs=Sum("pairs"))
    return Left(left["chunks"], left["pairs"] or 0)


def _is_led(run: JudgeRun) -> bool:
    """Whether somebody runs the job and nobody wants it to end or to rest."""
    led = JudgeRun.objects.filter(pk=run.pk, job__state=JobState.RUNNING)
    return led.filter(job__cancel_requested=False, job__pause_requested=False).exists()


def _is_room_wanted(job: Job) -> bool:
    """Whether another long job waits for a worker; short ones don't need this one to rest."""
    waiting = Job.objects.filter(state=JobState.QUEUED, kind__in=list_long_kinds())
    return waiting.exclude(pk=job.pk).exists()


def _show(run: JudgeRun) -> None:
    run.is_ready = True
    run.save(update_fields=["figures", "content_hash", "is_ready"])
    compare_newest(run)
    record_activity(
        project=run.project,
        actor=run.created_by,
        verb=Verb.FINISH,
        target=run,
        text=_("finished {run}").format(run=run),
    )


def _log(run: JudgeRun, text: str) -> None:
    if run.job is not None:
        JobLine.objects.create(job=run.job, text=text[:500])


def drop_unfinished(job: Job) -> None:
    """A cancelled run keeps no half of its results; what was judged stays stored."""
    run = JudgeRun.objects.filter(pk=job.params["run"]).first()
    if run is not None:
        SummaryPresence.objects.filter(run=run).delete()
        RunChunk.objects.filter(run=run).delete()


def call_helpers(run: JudgeRun, number: int) -> None:
    """Tell so many workers of a run, at most one for each chunk that is left beside our own."""
    JudgeRun.objects.filter(pk=run.pk).update(told_at=clock.now())
    for __ in range(min(number, _count_left(run).chunks - 1)):
        enqueue_helper(run_id=run.pk)


def enqueue_helper(*, run_id: int) -> None:
    """A broker that is away costs time alone: the leader works on, and the sweep tells again."""
    from annotation.evaluation.tasks import work_on_run as task

    send_message(task, run_id)


def recall_helpers() -> list[int]:
    """Tell a worker again of every run that has chunks which nobody holds."""
    now = clock.now()
    free = RunChunk.objects.filter(run=OuterRef("pk")).claimable(now)
    stale = Q(told_at=None) | Q(told_at__lt=now - HELP_AGAIN_AFTER)
    running = JudgeRun.objects.filter(stale, is_ready=False, job__state=JobState.RUNNING)
    lonely = running.filter(Exists(free), identity__isnull=False)
    told = []
    for pk, told_at in lonely.values_list("pk", "told_at")[:100]:
        # Every worker sweeps; the first to move the hand tells.
        if JudgeRun.objects.filter(pk=pk, told_at=told_at).update(told_at=now):
            enqueue_helper(run_id=pk)
            told.append(pk)
    return told


KINDS[KIND] = JobKind(run_judging, undo=drop_unfinished, can_pause=True, is_long=True)
SWEEPS.append(recall_helpers)
