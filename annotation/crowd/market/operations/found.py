"""What a request names, looked up among what is the requester's own."""

from __future__ import annotations

from annotation.crowd.market.errors import missing
from annotation.crowd.models import (
    Campaign,
    Hit,
    MarketAssignment,
    MarketHit,
    ProviderName,
    QualificationType,
    Requester,
    WorkerAccount,
)


def get_hit(requester: Requester, hit_id: str) -> MarketHit:
    rows = MarketHit.objects.select_related("hit_type")
    found: MarketHit | None = rows.filter(requester=requester, hit_id=hit_id).first()
    if found is None:
        raise missing("HIT", hit_id)
    return found


def belongs_to_campaign(requester: Requester, hit_id: str) -> bool:
    """Whether a campaign on this marketplace published it, even if it didn't note the id yet."""
    here = {"provider": ProviderName.MARKETPLACE, "project": requester.project_id}
    campaigns = Campaign.objects.filter(**here)
    if Hit.objects.filter(campaign__in=campaigns, provider_id=hit_id).exists():
        return True
    rows = MarketHit.objects.filter(requester=requester, hit_id=hit_id)
    said = rows.values_list("annotation", flat=True).first() or ""
    tokens = campaigns.values_list("token", flat=True) if said.startswith("giza:") else []
    return any(said.startswith(f"giza:{token.hex}:") for token in tokens)


def find_hit_id(requester: Requester, assignment_id: object) -> str | None:
    """Of which of the requester's HITs an assignment is, if it is of any."""
    if not isinstance(assignment_id, str):
        return None
    rows = MarketAssignment.objects.filter(hit__requester=requester, assignment_id=assignment_id)
    return rows.values_list("hit__hit_id", flat=True).first()


def get_worker(worker_id: str) -> WorkerAccount:
    found = WorkerAccount.objects.filter(worker_id=worker_id).first()
    if found is None:
        raise missing("Worker", worker_id)
    return found


def get_own_type(requester: Requester, type_id: str) -> QualificationType:
    """A qualification type that the requester made; only its owner may do anything with it."""
    found = QualificationType.objects.filter(
        requester=requester, qualification_type_id=type_id, is_deleted=False
    ).first()
    if found is None:
        raise missing("QualificationType", type_id)
    return found
