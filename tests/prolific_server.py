"""A small server that behaves like Prolific, in memory, over HTTP; and fails when it is told to.

It keeps the rules that matter to a client: drafts are free, places are never exceeded, deciding
twice is ignored, and paying a batch of bonuses twice pays twice.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

TOKEN = "for-tests"
PAGE = 3  # small, so that every list has several pages
FREE_STATUSES = {"RETURNED", "TIMED-OUT", "REJECTED"}
# Just now: a submission of some days ago would be approved as soon as it is collected.
NOW = datetime.now(UTC)
STARTED, FINISHED = (f"{at:%Y-%m-%dT%H:%M:%SZ}" for at in (NOW - timedelta(minutes=5), NOW))
TRANSITIONS = {
    "PUBLISH": ({"UNPUBLISHED"}, "ACTIVE"),
    "PAUSE": ({"ACTIVE"}, "PAUSED"),
    "START": ({"PAUSED"}, "ACTIVE"),
    "STOP": ({"ACTIVE", "PAUSED"}, "AWAITING REVIEW"),
}
DECISIONS = {"APPROVE": "APPROVED", "REJECT": "REJECTED"}

Json = dict[str, Any]
Answer = tuple[int, Any]


@dataclass
class Fault:
    """The next call that fits goes wrong: `before` or `after` it was carried out.

    `how` is a status, "drop" (the line goes dead) or "hang" (nothing comes for a second).
    """

    call: str
    how: int | str
    is_after: bool = False


@dataclass
class ProlificServer:
    studies: dict[str, Json] = field(default_factory=dict)
    submissions: dict[str, Json] = field(default_factory=dict)
    batches: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    paid: list[tuple[str, int]] = field(default_factory=list)
    groups: dict[str, Json] = field(default_factory=dict)
    messages: list[Json] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    currency: str = "USD"
    balance: int = 100_000
    lock: threading.RLock = field(default_factory=threading.RLock)

    def __post_init__(self) -> None:
        handler = type("Handler", (_Handler,), {"prolific": self})
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}/api/v1"
        threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True).start()

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()

    def new_id(self, kind: str) -> str:
        number = len(self.studies) + len(self.submissions) + len(self.batches) + len(self.groups)
        return hashlib.sha256(f"{kind}{number}".encode()).hexdigest()[:24]

    # What participants do ---------------------------------------------------------------------

    def count_free(self, study: str) -> int:
        held = [
            row
            for row in self.submissions.values()
            if row["study_id"] == study and row["status"] not in FREE_STATUSES
        ]
        return int(self.studies[study]["total_available_places"]) - len(held)

    def send_participant(self, study: str, participant: str) -> tuple[str, str]:
        """Reserve a place; the session and the address that the participant is sent to."""
        with self.lock:
            assert self.studies[study]["status"] == "ACTIVE"
            assert self.count_free(study) > 0, "the study has no place left"
            session = self.new_id("session")
            self.submissions[session] = {
                "id": session,
                "study_id": study,
                "participant_id": participant,
                "status": "ACTIVE",
                "started_at": STARTED,
                "completed_at": None,
                "bonus_payments": [],
            }
        names = {"PROLIFIC_PID": participant, "STUDY_ID": study, "SESSION_ID": session}
        url = str(self.studies[study]["external_study_url"])
        for name, value in names.items():
            url = url.replace("{{%" + name + "%}}", value)
        return session, url

    def finish(self, session: str, status: str = "AWAITING REVIEW") -> None:
        self.submissions[session].update(status=status, completed_at=FINISHED)

    # REST -------------------------------------------------------------------------------------

    def answer(self, method: str, path: str, query: dict[str, str], body: Json) -> Answer:
        for call, act in ROUTES.items():
            match = re.fullmatch(call, f"{method} {path}")
            if match:
                with self.lock:
                    return act(self, *match.groups(), **({"query": query} if query else {}), **body)
        return 404, error("Not found.")

    def get_me(self) -> Answer:
        return 200, {"available_balance": self.balance, "currency_code": self.currency}

    def list_workspaces(self, query: Json) -> Answer:
        return page([{"id": "workspace1"}], query)

    def list_studies(self, query: Json) -> Answer:
        return page(list(self.studies.values()), query)

    def get_study(self, study: str) -> Answer:
        return (200, self.studies[study]) if study in self.studies else (404, error("No study."))

    def create_study(self, **body: Any) -> Answer:
        if not isinstance(body.get("reward"), int) or body["reward"] < 1:
            return 400, error({"reward": ["A whole number of cents."]})
        study = self.new_id("study")
        about = {"id": study, "status": "UNPUBLISHED", "date_created": f"{len(self.studies):04}"}
        self.studies[study] = {**body, **about}
        return 201, self.studies[study]

    def update_study(self, study: str, **body: Any) -> Answer:
        now = self.studies[study]
        is_out = now["status"] != "UNPUBLISHED"
        places = int(body.get("total_available_places", self._places(study)))
        if is_out and (set(body) - {"total_available_places"} or places < self._places(study)):
            return 400, error("Only places can be added to a published study.")
        now.update(body)
        return 200, now

    def _places(self, study: str) -> int:
        return int(self.studies[study]["total_available_places"])

    def delete_study(self, study: str) -> Answer:
        if self.studies[study]["status"] != "UNPUBLISHED":
            return 400, error("Only drafts can be deleted.")
        del self.studies[study]
        return 204, None

    def move_study(self, study: str, action: str) -> Answer:
        allowed, after = TRANSITIONS[action]
        now = self.studies[study]
        if now["status"] not in allowed:
            return 400, error(f"A study that is {now['status']} can't {action}.")
        if action == "PUBLISH" and now["reward"] * now["total_available_places"] > self.balance:
            return 400, error("You do not have enough money in your account.")
        now["status"] = after
        return 200, now

    def list_submissions(self, query: Json) -> Answer:
        rows = [row for row in self.submissions.values() if row["study_id"] == query["study"]]
        return page(rows, query)

    def get_submission(self, session: str) -> Answer:
        found = self.submissions.get(session)
        return (200, found) if found else (404, error("No submission."))

    def move_submission(self, session: str, action: str, **body: Any) -> Answer:
        now, after = self.submissions[session], DECISIONS[action]
        if action == "REJECT" and len(body.get("message", "")) < 100:
            return 400, error({"message": ["At least 100 characters."]})
        if now["status"] not in ("AWAITING REVIEW", after):
            return 400, error(f"The submission is {now['status']}.")
        now.update(status=after, **body)
        return 200, now

    def prepare_bonuses(self, study_id: str, csv_bonuses: str) -> Answer:
        rows = [line.split(",") for line in csv_bonuses.splitlines()]
        if any(self.submissions[row[0]]["study_id"] != study_id for row in rows):
            return 400, error("These have not taken part in the study.")
        batch = self.new_id("batch")
        self.batches[batch] = [(row[0], round(float(row[1]) * 100)) for row in rows]
        return 201, {"id": batch}

    def pay_bonuses(self, batch: str) -> Answer:
        """Not idempotent, as the real one."""
        for session, cents in self.batches[batch]:
            self.paid.append((session, cents))
            self.submissions[session]["bonus_payments"].append(cents)
        return 202, None

    def send_message(self, **body: Any) -> Answer:
        known = {row["participant_id"] for row in self.submissions.values()}
        if set(body["ids"]) - known:
            return 400, error("Some are no participants of the study.")
        self.messages.append(body)
        return 204, None

    def list_groups(self, query: Json) -> Answer:
        return page(list(self.groups.values()), query)

    def create_group(self, **body: Any) -> Answer:
        group = self.new_id("group")
        self.groups[group] = {"id": group, "people": [], **body}
        return 201, self.groups[group]

    def add_to_group(self, group: str, participant_ids: list[str]) -> Answer:
        people = self.groups[group]["people"]
        people.extend(person for person in participant_ids if person not in people)
        return 200, {"results": people}

    def remove_from_group(self, group: str, participant_ids: list[str]) -> Answer:
        rest = [one for one in self.groups[group]["people"] if one not in participant_ids]
        self.groups[group]["people"] = rest
        return 200, {"results": rest}


ROUTES: dict[str, Callable[..., Answer]] = {
    r"GET /users/me/": ProlificServer.get_me,
    r"GET /workspaces/": ProlificServer.list_workspaces,
    r"GET /studies/": ProlificServer.list_studies,
    r"POST /studies/": ProlificServer.create_study,
    r"GET /studies/(\w+)/": ProlificServer.get_study,
    r"PATCH /studies/(\w+)/": ProlificServer.update_study,
    r"DELETE /studies/(\w+)/": ProlificServer.delete_study,
    r"POST /studies/(\w+)/transition/": ProlificServer.move_study,
    r"GET /submissions/": ProlificServer.list_submissions,
    r"POST /submissions/bonus-payments/": ProlificServer.prepare_bonuses,
    r"GET /submissions/(\w+)/": ProlificServer.get_submission,
    r"POST /submissions/(\w+)/transition/": ProlificServer.move_submission,
    r"POST /bulk-bonus-payments/(\w+)/pay/": ProlificServer.pay_bonuses,
    r"POST /messages/bulk/": ProlificServer.send_message,
    r"GET /participant-groups/": ProlificServer.list_groups,
    r"POST /participant-groups/": ProlificServer.create_group,
    r"POST /participant-groups/(\w+)/participants/": ProlificServer.add_to_group,
    r"DELETE /participant-groups/(\w+)/participants/": ProlificServer.remove_from_group,
}


def page(rows: list[Json], query: Json) -> Answer:
    number = int(query.get("page", 1))
    shown = rows[(number - 1) * PAGE : number * PAGE]
    more = number * PAGE < len(rows)
    return 200, {"results": shown, "_links": {"next": {"href": "…" if more else None}}}


def error(detail: Any) -> Json:
    return {"error": {"title": "Refused", "detail": detail}}


def sign(secret: str, timestamp: str, body: bytes) -> str:
    """As Prolific signs its webhooks."""
    digest = hmac.new(secret.encode(), timestamp.encode() + body, hashlib.sha256).digest()
    return base64.b64encode(digest).decode()


class _Handler(BaseHTTPRequestHandler):
    prolific: ProlificServer
    protocol_version = "HTTP/1.1"

    def handle_call(self) -> None:
        address = urlsplit(self.path)
        path = address.path.removeprefix("/api/v1")
        query = {name: values[0] for name, values in parse_qs(address.query).items()}
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        call = f"{self.command} {path}"
        self.prolific.calls.append(call)
        fault = self._take_fault(call)
        if self.headers.get("Authorization") != f"Token {TOKEN}":
            self._reply(401, error("Invalid token."))
        elif fault is not None and not fault.is_after:
            self._fail(fault.how)
        else:
            answer = self.prolific.answer(self.command, path, query, body)
            self._fail(fault.how) if fault else self._reply(*answer)

    do_GET = do_POST = do_PATCH = do_DELETE = handle_call

    def _take_fault(self, call: str) -> Fault | None:
        with self.prolific.lock:
            for fault in self.prolific.faults:
                if re.fullmatch(fault.call, call):
                    self.prolific.faults.remove(fault)
                    return fault
        return None

    def _fail(self, how: int | str) -> None:
        if isinstance(how, int):
            self._reply(how, error("Something went wrong."))
            return
        if how == "hang":
            time.sleep(1)
        self.close_connection = True

    def _reply(self, status: int, content: Any) -> None:
        data = b"" if content is None else json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        """Tests read `calls` instead."""
