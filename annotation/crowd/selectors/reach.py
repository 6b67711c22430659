"""How many known workers qualify for a campaign, and why the others don't."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from annotation.corpora.models import Membership
from annotation.crowd.market.eligibility import Standing, get_names, is_met
from annotation.crowd.models import (
    Campaign,
    ProviderName,
    Qualification,
    QualificationType,
    RequesterTie,
    Worker,
    WorkerAccount,
    WorkerBlock,
)
from annotation.crowd.requirements import describe_requirement
from annotation.crowd.selectors.requesters import find_payer
from annotation.translation import gettext as _
from annotation.translation import ngettext


@dataclass(frozen=True, slots=True)
class Block:
    """A reason, and how many workers it keeps out; several may keep out the same one."""

    reason: str
    workers: int


@dataclass(frozen=True, slots=True)
class Reach:
    """The workers of the marketplace, those of them who qualify, and what blocks the rest."""

    known: int
    qualified: int
    blocks: list[Block]
    # Those who only have to pass a test before, which they may take.
    testable: int = 0

    @property
    def words(self) -> str:
        return ngettext(
            "{qualified:,} of {known:,} known worker qualifies.",
            "{qualified:,} of {known:,} known workers qualify.",
            self.known,
        ).format(qualified=self.qualified, known=self.known)


def get_reach(campaign: Campaign) -> Reach | None:
    """Only of our own marketplace: no other crowd says who its workers are."""
    if campaign.provider != ProviderName.MARKETPLACE:
        return None
    workers = list(WorkerAccount.objects.select_related("user").order_by("pk"))
    held: dict[int, dict[str, int]] = defaultdict(dict)
    rows = Qualification.objects.filter(is_granted=True)
    fields = ("worker_id", "type__qualification_type_id", "value")
    for pk, name, value in rows.values_list(*fields):
        held[pk][name] = value
    barred = _Barred(campaign)
    names = get_names(row["QualificationTypeId"] for row in campaign.requirements)
    wanted = [(row, describe_requirement(row, names)) for row in campaign.requirements]
    tests = list_tests(names)
    blocks: Counter[str] = Counter()
    qualified = testable = 0
    for worker in workers:
        standing = Standing(worker, held[worker.pk])
        unmet = [row for row in wanted if not is_met(row[0], standing)]
        others = list(barred.list_reasons(worker))
        to_pass = {row["QualificationTypeId"] for row, __ in unmet} & tests - standing.held.keys()
        reasons = [*others, *(_describe_lack(row, words, names, tests) for row, words in unmet)]
        qualified += not reasons
        testable += bool(reasons) and not others and len(to_pass) == len(unmet)
        blocks.update(reasons)
    found = [Block(*item) for item in blocks.most_common()]
    return Reach(len(workers), qualified, found, testable)


def list_tests(type_ids: Iterable[str]) -> set[str]:
    """Those of these types that a worker gets by a test which is scored at once."""
    rows = QualificationType.objects.filter(
        qualification_type_id__in=list(type_ids), is_active=True, is_deleted=False
    )
    scored = rows.exclude(test="").exclude(answer_key="")
    return set(scored.values_list("qualification_type_id", flat=True))


def _describe_lack(
    row: dict[str, Any], words: str, names: Mapping[str, str], tests: set[str]
) -> str:
    type_id = row["QualificationTypeId"]
    if type_id in tests:
        return _("hasn't passed the test “{names}”").format(names=names[type_id])
    return _("doesn't meet “{words}”").format(words=words)


def list_requirements(campaign: Campaign) -> list[str]:
    """The campaign's requirements in words."""
    names = get_names(row["QualificationTypeId"] for row in campaign.requirements)
    return [describe_requirement(row, names) for row in campaign.requirements]


class _Barred:
    """What excludes people, whatever they have done."""

    def __init__(self, campaign: Campaign) -> None:
        payer = find_payer(campaign)
        members = Membership.objects.filter(project=campaign.project)
        ties = RequesterTie.objects.filter(requester=payer)
        people = [rows.values_list("user_id", flat=True) for rows in (members, ties)]
        self._own = {pk for ids in people for pk in ids}
        blocked = WorkerBlock.objects.filter(requester=payer)
        self._blocked = set(blocked.values_list("worker_id", flat=True))
        mine = Worker.objects.filter(project=campaign.project, provider=campaign.provider)
        excluded = mine.filter(excluded_at__isnull=False)
        self._excluded = set(excluded.values_list("provider_id", flat=True))
        earlier = mine.filter(assignments__isnull=False) if campaign.exclude_earlier_workers else []
        self._earlier = {row.provider_id for row in earlier}

    def list_reasons(self, worker: WorkerAccount) -> Iterator[str]:
        if worker.is_suspended or not worker.user.is_active:
            yield _("is suspended or deactivated")
        if worker.user_id in self._own:
            yield _("is a member of this project or manages its money")
        if worker.pk in self._blocked:
            yield _("is blocked by the requester")
        if worker.worker_id in self._excluded:
            yield _("is excluded from this project")
        if worker.worker_id in self._earlier:
            yield _("worked in an earlier campaign")
