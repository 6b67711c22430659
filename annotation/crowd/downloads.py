"""A campaign's files as the answer to a request; pages and REST send the same."""

from __future__ import annotations

import re
from collections.abc import Iterator

from django.http import StreamingHttpResponse

from annotation.corpora.services import record_export
from annotation.crowd.models import Campaign
from annotation.crowd.selectors.offline import export_batch_csv
from annotation.crowd.selectors.results import export_results_csv
from annotation.headers import attach_as
from annotation.translation import gettext as _


def batch_response(campaign: Campaign) -> StreamingHttpResponse:
    return _respond(campaign, export_batch_csv(campaign), "batch")


def results_response(campaign: Campaign) -> StreamingHttpResponse:
    return _respond(campaign, export_results_csv(campaign), "results")


def _respond(campaign: Campaign, lines: Iterator[str], what: str) -> StreamingHttpResponse:
    about = _("the {what} of {campaign}").format(what=what, campaign=campaign.name)
    record_export(project=campaign.project, what=about, format="csv", target=campaign)
    response = StreamingHttpResponse(
        (line.encode() for line in lines), content_type="text/csv; charset=utf-8"
    )
    plain = re.sub(r"[^A-Za-z0-9._ -]", "-", campaign.name)
    attach_as(response, f"{campaign.project.slug}-{plain}-{what}.csv")
    return response
