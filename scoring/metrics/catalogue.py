"""Metrics by name, imported when one is asked for; adding one is a file and a line here."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module

from scoring.metrics.protocol import Metric, Value


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a metric: its default says its type; `choices` where only some will do."""

    name: str
    default: Value
    what: str
    choices: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """A metric that can be asked for. Its module has `OPTIONS` and `load(options) -> Metric`.

    It may have `check(options)`, which raises a ValueError where values do not go together.
    """

    name: str
    what: str
    module: str


METRICS: dict[str, Entry] = {
    name: Entry(name, what, f"scoring.metrics.{name}")
    for name, what in (
        ("rouge", "N-grams and the longest subsequence of words shared with references."),
        ("js", "How far shares of words and of word pairs are from those of references."),
        ("meteor", "Words aligned with a reference by form, stem or meaning, and their order."),
        ("autosummeng", "Graphs of neighbouring runs of characters, beside those of references."),
        ("extractive", "How much of the summary is copied from the source, in how long pieces."),
        ("length", "Words of the summary, and its length against the source."),
    )
}


def load_metric(name: str, options: Mapping[str, Value] | None = None) -> Metric:
    """A metric by name; an unknown name or option is an error that lists the known ones."""
    entry = METRICS.get(name)
    if entry is None:
        raise ValueError(f"No metric is called '{name}'. Known: {', '.join(METRICS)}.")
    module = import_module(entry.module)
    found: Metric = module.load(check_options(name, options or {}))
    return found


def list_options(name: str) -> tuple[Option, ...]:
    """What can be said of a metric, none of which loads it."""
    options: tuple[Option, ...] = import_module(METRICS[name].module).OPTIONS
    return options


def check_options(name: str, given: Mapping[str, Value]) -> dict[str, Value]:
    """Every option of the metric, with what was given in place of its default."""
    known = {option.name: option for option in list_options(name)}
    for key in given:
        if key not in known:
            listed = ", ".join(known) or "none"
            raise ValueError(f"{name} has no option '{key}'. Known: {listed}.")
    found = {
        key: _read(name, option, given.get(key, option.default)) for key, option in known.items()
    }
    if check := getattr(import_module(METRICS[name].module), "check", None):
        check(found)
    return found


WORDS = {"yes": True, "no": False, "true": True, "false": False, "1": True, "0": False}


def _read(name: str, option: Option, value: Value) -> Value:
    """The value as the option's type, from whatever a command line or a form gave."""
    kind = type(option.default)
    try:
        read: Value = WORDS[str(value).lower()] if kind is bool else kind(value)
        if isinstance(read, float) and not math.isfinite(read):
            raise ValueError
    except (ValueError, KeyError, OverflowError):
        raise ValueError(
            f"{name}: option {option.name} can't be '{value}'. Expected {_expected(option)}."
        ) from None
    if option.choices and read not in option.choices:
        raise ValueError(
            f"{name}: option {option.name} can't be '{value}'. Expected {_expected(option)}."
        )
    return read


def _expected(option: Option) -> str:
    if option.choices:
        return f"one of {', '.join(map(str, option.choices))}"
    kinds = {bool: "yes or no", int: "a whole number", float: "a number", str: "text"}
    return kinds[type(option.default)]
