"""Which summary and which HIT a row of a results file is about, found by its texts."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from annotation.corpora.models import Summary
from annotation.crowd.models import Campaign
from annotation.translation import gettext as _
from annotation.units.models import Unit, UnitSet
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
