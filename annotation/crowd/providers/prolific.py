"""Prolific's submissions beside the sessions that this server has seen."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from decimal import ROUND_UP, Decimal
from typing import Any, ClassVar

from django.conf import settings
from django.db.models import F, QuerySet, Sum
from django.utils.translation import gettext as _

from annotation import clock
from annotation.crowd.campaigns.models import Assignment, Campaign, CampaignState, Hit, Worker
from annotation.crowd.prolific.models import (
    ProlificPlaces,
    ProlificSession,
    ProlificStudy,
    SessionStatus,
)
from annotation.crowd.providers import prolific_client
from annotation.crowd.providers.base import Places, ProviderError, Published, Received, Told, Unsure
from annotation.crowd.providers.prolific_client import ProlificClient
from annotation.crowd.providers.prolific_study import describe_study, find_obstacles, internal_name

logger = logging.getLogger(__name__)

STATUS = {"AWAITING REVIEW": "submitted", "APPROVED": "approved", "REJECTED": "rejected"}
AT_WORK = {"RESERVED", "ACTIVE"}
# Their place is free for another participant.
FREED = {
    "RETURNED": SessionStatus.RELEASED,
    "TIMED-OUT": SessionStatus.RELEASED,
    "REJECTED": SessionStatus.REJECTED,
}
CHUNK = 500

Json = dict[str, Any]


class Submissions:
    """One look at a study's submissions, each with its session where there is one."""

    def __init__(self, rows: Sequence[Json], sessions: Mapping[str, ProlificSession]) -> None:
        self._pairs = [(row, sessions.get(str(row["id"]))) for row in rows]
        self._counts: Counter[tuple[int, str]] = Counter(
            (session.hit_id, row["status"]) for row, session in self._pairs if session
        )

    @classmethod
    def fetch(cls, client: ProlificClient, campaign: Campaign, study_id: str) -> Submissions:
        rows = [row for row in client.list_submissions(study_id) if _is_known(row)]
        sessions = ProlificSession.objects.filter(campaign=campaign).defer("raw")
        found = cls(rows, {row.session_id: row for row in sessions})
        found._note_endings()
        return found

    def _note_endings(self) -> None:
        """Give the places of those who went, or were rejected, to whoever comes next."""
        for status, ending in FREED.items():
            gone = [kept.pk for row, kept in self._pairs if kept and row["status"] == status]
            for start in range(0, len(gone), CHUNK):
                rows = ProlificSession.objects.filter(pk__in=gone[start : start + CHUNK])
                rows.exclude(status=ending).update(status=ending)

    def count(self, hit: int, asked: int) -> Places:
        by_status = {status: self._counts[hit, status] for status in {*STATUS, *AT_WORK}}
        decided = by_status["APPROVED"] + by_status["REJECTED"]
        return Places(
            asked=asked,
            pending=sum(by_status[status] for status in AT_WORK),
            submitted=decided + by_status["AWAITING REVIEW"],
            decided=decided,
        )

    def receive(self, hits: Mapping[int, str], review: timedelta) -> Iterator[Received]:
        """Finished work on these HITs. Without a session nobody can tell what it was about."""
        raws = self._read_raws(hits)
        for row, session in self._pairs:
            if row["status"] not in STATUS:
                continue
            if session is None:
                logger.warning("submission %s bypassed this server and has no answers", row["id"])
            elif session.hit_id in hits:
                yield _received(row, session, hits[session.hit_id], raws[session.pk], review)

    def _read_raws(self, hits: Mapping[int, str]) -> dict[int, str]:
        wanted = [session.pk for __, session in self._pairs if session and session.hit_id in hits]
        found: dict[int, str] = {}
        for start in range(0, len(wanted), CHUNK):
            rows = ProlificSession.objects.filter(pk__in=wanted[start : start + CHUNK])
            found.update(rows.values_list("pk", "raw"))
        return found


def _is_known(row: Json) -> bool:
    return bool(row.get("id")) and isinstance(row.get("status"), str)


def _received(
    row: Json, session: ProlificSession, hit_id: str, raw: str, review: timedelta
) -> Received:
    started, completed = _time(row.get("started_at")), _time(row.get("completed_at"))
    started, completed = started or session.started_at, completed or session.submitted_at
    return Received(
        hit_id=hit_id,
        assignment_id=str(row["id"]),
        worker_id=session.participant,
        status=STATUS[row["status"]],
        raw=raw,
        accepted_at=started,
        submitted_at=completed,
        auto_approve_at=completed + review if completed else None,
        seconds=(completed - started).total_seconds() if completed else None,
    )


def _time(text: Any) -> datetime | None:
    try:
        found = datetime.fromisoformat(str(text)) if text else None
    except ValueError:
        return None
    return found if found and found.tzinfo else None


PAID_TO = Decimal("0.0001")
SHORTEST_MESSAGE = 100
LONGEST_REVIEW = timedelta(days=21)


