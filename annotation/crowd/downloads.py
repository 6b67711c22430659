"""A campaign's batch file as the answer to a request; pages and REST send the same."""

from __future__ import annotations

import re

from django.http import StreamingHttpResponse

from annotation.corpora.services import record_export
from annotation.crowd.models import Campaign
from annotation.crowd.selectors.offline import export_batch_csv
from annotation.headers import attach_as


def batch_response(campaign: Campaign) -> StreamingHttpResponse:
    lines = (line.encode() for line in export_batch_csv(campaign))
    what = f"the batch of {campaign.name}"
    record_export(project=campaign.project, what=what, format="csv", target=campaign)
    response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
    plain = re.sub(r"[^A-Za-z0-9._ -]", "-", campaign.name)
    name = f"{campaign.project.slug}-{plain}-batch.csv"
    attach_as(response, name)
    return response
