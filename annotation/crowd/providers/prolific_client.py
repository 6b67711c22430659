"""Prolific's REST API, call by call: what was answered, or why nobody can say.

Calls that are harmless to repeat raise `NotReachable` when no clear answer came. The one that is
not (paying bonuses) raises `Unsure`, unless it is certain that nothing was sent.

- Bonuses on Prolific, where asking twice pays twice: written down before the call, never
  repeated.
- Participants on Prolific: whom a study does not invite, and messages to them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from django.db.models import Q
from django.utils.translation import gettext as _

from annotation import clock
from annotation.crowd.campaigns.models import Campaign, ProviderName, Worker
from annotation.crowd.prolific.models import ProlificBonus, ProlificStudy
from annotation.crowd.providers.base import NotReachable, ProviderError, Unsure
from annotation.crowd.providers.prolific_study import group_name, to_cents
from scoring.outgoing import Bounds, NoReply, NotSent, exchange

BOUNDS = Bounds(seconds=25, most_bytes=20 * 2**20)
PAGE = 100
# More than any study has; a server that never stops paging must not keep us for ever.
MOST_PAGES = 10_000

Json = dict[str, Any]


class ProlificClient:
    """Speaks for one token at one address."""

    def __init__(self, url: str, token: str) -> None:
        self._url = url.rstrip("/")
        self._headers = {"Authorization": f"Token {token}", "Accept": "application/json"}

    # The account ------------------------------------------------------------------------------

    def get_me(self) -> Json:
        return self._get("/users/me/")

    def list_workspaces(self) -> Iterator[Json]:
        return self._pages("/workspaces/")

    # Studies ----------------------------------------------------------------------------------

    def list_studies(self) -> Iterator[Json]:
        return self._pages("/studies/")

    def get_study(self, study_id: str) -> Json:
        return self._get(f"/studies/{study_id}/")

    def create_study(self, body: Json) -> Json:
        return self._send("POST", "/studies/", body)

    def update_study(self, study_id: str, body: Json) -> Json:
        return self._send("PATCH", f"/studies/{study_id}/", body)

    def delete_study(self, study_id: str) -> None:
        self._send("DELETE", f"/studies/{study_id}/")

    def move_study(self, study_id: str, action: str) -> None:
        """PUBLISH, PAUSE, START or STOP."""
        self._send("POST", f"/studies/{study_id}/transition/", {"action": action})

    # Submissions ------------------------------------------------------------------------------

    def list_submissions(self, study_id: str) -> Iterator[Json]:
        return self._pages("/submissions/", study=study_id)

    def get_submission(self, submission_id: str) -> Json:
        return self._get(f"/submissions/{submission_id}/")

    def move_submission(self, submission_id: str, body: Json) -> None:
        """APPROVE or REJECT; the same again is ignored there."""
        self._send("POST", f"/submissions/{submission_id}/transition/", body)

    # Bonuses ----------------------------------------------------------------------------------

    def prepare_bonuses(self, study_id: str, csv_bonuses: str) -> str:
        """Set a batch up, which costs nothing yet; its id."""
        body = {"study_id": study_id, "csv_bonuses": csv_bonuses}
        return str(self._send("POST", "/submissions/bonus-payments/", body)["id"])

    def pay_bonuses(self, batch_id: str) -> None:
        """Not idempotent: asked twice, Prolific pays twice."""
        self._send("POST", f"/bulk-bonus-payments/{batch_id}/pay/", is_repeatable=False)

    # Participants -----------------------------------------------------------------------------

    def send_message(self, recipients: list[str], study_id: str, text: str) -> None:
        body = {"ids": recipients, "study_id": study_id, "body": text}
        self._send("POST", "/messages/bulk/", body, is_repeatable=False)

    def list_groups(self, workspace_id: str) -> Iterator[Json]:
        return self._pages("/participant-groups/", workspace_id=workspace_id)

    def create_group(self, workspace_id: str, name: str) -> Json:
        body = {"workspace_id": workspace_id, "name": name}
        return self._send("POST", "/participant-groups/", body)

    def add_to_group(self, group_id: str, participants: list[str]) -> None:
        body = {"participant_ids": participants}
        self._send("POST", f"/participant-groups/{group_id}/participants/", body)

    def remove_from_group(self, group_id: str, participants: list[str]) -> None:
        body = {"participant_ids": participants}
        self._send("DELETE", f"/participant-groups/{group_id}/participants/", body)

    # The wire ---------------------------------------------------------------------------------

    def _pages(self, path: str, **query: str) -> Iterator[Json]:
        for page in range(1, MOST_PAGES):
            asked = urlencode({**query, "page": page, "page_size": PAGE})
            answer = self._get(f"{path}?{asked}")
            rows: list[Json] = answer.get("results", [])
            yield from rows
            if not rows or not _has_next(answer):
                return

    def _get(self, path: str) -> Json:
        return self._send("GET", path)

    def _send(
        self, method: str, path: str, body: Json | None = None, *, is_repeatable: bool = True
    ) -> Json:
        data = None if body is None else json.dumps(body).encode()
        headers = {**self._headers, **({"Content-Type": "application/json"} if data else {})}
        try:
            reply = exchange(method, self._url + path, BOUNDS, headers, data)
        except NotSent as error:
            raise NotReachable(
                _("Prolific can't be reached: {error}").format(error=error)
            ) from None
        except NoReply as error:
            raise _no_answer(
                _("Prolific didn't answer: {error}").format(error=error), is_repeatable
            ) from None
        return _read(reply.status, reply.content, is_repeatable)


def _has_next(answer: Json) -> bool:
    links = answer.get("_links") or {}
    return bool((links.get("next") or {}).get("href"))


def _no_answer(message: str, is_repeatable: bool) -> Unsure:
    return NotReachable(message) if is_repeatable else Unsure(message)


def _read(status: int, data: bytes, is_repeatable: bool) -> Json:
    if status == 429:
        raise NotReachable(_("Prolific received too many requests and asks us to wait."))
    if status >= 500:
        raise _no_answer(
            _("Prolific failed with status {status}.").format(status=status), is_repeatable
        )
    if status >= 400:
        raise ProviderError(_("Prolific refused: {reason}").format(reason=_reason(status, data)))
    if status >= 300:
        said = _("Prolific answered with a redirect (status {status}).").format(status=status)
        raise ProviderError(said, _("Check PROLIFIC_URL."))
    try:
        found = json.loads(data) if data else {}
    except ValueError:
        raise _no_answer(_("Prolific's answer is not JSON."), is_repeatable) from None
    return found if isinstance(found, dict) else {"results": found}


def _reason(status: int, data: bytes) -> str:
    """What Prolific says is wrong, in its own words if they can be read."""
    try:
        error = json.loads(data).get("error", {})
        words = (
            error.get("detail") or error.get("title") or _("status {status}").format(status=status)
        )
    except (ValueError, AttributeError):
        return _("status {status}").format(status=status)
    return (words if isinstance(words, str) else json.dumps(words, ensure_ascii=False))[:200]


def send(
    client: ProlificClient, study_id: str, session_id: str, amount: Decimal, token: str
) -> None:
    row, __ = ProlificBonus.objects.get_or_create(
        token=token, defaults={"session_id": session_id, "cents": to_cents(amount)}
    )
    if row.paid_at is not None:
        return
    if not row.batch_id:
        row.batch_id = client.prepare_bonuses(study_id, f"{session_id},{amount:.2f}")
        ProlificBonus.objects.filter(pk=row.pk).update(batch_id=row.batch_id)
    _claim(row)
    try:
        client.pay_bonuses(row.batch_id)
    except (ProviderError, NotReachable):
        # Certainly not paid, so that it may be asked for again.
        ProlificBonus.objects.filter(pk=row.pk).update(asked_at=None)
        raise
    ProlificBonus.objects.filter(pk=row.pk).update(paid_at=clock.now())


def _claim(row: ProlificBonus) -> None:
    """Whoever writes the moment may pay; nobody else does, and nobody again."""
    free = ProlificBonus.objects.filter(pk=row.pk, asked_at=None, batch_id=row.batch_id)
    if not free.update(asked_at=clock.now()):
        raise Unsure(
            _("This bonus was already requested, and Prolific hasn't confirmed it."),
            _("Check the participant's payments on Prolific."),
        )


def find(client: ProlificClient, token: str) -> bool | None:
    """Paid, not paid, or None: payments show up there minutes later, so absence tells nothing."""
    row = ProlificBonus.objects.filter(token=token).first()
    if row is None or row.asked_at is None:
        return False
    if row.paid_at is not None or _is_listed(client, row):
        ProlificBonus.objects.filter(pk=row.pk, paid_at=None).update(paid_at=clock.now())
        return True
    return None


def _is_listed(client: ProlificClient, row: ProlificBonus) -> bool:
    """Whether the submission shows one payment more of this amount than we know of."""
    shown = client.get_submission(row.session_id).get("bonus_payments") or []
    known = ProlificBonus.objects.filter(
        session_id=row.session_id, cents=row.cents, paid_at__isnull=False
    )
    return shown.count(row.cents) > known.count()


CHUNK = 500


def make_group(client: ProlificClient, campaign: Campaign) -> str:
    """The group of those who are not invited, found or made; excluded people are put into it."""
    workspace = next(client.list_workspaces(), None)
    if workspace is None:
        raise ProviderError(
            _("The Prolific account has no workspace."), _("Create one on Prolific.")
        )
    name = group_name(campaign)
    groups = client.list_groups(workspace["id"])
    found = next((row for row in groups if row.get("name") == name), None)
    group = str((found or client.create_group(workspace["id"], name))["id"])
    people = list_uninvited(campaign)
    for start in range(0, len(people), CHUNK):
        client.add_to_group(group, people[start : start + CHUNK])
    return group


def list_uninvited(campaign: Campaign) -> list[str]:
    """The project's excluded participants; all of its earlier ones, where that is wished."""
    rows = Worker.objects.filter(project=campaign.project_id, provider=ProviderName.PROLIFIC)
    if not campaign.exclude_earlier_workers:
        rows = rows.filter(excluded_at__isnull=False)
    else:
        here = Worker.objects.filter(assignments__campaign=campaign).values("pk")
        rows = rows.filter(Q(excluded_at__isnull=False) | ~Q(pk__in=here))
    return list(rows.values_list("provider_id", flat=True))


def list_groups(campaign: Campaign) -> list[str]:
    """Of all the project's studies: who is excluded is excluded from each."""
    rows = ProlificStudy.objects.filter(campaign__project=campaign.project_id)
    return list(rows.exclude(group_id="").values_list("group_id", flat=True))


def notify(
    client: ProlificClient, study_id: str, people: Sequence[str], text: str
) -> dict[str, str]:
    """Write to all at once; if that is refused, to each, to know whom it did not reach."""
    if not people:
        return {}
    try:
        client.send_message(list(people), study_id, text)
    except ProviderError as error:
        if len(people) == 1:
            return {people[0]: error.message}
        failures: dict[str, str] = {}
        for person in people:
            failures.update(notify(client, study_id, [person], text))
        return failures
    return {}
