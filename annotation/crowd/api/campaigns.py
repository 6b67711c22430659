"""REST: campaigns and their settings, and what publishing would cost."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpora.api.base import ProjectView, page_of
from annotation.corpora.api.parameters import PAGED
from annotation.corpora.models import KeyScope, Role
from annotation.crowd import services
from annotation.crowd.api.base import PROVIDER, CampaignView
from annotation.crowd.api.requests import (
    CampaignFields,
    DuplicateSerializer,
    NewCampaignSerializer,
    NewQualificationTestSerializer,
    PreviewSerializer,
)
from annotation.crowd.api.serializers import (
    BeforeAfterSerializer,
    CampaignSerializer,
    CostSerializer,
    PaceSerializer,
    PresetSerializer,
    QualificationMadeSerializer,
)
from annotation.crowd.presets import PRESETS
from annotation.crowd.selectors import campaigns as selectors
from annotation.crowd.selectors.cleaning import list_both, list_shown_summaries
from annotation.crowd.selectors.reach import get_reach
from annotation.units.selectors.studio import get_set


def plain(values: dict[str, Any]) -> dict[str, Any]:
    """Validated settings as the services take and keep them: nested ones as plain dicts."""
    return {name: _plain(value) for name, value in values.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return plain(value)
    return [_plain(row) for row in value] if isinstance(value, list) else value


class Campaigns(CampaignView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="list_campaigns",
        parameters=PAGED,
        responses={200: page_of(CampaignSerializer)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """Campaigns, newest first."""
        return self.paged(selectors.list_counted_campaigns(self.project), CampaignSerializer)

    @extend_schema(
        operation_id="create_campaign",
        request=NewCampaignSerializer,
        responses={201: CampaignSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Create a draft campaign for a frozen unit set; a preset sets everything not given."""
        form = NewCampaignSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        values = plain(dict(form.validated_data))
        campaign = services.create_campaign(
            project=self.project,
            user=self.user,
            unit_set=get_set(self.project, values.pop("unit_set")),
            **values,
        )
        return Response(CampaignSerializer(self.campaign(campaign.pk)).data, status=201)


class CampaignDetail(CampaignView):
    roles = {"PATCH": Role.EDITOR, "DELETE": Role.OWNER}

    @extend_schema(operation_id="get_campaign", responses={200: CampaignSerializer})
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """One campaign with its settings."""
        return Response(CampaignSerializer(self.campaign(pk)).data)

    @extend_schema(
        operation_id="update_campaign",
        request=CampaignFields(partial=True),
        responses={200: CampaignSerializer},
    )
    def patch(self, request: Request, slug: str, pk: int) -> Response:
        """Change a draft. After publishing, editors can change only the name.

        The budget, bonus reserve, wage floor and approval rule then need an owner and a key with
        the scope `pay`.
        """
        form = CampaignFields(data=request.data, partial=True)
        form.is_valid(raise_exception=True)
        values = plain(dict(form.validated_data))
        services.update_campaign(
            campaign=self.campaign(pk),
            user=self.user,
            may_pay=self.has_scope(KeyScope.PAY),
            **values,
        )
        return Response(CampaignSerializer(self.campaign(pk)).data)

    @extend_schema(operation_id="delete_campaign", responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Delete a draft, or a campaign created from files that no labels or samples use."""
        services.delete_campaign(campaign=self.campaign(pk), user=self.user)
        return Response(status=204)


class DuplicateCampaign(CampaignView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="duplicate_campaign",
        request=DuplicateSerializer,
        responses={201: CampaignSerializer},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Create a draft with the same settings."""
        form = DuplicateSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        made = services.duplicate_campaign(
            campaign=self.campaign(pk), user=self.user, **form.validated_data
        )
        return Response(CampaignSerializer(self.campaign(made.pk)).data, status=201)


class QualificationTest(CampaignView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="create_qualification_test",
        request=NewQualificationTestSerializer,
        responses={201: QualificationMadeSerializer} | PROVIDER,
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Create an automatically scored test with the draft's provider and require it."""
        form = NewQualificationTestSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        values = plain(dict(form.validated_data))
        items = [services.QualificationItem(**row) for row in values.pop("items")]
        made = services.create_qualification_test(
            campaign=self.campaign(pk), user=self.user, items=items, **values
        )
        return Response({"qualification_type_id": made}, status=201)


class CampaignCost(CampaignView):
    @extend_schema(operation_id="get_campaign_cost", responses={200: CostSerializer} | PROVIDER)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """The maximum cost of publishing, the expected wage, obstacles and warnings."""
        campaign = self.campaign(pk)
        cost = services.estimate_cost(campaign)
        names = ("summaries", "hits", "assignments", "statements", "rewards", "fees")
        said = {name: getattr(cost, name) for name in (*names, "bonus_reserve", "total")}
        said["expected_wage"] = services.expected_wage(campaign, cost)
        said["workers"] = get_reach(campaign)
        said["obstacles"] = services.list_obstacles(campaign)
        said["warnings"] = services.list_warnings(campaign)
        return Response(CostSerializer(said).data)


class PreviewCleaning(CampaignView):
    @extend_schema(
        operation_id="preview_cleaning",
        parameters=PAGED,
        responses={200: page_of(BeforeAfterSerializer)},
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Summaries before and after cleaning, as workers see them.

        For a draft, all its summaries, with all rules if none are chosen; after publishing, those
        that HITs show differently. `after` is empty if nothing changes.
        """
        campaign = self.campaign(pk)
        return self.paged(
            list_shown_summaries(campaign),
            BeforeAfterSerializer,
            load=lambda rows: list_both(campaign, rows),
        )


class Presets(ProjectView):
    @extend_schema(
        operation_id="list_presets", parameters=PAGED, responses={200: page_of(PresetSerializer)}
    )
    def get(self, request: Request, slug: str) -> Response:
        """Presets: settings of published studies."""
        rows = [
            {"name": name, "label": row.label, "detail": row.detail, "fields": row.fields}
            for name, row in PRESETS.items()
        ]
        return self.paged(rows, PresetSerializer)


class TimedPreview(CampaignView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="record_preview", request=PreviewSerializer, responses={200: PaceSerializer}
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Record how long a team member took, to compute the expected wage."""
        form = PreviewSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        campaign = self.campaign(pk)
        services.record_preview(campaign=campaign, user=self.user, **form.validated_data)
        campaign.refresh_from_db()
        cost = services.estimate_cost(campaign)
        said = {
            "seconds_per_statement": campaign.seconds_per_statement,
            "expected_wage": services.expected_wage(campaign, cost),
        }
        return Response(PaceSerializer(said).data)
