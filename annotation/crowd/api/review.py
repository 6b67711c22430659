"""REST: HITs, assignments and the ledger."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpora.api.base import page_of
from annotation.corpora.api.parameters import PAGED
from annotation.corpora.models import Job, KeyScope, Role
from annotation.crowd import services
from annotation.crowd.api.base import PROVIDER, BodySchema, CampaignView, read_state
from annotation.crowd.api.requests import DECISIONS, REVIEW, SettlementSerializer
from annotation.crowd.api.serializers import (
    AssignmentSerializer,
    EntrySerializer,
    HitSerializer,
    ReviewedSerializer,
)
from annotation.crowd.models import AssignmentState, HitState
from annotation.crowd.selectors import campaigns as selectors
from annotation.crowd.selectors.hits import list_hits
from annotation.crowd.selectors.live import get_intent
from annotation.errors import NotFound
from annotation.translation import gettext as _


class Hits(CampaignView):
    @extend_schema(
        operation_id="list_campaign_hits",
        parameters=[OpenApiParameter("state", enum=HitState.values), *PAGED],
        responses={200: page_of(HitSerializer)},
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """The HITs of a campaign with their statements; a draft has none."""
        rows = list_hits(self.campaign(pk), state=read_state(request, HitState.values))
        return self.paged(rows, HitSerializer)


class Assignments(CampaignView):
    @extend_schema(
        operation_id="list_campaign_assignments",
        parameters=[OpenApiParameter("state", enum=AssignmentState.values), *PAGED],
        responses={200: page_of(AssignmentSerializer)},
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Submitted assignments, nearest deadline first."""
        state = read_state(request, AssignmentState.values)
        rows = selectors.list_assignments(self.campaign(pk), state=state)
        return self.paged(rows, AssignmentSerializer)


class ReviewAssignments(CampaignView):
    schema = BodySchema()
    roles = {"POST": Role.OWNER}
    scopes = {"POST": KeyScope.PAY}

    @extend_schema(
        operation_id="review_assignments",
        request=REVIEW,
        responses={200: ReviewedSerializer, 202: ReviewedSerializer} | PROVIDER,
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Approve, reject or pay a bonus; more than ten are decided by a job. Spends money."""
        values = _read_decision(request.data)
        done = services.review_assignments(
            campaign=self.campaign(pk),
            user=self.user,
            action=values["action"],
            ids=values["assignments"],
            text=values.get("text", ""),
            amount=Decimal(values["amount"]) if "amount" in values else None,
        )
        if isinstance(done, Job):
            return Response({"decided": None, "job": done.pk}, status=202)
        return Response({"decided": done, "job": None})


def _read_decision(data: Any) -> dict[str, Any]:
    """Each action takes a body of its own."""
    action = data.get("action") if isinstance(data, dict) else None
    if not isinstance(action, str) or action not in DECISIONS:
        raise ValidationError(
            {"action": _("Expected one of {decisions}.").format(decisions=", ".join(DECISIONS))}
        )
    form = DECISIONS[action](data=data)
    form.is_valid(raise_exception=True)
    return dict(form.validated_data)


class Ledger(CampaignView):
    @extend_schema(
        operation_id="list_ledger", parameters=PAGED, responses={200: page_of(EntrySerializer)}
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """The ledger: every intended payment and its outcome."""
        return self.paged(selectors.list_entries(self.campaign(pk)), EntrySerializer)


class SettleEntry(CampaignView):
    roles = {"POST": Role.OWNER}
    scopes = {"POST": KeyScope.PAY}

    @extend_schema(
        operation_id="settle_entry",
        request=SettlementSerializer,
        responses={200: EntrySerializer},
    )
    def post(self, request: Request, slug: str, pk: int, entry: int) -> Response:
        """Settle an open entry manually, after checking with the provider."""
        form = SettlementSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        campaign = self.campaign(pk)
        found = get_intent(campaign, entry)
        if found is None:
            raise NotFound(_("There is no such entry in the campaign's ledger."))
        values = {"note": "", **form.validated_data}
        services.settle_by_hand(intent=found, user=self.user, **values)
        return Response(EntrySerializer(selectors.list_entries(campaign).get(pk=entry)).data)
