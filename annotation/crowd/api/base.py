"""What every REST view of a campaign begins with."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request

from annotation.corpora.api.base import ERROR, ProjectView, Schema
from annotation.crowd.models import Campaign
from annotation.crowd.selectors.campaigns import get_campaign
from annotation.errors import Invalid
from annotation.translation import gettext as _

# What a call that goes on to the provider may also answer.
PROVIDER = {502: ERROR}


class BodySchema(Schema):
    """Of a call that needs a body, though no field of it is needed in every case."""

    def _get_request_body(self, direction: Any = "request") -> dict[str, Any] | None:
        body: dict[str, Any] | None = super()._get_request_body(direction)
        return {**body, "required": True} if body else None


class CampaignView(ProjectView):
    def campaign(self, pk: int) -> Campaign:
        return get_campaign(self.project, pk, counted=True)


def read_state(request: Request, known: list[str]) -> str:
    """The query's `state`, if there is one."""
    state = request.query_params.get("state", "")
    if "state" in request.query_params and state not in known:
        raise Invalid(_("state: expected one of {known}.").format(known=", ".join(known)))
    return state
