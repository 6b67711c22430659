"""A crowd behind the operations of the MTurk Requester API, however they are called.

`mturk.py` calls them by boto3 at an endpoint, `marketplace.py` in this process.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, ClassVar

from django.utils.translation import gettext as _

from annotation.crowd.campaigns.models import Assignment, Campaign, Hit, Worker
from annotation.crowd.judging_page.question import build_question
from annotation.crowd.providers.base import Places, ProviderError, Published, Received, Told
from annotation.crowd.providers.mturk_wire import (
    STATUS,
    AlreadyThere,
    annotation_of,
    money,
    places,
    received,
    tagged,
    worker_id,
)

logger = logging.getLogger(__name__)

PAGE = 100
# Beyond this many HITs it is cheaper to page through all of the account's than to ask for each.
ASK_EACH = 20
# A HIT with fewer assignments can't grow to so many.
MANY = 10
EXCLUDED = "excluded"
EARLIER = "earlier"
# Who has done as many HITs of the campaign as one worker may do.
DONE = "enough"


class RequesterApi(ABC):
    """One campaign. A subclass says how an operation is called, and what the crowd charges."""

    reopens_rejected: ClassVar[bool] = False

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign

    @abstractmethod
    def call(self, operation: str, params: dict[str, Any]) -> dict[str, Any]:
        """Run one operation as the campaign's requester; raise what `base` names."""

    @abstractmethod
    def submit_origins(self) -> list[str]:
        """Where this crowd's workers work, and where their answers may be sent."""

    def balance(self) -> Decimal | None:
        return Decimal(self._call("GetAccountBalance")["AvailableBalance"])

    # HITs -------------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Make the HIT types, one for each reward, and the qualifications that they ask for."""
        state = self.campaign.provider_state
        rewards = self.campaign.hits.values_list("reward", flat=True).order_by().distinct()
        missing = [
            money(reward) for reward in rewards if money(reward) not in state.get("types", {})
        ]
        if not missing:
            return
        requirements = [*self.campaign.requirements, *self._exclusions()]
        for reward in missing:
            made = self._call("CreateHITType", **self._hit_type(reward, requirements))
            state.setdefault("types", {})[reward] = made["HITTypeId"]
        self.campaign.save(update_fields=["provider_state"])

    def _hit_type(self, reward: str, requirements: list[dict[str, Any]]) -> dict[str, Any]:
        campaign = self.campaign
        return {
            "Title": campaign.title,
            "Description": campaign.description,
            "Keywords": campaign.keywords,
            "Reward": reward,
            "AssignmentDurationInSeconds": campaign.seconds_allotted,
            "AutoApprovalDelayInSeconds": campaign.auto_approve_seconds,
            "QualificationRequirements": requirements,
        }

    def publish(self, hit: Hit, token: str) -> Published:
        try:
            made = self._call(
                "CreateHITWithHITType",
                HITTypeId=self.campaign.provider_state["types"][money(hit.reward)],
                MaxAssignments=hit.wanted,
                LifetimeInSeconds=self.campaign.lifetime_seconds,
                Question=build_question(hit, self.submit_origins()),
                RequesterAnnotation=annotation_of(hit),
                UniqueRequestToken=token,
            )["HIT"]
        except AlreadyThere as error:
            made = self._call("GetHIT", HITId=error.hit_id)["HIT"]
        return Published(made["HITId"], made["Expiration"])

    def find_published(self, hits: Iterable[Hit]) -> dict[int, Published]:
        """Page through all of the account's HITs: the annotation names ours."""
        wanted = {annotation_of(hit): hit.pk for hit in hits}
        return {
            wanted[row["RequesterAnnotation"]]: Published(row["HITId"], row["Expiration"])
            for row in self._pages("ListHITs", "HITs")
            if row.get("RequesterAnnotation") in wanted
        }

    def extend(self, hit: Hit, additional: int, token: str) -> None:
        self._call(
            "CreateAdditionalAssignmentsForHIT",
            HITId=hit.provider_id,
            NumberOfAdditionalAssignments=additional,
            UniqueRequestToken=token,
        )

    def find_limit(self, places: int, wanted: int) -> str:
        if places >= MANY or wanted < MANY:
            return ""
        return _(
            "HITs with fewer than {many} assignments can't be extended to {many} or more."
        ).format(many=MANY)

    def set_expiration(self, hit: Hit, at: datetime) -> None:
        self._call("UpdateExpirationForHIT", HITId=hit.provider_id, ExpireAt=at)

    # Answers ----------------------------------------------------------------------------------

    def survey(self, hits: Sequence[Hit]) -> dict[int, Places]:
        ours = {hit.provider_id: hit.pk for hit in hits if hit.provider_id}
        rows: Iterable[dict[str, Any]]
        if len(ours) <= ASK_EACH:
            rows = [self._call("GetHIT", HITId=hit_id)["HIT"] for hit_id in ours]
        else:
            rows = self._pages("ListHITs", "HITs")
        return {ours[row["HITId"]]: places(row) for row in rows if row["HITId"] in ours}

    def collect(self, hits: Sequence[Hit]) -> Iterator[Received]:
        for hit in hits:
            for row in self._pages("ListAssignmentsForHIT", "Assignments", HITId=hit.provider_id):
                yield received(row)

    def find_status(self, assignment: Assignment) -> str:
        row = self._call("GetAssignment", AssignmentId=assignment.provider_id)["Assignment"]
        return STATUS[row["AssignmentStatus"]]

    # Decisions --------------------------------------------------------------------------------

    def approve(self, assignment: Assignment, feedback: str, *, override: bool = False) -> None:
        self._decide(
            assignment,
            "approved",
            "ApproveAssignment",
            RequesterFeedback=feedback or None,
            OverrideRejection=override,
        )

    def reject(self, assignment: Assignment, feedback: str) -> None:
        self._decide(
            assignment, "rejected", "RejectAssignment", RequesterFeedback=feedback or "Rejected."
        )

    def _decide(self, assignment: Assignment, wanted: str, operation: str, **members: Any) -> None:
        """A refusal may only mean that it was done before: then it is done."""
        try:
            self._call(operation, AssignmentId=assignment.provider_id, **members)
        except ProviderError:
            if self.find_status(assignment) != wanted:
                raise

    def send_bonus(self, assignment: Assignment, amount: Decimal, reason: str, token: str) -> None:
        try:
            self._call(
                "SendBonus",
                WorkerId=worker_id(assignment),
                AssignmentId=assignment.provider_id,
                BonusAmount=money(amount),
                Reason=tagged(reason, token),
                UniqueRequestToken=token,
            )
        except ProviderError:
            # The token was seen before: paid, if it is in the list of bonuses.
            if not self.find_bonus(assignment, amount, token):
                raise

    def find_bonus(self, assignment: Assignment, amount: Decimal, token: str) -> bool | None:
        mark = tagged("", token)
        paid = self._pages(
            "ListBonusPayments", "BonusPayments", AssignmentId=assignment.provider_id
        )
        return any(str(row.get("Reason", "")).endswith(mark) for row in paid)

    # Workers ----------------------------------------------------------------------------------

    def notify(self, workers: Sequence[Worker], subject: str, text: str) -> Told:
        failures: dict[str, str] = {}
        for start in range(0, len(workers), PAGE):
            answer = self._call(
                "NotifyWorkers",
                Subject=subject,
                MessageText=text,
                WorkerIds=[worker.provider_id for worker in workers[start : start + PAGE]],
            )
            for row in answer.get("NotifyWorkersFailureStatuses", []):
                failures[row["WorkerId"]] = row.get("NotifyWorkersFailureMessage", "")
        return Told(failures)

    def exclude(self, worker: Worker, reason: str) -> None:
        self._call(
            "AssociateQualificationWithWorker",
            QualificationTypeId=self._qualification(EXCLUDED),
            WorkerId=worker.provider_id,
            IntegerValue=1,
            SendNotification=False,
        )

    def include(self, worker: Worker) -> None:
        try:
            self._call(
                "DisassociateQualificationFromWorker",
                QualificationTypeId=self._qualification(EXCLUDED),
                WorkerId=worker.provider_id,
            )
        except ProviderError as error:
            logger.info("worker %s was not excluded: %s", worker.provider_id, error.message)

    def _exclusions(self) -> list[dict[str, Any]]:
        """HITs ask that a worker is not excluded; earlier workers too, where that is wished."""
        names = [EXCLUDED]
        if self.campaign.exclude_earlier_workers:
            names.append(EARLIER)
            self._mark_earlier_workers()
        if self.campaign.most_per_worker:
            names.append(DONE)
        return [
            {
                "QualificationTypeId": self._qualification(name),
                "Comparator": "DoesNotExist",
                "ActionsGuarded": "DiscoverPreviewAndAccept",
            }
            for name in names
        ]

    def _mark_earlier_workers(self) -> None:
        earlier = Worker.objects.filter(
            project=self.campaign.project, provider=self.campaign.provider
        )
        self.keep_out(list(earlier))

    def keep_out(self, workers: Sequence[Worker]) -> None:
        self._mark(workers, EARLIER)

    def stop(self, workers: Sequence[Worker]) -> None:
        self._mark(workers, DONE)

    def _mark(self, workers: Sequence[Worker], name: str) -> None:
        for worker in workers:
            self._call(
                "AssociateQualificationWithWorker",
                QualificationTypeId=self._qualification(name),
                WorkerId=worker.provider_id,
                IntegerValue=1,
                SendNotification=False,
            )

    def _qualification(self, name: str) -> str:
        """The type of that name, found or made; one for the project, or for the campaign."""
        known: dict[str, str] = self.campaign.provider_state.setdefault("qualifications", {})
        if name not in known:
            known[name] = self._find_or_make_qualification(name)
            self.campaign.save(update_fields=["provider_state"])
        return known[name]

    def _find_or_make_qualification(self, name: str) -> str:
        owner = self.campaign.project.slug if name == EXCLUDED else self.campaign.token.hex
        full_name = f"Giza: {name} ({owner})"
        found = self._pages(
            "ListQualificationTypes",
            "QualificationTypes",
            Query=full_name,
            MustBeRequestable=False,
            MustBeOwnedByCaller=True,
        )
        for row in found:
            if row["Name"] == full_name:
                return str(row["QualificationTypeId"])
        made = self._call(
            "CreateQualificationType",
            Name=full_name,
            Description=_("Workers who aren't shown further work by this requester."),
            QualificationTypeStatus="Active",
        )
        return str(made["QualificationType"]["QualificationTypeId"])

    # Calls ----------------------------------------------------------------------------------

    def _pages(self, operation: str, member: str, **members: Any) -> Iterator[dict[str, Any]]:
        token: str | None = None
        while True:
            answer = self._call(operation, MaxResults=PAGE, NextToken=token, **members)
            rows: list[dict[str, Any]] = answer.get(member, [])
            yield from rows
            token = answer.get("NextToken")
            if not token or not rows:
                return

    def _call(self, operation: str, **params: Any) -> dict[str, Any]:
        """Without what is not given."""
        return self.call(operation, {name: v for name, v in params.items() if v is not None})
