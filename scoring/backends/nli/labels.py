"""Which logit means what: read off the model's own labels, never assumed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from scoring.errors import InputError
from scoring.translation import gettext as _

ENTAILED = {"entailment", "entail", "entails", "entailed", "present"}
NEUTRAL = {"neutral"}
CONTRADICTED = {"contradiction", "contradict", "contradicts", "contradictory", "contradicted"}
ABSENT = {"not entailment", "non entailment", "not entailed", "not present", "absent"}

SHAPES = {
    2: (ENTAILED, ABSENT | NEUTRAL | CONTRADICTED),
    3: (ENTAILED, NEUTRAL, CONTRADICTED),
}


def read_columns(config: Any, stated: Sequence[str], name: str) -> tuple[int, ...]:
    """The model's columns in the order of a verdict's: entailment first.

    *stated* names the classes of a model that does not itself; one that does must not differ.
    """
    labels = own_labels(config)
    if len(labels) not in SHAPES:
        raise InputError(
            _(
                "{name} has {count}. A judge has two (entailment, not_entailment) or three "
                "(entailment, neutral, contradiction)."
            ).format(name=name, count=_count(labels))
        )
    own = _order(labels)
    if not stated:
        return own or _refuse(name, labels)
    said = _order(stated) if len(stated) == len(labels) else None
    if said is None:
        raise InputError(
            _("{name} has {count}; these don't match them: {list}.").format(
                name=name, count=_count(labels), list=_list(stated)
            )
        )
    if own not in (None, said):
        raise InputError(
            _(
                "{name} has the classes {list}, but its card or preset {list_2}. "
                "Correct the wrong one."
            ).format(name=name, list=_list(labels), list_2=_list(stated))
        )
    return said


def own_labels(config: Any) -> list[str]:
    """The names in the order of the logits; from `label2id` if `id2label` has none."""
    names = _by_place(config.id2label)
    other = _by_place({place: name for name, place in (config.label2id or {}).items()})
    return other if _order(names) is None and _order(other) is not None else names


def _by_place(names: Mapping[Any, Any] | None) -> list[str]:
    return (
        [str(name) for __, name in sorted((int(place), name) for place, name in names.items())]
        if names
        else []
    )


def _order(labels: Sequence[str]) -> tuple[int, ...] | None:
    """The place of each class, if each is named once."""
    words = [" ".join(re.findall(r"[a-z0-9]+", label.lower())) for label in labels]
    shape = SHAPES.get(len(labels), ())
    places = [[place for place, word in enumerate(words) if word in known] for known in shape]
    if not places or any(len(found) != 1 for found in places):
        return None
    return tuple(place for [place] in places)


def _refuse(name: str, labels: Sequence[str]) -> tuple[int, ...]:
    raise InputError(
        _(
            "{name} doesn't say which class is entailment: its labels are {list}. Set "
            'id2label in its config.json, or give their names in order as "labels" in a judge.json '
            "next to it."
        ).format(name=name, list=_list(labels))
    )


def _count(labels: Sequence[str]) -> str:
    many = _("one class") if len(labels) == 1 else _("{labels} classes").format(labels=len(labels))
    return f"{many} ({_list(labels)})"


def _list(labels: Sequence[str]) -> str:
    return ", ".join(labels) or "none"
