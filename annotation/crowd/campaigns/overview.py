"""What the project's overview says of its campaigns, and what is next in them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Sum
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.access import ProjectAccess
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.jobs.queries import ABOUT, ORIGINS, OUTCOMES, About, Subject
from annotation.corpora.projects.models import Membership, Project, Role
from annotation.corpora.projects.queries import STAGES, NextStep, Stage
from annotation.corpora.search.queries import Kind, Match, add_kinds, holding
from annotation.crowd.campaigns.models import (
    Campaign,
    CampaignState,
    Hit,
    Intent,
    IntentKind,
    Outcome,
    ProviderName,
    Worker,
)
from annotation.crowd.campaigns.presets import describe_requirement
from annotation.crowd.campaigns.sums import list_counts, list_places, sum_places
from annotation.crowd.market.accepting import Standing, get_names, is_met
from annotation.crowd.market.models_accounts import RequesterTie, WorkerAccount, WorkerBlock
from annotation.crowd.market.models_work import Qualification, QualificationType
from annotation.crowd.offline.service import list_frozen_sets
from annotation.crowd.requesters.queries import find_payer
from annotation.translation import gettext_lazy
from annotation.wording import counted

CAPTION = gettext_lazy("Workers judge which units are present")


def get_crowd_stage(project: Project) -> Stage:
    url = reverse("crowd:campaigns", args=[project.slug])
    campaigns = list(Campaign.objects.filter(project=project).only("pk", "token"))
    if not campaigns:
        is_ready = list_frozen_sets(project).exists()
        return Stage(_("Crowd"), _("None yet"), CAPTION, "current" if is_ready else "later", url)
    places = list_places(campaigns).values()
    wanted, collected = sum(row.wanted for row in places), sum(row.collected for row in places)
    figure = f"{collected:,} / {wanted:,}" if wanted else _("Draft")
    is_over = not list_unfinished(project)
    number = counted(len(campaigns), "campaign", "campaigns")
    return Stage(_("Crowd"), figure, number, "done" if is_over else "current", url)


def list_unfinished(project: Project) -> list[Campaign]:
    """Campaigns that are neither ended, nor have all that they want, collected and decided."""
    rows = Campaign.objects.filter(project=project).exclude(state=CampaignState.ENDED)
    hits = Hit.objects.filter(campaign=OuterRef("pk"))
    return list(rows.filter(~Exists(hits) | Exists(hits.filter(decided__lt=F("wanted")))))


def tell_next_step(campaign: Campaign, to_review: int) -> str:
    """What somebody would do next with a campaign, in two or three words."""
    if campaign.state == CampaignState.DRAFT:
        return _("Set up and publish")
    if campaign.state == CampaignState.PUBLISHING:
        return _("Wait until it is published")
    if to_review:
        return _("Review {to_review:,}").format(to_review=to_review)
    if campaign.state == CampaignState.PAUSED:
        return _("Resume or end")
    return "" if campaign.state == CampaignState.ENDED else _("Wait for workers")


def find_review_work(access: ProjectAccess) -> NextStep | None:
    """Submitted work that waits for a decision."""
    if not access.can_own:
        return None
    campaigns = list(Campaign.objects.filter(project=access.project).order_by("pk"))
    counts = list_counts(campaigns)
    first = next((row for row in campaigns if counts[row.pk].to_review), None)
    if first is None:
        return None
    return NextStep(
        _("{first}: {to_review:,} to review").format(
            first=first, to_review=counts[first.pk].to_review
        ),
        _("Approve or reject submitted work, or use the campaign's approval rule."),
        _("Review assignments"),
        reverse("crowd:review", args=[access.project.slug, first.pk]),
    )


def find_draft_campaign(access: ProjectAccess, since: datetime | None = None) -> NextStep | None:
    """A campaign to set up and publish; only one that was drafted after `since`."""
    drafts = Campaign.objects.filter(project=access.project, state=CampaignState.DRAFT)
    found = drafts.filter(created_at__gt=since).first() if since else drafts.first()
    if found is None or not access.can_edit:
        return None
    return NextStep(
        _("{found}: set up and publish").format(found=found),
        _("Choose what is judged, the pay and the worker requirements, and see the cost."),
        _("Open draft"),
        reverse("crowd:campaign", args=[access.project.slug, found.pk]),
    )


def find_first_campaign(access: ProjectAccess) -> NextStep | None:
    has_any = Campaign.objects.filter(project=access.project).exists()
    if has_any or not access.can_edit or not list_frozen_sets(access.project).exists():
        return None
    return NextStep(
        _("Have the units judged"),
        _("Your unit set is frozen. In a campaign, workers judge which units are in each summary."),
        _("Create campaign"),
        reverse("crowd:create_campaign", args=[access.project.slug]),
    )


def find_stopped_campaign(access: ProjectAccess, since: datetime | None = None) -> NextStep | None:
    """A campaign whose publication failed, or one made after `since` that is paused."""
    failed = Q(state=CampaignState.PUBLISHING, job__state=JobState.FAILED)
    paused = Q(state=CampaignState.PAUSED)
    if since:
        paused &= Q(created_at__gt=since)
    found = Campaign.objects.filter(failed | paused, project=access.project).first()
    if found is None or not access.can_own:
        return None
    is_paused = found.state == CampaignState.PAUSED
    return NextStep(
        _("{found} is paused").format(found=found)
        if is_paused
        else _("{found}: publishing failed").format(found=found),
        _("Resume or end it.")
        if is_paused
        else _("See the error and retry. Nothing is paid twice."),
        _("Open campaign"),
        reverse("crowd:campaign", args=[access.project.slug, found.pk]),
    )


def find_open_campaign(access: ProjectAccess) -> NextStep | None:
    """Nothing to do but wait for workers."""
    for found in list_unfinished(access.project):
        if found.state != CampaignState.LIVE:
            continue
        places = sum_places(found)
        return NextStep(
            _("{found}: {collected:,} of {wanted:,} assignments collected").format(
                found=found, collected=places.collected, wanted=places.wanted
            ),
            _("Workers are answering. Answers are collected automatically."),
            _("Open campaign"),
            reverse("crowd:campaign", args=[access.project.slug, found.pk]),
        )
    return None


def tell_review(job: Job) -> list[str]:
    """How many were decided, and what the ledger says was paid for it."""
    decided, refused = job.result.get("decided", 0), job.result.get("refused", 0)
    kinds = [IntentKind.BONUS] if job.params["action"] == "bonus" else [IntentKind.APPROVE]
    rows = Intent.objects.filter(
        campaign=job.params["campaign"],
        assignment__in=job.params["ids"],
        kind__in=kinds,
        created_at__gte=job.created_at,
        settlement__outcome=Outcome.DONE,
    )
    sums = rows.aggregate(amount=Sum("amount"), fee=Sum("fee"))
    paid = (sums["amount"] or Decimal(0)) + (sums["fee"] or Decimal(0))
    said = _("{assignments} decided").format(
        assignments=counted(decided, "assignment", "assignments")
    )
    said += _(", {refused:,} refused: see the log.").format(refused=refused) if refused else "."
    fees = _("including ${fee:,.2f} in fees").format(fee=sums["fee"] or 0)
    return [said, *([_("${paid:,.2f} paid, {fees}.").format(paid=paid, fees=fees)] if paid else [])]


def find_review(job: Job) -> Subject | None:
    url = reverse("crowd:review", args=[job.project.slug, job.params["campaign"]])
    return Subject(_("Back to review"), url)


STAGES["crowd"] = get_crowd_stage
OUTCOMES["review_assignments"] = tell_review
ORIGINS["review_assignments"] = find_review
ABOUT["campaign"] = About("crowd.Campaign", "crowd:campaign", gettext_lazy("Campaign"))


def _campaigns(project: Project, q: str) -> QuerySet[Campaign]:
    return Campaign.objects.filter(holding(q, "name", "title"), project=project).order_by("-pk")


def _workers(project: Project, q: str) -> QuerySet[Worker]:
    rows = Worker.objects.filter(holding(q, "provider_id", "note"), project=project)
    return rows.order_by("provider_id", "pk")


def _show_campaigns(project: Project, q: str, rows: list[Any]) -> list[Match]:
    return [
        Match(
            row.name,
            reverse("crowd:campaign", args=[project.slug, row.pk]),
            row.title,
            row.get_state_display().lower(),
        )
        for row in rows
    ]


def _show_workers(project: Project, q: str, rows: list[Any]) -> list[Match]:
    return [
        Match(
            row.provider_id,
            reverse("evaluation:worker", args=[project.slug, row.pk]),
            row.note,
            row.get_provider_display(),
        )
        for row in rows
    ]


add_kinds(
    Kind("campaigns", "campaign", "campaigns", _campaigns, _show_campaigns),
    # Others see a worker's number, which nobody searches for.
    Kind("workers", "worker", "workers", _workers, _show_workers, at_least=Role.EDITOR),
)


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
