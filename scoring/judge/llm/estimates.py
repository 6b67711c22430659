"""What a run costs at most, before it begins.

Every tokenizer in use makes at most one token of a byte, and the form of the request adds a few.
So the bytes of a request bound its tokens from above; English has three to five bytes in each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Protocol, runtime_checkable

from scoring.judge.llm.calls import Call
from scoring.judge.llm.endpoints import Endpoint
from scoring.judge.protocol import Judge, Question

FORM_TOKENS = 100  # of the chat's template around the messages
BYTES_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Estimate:
    """`most` is never exceeded while no call has to be repeated; `likely` is a guess."""

    calls: int
    input_tokens: int
    output_tokens: int
    likely: Decimal
    most: Decimal


@runtime_checkable
class PaidJudge(Judge, Protocol):
    """A judge whose verdicts cost money, and may be missing."""

    @property
    def currency(self) -> str: ...

    def estimate(self, questions: Iterable[Question]) -> Estimate:
        """What these questions cost at most, if no call has to be repeated."""
        ...

    def report(self) -> dict[str, Any]:
        """What was asked, answered and paid so far, as plain values."""
        ...

    def close(self) -> None: ...


def make_calls(question: Question, endpoint: Endpoint) -> Iterator[Call]:
    """The calls that a question takes, group by group."""
    size = endpoint.units_per_call
    for start in range(0, len(question.units), size):
        for sample in range(endpoint.calls_per_group):
            yield Call(question.summary, question.units[start : start + size], sample)


def most_input(body: bytes) -> int:
    """More tokens than a request can have."""
    return len(body) + FORM_TOKENS


def most_cost(body: bytes, call: Call, endpoint: Endpoint) -> Decimal:
    """What one call can cost at most."""
    return endpoint.cost(most_input(body), call.most_tokens(endpoint))


def estimate_cost(questions: Iterable[Question], endpoint: Endpoint) -> Estimate:
    """Of all calls that the questions take, each asked once."""
    calls = given = answered = 0
    likely = most = Decimal(0)
    for question in questions:
        for call in make_calls(question, endpoint):
            body = call.body(endpoint)
            longest = call.most_tokens(endpoint)
            calls += 1
            given += most_input(body)
            answered += longest
            most += endpoint.cost(most_input(body), longest)
            likely += endpoint.cost(len(body) // BYTES_PER_TOKEN, longest // 2)
    return Estimate(calls, given, answered, likely, most)
