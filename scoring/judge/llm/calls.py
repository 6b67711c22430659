"""One call: a summary and a group of its units, as a request; and what an answer says of them.

An answer is untrusted text. What does not say, for one of the units that were asked about, exactly
once whether it is present says nothing of it.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scoring.judge.llm.endpoints import Endpoint
from scoring.judge.protocol import Identity

PROTOCOL = 1  # the form of requests and the way to read answers; part of every identity
TOP_LOGPROBS = 20
MOST_QUOTE = 1000
_PRESENT = re.compile(rb'"present"\s*:\s*(?=true|false)')
_FENCED = re.compile(r"\s*```(?:json)?\s*(.*?)\s*```\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Call:
    """A group of units of one summary; `sample` counts the times that it is asked about."""

    summary: str
    units: tuple[str, ...]
    sample: int = 0

    def key(self, identity: Identity) -> str:
        """The same for the same question to the same judge, in whatever run."""
        parts = [identity.key, self.summary, self.units, self.sample]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def body(self, endpoint: Endpoint, attempt: int = 0) -> bytes:
        """The request. Another attempt has another seed, or it would fail in the same way."""
        units = [{"unit": place, "text": text} for place, text in enumerate(self.units, 1)]
        asked = json.dumps({"summary": self.summary, "units": units}, ensure_ascii=False)
        found: dict[str, Any] = {
            "model": endpoint.model,
            "messages": [
                {"role": "system", "content": endpoint.prompt.text},
                {"role": "user", "content": asked},
            ],
            "temperature": float(endpoint.temperature),
            "seed": endpoint.seed + self.sample + attempt * endpoint.calls_per_group,
            endpoint.limit_field: self.most_tokens(endpoint),
            "stream": False,
        }
        if endpoint.format == "json_schema":
            schema = make_schema(len(self.units), endpoint.prompt.has_quotes)
            named = {"name": "verdicts", "strict": True, "schema": schema}
            found["response_format"] = {"type": "json_schema", "json_schema": named}
        elif endpoint.format == "json_object":
            found["response_format"] = {"type": "json_object"}
        if endpoint.reading == "probability":
            found |= {"logprobs": True, "top_logprobs": TOP_LOGPROBS}
        # A lone surrogate has no UTF-8 and is sent as a question mark.
        return json.dumps(found, ensure_ascii=False).encode("utf-8", "replace")

    def most_tokens(self, endpoint: Endpoint) -> int:
        """The longest answer that is allowed."""
        return endpoint.extra_tokens + endpoint.tokens_per_unit * len(self.units)


def make_schema(units: int, has_quotes: bool) -> dict[str, Any]:
    """JSON schema of an answer about so many units."""
    properties: dict[str, Any] = {
        "unit": {"type": "integer"},
        "present": {"type": "boolean"},
    }
    if has_quotes:
        properties["quote"] = {"type": "string"}
    verdict = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    verdicts = {"type": "array", "items": verdict, "minItems": units, "maxItems": units}
    return {
        "type": "object",
        "properties": {"verdicts": verdicts},
        "required": ["verdicts"],
        "additionalProperties": False,
    }


@dataclass(frozen=True, slots=True)
class UnitVerdict:
    """What one answer says of one unit; `probability` only where it was asked for."""

    present: bool
    probability: float | None = None
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What an answer says, by the number of the unit; `faults` counts what was wrong with it."""

    verdicts: dict[int, UnitVerdict] = field(default_factory=dict)
    faults: Counter[str] = field(default_factory=Counter)
    model: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None


class _TwiceNamed(ValueError):
    """A JSON object names a field twice, and could mean either."""


def read_answer(content: bytes, call: Call, endpoint: Endpoint) -> Answer:
    """Read the body of an answer with status 200."""
    found = _parse(content.decode("utf-8", "replace"))
    if not isinstance(found, dict):
        return Answer(faults=Counter({"unreadable": 1}))
    model = found.get("model")
    named = model[:200] if isinstance(model, str) else ""
    tokens = _usage(found.get("usage"))
    if named != endpoint.answered_model:
        return Answer({}, Counter({"other model": 1}), named, *tokens)
    verdicts, faults = _read_choice(found.get("choices"), call, endpoint)
    return Answer(verdicts, faults, named, *tokens)


def _read_choice(
    choices: object, call: Call, endpoint: Endpoint
) -> tuple[dict[int, UnitVerdict], Counter[str]]:
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        return {}, Counter({"wrong shape": 1})
    if message.get("refusal") or choice.get("finish_reason") == "content_filter":
        return {}, Counter({"refused": 1})
    text = message.get("content")
    if not isinstance(text, str) or not text.strip():
        return {}, Counter({"empty": 1})
    fenced = _FENCED.fullmatch(text)
    found = _parse(fenced[1] if fenced else text)
    if found is None:
        is_cut = choice.get("finish_reason") == "length"
        return {}, Counter({"cut": 1} if is_cut else {"unreadable": 1})
    rows = found.get("verdicts") if isinstance(found, dict) else None
    if not isinstance(rows, list):
        return {}, Counter({"wrong shape": 1})
    chances: Sequence[float | None] = [None] * len(rows)
    if endpoint.reading == "probability":
        chances = read_probabilities(choice.get("logprobs"), text, len(rows))
    return _read_rows(rows, chances, call, endpoint)


