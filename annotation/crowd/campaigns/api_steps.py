"""REST: a campaign's steps and its live status.

- REST: links by which workers join, and what campaigns may spend on the marketplace.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import require_staff
from annotation.corpora.accounts.models import KeyScope
from annotation.corpora.jobs.models import Job
from annotation.corpora.projects.models import Project, Role
from annotation.corpora.rest import PAGED, GizaView, ProjectView, Text, page_of
from annotation.crowd.campaigns import collecting, queries, recollecting, steps
from annotation.crowd.campaigns.api import PROVIDER, BodySchema, CampaignView
from annotation.crowd.campaigns.models import Campaign
from annotation.crowd.campaigns.requests import (
    Dollars,
    ExtendSerializer,
    RecollectSerializer,
    Strict,
    Written,
)
from annotation.crowd.campaigns.serializers import JobStartedSerializer, LiveSerializer, MoneyField
from annotation.crowd.market import money
from annotation.crowd.market.models_accounts import Requester, WorkerInvitation
from annotation.crowd.market.requesters import get_project_requester
from annotation.crowd.market.workers import invite_workers
from annotation.translation import gettext_lazy
from annotation.units.serializers import Whole


class CampaignLive(CampaignView):
    @extend_schema(operation_id="get_campaign_live", responses={200: LiveSerializer})
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """The live status: collected, agreement, wage and floor, spending and budget."""
        return Response(LiveSerializer(queries.get_live(self.campaign(pk))).data)


class _Start(CampaignView):
    """A step that is a job."""

    roles = {"POST": Role.OWNER}

    def started(self, campaign: Campaign, job: Job) -> Response:
        campaign.refresh_from_db()
        said = {"job": job.pk, "state": campaign.state}
        return Response(JobStartedSerializer(said).data, status=202)


class PublishCampaign(_Start):
    @extend_schema(
        operation_id="publish_campaign", request=None, responses={202: JobStartedSerializer}
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Publish all HITs, as a job. This spends money."""
        campaign = self.campaign(pk)
        return self.started(campaign, steps.publish_campaign(campaign=campaign, user=self.user))