class Prolific:
    reopens_rejected: ClassVar[bool] = True

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.client = ProlificClient(settings.PROLIFIC_URL, settings.PROLIFIC_TOKEN)
        self._submissions: Submissions | None = None

    def check(self) -> list[str]:
        if not settings.PROLIFIC_TOKEN:
            return [_("There is no token for Prolific. Set PROLIFIC_TOKEN.")]
        try:
            return find_obstacles(self.campaign, self.client.get_me())
        except (ProviderError, Unsure) as error:
            return [error.message]

    # Money ------------------------------------------------------------------------------------

    def fee(self, reward: Decimal, assignments: int) -> Decimal:
        return (reward * settings.PROLIFIC_FEE).quantize(PAID_TO, ROUND_UP)

    def bonus_fee(self, amount: Decimal) -> Decimal:
        return self.fee(amount, 1)

    def balance(self) -> Decimal | None:
        cents = self.client.get_me().get("available_balance")
        return None if cents is None else Decimal(str(cents)) / 100

    # The study and its places -----------------------------------------------------------------

    def prepare(self) -> None:
        """Find the study or draft it. A draft costs nothing and is seen by nobody."""
        if ProlificStudy.objects.filter(campaign=self.campaign).exists():
            return
        group = prolific_client.make_group(self.client, self.campaign)
        study = self._find_study() or self._draft_study(group)
        ProlificStudy.objects.get_or_create(
            campaign=self.campaign, defaults={"study_id": study["id"], "group_id": group}
        )

    def _find_study(self) -> dict[str, Any] | None:
        """The oldest, should a call have been made twice; further drafts are thrown away."""
        name = internal_name(self.campaign)
        found = [row for row in self.client.list_studies() if row.get("internal_name") == name]
        found.sort(key=lambda row: (str(row.get("date_created", "")), str(row["id"])))
        for extra in found[1:]:
            if extra.get("status") == "UNPUBLISHED":
                self.client.delete_study(extra["id"])
        return found[0] if found else None

    def _draft_study(self, group: str) -> dict[str, Any]:
        rewards = list(self.campaign.hits.order_by().values_list("reward", flat=True).distinct())
        if len(rewards) != 1:
            raise ProviderError(
                _("A Prolific study pays every participant the same."), _("Set one reward.")
            )
        body = describe_study(
            self.campaign, reward=Decimal(rewards[0]), hits=self.campaign.hits.count(), group=group
        )
        made = self.client.create_study(body)
        return self._find_study() or made

    @property
    def study_id(self) -> str:
        found = ProlificStudy.objects.filter(campaign=self.campaign).first()
        if found is None:
            raise ProviderError(_("The campaign has no study yet."), _("Publish the campaign."))
        return found.study_id

    def _places(self) -> QuerySet[ProlificPlaces]:
        return ProlificPlaces.objects.filter(hit__campaign=self.campaign)

    def publish(self, hit: Hit, token: str) -> Published:
        """Note the HIT's places. With the campaign's last HIT, the study goes out."""
        until = clock.now() + timedelta(seconds=self.campaign.lifetime_seconds)
        published = Published(f"{self.study_id}:{hit.pk}", until)
        self._ask(hit, hit.wanted, until)
        if not Hit.objects.filter(campaign=self.campaign, prolific_places=None).exists():
            self._send_places(hit)
        return published

    def find_published(self, hits: Iterable[Hit]) -> dict[int, Published]:
        """HITs whose places are noted, unless only the study's going out is missing."""
        self._note_confirmed(self.client.get_study(self.study_id))
        waiting = Hit.objects.filter(campaign=self.campaign, prolific_places=None).exists()
        rows = self._places().filter(hit__in=[hit.pk for hit in hits])
        return {
            row.hit_id: Published(f"{self.study_id}:{row.hit_id}", row.open_until)
            for row in rows
            if row.confirmed or waiting
        }

    def extend(self, hit: Hit, additional: int, token: str) -> None:
        """Ask for a sum, not for more: whatever the token, twice is once."""
        until = clock.now() + timedelta(seconds=self.campaign.lifetime_seconds)
        self._ask(hit, hit.wanted + additional, until)
        self._send_places(hit)

    def find_limit(self, places: int, wanted: int) -> str:
        return ""

    def _ask(self, hit: Hit, places: int, until: datetime) -> None:
        made = ProlificPlaces(hit=hit, asked=places, open_until=until)
        ProlificPlaces.objects.bulk_create([made], ignore_conflicts=True)
        ProlificPlaces.objects.filter(hit=hit, asked__lt=places).update(asked=places)

    def _send_places(self, hit: Hit) -> None:
        try:
            study = self.client.get_study(self.study_id)
            total = self._count_asked()
            if study["total_available_places"] < total or study["status"] == "UNPUBLISHED":
                self.client.update_study(study["id"], {"total_available_places": total})
            if study["status"] == "UNPUBLISHED":
                self.client.move_study(study["id"], "PUBLISH")
        except ProviderError:
            # Refused for good: what was meant for this HIT must not ride along with another.
            self._places().filter(hit=hit, confirmed=0).delete()
            self._places().filter(hit=hit).update(asked=F("confirmed"))
            raise
        self._places().update(confirmed=F("asked"))

    def _count_asked(self) -> int:
        return self._places().aggregate(total=Sum("asked"))["total"] or 0

    def _note_confirmed(self, study: dict[str, Any]) -> None:
        is_out = study["status"] != "UNPUBLISHED"
        if is_out and study["total_available_places"] >= self._count_asked():
            self._places().update(confirmed=F("asked"))

    def set_expiration(self, hit: Hit, at: datetime) -> None:
        """Nobody is sent to a closed HIT. When all are closed, the study rests."""
        ProlificPlaces.objects.filter(hit=hit).update(open_until=at)
        now = clock.now()
        is_open = self._places().filter(open_until__gt=now).exists()
        study = self.client.get_study(self.study_id)
        if is_open and study["status"] == "PAUSED":
            self.client.move_study(study["id"], "START")
        elif not is_open and study["status"] in ("ACTIVE", "PAUSED"):
            self._rest(study)

    def _rest(self, study: dict[str, Any]) -> None:
        """Stop for good when the campaign has ended: unused money goes back to the account."""
        if self.campaign.state == CampaignState.ENDED:
            self.client.move_study(study["id"], "STOP")
        elif study["status"] == "ACTIVE":
            self.client.move_study(study["id"], "PAUSE")

    # Answers ----------------------------------------------------------------------------------

    def survey(self, hits: Sequence[Hit]) -> dict[int, Places]:
        self._note_confirmed(self.client.get_study(self.study_id))
        self._submissions = Submissions.fetch(self.client, self.campaign, self.study_id)
        asked = dict(self._places().values_list("hit", "confirmed"))
        return {
            hit.pk: self._submissions.count(hit.pk, asked[hit.pk])
            for hit in hits
            if hit.pk in asked
        }

    def collect(self, hits: Sequence[Hit]) -> Iterator[Received]:
        """What a survey has just fetched is not fetched again."""
        found = self._submissions or Submissions.fetch(self.client, self.campaign, self.study_id)
        self._submissions = None
        review = min(timedelta(seconds=self.campaign.auto_approve_seconds), LONGEST_REVIEW)
        return found.receive({hit.pk: hit.provider_id for hit in hits}, review)

    def find_status(self, assignment: Assignment) -> str:
        status = self.client.get_submission(assignment.provider_id)["status"]
        if status not in STATUS:
            raise ProviderError(
                _("The submission is {status} at Prolific.").format(status=status.lower())
            )
        return STATUS[status]

    # Decisions --------------------------------------------------------------------------------

    def approve(self, assignment: Assignment, feedback: str, *, override: bool = False) -> None:
        if override:
            raise ProviderError(
                _("Rejections can't be overturned on Prolific."),
                _("Pay the participant a bonus instead."),
            )
        self._decide(assignment, "approved", {"action": "APPROVE"})

    def reject(self, assignment: Assignment, feedback: str) -> None:
        if len(feedback) < SHORTEST_MESSAGE:
            raise ProviderError(
                _("Prolific requires a reason of at least {shortest_message} characters.").format(
                    shortest_message=SHORTEST_MESSAGE
                ),
                _("Describe more precisely what is wrong with the work."),
            )
        failed = assignment.gold_right < assignment.gold_asked
        category = "FAILED_CHECK" if failed else "OTHER"
        body = {"action": "REJECT", "message": feedback, "rejection_category": category}
        self._decide(assignment, "rejected", body)

    def _decide(self, assignment: Assignment, wanted: str, body: dict[str, Any]) -> None:
        """A refusal may only mean that it was done before: then it is done."""
        try:
            self.client.move_submission(assignment.provider_id, body)
        except ProviderError:
            if self.find_status(assignment) != wanted:
                raise

    def send_bonus(self, assignment: Assignment, amount: Decimal, reason: str, token: str) -> None:
        prolific_client.send(self.client, self.study_id, assignment.provider_id, amount, token)

    def find_bonus(self, assignment: Assignment, amount: Decimal, token: str) -> bool | None:
        return prolific_client.find(self.client, token)

    # People -----------------------------------------------------------------------------------

    def notify(self, workers: Sequence[Worker], subject: str, text: str) -> Told:
        people = [worker.provider_id for worker in workers]
        message = f"{subject}\n\n{text}"
        return Told(prolific_client.notify(self.client, self.study_id, people, message))

    def exclude(self, worker: Worker, reason: str) -> None:
        for group in prolific_client.list_groups(self.campaign):
            self.client.add_to_group(group, [worker.provider_id])

    def include(self, worker: Worker) -> None:
        for group in prolific_client.list_groups(self.campaign):
            self.client.remove_from_group(group, [worker.provider_id])

    def keep_out(self, workers: Sequence[Worker]) -> None:
        people = [worker.provider_id for worker in workers]
        group = ProlificStudy.objects.get(campaign=self.campaign).group_id
        if people and group:
            self.client.add_to_group(group, people)

    def stop(self, workers: Sequence[Worker]) -> None:
        """The study itself says how many submissions a participant may make."""
