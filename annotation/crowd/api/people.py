"""REST: the workers of a campaign."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpora.api.base import page_of
from annotation.corpora.api.parameters import PAGED
from annotation.corpora.models import KeyScope, Role
from annotation.crowd import services
from annotation.crowd.api.base import PROVIDER, CampaignView, read_state
from annotation.crowd.api.requests import (
    AnswerMessageSerializer,
    ExclusionSerializer,
    MessageSerializer,
)
from annotation.crowd.api.serializers import (
    QuestionSerializer,
    StandingSerializer,
    ToldSerializer,
    TopUpSerializer,
    WorkerSerializer,
)
from annotation.crowd.market.messages import answer_worker, mark_questions_read
from annotation.crowd.models import Campaign, Message, Worker
from annotation.crowd.selectors import messages
from annotation.crowd.selectors.campaigns import list_standings
from annotation.crowd.selectors.prices import price_top_ups
from annotation.crowd.selectors.review import list_workers
from annotation.errors import NotFound
from annotation.translation import gettext as _
from annotation.translation import gettext_lazy


def find_workers(campaign: Campaign, ids: list[int]) -> list[Worker]:
    """All of them, or an error that names the first who did not work here."""
    found = {row.pk: row for row in list_workers(campaign).filter(pk__in=ids)}
    if missing := sorted(set(ids) - set(found)):
        raise NotFound(
            _("workers: nobody with id {missing} worked in this campaign.").format(
                missing=missing[0]
            )
        )
    return list(found.values())


class Workers(CampaignView):
    @extend_schema(
        operation_id="list_campaign_workers",
        parameters=PAGED,
        responses={200: page_of(StandingSerializer)},
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Workers with volume, speed and agreement with the others; most assignments first."""
        return self.paged(list_standings(self.campaign(pk)), StandingSerializer)


class ExcludeWorker(CampaignView):
    roles = {"POST": Role.OWNER}

    @extend_schema(
        operation_id="exclude_worker",
        request=ExclusionSerializer,
        responses={200: WorkerSerializer} | PROVIDER,
    )
    def post(self, request: Request, slug: str, pk: int, worker: int) -> Response:
        """Exclude a worker from further work in the project; past work is still paid."""
        form = ExclusionSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        campaign = self.campaign(pk)
        [found] = find_workers(campaign, [worker])
        services.exclude_worker(
            campaign=campaign, worker=found, user=self.user, **form.validated_data
        )
        found.refresh_from_db()
        return Response(WorkerSerializer(found).data)


class IncludeWorker(CampaignView):
    roles = {"POST": Role.OWNER}

    @extend_schema(
        operation_id="include_worker",
        request=None,
        responses={200: WorkerSerializer} | PROVIDER,
    )
    def post(self, request: Request, slug: str, pk: int, worker: int) -> Response:
        """Re-admit an excluded worker."""
        campaign = self.campaign(pk)
        [found] = find_workers(campaign, [worker])
        services.include_worker(campaign=campaign, worker=found, user=self.user)
        found.refresh_from_db()
        return Response(WorkerSerializer(found).data)


class MessageWorkers(CampaignView):
    roles = {"POST": Role.OWNER}

    @extend_schema(
        operation_id="message_workers",
        request=MessageSerializer,
        responses={200: ToldSerializer} | PROVIDER,
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Message workers of the campaign; `failures` lists those not reached, and why."""
        form = MessageSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        campaign, values = self.campaign(pk), dict(form.validated_data)
        chosen = find_workers(campaign, values.pop("workers"))
        told = services.notify_workers(campaign=campaign, user=self.user, workers=chosen, **values)
        said = {"sent": len(chosen) - len(told.failures), "failures": told.failures}
        return Response(ToldSerializer(said).data)


class TopUp(CampaignView):
    roles = {"POST": Role.OWNER}
    scopes = {"POST": KeyScope.PAY}

    @extend_schema(operation_id="get_top_up", responses={200: TopUpSerializer})
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """The cost of topping up all workers to the wage floor."""
        return Response(TopUpSerializer(price_top_ups(self.campaign(pk))).data)

    @extend_schema(operation_id="top_up", request=None, responses={200: TopUpSerializer} | PROVIDER)
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Top up all workers to the wage floor, with one bonus each. This spends money."""
        campaign = self.campaign(pk)
        price = price_top_ups(campaign)
        services.top_up(campaign=campaign, user=self.user)
        return Response(TopUpSerializer(price).data)


class CampaignMessages(CampaignView):
    @extend_schema(
        operation_id="list_messages",
        parameters=[
            *PAGED,
            OpenApiParameter(
                "state", str, enum=["unread"], description=gettext_lazy("Only unread messages.")
            ),
        ],
        responses={200: page_of(QuestionSerializer)},
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Messages of workers about the campaign, newest first. `count` with `state=unread` is
        the number of unread messages. Listing them doesn't mark them as read.
        """
        rows = messages.list_inbox(messages.list_campaign_messages(self.campaign(pk)))
        if read_state(request, ["unread"]):
            rows = rows.filter(read_at=None)
        return self.paged(rows.select_related("worker"), QuestionSerializer)


class _OneMessage(CampaignView):
    roles = {"POST": Role.OWNER}

    def question(self, pk: int, message: int) -> Message:
        rows = messages.list_campaign_messages(self.campaign(pk))
        return messages.get_question(rows, message)


class ReadMessage(_OneMessage):
    @extend_schema(operation_id="read_message", request=None, responses={200: QuestionSerializer})
    def post(self, request: Request, slug: str, pk: int, message: int) -> Response:
        """Mark the message as read for everybody in the project."""
        question = self.question(pk, message)
        mark_questions_read(threads=[messages.Thread([question], None)])
        question.refresh_from_db()
        return Response(QuestionSerializer(question).data)


class AnswerMessage(_OneMessage):
    @extend_schema(
        operation_id="answer_message",
        request=AnswerMessageSerializer,
        responses={201: QuestionSerializer},
    )
    def post(self, request: Request, slug: str, pk: int, message: int) -> Response:
        """Answer the worker; their messages about this HIT are marked as read."""
        form = AnswerMessageSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        made = answer_worker(
            message=self.question(pk, message), user=self.user, **form.validated_data
        )
        return Response(QuestionSerializer(made).data, status=201)
