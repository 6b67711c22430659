"""A campaign as the input file of an MTurk batch, and what results files can be about."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import QuerySet

from annotation.corpora.models import Project
from annotation.crowd.models import Campaign, Hit, ProviderName
from annotation.errors import DomainError
from annotation.translation import gettext as _
from annotation.units.models import SetState, UnitSet
from scoring.io.judgements import SLOTS, BatchHit, write_batch

CHUNK = 500


def export_batch_csv(campaign: Campaign) -> Iterator[str]:
    """The lines of the file, a HIT a row; its results come back by `import_judgements`."""
    hits = Hit.objects.filter(campaign=campaign).order_by("pk")
    if not hits.exists():
        raise DomainError(
            _("The campaign has no HITs yet."), _("Publish the campaign to create its batch file.")
        )
    return write_batch(_batch_hits(hits), _count_slots(hits))


def _batch_hits(hits: QuerySet[Hit]) -> Iterator[BatchHit]:
    rows = hits.select_related("summary__example", "summary__system")
    for hit in rows.iterator(chunk_size=CHUNK):
        yield BatchHit(
            key=hit.summary.example.key,
            system=hit.summary.system.name,
            summary=hit.shown_text,
            statements=[(row["key"], row["text"]) for row in hit.statements],
        )


def _count_slots(hits: QuerySet[Hit]) -> int:
    """Attention items may make a HIT longer than REALSumm's sixteen."""
    statements = hits.values_list("statements", flat=True)
    return max(SLOTS, *(len(row) for row in statements.iterator(chunk_size=CHUNK)))


def list_frozen_sets(project: Project) -> QuerySet[UnitSet]:
    """Unit sets that judgements can be about."""
    return UnitSet.objects.filter(project=project, state=SetState.FROZEN, archived_at=None)


def list_batch_campaigns(project: Project) -> QuerySet[Campaign]:
    """Campaigns whose answers come as files."""
    rows = Campaign.objects.filter(project=project, provider=ProviderName.OFFLINE)
    return rows.select_related("unit_set")
