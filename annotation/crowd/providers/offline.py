"""No crowd at all: HITs are rows of a batch file, and answers come back in another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import ClassVar

from django.utils.translation import gettext as _

from annotation import clock
from annotation.crowd.campaigns.models import Assignment, Campaign, Hit, Worker
from annotation.crowd.providers.base import Places, ProviderError, Published, Received, Told
from annotation.translation import gettext_lazy

ELSEWHERE = gettext_lazy("Do this where the batch is published, then import the results again.")


class NotByFile(ProviderError):
    """Nobody was asked: a file can't do it."""

    status = 409
    code = "conflict"
    title = gettext_lazy("Not possible offline")


class Offline:
    """What a file can't do is refused, and says where it can be done."""

    reopens_rejected: ClassVar[bool] = False

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign

    def check(self) -> list[str]:
        return []

    def fee(self, reward: Decimal, assignments: int) -> Decimal:
        return Decimal(0)

    def bonus_fee(self, amount: Decimal) -> Decimal:
        return Decimal(0)

    def balance(self) -> Decimal | None:
        return None

    def prepare(self) -> None:
        """A file needs no preparation."""

    def publish(self, hit: Hit, token: str) -> Published:
        """The HIT is a row of the batch file from now on."""
        until = clock.now() + timedelta(seconds=self.campaign.lifetime_seconds)
        return Published(f"row-{hit.pk}", until)

    def find_published(self, hits: Iterable[Hit]) -> dict[int, Published]:
        """Nothing is sent anywhere, so nothing can have been lost on the way."""
        return {hit.pk: self.publish(hit, "") for hit in hits}

    def extend(self, hit: Hit, additional: int, token: str) -> None:
        raise NotByFile(_("An offline campaign can't request more assignments."), ELSEWHERE)

    def find_limit(self, places: int, wanted: int) -> str:
        return _("An offline campaign can't request more assignments.")

    def survey(self, hits: Sequence[Hit]) -> dict[int, Places]:
        return {hit.pk: Places(hit.wanted, 0, hit.collected, hit.decided) for hit in hits}

    def set_expiration(self, hit: Hit, at: datetime) -> None:
        """A file stays as it is; the mark on the HIT is ours alone."""

    def collect(self, hits: Sequence[Hit]) -> Iterator[Received]:
        """Answers are imported, not fetched."""
        return iter(())

    def find_status(self, assignment: Assignment) -> str:
        return assignment.state

    def approve(self, assignment: Assignment, feedback: str, *, override: bool = False) -> None:
        raise NotByFile(_("An offline campaign can't approve work."), ELSEWHERE)

    def reject(self, assignment: Assignment, feedback: str) -> None:
        raise NotByFile(_("An offline campaign can't reject work."), ELSEWHERE)

    def send_bonus(self, assignment: Assignment, amount: Decimal, reason: str, token: str) -> None:
        raise NotByFile(_("An offline campaign can't pay bonuses."), ELSEWHERE)

    def find_bonus(self, assignment: Assignment, amount: Decimal, token: str) -> bool | None:
        return False

    def notify(self, workers: Sequence[Worker], subject: str, text: str) -> Told:
        return Told(
            {
                worker.provider_id: _("An offline campaign can't send messages.")
                for worker in workers
            }
        )

    def exclude(self, worker: Worker, reason: str) -> None:
        raise NotByFile(_("An offline campaign can't exclude workers."), ELSEWHERE)

    def include(self, worker: Worker) -> None:
        raise NotByFile(_("An offline campaign can't exclude workers."), ELSEWHERE)

    def keep_out(self, workers: Sequence[Worker]) -> None:
        """Whoever uploads the file sees to that."""

    def stop(self, workers: Sequence[Worker]) -> None:
        """Likewise."""
