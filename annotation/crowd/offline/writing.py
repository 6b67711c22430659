"""Which summary and which HIT a row of a results file is about, found by its texts."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from itertools import islice
from typing import Any

from django.db.models import Count, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce, Greatest
from django.utils.translation import gettext as _

from annotation import clock
from annotation.corpora.bulk import insert_rows
from annotation.corpora.corpus.models import Summary
from annotation.crowd.campaigns.models import (
    Assignment,
    AssignmentState,
    Campaign,
    Hit,
    HitState,
    Judgement,
    ProviderName,
    Worker,
)
from annotation.units.sets.models import Unit, UnitSet
from scoring.io.judgements import JudgementRow

Statement = dict[str, Any]
# Examples whose texts are kept at hand; files of one system each come back to them in turn.
EXAMPLES_KEPT = 2000


class Mismatch(ValueError):
    """A row that fits nothing: (what is wrong, what was expected)."""


@dataclass(slots=True)
class HitPlan:
    """A HIT that rows belong to; without a `pk` it is still to be made."""

    summary: int
    statements: list[Statement]
    part: int = 0
    pk: int | None = None


@dataclass(frozen=True, slots=True)
class Matched:
    """A row, its HIT, and what it says about each of the HIT's statements, by key."""

    row: JudgementRow
    hit: HitPlan
    answers: dict[str, str]
    unanswered: list[int]


@dataclass(frozen=True, slots=True)
class _Example:
    """Summaries by system as (id, digest of the text), and the units."""

    summaries: dict[str, tuple[int, str]] = field(default_factory=dict)
    units: list[Statement] = field(default_factory=list)


class Matcher:
    """Matches rows one by one. `may_add` lets a row bring a HIT that the campaign lacks."""

    def __init__(self, unit_set: UnitSet, campaign: Campaign | None, *, may_add: bool) -> None:
        self.unit_set = unit_set
        self._may_add = may_add
        self._hits: dict[int, list[HitPlan]] = defaultdict(list)
        self._example = lru_cache(EXAMPLES_KEPT)(self._load_example)
        self._by_hit_id: dict[str, HitPlan] = {}
        # What workers read, where it was cleaned for them.
        self._shown: dict[int, str] = {}
        for hit in campaign.hits.order_by("part") if campaign else ():
            plan = HitPlan(hit.summary_id, hit.statements, hit.part, hit.pk)
            self._hits[hit.summary_id].append(plan)
            self._by_hit_id[hit.provider_id] = plan
            if hit.shown:
                self._shown[hit.summary_id] = digest(hit.shown)

    def match(self, row: JudgementRow) -> Matched:
        """Raises `Mismatch` if the row is about something that the project does not have."""
        example = self._example(row.key)
        summary = self._find_summary(row, example)
        texts = [item.text for item in row.statements]
        if not texts:
            raise Mismatch(_("The row has no statements."), _("at least one."))
        hit, statements = self._find_hit(row, summary, texts, example)
        if row.hit_id and self._by_hit_id.setdefault(row.hit_id, hit) is not hit:
            message = _("HIT {hit_id} has different statements in another row.").format(
                hit_id=row.hit_id
            )
            raise Mismatch(message, _("one summary and one list of statements per HIT."))
        pairs = list(zip(statements, row.statements, strict=True))
        return Matched(
            row,
            hit,
            {found["key"]: word(item.present) for found, item in pairs if item.present is not None},
            [item.slot for item in row.statements if item.present is None],
        )

    def _find_summary(self, row: JudgementRow, example: _Example) -> int:
        if not example.summaries:
            raise Mismatch(
                _("The project has no summary of example '{key}'.").format(key=row.key),
                _("an example that has summaries."),
            )
        wanted = digest(row.summary)
        named = example.summaries.get(row.system)
        if named and named[1] == wanted:
            return named[0]
        alike = [pk for pk, text in example.summaries.values() if text == wanted]
        if len(alike) == 1 and named is None:
            return alike[0]
        raise _summary_mismatch(row, is_known=named is not None, alike=len(alike))

    def _find_hit(
        self, row: JudgementRow, summary: int, texts: Sequence[str], example: _Example
    ) -> tuple[HitPlan, list[Statement]]:
        for hit in self._hits[summary]:
            found, missing = pair(texts, hit.statements)
            if not missing and len(texts) == len(hit.statements):
                return hit, found
        if not self._may_add:
            message = _("The campaign has no HIT like this one of '{system}' for '{key}'.").format(
                system=row.system, key=row.key
            )
            raise Mismatch(message, _("the statements of a HIT of the batch, word for word."))
        found, missing = pair(texts, example.units)
        if missing:
            message = _("Example '{key}' has no unit '{missing}' in {unit_set}.").format(
                key=row.key, missing=missing[0], unit_set=self.unit_set
            )
            raise Mismatch(message, _("the text of a unit, word for word."))
        return self._add_hit(summary, found)

    def _add_hit(self, summary: int, units: Sequence[Statement]) -> tuple[HitPlan, list[Statement]]:
        statements = [{"key": f"s{number}", **unit} for number, unit in enumerate(units, 1)]
        plan = HitPlan(summary, statements, part=len(self._hits[summary]))
        self._hits[summary].append(plan)
        return plan, statements

    def _load_example(self, key: str) -> _Example:
        rows = Summary.objects.live().filter(
            example__project=self.unit_set.project_id, example__key=key
        )
        units = Unit.objects.filter(set=self.unit_set, example__key=key, is_deleted=False).order_by(
            "position", "pk"
        )
        return _Example(
            {
                system: (pk, self._shown.get(pk) or digest(text))
                for pk, system, text in rows.values_list("pk", "system__name", "text")
            },
            [{"unit": pk, "text": text} for pk, text in units.values_list("pk", "text")],
        )