class PauseCampaign(_Start):
    @extend_schema(
        operation_id="pause_campaign", request=None, responses={202: JobStartedSerializer}
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Pause: close open HITs until they are resumed."""
        campaign = self.campaign(pk)
        return self.started(campaign, steps.pause_campaign(campaign=campaign, user=self.user))


class ResumeCampaign(_Start):
    @extend_schema(
        operation_id="resume_campaign", request=None, responses={202: JobStartedSerializer}
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Resume: open the HITs again."""
        campaign = self.campaign(pk)
        return self.started(campaign, steps.resume_campaign(campaign=campaign, user=self.user))


class EndCampaign(_Start):
    @extend_schema(operation_id="end_campaign", request=None, responses={202: JobStartedSerializer})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """End: close all HITs for good and release the unused money."""
        campaign = self.campaign(pk)
        return self.started(campaign, steps.end_campaign(campaign=campaign, user=self.user))


class ExtendCampaign(_Start):
    schema = BodySchema()

    @extend_schema(
        operation_id="extend_campaign",
        request=ExtendSerializer,
        responses={202: JobStartedSerializer},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Add assignments per HIT, or systems or examples. This spends money."""
        form = ExtendSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        campaign = self.campaign(pk)
        job = steps.extend_campaign(campaign=campaign, user=self.user, **form.validated_data)
        return self.started(campaign, job)


class RecollectPlaces(_Start):
    @extend_schema(
        operation_id="recollect_places",
        request=RecollectSerializer,
        responses={202: JobStartedSerializer},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Collect one more assignment for each rejected or excluded one. Spends money."""
        form = RecollectSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        campaign = self.campaign(pk)
        job = recollecting.recollect_places(
            campaign=campaign, user=self.user, **form.validated_data
        )
        return self.started(campaign, job)


class CollectCampaign(CampaignView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="collect_campaign", request=None, responses={200: LiveSerializer} | PROVIDER
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Collect answers now instead of in the next round."""
        campaign = self.campaign(pk)
        collecting.collect_campaign(campaign=campaign)
        return Response(LiveSerializer(queries.get_live(campaign)).data)


class NewWorkerInvitationSerializer(Strict):
    uses = Whole(
        min_value=1,
        max_value=10_000,
        help_text=gettext_lazy("How many workers can join by the link."),
    )
    days = Whole(min_value=1, max_value=365, required=False, help_text=gettext_lazy("Default: 14."))
    note = Text(
        max_length=120,
        required=False,
        allow_blank=True,
        help_text=gettext_lazy("A note on whom it is for."),
    )


class WorkerInvitationSerializer(serializers.ModelSerializer[WorkerInvitation]):
    link = serializers.SerializerMethodField()

    class Meta:
        model = WorkerInvitation
        fields = ("id", "note", "uses_left", "link", "created_at", "expires_at")
        read_only_fields = fields

    def get_link(self, invitation: WorkerInvitation) -> str:
        path = reverse("crowd:work_join_invited", args=[invitation.token])
        return str(self.context["request"].build_absolute_uri(path))


class WorkerInvitations(ProjectView):
    roles = {"GET": Role.OWNER, "POST": Role.OWNER}
    # Whoever reads an open link can pass it on.
    scopes = {"GET": KeyScope.PAY, "POST": KeyScope.PAY}

    @extend_schema(
        operation_id="list_worker_invitations",
        parameters=PAGED,
        responses={200: page_of(WorkerInvitationSerializer)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """Open links for workers to join the marketplace."""
        rows = WorkerInvitation.objects.open().filter(project=self.project).order_by("-pk")
        return self.paged(rows, WorkerInvitationSerializer)

    @extend_schema(
        operation_id="invite_workers",
        request=NewWorkerInvitationSerializer,
        responses={201: WorkerInvitationSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Create a link for workers to join. They see HITs and nothing else from the project."""
        form = NewWorkerInvitationSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        values = {"days": 14, "note": "", **form.validated_data}
        made = invite_workers(user=self.user, project=self.project, **values)
        data = WorkerInvitationSerializer(made, context={"request": request}).data
        return Response(data, status=201)


class BudgetSerializer(serializers.Serializer[Any]):
    """`held` is reserved for published HITs; `available` can still be spent."""

    balance = MoneyField()
    held = MoneyField()
    available = MoneyField()


class Budget(ProjectView):
    @extend_schema(operation_id="get_budget", responses={200: BudgetSerializer})
    def get(self, request: Request, slug: str) -> Response:
        """The prepaid budget of the project's campaigns on the built-in marketplace."""
        found = Requester.objects.filter(project=self.project).first()
        return Response(BudgetSerializer(found or Requester()).data)


class DepositSerializer(Strict):
    project = Text(
        max_length=60, help_text=gettext_lazy("The slug of the project whose budget it is.")
    )
    amount = Dollars()
    note = Text(max_length=200, help_text=gettext_lazy("Source of the money."))
    key = Written(
        "^[A-Za-z0-9-]{1,40}$",
        gettext_lazy("letters, digits and hyphens"),
        required=False,
        help_text=gettext_lazy("An idempotency key: the amount is added only once per key."),
    )


class Deposits(GizaView):
    scopes = {"POST": KeyScope.PAY}

    @extend_schema(
        operation_id="deposit", request=DepositSerializer, responses={201: BudgetSerializer}
    )
    def post(self, request: Request) -> Response:
        """Record a prepaid amount for a project's campaigns. Staff only; transfers no money."""
        require_staff(self.user, money.STAFF_ONLY, money.ASK_STAFF)
        form = DepositSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        values = form.validated_data
        project = get_object_or_404(Project, slug=values["project"])
        requester = get_project_requester(project=project, user=self.user)
        money.deposit(
            requester=requester,
            amount=Decimal(values["amount"]),
            note=values["note"],
            user=self.user,
            key=f"deposit:{project.pk}:{values['key']}" if "key" in values else "",
        )
        requester.refresh_from_db()
        return Response(BudgetSerializer(requester).data, status=201)
