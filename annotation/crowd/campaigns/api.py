"""What every REST view of a campaign begins with.

- REST: campaigns and their settings, and what publishing would cost.
"""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpora.accounts.models import KeyScope
from annotation.corpora.projects.models import Role
from annotation.corpora.rest import ERROR, PAGED, ProjectView, Schema, page_of
from annotation.crowd.campaigns import planning, qualification_tests, queries, service, steps
from annotation.crowd.campaigns.live import list_both, list_shown_summaries
from annotation.crowd.campaigns.models import Campaign
from annotation.crowd.campaigns.overview import get_reach
from annotation.crowd.campaigns.presets import PRESETS
from annotation.crowd.campaigns.queries import get_campaign
from annotation.crowd.campaigns.requests import (
    CampaignFields,
    DuplicateSerializer,
    NewCampaignSerializer,
    NewQualificationTestSerializer,
    PreviewSerializer,
)
from annotation.crowd.campaigns.serializers import (
    BeforeAfterSerializer,
    CampaignSerializer,
    CostSerializer,
    PaceSerializer,
    PresetSerializer,
    QualificationMadeSerializer,
)
from annotation.errors import Invalid
from annotation.units.studio.queries import get_set

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
        return self.paged(queries.list_counted_campaigns(self.project), CampaignSerializer)

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
        campaign = service.create_campaign(
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
        service.update_campaign(
            campaign=self.campaign(pk),
            user=self.user,
            may_pay=self.has_scope(KeyScope.PAY),
            **values,
        )
        return Response(CampaignSerializer(self.campaign(pk)).data)

    @extend_schema(operation_id="delete_campaign", responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Delete a draft, or a campaign created from files that no labels or samples use."""
        service.delete_campaign(campaign=self.campaign(pk), user=self.user)
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
        made = service.duplicate_campaign(
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
        items = [qualification_tests.QualificationItem(**row) for row in values.pop("items")]
        made = qualification_tests.create_qualification_test(
            campaign=self.campaign(pk), user=self.user, items=items, **values
        )
        return Response({"qualification_type_id": made}, status=201)


class CampaignCost(CampaignView):
    @extend_schema(operation_id="get_campaign_cost", responses={200: CostSerializer} | PROVIDER)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """The maximum cost of publishing, the expected wage, obstacles and warnings."""
        campaign = self.campaign(pk)
        cost = planning.estimate_cost(campaign)
        names = ("summaries", "hits", "assignments", "statements", "rewards", "fees")
        said = {name: getattr(cost, name) for name in (*names, "bonus_reserve", "total")}
        said["expected_wage"] = planning.expected_wage(campaign, cost)
        said["workers"] = get_reach(campaign)
        said["obstacles"] = steps.list_obstacles(campaign)
        said["warnings"] = steps.list_warnings(campaign)
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
        service.record_preview(campaign=campaign, user=self.user, **form.validated_data)
        campaign.refresh_from_db()
        cost = planning.estimate_cost(campaign)
        said = {
            "seconds_per_statement": campaign.seconds_per_statement,
            "expected_wage": planning.expected_wage(campaign, cost),
        }
        return Response(PaceSerializer(said).data)
