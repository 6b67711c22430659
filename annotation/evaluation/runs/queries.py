"""What a run would do: how many pairs, how many of them are stored, how long the rest takes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, NoReturn

import numpy as np
from django.db.models import Count, Min, Q, QuerySet, Sum
from django.utils.translation import gettext as _

from annotation import clock
from annotation.computed import Computed
from annotation.corpora.corpus.models import System
from annotation.corpora.corpus.queries import list_sources
from annotation.corpora.projects.models import Project
from annotation.corpora.targets import new_import
from annotation.errors import DomainError, NotFound
from annotation.evaluation.judges.offered import JudgeChoice
from annotation.evaluation.labels.scores import KEPT_SECONDS, ScoreRow, rank_systems
from annotation.evaluation.runs.models import (
    ChunkState,
    EmptySummaries,
    JudgeIdentity,
    JudgeRun,
    RunChunk,
    StoredVerdict,
    SummaryPresence,
)
from annotation.evaluation.runs.texts import (
    SummaryText,
    UnitText,
    check_systems,
    check_unit_set,
    choose_summaries,
    hash_text,
    list_summaries,
)
from annotation.evaluation.stored.queries import Stored
from annotation.units.sets.models import UnitSet
from scoring.judge import PRESETS
from scoring.pyramid import ScoreTable

# Of more pairs, reading the texts to find which are alike or stored would keep a page waiting.
MOST_LOOKED_UP = 50_000
LOOK_UP = 400
COUNTS = Computed("run-counts", dict[str, int], KEPT_SECONDS)


@dataclass(slots=True)
class Survey:
    """What is to be judged, every text checked: summaries with their pairs, in order."""

    summaries: list[tuple[int, int]] = field(default_factory=list)
    wanted: dict[bytes, set[bytes]] = field(default_factory=dict)
    systems: set[str] = field(default_factory=set)
    examples: set[int] = field(default_factory=set)
    empty: int = 0
    data_hash: str = ""

    @property
    def pairs(self) -> int:
        return sum(pairs for __, pairs in self.summaries)

    @property
    def distinct_pairs(self) -> int:
        """The same texts may stand in several summaries; they are judged once."""
        return sum(len(units) for units in self.wanted.values())

    def counts(self) -> dict[str, int]:
        return {
            "summaries": len(self.summaries),
            "systems": len(self.systems),
            "examples": len(self.examples),
            "pairs": self.pairs,
            "empty": self.empty,
        }


def survey_texts(
    project: Project,
    unit_set: UnitSet,
    systems: Sequence[str],
    empty: str,
    *,
    in_context: bool = False,
) -> Survey:
    """Read and check everything that a run would judge; what is wrong is named by its record."""
    units = check_unit_set(unit_set, in_context=in_context)
    names = check_systems(project, systems)
    survey, digest = Survey(), hashlib.sha256()
    for summary in list_summaries(unit_set, names):
        _take(survey, summary, units[summary.example], empty)
        row = [summary.example_key, summary.system, hash_text(summary.text).hex()]
        digest.update(json.dumps(row).encode() + b"\n")
    if not survey.summaries:
        _refuse_none(unit_set)
    survey.data_hash = digest.hexdigest()
    return survey


def _take(survey: Survey, summary: SummaryText, units: Sequence[UnitText], empty: str) -> None:
    survey.systems.add(summary.system)
    survey.examples.add(summary.example)
    if not summary.is_empty:
        survey.summaries.append((summary.pk, len(units)))
        keys = survey.wanted.setdefault(hash_text(summary.text), set())
        keys.update(unit.key for unit in units)
        return
    if empty == EmptySummaries.REFUSE:
        raise DomainError(
            _("{system}’s summary of {example_key} is empty.").format(
                system=summary.system, example_key=summary.example_key
            ),
            _("Count the units of empty summaries as not present, or exclude the system."),
        )
    survey.empty += 1
    survey.summaries.append((summary.pk, 0))


@dataclass(frozen=True, slots=True)
class RunPlan:
    """`stored` is None where it isn't known before the judge is loaded, `distinct_pairs` where
    there are too many texts to read for a page; `rate` is pairs per second of one worker."""

    counts: dict[str, int]
    distinct_pairs: int | None
    stored: int | None
    rate: float | None

    @property
    def to_judge(self) -> int:
        most = self.counts["pairs"] if self.distinct_pairs is None else self.distinct_pairs
        return most - (self.stored or 0)

    @property
    def seconds(self) -> float | None:
        return self.to_judge / self.rate if self.rate else None


def plan_run(
    *,
    project: Project,
    unit_set: UnitSet,
    systems: Sequence[str],
    choice: JudgeChoice,
    options: Mapping[str, Any],
) -> RunPlan:
    """Empty summaries are counted, whatever is to be done with them."""
    before = _last_run(project, choice, options)
    identity = before.identity if before else None
    rate = before.figures.get("pairs_per_second") if before else None
    counts = count_pairs(project, unit_set, systems)
    if counts["pairs"] > MOST_LOOKED_UP:
        return RunPlan(counts, None, None, rate)
    survey = survey_texts(
        project,
        unit_set,
        systems,
        EmptySummaries.ABSENT,
        in_context=identity is not None and identity.reads_context,
    )
    stored = count_stored(identity, survey.wanted) if identity else None
    return RunPlan(survey.counts(), survey.distinct_pairs, stored, rate)


def count_pairs(project: Project, unit_set: UnitSet, systems: Sequence[str]) -> dict[str, int]:
    """As `Survey.counts`, without a text: neither frozen units nor an import's texts change."""
    names = check_systems(project, systems)
    ids = project.systems.filter(name__in=names).values_list("pk", flat=True).order_by("pk")
    parts = (unit_set.pk, unit_set.content_hash, *list_sources(project), "of", *ids)
    found = COUNTS.get(parts, lambda: _count_pairs(unit_set, names))
    return found if found["summaries"] else _refuse_none(unit_set)


