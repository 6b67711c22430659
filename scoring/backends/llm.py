"""A language model as a judge, over any endpoint that offers `/v1/chat/completions`.

A call that fails is repeated within a bound. A unit without a verdict after that is missing: it
counts neither as present nor as absent. Nothing is sent before its price is reserved.
"""

from __future__ import annotations

import hashlib
import json
import math
import threading
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import numpy as np

from scoring.backends.llm_client import ChatClient, Pace, pause_after, read_retry_after
from scoring.errors import InputError
from scoring.judge.catalogue import LLM_PREFIX, JudgeOptions, Preset
from scoring.judge.llm.calls import PROTOCOL, Answer, Call, read_answer
from scoring.judge.llm.endpoints import Endpoint, find_endpoint
from scoring.judge.llm.estimates import Estimate, estimate_cost, make_calls, most_cost
from scoring.judge.llm.ledger import CapReached, Ledger, Verdicts
from scoring.judge.protocol import CONTEXT, Identity, Question, Verdict
from scoring.outgoing import NoReply, NotSent, Reply
from scoring.sentences import split_sentences
from scoring.translation import gettext as _

AHEAD = 4  # calls per connection that wait for their turn
MOST_PAUSES = 10  # times that one call is put off by a limit of the endpoint's
MOST_REFUSED = 10  # calls in a row that an endpoint calls wrong before none is sent any more
SURE = 40.0  # the logit of a verdict without doubt
PAUSED = (429, 503)
WRONG = (401, 403, 404)  # what every other call would get, too


class EndpointError(InputError):
    """No call can succeed: the key, the address or the model is wrong."""


@dataclass
class Tally:
    """What happened, for the report. Changed under the judge's lock only."""

    calls: int = 0
    reused: int = 0
    units: int = 0
    missing: int = 0
    not_asked: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    models: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Turn:
    """What became of one attempt: verdicts, and whether another attempt makes sense."""

    verdicts: Verdicts = field(default_factory=dict)
    is_final: bool = False
    pause: float | None = None
    is_put_off: bool = False


def load(name: str, preset: Preset | None, options: JudgeOptions) -> LlmJudge:
    endpoint = find_endpoint(name, options.endpoints)
    if options.evidence:
        endpoint = endpoint.with_quotes()
    if options.cap is None and not endpoint.is_free:
        raise InputError(
            _(
                "Endpoint '{endpoint}' costs money. Give a cap: the most that may be spent, "
                "in {currency}."
            ).format(endpoint=endpoint.name, currency=endpoint.currency)
        )
    return LlmJudge(endpoint, Ledger(options.cap, options.ledger))


