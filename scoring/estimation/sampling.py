"""How the documents that people judge were chosen, without which no estimate from them is valid.

A document's inclusion probability is the chance that it had to be judged. It is known where the
judged ones were drawn at random, where a ranker drew them by chances that it wrote down, and where
beside a ranker's choice a random audit slice of the rest was judged: then what the ranker chose
stands for itself alone, and the audit slice for everything else. A ranker's choice without either
says nothing about documents that it passed over, and is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.errors import InputError
from scoring.translation import gettext as _
from scoring.translation import gettext_lazy

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

RANDOM, RANKER = "random", "ranker"
CHOICES = (RANDOM, RANKER)
NOT_RANDOM = gettext_lazy(
    "The judged documents were chosen by a ranker, so they don't represent the others. Give each "
    "document's inclusion probability, or have a random slice of the others judged as an audit "
    "slice and name it."
)


@dataclass(frozen=True, eq=False)
class Sampling:
    """At random, unless there are `probabilities` or an `audit` slice, by document."""

    probabilities: Floats | None = None
    audit: Mask | None = None

    @property
    def is_simple(self) -> bool:
        return self.probabilities is None and self.audit is None

    @property
    def name(self) -> str:
        if self.is_simple:
            return "random"
        return "audit" if self.probabilities is None else "probabilities"

    def inclusion(self, judged: Mask, known: Mask) -> Floats:
        """The chance of each cell to be judged: rows × documents, 1 where nothing is to be told."""
        found = np.ones(judged.shape)
        if self.probabilities is not None:
            return np.where(known, self.probabilities, found)
        free = known if self.audit is None else known & ~(judged & ~self.audit)
        drawn = judged & free
        sizes = free.sum(axis=1, keepdims=True)
        share = drawn.sum(axis=1, keepdims=True) / np.maximum(sizes, 1)
        return np.where(free, share, found)


def choose_sampling(
    documents: Sequence[str],
    judged: Mask,
    *,
    chosen: str,
    probabilities: Mapping[str, float] | None = None,
    audit: Sequence[str] | None = None,
) -> Sampling:
    """How the documents were chosen, as it was stated; *judged* says which people judged at all."""
    if chosen not in CHOICES:
        raise InputError(
            _("Documents can't be chosen by '{chosen}'. Use one of: {choices}.").format(
                chosen=chosen, choices=", ".join(CHOICES)
            )
        )
    if chosen == RANDOM and (probabilities or audit):
        raise InputError(
            _("Probabilities and an audit slice apply only to documents chosen by a ranker.")
        )
    if probabilities and audit:
        raise InputError(_("Give probabilities or an audit slice, not both."))
    if chosen == RANDOM:
        return Sampling()
    if probabilities:
        return Sampling(probabilities=_probabilities(documents, judged, probabilities))
    if audit:
        return Sampling(audit=_audit(documents, judged, audit))
    raise InputError(NOT_RANDOM)


def _probabilities(documents: Sequence[str], judged: Mask, given: Mapping[str, float]) -> Floats:
    if unknown := sorted(set(given) - set(documents)):
        raise InputError(
            _("There is a probability for '{unknown}', which is not among the documents.").format(
                unknown=unknown[0]
            )
        )
    found = np.array([given.get(document, np.nan) for document in documents], dtype=np.float64)
    for place, document in enumerate(documents):
        value = found[place]
        if judged[place] and not 0 < value <= 1:
            told = (
                _("no probability")
                if np.isnan(value)
                else _("the probability {value:g}").format(value=value)
            )
            raise InputError(
                _(
                    "'{document}' was judged but has {told}. Each judged document needs a "
                    "probability above 0 and up to 1."
                ).format(document=document, told=told)
            )
        if not judged[place] and value == 1:
            raise InputError(
                _("'{document}' has probability 1 but was not judged.").format(document=document)
            )
    # What was not judged weighs nothing, whatever its chance was.
    return np.where(np.isnan(found), 0.5, found)


def _audit(documents: Sequence[str], judged: Mask, named: Sequence[str]) -> Mask:
    if unknown := sorted(set(named) - set(documents)):
        raise InputError(
            _("The audit slice has '{unknown}', which is not among the documents.").format(
                unknown=unknown[0]
            )
        )
    found = np.isin(documents, list(named))
    if (missing := np.flatnonzero(found & ~judged)).size:
        raise InputError(
            _("'{documents}' is in the audit slice but was not judged.").format(
                documents=documents[missing[0]]
            )
        )
    return np.asarray(found)
