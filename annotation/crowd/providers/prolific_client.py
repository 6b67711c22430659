"""Prolific's REST API, call by call: what was answered, or why nobody can say.

Calls that are harmless to repeat raise `NotReachable` when no clear answer came. The one that is
not (paying bonuses) raises `Unsure`, unless it is certain that nothing was sent.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from annotation.crowd.providers.base import NotReachable, ProviderError, Unsure
from annotation.translation import gettext as _
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
