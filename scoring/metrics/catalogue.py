"""Metrics by name, imported when one is asked for; adding one is a file and a line here."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module

from scoring.errors import InputError
from scoring.metrics.protocol import DOCUMENTS, REFERENCES, Metric, Value
from scoring.translation import gettext as _
from scoring.translation import gettext_lazy


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a metric: its default says its type; `choices` where only some will do.

    `is_outside` is one whose value may name a file or a model outside of the program, other than by
    the short names in `known`. Whoever serves others must not take such values from them.
    """

    name: str
    default: Value
    what: str
    choices: tuple[Value, ...] = ()
    is_outside: bool = False
    known: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """A metric that can be asked for. Its module has `OPTIONS` and `load(options) -> Metric`.

    It may have `check(options)`, which raises a ValueError where values do not go together. `needs`
    is what it reads beside summaries, unless options say otherwise; `needs_models` is whether it
    does nothing before options name models for it. `is_quick` is whether it counts words alone,
    without an encoder, a parser or anything learned.
    """

    name: str
    what: str
    module: str
    needs: frozenset[str] = frozenset({REFERENCES})
    needs_models: bool = False
    is_quick: bool = False


_OF_DOCUMENTS = (
    "reference_free", "supert", "c_sbert", "pseudo_references", "source_overlap", "extractive",
    "length",
)  # fmt: skip
_NEEDS = {
    **dict.fromkeys(_OF_DOCUMENTS, frozenset({DOCUMENTS})),
    "sem_ncg": frozenset({DOCUMENTS, REFERENCES}),
}
_NEED_MODELS = {"qa_overlap"}
_QUICK = {"rouge", "source_overlap", "js", "meteor", "autosummeng", "extractive", "length"}
METRICS: dict[str, Entry] = {
    name: Entry(
        name,
        what,
        f"scoring.metrics.{name}",
        _NEEDS.get(name, frozenset({REFERENCES})),
        name in _NEED_MODELS,
        name in _QUICK,
    )
    for name, what in (
        ("rouge", gettext_lazy("N-gram and longest-common-subsequence overlap with references.")),
        ("bertscore", gettext_lazy("Greedy cosine matching of token embeddings with references.")),
        (
            "moverscore",
            gettext_lazy("1 minus the earth mover’s distance between words and references."),
        ),
        ("movers", gettext_lazy("Word, sentence, and sentence + word mover’s similarity.")),
        ("rouge_we", gettext_lazy("ROUGE with soft matching of similar words.")),
        ("basic_elements", gettext_lazy("Overlap of words and dependency pairs with references.")),
        ("qa_overlap", gettext_lazy("Answer overlap with references, by question answering.")),
        ("s3", gettext_lazy("Human scores predicted from other metrics.")),
        (
            "reference_free",
            gettext_lazy("Relevance to central source sentences, minus redundancy."),
        ),
        (
            "sem_ncg",
            gettext_lazy("Cumulative gain of extracted sentences, ranked by the references."),
        ),
        (
            "supert",
            gettext_lazy("Greedy matching with central source sentences, with and without idf."),
        ),
        ("c_sbert", gettext_lazy("Cosine similarity with central source sentences.")),
        (
            "pseudo_references",
            gettext_lazy("A reference-based metric applied to central source sentences."),
        ),
        (
            "source_overlap",
            gettext_lazy("TF-IDF cosine and Jensen–Shannon divergence with the source."),
        ),
        ("js", gettext_lazy("Jensen–Shannon divergence of n-grams from the references.")),
        ("meteor", gettext_lazy("Word alignment with a reference by form, stem or synonym.")),
        ("autosummeng", gettext_lazy("Similarity of character n-gram graphs with references.")),
        ("extractive", gettext_lazy("Extent and length of fragments copied from the source.")),
        ("length", gettext_lazy("Number of words, and length relative to the source.")),
    )
}


def load_metric(name: str, options: Mapping[str, Value] | None = None) -> Metric:
    """A metric by name; an unknown name or option is an error that lists the known ones."""
    entry = METRICS.get(name)
    if entry is None:
        raise InputError(
            _("There is no metric '{name}'. Known: {metrics}.").format(
                name=name, metrics=", ".join(METRICS)
            )
        )
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
            raise InputError(
                _("{name} has no option '{key}'. Known: {listed}.").format(
                    name=name, key=key, listed=listed
                )
            )
    found = {
        key: _read(name, option, given.get(key, option.default)) for key, option in known.items()
    }
    if check := getattr(import_module(METRICS[name].module), "check", None):
        check(found)
    return found


def list_outside(name: str, given: Mapping[str, Value]) -> list[str]:
    """The options whose values name a file or a model that is none of the program's own."""
    return [
        option.name
        for option in list_options(name)
        if option.is_outside and _is_outside(option, given.get(option.name, option.default))
    ]


def _is_outside(option: Option, value: Value) -> bool:
    parts = [part.strip() for part in str(value).split(",")]
    return value != option.default and not all(part in option.known for part in parts)


WORDS = {"yes": True, "no": False, "true": True, "false": False, "1": True, "0": False}


def _read(name: str, option: Option, value: Value) -> Value:
    """The value as the option's type, from whatever a command line or a form gave."""
    kind = type(option.default)
    try:
        read: Value = WORDS[str(value).lower()] if kind is bool else kind(value)
        if isinstance(read, float) and not math.isfinite(read):
            raise InputError
    except (ValueError, KeyError, OverflowError):
        raise InputError(
            _("{name}: option {option} can't be '{value}'. Expected {expected}.").format(
                name=name, option=option.name, value=value, expected=_expected(option)
            )
        ) from None
    if option.choices and read not in option.choices:
        raise InputError(
            _("{name}: option {option} can't be '{value}'. Expected {expected}.").format(
                name=name, option=option.name, value=value, expected=_expected(option)
            )
        )
    return read


def _expected(option: Option) -> str:
    if option.choices:
        return _("one of {map}").format(map=", ".join(map(str, option.choices)))
    kinds = {bool: _("yes or no"), int: _("a whole number"), float: _("a number"), str: "text"}
    return kinds[type(option.default)]
