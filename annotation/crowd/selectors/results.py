"""All that came of a campaign, an assignment a row, in the columns of an MTurk batch."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from annotation.crowd.models import Assignment, Campaign, Hit
from annotation.crowd.services.bulk import list_bonuses
from annotation.errors import DomainError
from annotation.translation import gettext as _
from scoring.io.judgements import BatchResult, write_results

CHUNK = 500


def export_results_csv(campaign: Campaign) -> Iterator[str]:
    """The lines of the file, in the order in which the work came in."""
    rows = Assignment.objects.filter(campaign=campaign)
    if not rows.exists():
        raise DomainError(_("Nothing has been collected yet."), _("Wait for the first answers."))
    statements = Hit.objects.filter(campaign=campaign).values_list("statements", flat=True)
    slots = max(sum("unit" in row for row in some) for some in statements.iterator(CHUNK))
    return write_results(_results(campaign), slots)


def _results(campaign: Campaign) -> Iterator[BatchResult]:
    rows = Assignment.objects.filter(campaign=campaign).order_by("pk").defer("raw")
    bonuses: dict[int, Decimal] = {}
    for pk, amount, __ in list_bonuses(Assignment.objects.filter(campaign=campaign)):
        bonuses[pk] = bonuses.get(pk, Decimal(0)) + amount
    related = rows.select_related("hit__summary__example", "hit__summary__system", "worker")
    for row in related.iterator(CHUNK):
        yield _result(campaign, row, bonuses.get(row.pk))


def _result(campaign: Campaign, row: Assignment, bonus: Decimal | None) -> BatchResult:
    said = {"present": True, "absent": False}
    return BatchResult(
        hit_id=row.hit.provider_id,
        title=campaign.title,
        reward=f"{row.hit.reward:.2f}",
        assignment_id=row.provider_id,
        worker_id=str(row.worker or ""),
        status=row.state,
        key=row.hit.summary.example.key,
        system=row.hit.summary.system.name,
        summary=row.hit.shown_text,
        answers=[
            (item["text"], said.get(row.answers.get(item["key"], "")))
            for item in row.hit.statements
            if "unit" in item
        ],
        accepted_at=row.accepted_at,
        submitted_at=row.submitted_at,
        decided_at=row.decided_at,
        feedback=row.feedback,
        seconds=row.seconds,
        bonus="" if bonus is None else f"{bonus:.2f}",
        problem=row.problem,
        attention_asked=row.gold_asked,
        attention_right=row.gold_right,
        comment=row.comment,
    )