class LlmJudge:
    """Reads present or not present; `classes` are these two."""

    classes = 2

    def __init__(self, endpoint: Endpoint, ledger: Ledger) -> None:
        self._endpoint = endpoint
        self._identity = identify(endpoint)
        self._client = ChatClient(endpoint)
        self._ledger = ledger
        self._pace = Pace(endpoint.requests_per_minute, endpoint.connections)
        self._lock = threading.Lock()
        self._tally = Tally()
        self._halted: InputError | None = None
        self._has_answers = False

    @property
    def default_function(self) -> str:
        return "l2c" if self._endpoint.reading == "verdict" else "p2c"

    @property
    def identity(self) -> Identity:
        return self._identity

    def estimate(self, questions: Iterable[Question]) -> Estimate:
        """What these questions cost at most, if no call has to be repeated."""
        return estimate_cost(questions, self._endpoint)

    @property
    def currency(self) -> str:
        return self._endpoint.currency

    def judge(self, questions: Iterable[Question]) -> Iterator[list[Verdict]]:
        """For each question, in order, the verdicts on its units; several calls at a time."""
        most = AHEAD * self._endpoint.connections
        waiting: deque[tuple[Question, list[Future[Verdicts]]]] = deque()
        pool = ThreadPoolExecutor(self._endpoint.connections, thread_name_prefix="llm")
        self._pace.stopped.clear()
        try:
            for question in questions:
                calls = make_calls(question, self._endpoint)
                waiting.append((question, [pool.submit(self._ask, call) for call in calls]))
                while sum(len(futures) for _question, futures in waiting) > most:
                    yield self._collect(*waiting.popleft())
            while waiting:
                yield self._collect(*waiting.popleft())
        finally:
            self._pace.stopped.set()
            pool.shutdown(cancel_futures=True)

    def report(self) -> dict[str, Any]:
        """What was asked, answered and paid so far, as plain values."""
        spending = self._ledger.spending
        with self._lock:
            tally = self._tally
            return {
                "calls": tally.calls,
                "reused_calls": tally.reused,
                "units": tally.units,
                "missing": tally.missing,
                "not_asked": tally.not_asked,
                "stopped": str(self._halted) if self._halted else "",
                "faults": dict(sorted(tally.faults.items())),
                "models": dict(sorted(tally.models.items())),
                "input_tokens": tally.input_tokens,
                "output_tokens": tally.output_tokens,
                "spent": f"{spending.committed:f}",
                "cap": None if spending.cap is None else f"{spending.cap:f}",
                "currency": self._endpoint.currency,
            }

    def close(self) -> None:
        self._ledger.close()

    def _collect(self, question: Question, futures: Sequence[Future[Verdicts]]) -> list[Verdict]:
        """The verdicts of all calls that a question took."""
        answers = [future.result() for future in futures]
        samples = self._endpoint.calls_per_group
        found: list[Verdict] = []
        for start in range(0, len(answers), samples):
            group = answers[start : start + samples]
            first = len(found)
            size = len(question.units[first : first + self._endpoint.units_per_call])
            found += [
                self._read(question.summary, [answer.get(unit) for answer in group])
                for unit in range(1, size + 1)
            ]
        with self._lock:
            missing = sum(verdict.is_missing for verdict in found)
            self._tally.units += len(found)
            self._tally.missing += missing
            self._has_answers |= missing < len(found)
            if isinstance(self._halted, EndpointError) and not self._has_answers:
                raise self._halted
        return found

    def _read(self, summary: str, said: Sequence[Any]) -> Verdict:
        """One unit, from the samples: missing unless each of them has a verdict."""
        if any(verdict is None for verdict in said):
            return Verdict(np.full((1, 2), np.nan, dtype=np.float32))
        if self._endpoint.reading == "probability":
            presence = float(said[0].probability)
        else:
            presence = sum(verdict.present for verdict in said) / len(said)
        logits = np.array([[_logit(presence), 0.0]], dtype=np.float32)
        quotes = (verdict.quote for verdict in said if verdict.quote)
        return Verdict(logits, find_sentence(summary, next(quotes, "")))

    def _ask(self, call: Call) -> Verdicts:
        """One call, repeated while units lack a verdict, as often as is allowed."""
        key = call.key(self._identity)
        found = self._ledger.stored(key)
        if len(found) == len(call.units):
            self._count(reused=1)
            return found
        attempt = pauses = 0
        while attempt < self._endpoint.tries:
            if self._is_halted() or not self._may_start():
                self._count(not_asked=len(call.units) - len(found))
                return found
            turn = self._try_once(call, key, attempt)
            found = {**turn.verdicts, **found}
            if turn.is_final or len(found) == len(call.units):
                return found
            if self._is_halted():
                continue
            pauses += turn.is_put_off
            attempt += not turn.is_put_off
            longest = float(self._endpoint.longest_pause)
            if turn.pause is not None and turn.pause > longest:
                self._halt(
                    InputError(
                        _(
                            "Endpoint '{endpoint}' asks to wait {pause:,.0f} s. "
                            "Its longest_pause is {longest:g} s."
                        ).format(endpoint=self._endpoint.name, pause=turn.pause, longest=longest)
                    )
                )
            elif pauses >= MOST_PAUSES:
                self._halt(
                    EndpointError(
                        _(
                            "Endpoint '{endpoint}' can't be reached, or takes no call "
                            "after {most_pauses} pauses. Check its url, or start again later."
                        ).format(endpoint=self._endpoint.name, most_pauses=MOST_PAUSES)
                    )
                )
            elif turn.is_put_off:
                wait = pause_after(pauses - 1, longest) if turn.pause is None else turn.pause
                self._pace.pause(wait)
        return found

    def _may_start(self) -> bool:
        self._pace.wait()
        return not self._pace.stopped.is_set()

    def _try_once(self, call: Call, key: str, attempt: int) -> Turn:
        body = call.body(self._endpoint, attempt)
        most = most_cost(body, call, self._endpoint)
        try:
            intent = self._ledger.reserve(key, most)
        except CapReached as error:
            self._halt(error)
            return Turn()
        self._count(calls=1)
        cost, details, turn = most, {"outcome": "interrupted"}, Turn()
        try:
            cost, details, turn = self._send(body, call, most)
        finally:
            self._ledger.settle(intent, key, cost, verdicts=turn.verdicts, **details)
        if cost > most:
            self._halt(
                InputError(
                    _(
                        "Endpoint '{endpoint}' counted more tokens than its request and "
                        "answer can have: {cost:f} instead of at most {most:f}."
                    ).format(endpoint=self._endpoint.name, cost=cost, most=most)
                )
            )
        return turn

    def _send(self, body: bytes, call: Call, most: Decimal) -> tuple[Decimal, dict[str, Any], Turn]:
        """What it cost, what the ledger notes, and what came of it."""
        try:
            reply = self._client.send(body)
        except NotSent:
            return self._fail(Decimal(0), _("not reached"), Turn(is_put_off=True))
        except NoReply:
            return self._fail(most, _("no answer"), Turn())
        if reply.status == 200:
            return self._read_reply(reply, call, most)
        outcome = _("status {status}").format(status=reply.status)
        if reply.status in PAUSED:
            pause = read_retry_after(reply.headers)
            return self._fail(Decimal(0), outcome, Turn(pause=pause, is_put_off=True))
        if reply.status >= 500:
            # It may have been carried out and charged.
            return self._fail(most, outcome, Turn())
        found = self._fail(Decimal(0), outcome, Turn(is_final=True))
        if reply.status in WRONG or reply.status < 400 or self._is_always(outcome):
            said = "" if reply.status in (401, 403) else self._client.explain(reply)
            self._halt(
                EndpointError(
                    _(
                        "Endpoint '{endpoint}' answers with status {status}"
                        "{said}. Check its url, its model and its key, and "
                        "whether it knows the format and the other fields."
                    ).format(
                        endpoint=self._endpoint.name,
                        status=reply.status,
                        said=f" ({said})" if said else "",
                    )
                )
            )
        return found

    def _is_always(self, outcome: str) -> bool:
        """Whether nothing but this ever came back, several times."""
        with self._lock:
            return not self._tally.models and self._tally.faults[outcome] >= MOST_REFUSED

    def _fail(
        self, cost: Decimal, outcome: str, turn: Turn
    ) -> tuple[Decimal, dict[str, Any], Turn]:
        with self._lock:
            self._tally.faults[outcome] += 1
        return cost, {"outcome": outcome}, turn

    def _read_reply(
        self, reply: Reply, call: Call, most: Decimal
    ) -> tuple[Decimal, dict[str, Any], Turn]:
        answer = read_answer(reply.content, call, self._endpoint)
        given, written = answer.input_tokens, answer.output_tokens
        is_counted = given is not None and written is not None
        cost = self._endpoint.cost(given or 0, written or 0) if is_counted else most
        details = {
            "outcome": "answered",
            "model": answer.model,
            "input_tokens": given,
            "output_tokens": written,
            "faults": dict(answer.faults),
        }
        self._note(answer)
        return cost, details, Turn(answer.verdicts)

    def _note(self, answer: Answer) -> None:
        with self._lock:
            tally = self._tally
            tally.faults.update(answer.faults)
            tally.input_tokens += answer.input_tokens or 0
            tally.output_tokens += answer.output_tokens or 0
            tally.models[answer.model or "unnamed"] += 1
            right = tally.models[self._endpoint.answered_model]
            others = tally.faults["other model"]
            if not right and answer.faults["other model"] and others >= self._endpoint.tries:
                self._halted = self._halted or EndpointError(
                    _(
                        "Endpoint '{endpoint}' answers as '{model}', not as "
                        "'{answered_model}'. Verdicts of another model are not used. "
                        "If it is the right one, write its name as answers_as."
                    ).format(
                        endpoint=self._endpoint.name,
                        model=answer.model,
                        answered_model=self._endpoint.answered_model,
                    )
                )

    def _halt(self, error: InputError) -> None:
        """No further call starts; those on their way are waited for."""
        with self._lock:
            self._halted = self._halted or error

    def _is_halted(self) -> bool:
        with self._lock:
            return self._halted is not None

    def _count(self, **amounts: int) -> None:
        with self._lock:
            for name, amount in amounts.items():
                setattr(self._tally, name, getattr(self._tally, name) + amount)


