"""Bundled priors: components of published studies, for who plans without a pilot of their own.

`priors.json` holds figures of ours alone, and no text of any study; `python -m scoring priors`
makes it anew. Each study is there for every order in which sentences may give way.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from scoring.errors import InputError
from scoring.planning.components import Prior, from_json, to_json
from scoring.translation import gettext as _

FILE = "priors.json"
ONE_SENTENCE, SEVERAL = "pyrxsum", "realsumm"
# References with fewer sentences than this, on average, are like those of PyrXSum.
SEVERAL_FROM = 2.0


def load_prior(name: str = "", order: str = "", *, sentences: float | None = None) -> Prior:
    """A bundled prior by its study and order; unless named, by the sentences of a reference."""
    known = _known()
    study = name or _fitting(sentences)
    if study not in {prior.name for prior in known}:
        names = sorted({prior.name for prior in known})
        raise InputError(
            _("There is no prior '{study}'. Known: {names}.").format(
                study=study, names=", ".join(names)
            )
        )
    fitting = {prior.order: prior for prior in known if prior.name == study}
    order = order or next(iter(fitting))
    if order not in fitting:
        raise InputError(
            _("No prior has the order '{order}'. Known: {fitting}.").format(
                order=order, fitting=", ".join(fitting)
            )
        )
    return fitting[order]


def list_priors() -> list[Prior]:
    return list(_known())


def write_priors(priors: Iterable[Prior]) -> str:
    """The text of `priors.json`: a line for each set of covariances."""
    return (
        json.dumps({"priors": [_lined(to_json(prior)) for prior in priors]}, indent=1)
        .replace('"[', "[")
        .replace(']"', "]")
        + "\n"
    )


def _lined(found: dict[str, Any]) -> dict[str, Any]:
    """Lists as text, so that each stays on its line."""
    rows: Sequence[Any] = found["covariances"]
    lists = {name: json.dumps(value) for name, value in found.items() if isinstance(value, list)}
    return found | lists | {"covariances": [json.dumps(row) for row in rows]}


def _fitting(sentences: float | None) -> str:
    return ONE_SENTENCE if sentences is not None and sentences < SEVERAL_FROM else SEVERAL


@cache
def _known() -> tuple[Prior, ...]:
    text = files("scoring.planning").joinpath(FILE).read_text(encoding="utf-8")
    return tuple(from_json(row) for row in json.loads(text)["priors"])