def _summary_mismatch(row: JudgementRow, *, is_known: bool, alike: int) -> Mismatch:
    if is_known:
        message = _("The summary of '{key}' by '{system}' differs from the project's.").format(
            key=row.key, system=row.system
        )
        return Mismatch(message, _("the summary that workers saw."))
    if alike:
        message = _("{alike} systems have this summary of '{key}', none called '{system}'.").format(
            alike=alike, key=row.key, system=row.system
        )
        return Mismatch(message, _("a systems.csv that names the system of this file."))
    message = _("No system is called '{system}', and none has this summary of '{key}'.").format(
        system=row.system, key=row.key
    )
    return Mismatch(message, _("a system of the project, or a systems.csv that names it."))


def pair(
    texts: Iterable[str], statements: Sequence[Statement]
) -> tuple[list[Statement], list[str]]:
    """A statement for each text, each used once; and the texts for which there is none."""
    free: dict[str, list[Statement]] = defaultdict(list)
    for statement in reversed(statements):
        free[collapse(statement["text"])].append(statement)
    found, missing = [], []
    for text in texts:
        candidates = free.get(collapse(text))
        if candidates:
            found.append(candidates.pop())
        else:
            missing.append(text)
    return found, missing


def collapse(text: str) -> str:
    """Without differences of white space, which spreadsheets and forms change."""
    return " ".join(text.split())


def digest(text: str) -> str:
    return hashlib.sha256(collapse(text).encode()).hexdigest()[:32]


def word(present: bool) -> str:
    return "present" if present else "absent"


CHUNK = 500


@dataclass(slots=True)
class Written:
    """What an import brought; `known` assignments were there before and stay as they are.

    They may be in another campaign about the same units: answers count once, however they came.
    """

    assignments: int = 0
    judgements: int = 0
    hits: int = 0
    known: int = 0


class KnownAnswers:
    """Which assignments about a unit set are there already, in this campaign or in another."""

    def __init__(self, unit_set: UnitSet, campaign: Campaign | None) -> None:
        self._here: set[str] = set()
        self._elsewhere: dict[tuple[str, int, str], int] = {}
        rows = Assignment.objects.filter(campaign__unit_set=unit_set)
        fields = ("campaign_id", "provider_id", "hit__summary_id", "worker__provider_id")
        for pk, identity, summary, worker in rows.values_list(*fields):
            if campaign is not None and pk == campaign.pk:
                self._here.add(identity)
            else:
                self._elsewhere[identity, summary, worker or ""] = pk

    def add(self, item: Matched) -> None:
        self._here.add(item.row.identity)

    def find_elsewhere(self, item: Matched) -> int | None:
        """Only another campaign that has these answers: the same assignment, summary, worker."""
        key = (item.row.identity, item.hit.summary, item.row.worker_id)
        return None if item.row.identity in self._here else self._elsewhere.get(key)

    def __contains__(self, item: Matched) -> bool:
        return item.row.identity in self._here or self.find_elsewhere(item) is not None


