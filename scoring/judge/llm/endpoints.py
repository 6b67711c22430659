"""Endpoints of language models, as the operator describes them in a TOML file.

Each table of the file is an endpoint. The file names the environment variable that holds a key,
and never the key itself.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from scoring.errors import InputError, name_type
from scoring.judge.catalogue import LLM_PREFIX
from scoring.judge.llm.prompts import DEFAULT_PROMPT, Prompt, read_prompt
from scoring.translation import gettext as _

VARIABLE = "LLM_ENDPOINTS"
FILE = "llm.toml"  # in JUDGES_DIR
READINGS = ("probability", "share", "verdict")
FORMATS = ("json_schema", "json_object", "none")
LIMIT_FIELDS = ("max_tokens", "max_completion_tokens")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_CURRENCY = re.compile(r"[A-Z]{3}")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model answers, what it costs, and how it is asked.

    Prices are per million tokens. `answers_as` is the model's name in answers, where it is not the
    one that is asked for: a verdict under any other name is refused. `kind` and `version` stand in
    signatures: the program that serves the model, and whatever else tells two models of one name
    apart, such as a quantisation.
    """

    name: str
    url: str
    model: str
    key_variable: str = ""
    answers_as: str = ""
    kind: str = "openai"
    version: str = ""
    input_price: Decimal = Decimal(0)
    output_price: Decimal = Decimal(0)
    currency: str = "USD"
    requests_per_minute: int = 60
    connections: int = 4
    seconds: Decimal = Decimal(60)
    tries: int = 3
    longest_pause: Decimal = Decimal(60)
    logprobs: bool = False
    reading: str = "verdict"
    samples: int = 5
    temperature: Decimal = Decimal(0)
    seed: int = 1
    units_per_call: int = 10
    format: str = "json_schema"
    limit_field: str = "max_tokens"
    tokens_per_unit: int = 60
    extra_tokens: int = 100
    prompt: Prompt = field(default_factory=lambda: read_prompt(DEFAULT_PROMPT))

    @property
    def is_free(self) -> bool:
        return not self.input_price and not self.output_price

    @property
    def answered_model(self) -> str:
        return self.answers_as or self.model

    @property
    def calls_per_group(self) -> int:
        """How often a model is asked about one group of units."""
        return self.samples if self.reading == "share" else 1

    def cost(self, input_tokens: int, output_tokens: int) -> Decimal:
        price = self.input_price * input_tokens + self.output_price * output_tokens
        return price / 1_000_000

    def with_quotes(self) -> Endpoint:
        """The same, asked by the prompt that also wants words of the summary."""
        if self.prompt.has_quotes:
            return self
        if self.prompt.name != DEFAULT_PROMPT:
            raise InputError(
                _(
                    "The prompt '{prompt}' of endpoint '{name}' asks for no quotes, "
                    "which evidence needs."
                ).format(prompt=self.prompt.name, name=self.name)
            )
        return replace(
            self,
            prompt=read_prompt("presence-quote-1"),
            tokens_per_unit=self.tokens_per_unit + 100,
        )


# What an operator may write, and between which values.
_BOUNDS: dict[str, tuple[int, int]] = {
    "requests_per_minute": (1, 100_000),
    "connections": (1, 64),
    "tries": (1, 10),
    "samples": (2, 50),
    "seed": (0, 2**31 - 1),
    "units_per_call": (1, 100),
    "tokens_per_unit": (10, 2_000),
    "extra_tokens": (0, 100_000),
}
_DECIMALS: dict[str, tuple[str, str]] = {
    "input_price": ("0", "100000"),
    "output_price": ("0", "100000"),
    "seconds": ("0.1", "600"),
    "longest_pause": ("0", "600"),
    "temperature": ("0", "2"),
}
_CHOICES = {"reading": READINGS, "format": FORMATS, "limit_field": LIMIT_FIELDS}
_PATTERNS = {
    "key_variable": _VARIABLE,
    "currency": _CURRENCY,
    "kind": _NAME,
    "version": _NAME,
}


def endpoints_file() -> Path | None:
    """The file that `LLM_ENDPOINTS` names, or `llm.toml` in `JUDGES_DIR`."""
    if named := os.environ.get(VARIABLE):
        return Path(named).expanduser()
    if folder := os.environ.get("JUDGES_DIR"):
        return Path(folder).expanduser() / FILE
    return None


