"""Summaries before and after they were cleaned for workers, and where the two differ."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from django.db.models import QuerySet

from annotation.corpora.models import Project, Summary
from annotation.crowd.models import Campaign, Hit
from annotation.crowd.services.cleaning import clean_with
from annotation.crowd.services.planning import list_scope
from scoring.cleaning import KINDS, RULES

# Words and what stands between them: a difference is shown where it is, not as a line.
_PIECE = re.compile(r"\w+|\s+|[^\w\s]")

Stretch = tuple[str, bool]


@dataclass(frozen=True, slots=True)
class BeforeAfter:
    """A summary that workers read otherwise than it is stored.

    `kinds` count what was done, in words. They are empty where a HIT keeps a text that would be
    cleaned otherwise by now.
    """

    summary: Summary
    before: str
    after: str
    kinds: Mapping[str, int]

    @property
    def stretches(self) -> tuple[list[Stretch], list[Stretch]]:
        """Both texts in stretches, each with whether the other text has it otherwise."""
        return compare_texts(self.before, self.after)


def get_rules(campaign: Campaign) -> list[str]:
    """The campaign's own; of a draft that has none, all, to show what they would do."""
    has_hits = campaign.hits.exists()
    return list(campaign.cleaning) if campaign.cleaning or has_hits else list(RULES)


def list_shown_summaries(campaign: Campaign) -> QuerySet[Summary]:
    """What the page goes through: of a draft all its summaries, else those that were changed."""
    if campaign.hits.exists():
        changed = Hit.objects.filter(campaign=campaign, part=0).exclude(shown="")
        rows: QuerySet[Summary] = Summary.objects.filter(
            pk__in=changed.order_by().values("summary")
        )
    else:
        rows = list_scope(campaign)
    return rows.select_related("example", "system").order_by("example_id", "system_id")


def list_changed(
    project: Project,
    rules: Sequence[str],
    summaries: Sequence[Summary],
    kept: Mapping[int, str] | None = None,
) -> list[BeforeAfter]:
    """Those of some summaries that are read otherwise; *kept* are texts of HITs, by summary."""
    made = clean_with(project, rules, summaries)
    found = []
    for row in summaries:
        now = made.get(row.pk)
        after = kept.get(row.pk, "") if kept is not None else now.text if now else ""
        if after:
            kinds = now.kinds if now and now.text == after else {}
            words = {KINDS[kind]: count for kind, count in kinds.items()}
            found.append(BeforeAfter(row, row.text, after, words))
    return found


def list_before_after(campaign: Campaign, summaries: Sequence[Summary]) -> list[BeforeAfter]:
    """As workers see them: by the HITs that there are, else by the rules."""
    rules = get_rules(campaign)
    if not campaign.hits.exists():
        return list_changed(campaign.project, rules, summaries)
    hits = Hit.objects.filter(campaign=campaign, part=0, summary__in=summaries)
    kept = dict(hits.values_list("summary", "shown"))
    return list_changed(campaign.project, rules, summaries, kept)


def list_both(campaign: Campaign, summaries: Sequence[Summary]) -> list[BeforeAfter]:
    """All of some summaries; `after` is empty of those that workers read as they are stored."""
    changed = {row.summary.pk: row for row in list_before_after(campaign, summaries)}
    return [changed.get(row.pk) or BeforeAfter(row, row.text, "", {}) for row in summaries]


def compare_texts(before: str, after: str) -> tuple[list[Stretch], list[Stretch]]:
    one, other = _PIECE.findall(before), _PIECE.findall(after)
    left: list[Stretch] = []
    right: list[Stretch] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        is_other = tag != "equal"
        left += [("".join(one[i1:i2]), is_other)] if i2 > i1 else []
        right += [("".join(other[j1:j2]), is_other)] if j2 > j1 else []
    return left, right
