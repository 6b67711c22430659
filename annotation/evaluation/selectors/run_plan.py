"""What a run would do: how many pairs, how many of them are stored, how long the rest takes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from django.db.models import Count, Q

from annotation.computed import Computed
from annotation.corpora.models import Project
from annotation.corpora.selectors.corpus import list_sources
from annotation.corpora.targets import new_import
from annotation.errors import DomainError
from annotation.evaluation.judges import JudgeChoice
from annotation.evaluation.models import EmptySummaries, JudgeIdentity, JudgeRun, StoredVerdict
from annotation.evaluation.selectors.run_texts import (
    SummaryText,
    UnitText,
    check_systems,
    check_unit_set,
    choose_summaries,
    hash_text,
    list_summaries,
)
from annotation.evaluation.selectors.scores import KEPT_SECONDS
from annotation.translation import gettext as _
from annotation.units.models import UnitSet
from scoring.judge import PRESETS

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
