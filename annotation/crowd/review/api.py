"""REST: HITs, assignments and the ledger.

- REST: the workers of a campaign.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpora.accounts.models import KeyScope
from annotation.corpora.jobs.models import Job
from annotation.corpora.projects.models import Role
from annotation.corpora.rest import PAGED, page_of
from annotation.crowd.campaigns import queries as campaigns_queries
from annotation.crowd.campaigns.api import PROVIDER, BodySchema, CampaignView, read_state
from annotation.crowd.campaigns.live import get_intent, price_top_ups
from annotation.crowd.campaigns.models import AssignmentState, Campaign, HitState, Worker
from annotation.crowd.campaigns.queries import list_standings
from annotation.crowd.campaigns.requests import (
    DECISIONS,
    REVIEW,
    AnswerMessageSerializer,
    ExclusionSerializer,
    MessageSerializer,
    SettlementSerializer,
)
from annotation.crowd.campaigns.serializers import (
    AssignmentSerializer,
    EntrySerializer,
    HitSerializer,
    QuestionSerializer,
    ReviewedSerializer,
    StandingSerializer,
    ToldSerializer,
    TopUpSerializer,
    WorkerSerializer,
)
from annotation.crowd.campaigns.sums import list_hits
from annotation.crowd.market.messages import answer_worker, mark_questions_read
from annotation.crowd.market.models_accounts import Message
from annotation.crowd.review import bulk, queries, service
from annotation.crowd.review.queries import list_workers
from annotation.errors import NotFound
from annotation.translation import gettext_lazy


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
        rows = campaigns_queries.list_assignments(self.campaign(pk), state=state)
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
        done = bulk.review_assignments(
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
        return self.paged(campaigns_queries.list_entries(self.campaign(pk)), EntrySerializer)


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
        service.settle_by_hand(intent=found, user=self.user, **values)
        return Response(
            EntrySerializer(campaigns_queries.list_entries(campaign).get(pk=entry)).data
        )


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
        bulk.exclude_worker(campaign=campaign, worker=found, user=self.user, **form.validated_data)
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
        bulk.include_worker(campaign=campaign, worker=found, user=self.user)
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
        told = bulk.notify_workers(campaign=campaign, user=self.user, workers=chosen, **values)
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
        bulk.top_up(campaign=campaign, user=self.user)
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
        rows = queries.list_inbox(queries.list_campaign_messages(self.campaign(pk)))
        if read_state(request, ["unread"]):
            rows = rows.filter(read_at=None)
        return self.paged(rows.select_related("worker"), QuestionSerializer)


class _OneMessage(CampaignView):
    roles = {"POST": Role.OWNER}

    def question(self, pk: int, message: int) -> Message:
        rows = queries.list_campaign_messages(self.campaign(pk))
        return queries.get_question(rows, message)


class ReadMessage(_OneMessage):
    @extend_schema(operation_id="read_message", request=None, responses={200: QuestionSerializer})
    def post(self, request: Request, slug: str, pk: int, message: int) -> Response:
        """Mark the message as read for everybody in the project."""
        question = self.question(pk, message)
        mark_questions_read(threads=[queries.Thread([question], None)])
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