def find_endpoint(name: str, path: Path | None = None) -> Endpoint:
    """The endpoint of that name; `path` by default is the operator's file."""
    file = path or endpoints_file()
    known = read_endpoints(file) if file and (path or file.is_file()) else {}
    short = name.removeprefix(LLM_PREFIX)
    if short in known:
        return known[short]
    if known:
        raise InputError(
            _("There is no endpoint '{short}'. {file} describes {known}.").format(
                short=short, file=file, known=", ".join(known)
            )
        )
    raise InputError(
        _(
            "There is no endpoint '{short}', because no file describes one. Write {file} in "
            "JUDGES_DIR, or name a file in {variable}."
        ).format(short=short, file=FILE, variable=VARIABLE)
    )


def read_endpoints(path: Path) -> dict[str, Endpoint]:
    """All endpoints of a file, by name. The first fault is an error that names file and field."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
    except UnicodeDecodeError as error:
        raise InputError(_("{path} is not UTF-8.").format(path=path)) from error
    except tomllib.TOMLDecodeError as error:
        raise InputError(
            _("{path} is not valid TOML: {error}.").format(path=path, error=error)
        ) from error
    found = {}
    for name, table in tables.items():
        try:
            found[name] = _read_table(name, table, path.parent)
        except InputError as error:
            raise InputError(f"{path}: [{name[:64]}]: {error}") from error
    return found


def _read_table(name: str, table: object, folder: Path) -> Endpoint:
    if not _NAME.fullmatch(name):
        raise InputError(_("a name has letters, digits, points, hyphens and underscores."))
    if not isinstance(table, Mapping):
        raise InputError(_("expected a table with url and model."))
    known = {item.name for item in fields(Endpoint)} - {"name"}
    if unknown := sorted(set(table) - known):
        raise InputError(
            _("'{unknown}' is unknown. Use: {known}.").format(
                unknown=unknown[0], known=", ".join(sorted(known))
            )
        )
    values: dict[str, Any] = {key: _read_value(key, value) for key, value in table.items()}
    for needed in ("url", "model"):
        if not values.get(needed):
            raise InputError(_("{needed} is missing.").format(needed=needed))
    if "prompt" in values:
        values["prompt"] = read_prompt(values["prompt"], folder)
    endpoint = Endpoint(name, **values)
    _check_url(endpoint)
    if endpoint.reading == "probability" and not endpoint.logprobs:
        raise InputError(_("reading: 'probability' needs logprobs = true."))
    if endpoint.reading == "share" and not endpoint.temperature:
        raise InputError(_("reading: 'share' needs a temperature above 0, or all samples agree."))
    return endpoint


def _read_value(key: str, value: object) -> object:
    if key in _BOUNDS:
        return _read_number(key, value, *_BOUNDS[key])
    if key in _DECIMALS:
        return _read_decimal(key, value, *(Decimal(bound) for bound in _DECIMALS[key]))
    if key == "logprobs":
        if not isinstance(value, bool):
            raise InputError(
                _("logprobs: expected true or false, not {name_type}.").format(
                    name_type=name_type(value)
                )
            )
        return value
    if not isinstance(value, str) or not value.strip() or len(value) > 500:
        raise InputError(_("{key}: expected a text of 1 to 500 characters.").format(key=key))
    if key in _CHOICES and value not in _CHOICES[key]:
        raise InputError(
            _("{key}: expected one of {choices}.").format(key=key, choices=", ".join(_CHOICES[key]))
        )
    if key in _PATTERNS and not _PATTERNS[key].fullmatch(value):
        raise InputError(_("{key}: the value doesn't have the form of one.").format(key=key))
    return value


def _read_number(key: str, value: object, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InputError(
            _("{key}: expected a whole number from {low:,} to {high:,}.").format(
                key=key, low=low, high=high
            )
        )
    return value


def _read_decimal(key: str, value: object, low: Decimal, high: Decimal) -> Decimal:
    """Of a number, or of a string; a TOML file is read without binary fractions."""
    message = _("{key}: expected a number from {low} to {high:,}.").format(
        key=key, low=low, high=high
    )
    if isinstance(value, bool) or not isinstance(value, int | Decimal | str):
        raise InputError(message)
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,12})?", str(value)):
        raise InputError(message)
    number = Decimal(value)
    if not low <= number <= high:
        raise InputError(message)
    return number


def _check_url(endpoint: Endpoint) -> None:
    try:
        parts = urlsplit(endpoint.url)
        __ = parts.port
    except ValueError as error:
        raise InputError(_("url: {error}.").format(error=error)) from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError(_("url: expected an address that starts with https:// or http://."))
    if parts.username or parts.password or parts.query or parts.fragment:
        raise InputError(_("url: expected an address without user, password, query or fragment."))
    if endpoint.key_variable and parts.scheme == "http" and not is_loopback(parts.hostname):
        raise InputError(_("url: a key is only sent over https, or to this machine."))


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
