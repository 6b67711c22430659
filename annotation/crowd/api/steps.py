"""REST: a campaign's steps and its live status."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpora.models import Job, Role
from annotation.crowd import services
from annotation.crowd.api.base import PROVIDER, BodySchema, CampaignView
from annotation.crowd.api.requests import ExtendSerializer, RecollectSerializer
from annotation.crowd.api.serializers import JobStartedSerializer, LiveSerializer
from annotation.crowd.models import Campaign
from annotation.crowd.selectors import campaigns as selectors


class CampaignLive(CampaignView):
    @extend_schema(operation_id="get_campaign_live", responses={200: LiveSerializer})
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """The live status: collected, agreement, wage and floor, spending and budget."""
        return Response(LiveSerializer(selectors.get_live(self.campaign(pk))).data)


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
        return self.started(campaign, services.publish_campaign(campaign=campaign, user=self.user))


class PauseCampaign(_Start):
    @extend_schema(
        operation_id="pause_campaign", request=None, responses={202: JobStartedSerializer}
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Pause: close open HITs until they are resumed."""
        campaign = self.campaign(pk)
        return self.started(campaign, services.pause_campaign(campaign=campaign, user=self.user))


class ResumeCampaign(_Start):
    @extend_schema(
        operation_id="resume_campaign", request=None, responses={202: JobStartedSerializer}
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Resume: open the HITs again."""
        campaign = self.campaign(pk)
        return self.started(campaign, services.resume_campaign(campaign=campaign, user=self.user))


class EndCampaign(_Start):
    @extend_schema(operation_id="end_campaign", request=None, responses={202: JobStartedSerializer})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """End: close all HITs for good and release the unused money."""
        campaign = self.campaign(pk)
        return self.started(campaign, services.end_campaign(campaign=campaign, user=self.user))


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
        job = services.extend_campaign(campaign=campaign, user=self.user, **form.validated_data)
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
        job = services.recollect_places(campaign=campaign, user=self.user, **form.validated_data)
        return self.started(campaign, job)


class CollectCampaign(CampaignView):
    roles = {"POST": Role.EDITOR}

    @extend_schema(
        operation_id="collect_campaign", request=None, responses={200: LiveSerializer} | PROVIDER
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Collect answers now instead of in the next round."""
        campaign = self.campaign(pk)
        services.collect_campaign(campaign=campaign)
        return Response(LiveSerializer(selectors.get_live(campaign)).data)