def _read_rows(
    rows: Sequence[object], chances: Sequence[float | None], call: Call, endpoint: Endpoint
) -> tuple[dict[int, UnitVerdict], Counter[str]]:
    faults: Counter[str] = Counter()
    found: dict[int, list[UnitVerdict | None]] = {}
    for row, chance in zip(rows, chances, strict=True):
        unit = row.get("unit") if isinstance(row, Mapping) else None
        if not isinstance(row, Mapping) or not isinstance(unit, int) or isinstance(unit, bool):
            faults["wrong shape"] += 1
        elif not 1 <= unit <= len(call.units):
            faults["unknown unit"] += 1
        else:
            found.setdefault(unit, []).append(_read_verdict(row, chance, endpoint, faults))
    for unit in [unit for unit, said in found.items() if len(said) > 1]:
        faults["said twice"] += 1
        del found[unit]
    said = {unit: verdict for unit, (verdict,) in sorted(found.items()) if verdict is not None}
    return said, faults


def _read_verdict(
    row: Mapping[str, object], chance: float | None, endpoint: Endpoint, faults: Counter[str]
) -> UnitVerdict | None:
    present, quote = row.get("present"), row.get("quote", "")
    if not isinstance(present, bool):
        faults["wrong shape"] += 1
        return None
    if endpoint.reading == "probability" and chance is None:
        faults["no probability"] += 1
        return None
    return UnitVerdict(present, chance, quote[:MOST_QUOTE] if isinstance(quote, str) else "")


def read_probabilities(logprobs: object, text: str, rows: int) -> list[float | None]:
    """Of each verdict, the chance of `true` against `false` where the answer chose one of them.

    Within a JSON string a quotation mark has a backslash, so that `"present":` is always a key.
    """
    nothing: list[float | None] = [None] * rows
    tokens = logprobs.get("content") if isinstance(logprobs, dict) else None
    if not isinstance(tokens, list) or not all(isinstance(token, dict) for token in tokens):
        return nothing
    starts, joined = {}, b""
    for token in tokens:
        piece = _read_bytes(token)
        # A token may begin with the space before the word.
        starts[len(joined) + len(piece) - len(piece.lstrip())] = token
        joined += piece
    places = [match.end() for match in _PRESENT.finditer(joined)]
    if joined.strip() != text.encode("utf-8", "replace").strip() or len(places) != rows:
        return nothing
    return [_read_chance(starts.get(place)) for place in places]


def _read_bytes(token: Mapping[str, Any]) -> bytes:
    """Of a token: a character can be cut between two, and only bytes join to it again."""
    listed, text = token.get("bytes"), token.get("token")
    if isinstance(listed, list) and all(isinstance(i, int) and 0 <= i < 256 for i in listed):
        return bytes(listed)
    return text.encode("utf-8", "replace") if isinstance(text, str) else b""


def _read_chance(token: dict[str, Any] | None) -> float | None:
    """From the tokens that begin one of the two words, at this place of the answer."""
    if token is None:
        return None
    listed = token.get("top_logprobs")
    top = listed if isinstance(listed, list) else []
    chances: dict[str, float] = {}
    for item in (*top, token):
        word, value = (item.get("token"), item.get("logprob")) if isinstance(item, dict) else (0, 0)
        if isinstance(word, str) and isinstance(value, int | float) and value <= 1e-6:
            chances[word] = math.exp(value)
    sums = {
        which: sum(chance for word, chance in chances.items() if _begins(word, which))
        for which in ("true", "false")
    }
    total = sums["true"] + sums["false"]
    return sums["true"] / total if total > 0 else None


def _begins(token: str, word: str) -> bool:
    """Whether a token is the word, or its beginning, perhaps with the space before."""
    bare = token.strip().lower()
    return bool(bare) and word.startswith(bare)


def _usage(found: object) -> Iterator[int | None]:
    for name in ("prompt_tokens", "completion_tokens"):
        value = found.get(name) if isinstance(found, dict) else None
        is_count = isinstance(value, int) and not isinstance(value, bool) and value >= 0
        yield value if is_count else None


def _parse(text: str) -> object:
    """The value; nothing where it is no JSON, or names a field twice."""

    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        if len(dict(pairs)) != len(pairs):
            raise _TwiceNamed
        return dict(pairs)

    try:
        found: object = json.loads(text, object_pairs_hook=once)
    except (ValueError, RecursionError):
        return None
    return found