class Writer:
    """Writes into one campaign. Call inside a transaction."""

    def __init__(self, campaign: Campaign, *, count_blank: bool = False) -> None:
        self.campaign = campaign
        self.count_blank = count_blank
        self.written = Written()
        self._known = KnownAnswers(campaign.unit_set, campaign)

    def write(self, matches: Iterable[Matched]) -> None:
        for chunk in _chunks(self._new(matches)):
            self._make_hits(chunk)
            workers = self._find_workers(chunk)
            made = Assignment.objects.bulk_create(
                [self._assignment(item, workers.get(item.row.worker_id)) for item in chunk]
            )
            judgements = [
                (assignment.pk, unit, present)
                for assignment, item in zip(made, chunk, strict=True)
                for unit, present in _judgements(item)
            ]
            insert_rows(Judgement, ["assignment", "unit", "present"], judgements)
            self.written.assignments += len(made)
            self.written.judgements += len(judgements)

    def finish(self) -> None:
        """Count what each HIT has by now."""
        hits = Hit.objects.filter(campaign=self.campaign)
        decided = ~Q(state=AssignmentState.SUBMITTED)
        hits.update(collected=_count_assignments(), decided=_count_assignments(decided))
        siblings = Hit.objects.filter(campaign=self.campaign, summary=OuterRef("summary"))
        parts = siblings.order_by().values("summary").annotate(count=Count("pk")).values("count")
        hits.update(wanted=Greatest("wanted", "collected"), parts=Subquery(parts))

    def _new(self, matches: Iterable[Matched]) -> Iterator[Matched]:
        for item in matches:
            if item in self._known:
                self.written.known += 1
                continue
            self._known.add(item)
            yield item

    def _make_hits(self, chunk: Sequence[Matched]) -> None:
        missing = {id(item.hit): (item.hit, item.row.hit_id) for item in chunk if not item.hit.pk}
        rows = [self._hit(plan, hit_id) for plan, hit_id in missing.values()]
        for (plan, __), hit in zip(missing.values(), Hit.objects.bulk_create(rows), strict=True):
            plan.pk = hit.pk
        self.written.hits += len(rows)

    def _hit(self, plan: HitPlan, hit_id: str) -> Hit:
        return Hit(
            campaign=self.campaign,
            summary_id=plan.summary,
            part=plan.part,
            statements=plan.statements,
            reward=Decimal(0),
            wanted=0,
            state=HitState.CLOSED,
            provider_id=hit_id,
        )

    def _find_workers(self, chunk: Sequence[Matched]) -> dict[str, int]:
        ids = {item.row.worker_id for item in chunk} - {""}
        about: dict[str, Any] = {
            "project": self.campaign.project,
            "provider": ProviderName.OFFLINE,
        }
        Worker.objects.bulk_create(
            [Worker(provider_id=worker_id, **about) for worker_id in sorted(ids)],
            ignore_conflicts=True,
        )
        found = Worker.objects.filter(provider_id__in=ids, **about)
        return dict(found.values_list("provider_id", "pk"))

    def _assignment(self, item: Matched, worker: int | None) -> Assignment:
        row = item.row
        asked, right = _gold(item)
        if self.count_blank:
            asked, right = asked + len(row.blanks), right + row.blanks.count(False)
        assert item.hit.pk is not None
        return Assignment(
            campaign=self.campaign,
            hit_id=item.hit.pk,
            worker_id=worker,
            provider_id=row.identity,
            state=row.status,
            raw=row.raw,
            answers=item.answers,
            problem=_problem(item.unanswered),
            gold_asked=asked,
            gold_right=right,
            comment=row.comment,
            accepted_at=row.accepted_at,
            submitted_at=row.submitted_at,
            decided_at=row.decided_at,
            seconds=row.seconds,
            received_at=clock.now(),
        )


def _chunks(items: Iterator[Matched]) -> Iterator[list[Matched]]:
    while chunk := list(islice(items, CHUNK)):
        yield chunk


def _judgements(item: Matched) -> Iterator[tuple[int, bool]]:
    for statement in item.hit.statements:
        answer = item.answers.get(statement["key"])
        if answer is not None and "unit" in statement:
            yield statement["unit"], answer == "present"


def _gold(item: Matched) -> tuple[int, int]:
    """Attention items: how many were asked, and how many answered rightly."""
    known = [row for row in item.hit.statements if "gold" in row]
    right = [row for row in known if item.answers.get(row["key"]) == _wanted(row["gold"])]
    return len(known), len(right)


def _wanted(gold: bool) -> str:
    return "present" if gold else "absent"


def _problem(unanswered: Sequence[int]) -> str:
    listed = ", ".join(map(str, unanswered))
    return _("No answer to statement {listed}.").format(listed=listed)[:300] if unanswered else ""


def _count_assignments(where: Q | None = None) -> Coalesce:
    rows = Assignment.objects.filter(where or Q(), hit=OuterRef("pk")).order_by()
    counted = rows.values("hit").annotate(count=Count("pk")).values("count")
    return Coalesce(Subquery(counted), 0)
