"""What the project's overview says of its campaigns, and what is next in them."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from django.db.models import Exists, F, OuterRef, Q, Sum
from django.urls import reverse

from annotation.access import ProjectAccess
from annotation.corpora.models import Job, JobState, Project
from annotation.corpora.selectors.jobs import ABOUT, ORIGINS, OUTCOMES, About, Subject
from annotation.corpora.selectors.projects import STAGES, NextStep, Stage
from annotation.crowd.models import (
    Campaign,
    CampaignState,
    Hit,
    Intent,
    IntentKind,
    Outcome,
)
from annotation.crowd.selectors.offline import list_frozen_sets
from annotation.crowd.selectors.sums import list_counts, list_places, sum_places
from annotation.translation import gettext as _
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
