"""Runs as their pages and REST tell of them: the list, one run, how far it is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Count, Min, QuerySet, Sum

from annotation import clock
from annotation.corpora.models import Project
from annotation.errors import DomainError, NotFound
from annotation.evaluation.models import ChunkState, JudgeRun, RunChunk
from annotation.translation import gettext as _

# The pace is that of the last while: workers come and go.
PACE_OVER = timedelta(seconds=60)


def list_runs(project: Project) -> QuerySet[JudgeRun]:
    return JudgeRun.objects.filter(project=project).select_related(
        "project", "unit_set", "identity", "job__project", "created_by"
    )


def get_run(project: Project, pk: int) -> JudgeRun:
    found = list_runs(project).filter(pk=pk).first()
    if found is None:
        raise NotFound(_("The project has no run {pk}.").format(pk=pk))
    return found


def get_ready_run(project: Project, pk: int) -> JudgeRun:
    found = get_run(project, pk)
    if not found.is_ready:
        raise DomainError(
            _("{found} has not finished.").format(found=found),
            _("Wait for it, or resume it."),
            fix=found,
        )
    return found


def find_same_run(run: JudgeRun) -> JudgeRun | None:
    """The first run of the same units that found the same values, to the bit."""
    rows = JudgeRun.objects.filter(
        project=run.project_id,
        unit_set=run.unit_set_id,
        content_hash=run.content_hash,
        is_ready=True,
        pk__lt=run.pk,
    )
    return rows.order_by("pk").first()


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is; `rate` is pairs a second, of all workers together."""

    pairs: int
    total: int
    stored: int
    chunks: int
    all_chunks: int
    workers: int
    rate: float | None

    @property
    def percent(self) -> int:
        return int(100 * self.chunks / self.all_chunks) if self.all_chunks else 0

    @property
    def time_left(self) -> timedelta | None:
        if not self.rate or self.pairs >= self.total:
            return None
        return timedelta(seconds=(self.total - self.pairs) / self.rate)


def get_progress(run: JudgeRun) -> Progress:
    now = clock.now()
    rows = RunChunk.objects.filter(run=run)
    done = rows.filter(state=ChunkState.DONE)
    sums = done.aggregate(pairs=Sum("pairs"), stored=Sum("stored"), chunks=Count("pk"))
    held = rows.filter(state=ChunkState.CLAIMED, lease_until__gte=now)
    return Progress(
        pairs=sums["pairs"] or 0,
        total=run.counts["pairs"],
        stored=sums["stored"] or 0,
        chunks=sums["chunks"],
        all_chunks=rows.count(),
        workers=held.count() if run.is_moving else 0,
        rate=_pace(done, now) if run.is_moving else None,
    )


def _pace(done: QuerySet[RunChunk], now: Any) -> float | None:
    """Over the last while, from the moment its first chunk was begun."""
    late = done.filter(done_at__gte=now - PACE_OVER)
    seen = late.aggregate(pairs=Sum("pairs"), first=Min("done_at"))
    if not seen["pairs"]:
        return None
    first = late.order_by("done_at")[0]
    began = seen["first"] - timedelta(seconds=first.seconds)
    elapsed = (now - began).total_seconds()
    return float(seen["pairs"] / elapsed) if elapsed > 0 else None