def _count_pairs(unit_set: UnitSet, names: Sequence[str]) -> dict[str, int]:
    units = {example: len(rows) for example, rows in check_unit_set(unit_set).items()}
    rows = choose_summaries(unit_set, names).order_by()
    is_empty = Q(text="") | Q(text__regex=r"^\s+$")
    by_example = list(
        rows.values_list("example_id").annotate(Count("pk"), empty=Count("pk", filter=is_empty))
    )
    return {
        "summaries": sum(number for __, number, __ in by_example),
        "systems": rows.values("system").distinct().count(),
        "examples": len(by_example),
        "pairs": sum(units[example] * (number - empty) for example, number, empty in by_example),
        "empty": sum(empty for *__, empty in by_example),
    }


def _refuse_none(unit_set: UnitSet) -> NoReturn:
    raise DomainError(
        _("There are no summaries of examples with units in {unit_set}.").format(unit_set=unit_set),
        _("Import summaries, or choose another unit set or other systems."),
        fix=new_import(unit_set.project),
    )


def _last_run(project: Project, choice: JudgeChoice, options: Mapping[str, Any]) -> JudgeRun | None:
    """The last run of this judge that was loaded; a preset is the same in every project."""
    rows = JudgeRun.objects.filter(judge=choice.name, options=options, identity__isnull=False)
    if choice.name not in PRESETS:
        rows = rows.filter(project=project)
    measured = rows.filter(figures__has_key="pairs_per_second").select_related("identity").first()
    return measured or rows.select_related("identity").first()


def count_stored(identity: JudgeIdentity, wanted: Mapping[bytes, Collection[bytes]]) -> int:
    """How many of the pairs this judge has judged before, in whichever study."""
    rows = find_stored(identity, list(wanted), "summary_key", "unit_key")
    return sum(bytes(unit) in wanted[bytes(summary)] for summary, unit in rows)


def find_stored(
    identity: JudgeIdentity, summaries: Sequence[bytes], *fields: str
) -> Iterator[tuple[Any, ...]]:
    """Stored verdicts on these summaries, by their keys."""
    for start in range(0, len(summaries), LOOK_UP):
        rows = StoredVerdict.objects.filter(
            identity=identity, summary_key__in=summaries[start : start + LOOK_UP]
        )
        yield from rows.values_list(*fields).iterator(chunk_size=5000)


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


READ_CHUNK = 2000
ROWS = Stored("run-scores", list[ScoreRow], KEPT_SECONDS)


def list_presences(run: JudgeRun) -> QuerySet[SummaryPresence]:
    """Summaries in the order of the corpus, then by system."""
    return SummaryPresence.objects.filter(run=run).order_by(
        "summary__example__position", "summary__example_id", "summary__system__name"
    )


def get_run_table(run: JudgeRun) -> ScoreTable:
    """A score for each system and example; nan where the system wrote no summary."""
    fields = ("summary__example__key", "summary__system__name", "score")
    cells = list(list_presences(run).values_list(*fields).iterator(READ_CHUNK))
    documents = list(dict.fromkeys(example for example, __, __ in cells))
    systems = sorted({system for __, system, __ in cells})
    columns = {name: code for code, name in enumerate(documents)}
    places = {name: code for code, name in enumerate(systems)}
    scores = np.full((len(systems), len(documents)), np.nan)
    for example, system, score in cells:
        scores[places[system], columns[example]] = score
    return ScoreTable(tuple(systems), tuple(documents), scores, run.signature)


def list_run_scores(run: JudgeRun) -> list[ScoreRow]:
    """Systems from best to worst, with intervals from resampling examples; reckoned once."""
    return ROWS.get((run.pk, run.content_hash), lambda: _rank(run))


def keep_run_scores(run: JudgeRun) -> list[ScoreRow]:
    """In the run's job: what its pages show is there when it is ready."""
    return ROWS.keep((run.pk, run.content_hash), lambda: _rank(run))


def _rank(run: JudgeRun) -> list[ScoreRow]:
    kinds = System.objects.filter(project=run.project).values_list("name", "kind")
    return rank_systems(get_run_table(run), dict(kinds), seed=0)