def identify(endpoint: Endpoint) -> Identity:
    """What verdicts depend on: everything that a request says, and how its answer is read."""
    parts = [endpoint.answered_model, endpoint.version, endpoint.prompt.text, PROTOCOL]
    options: dict[str, str | int | float] = {
        "endpoint": endpoint.kind,
        "model": endpoint.model.replace("|", " "),
        "prompt": f"{endpoint.prompt.name}@{endpoint.prompt.hash[:12]}",
        "reading": endpoint.reading,
        "temperature": f"{endpoint.temperature:f}",
        "seed": endpoint.seed,
        "format": endpoint.format,
        "group": endpoint.units_per_call,
    }
    if endpoint.version:
        options["version"] = endpoint.version
    if endpoint.reading == "share":
        options["samples"] = endpoint.samples
    if endpoint.units_per_call > 1:
        options[CONTEXT] = "units"
    return Identity(
        f"{LLM_PREFIX}{endpoint.name}",
        "llm",
        hashlib.sha256(json.dumps(parts).encode()).hexdigest(),
        endpoint.answered_model.replace("|", " "),
        options,
    )


def find_sentence(summary: str, quote: str) -> int:
    """The place of the sentence that a quote begins in; -1 if the summary has no such words."""
    bare = quote.strip()
    place = summary.find(bare) if bare else -1
    if place < 0:
        return -1
    spans = split_sentences(summary)
    return next((i for i, (_start, end) in enumerate(spans) if place < end), -1)


def _logit(chance: float) -> float:
    if chance <= 0 or chance >= 1:
        return SURE if chance >= 1 else -SURE
    return max(-SURE, min(SURE, math.log(chance / (1 - chance))))
