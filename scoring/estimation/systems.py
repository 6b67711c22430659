"""Scores of systems, and which differ, from people's scores of some documents and a judge's of all.

Each system's estimate stands beside what people's scores alone would give and what the judge alone
says. Pairs of systems are compared on the same documents: the difference of their scores is
estimated as a score of its own, with a λ of its own, since what makes a document hard is shared.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring import __version__
from scoring.errors import InputError
from scoring.estimation.means import (
    DOCUMENTS,
    FEW,
    FEWEST,
    LEVEL,
    Means,
    can_be_estimated,
    count_prior,
    estimate_means,
    moderate,
)
from scoring.estimation.sampling import Sampling
from scoring.estimation.savings import people_alone
from scoring.multiplicity import benjamini_hochberg, holm
from scoring.translation import gettext as _

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PartialScores:
    """Systems × documents: people's scores of some, nan where they gave none, a judge's of all.

    A system need not have summarised every document. `weights` say how much documents count, such
    as by their number of units; without them all count the same.
    """

    systems: Sequence[str]
    documents: Sequence[str]
    human: Floats
    automatic: Floats
    weights: Floats | None = None

    def __post_init__(self) -> None:
        for place in np.argwhere(~np.isnan(self.human) & np.isnan(self.automatic)):
            system, document = self.systems[place[0]], self.documents[place[1]]
            raise InputError(
                _(
                    "'{system}' has a human score for '{document}' but no automatic one. Give both."
                ).format(system=system, document=document)
            )
        few = (~np.isnan(self.human)).sum(axis=1)
        if len(few) and few.min() < FEWEST:
            raise InputError(
                _(
                    "People judged {min} documents of '{systems}'. "
                    "At least {fewest} are needed; have more judged, or leave the system out."
                ).format(min=few.min(), systems=self.systems[int(few.argmin())], fewest=FEWEST)
            )

    @property
    def judged(self) -> NDArray[np.bool_]:
        """By document, whether people judged a summary of it."""
        return np.asarray((~np.isnan(self.human)).any(axis=0))

    def content_hash(self) -> str:
        digest = hashlib.sha256()
        for keys in (self.systems, self.documents):
            digest.update("".join(f"{len(key)}:{key}" for key in keys).encode() + b"\0")
        for table in (self.human, self.automatic, self.weights):
            digest.update(b"" if table is None else np.ascontiguousarray(table).tobytes())
        return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class Estimate:
    """One system. `people_*` are of people's scores alone, `judge` is the judge's mean.

    `people_alone` is how many documents people would have to judge, without the judge, for an
    interval as narrow as this; `saved` is what that is beyond `judged`.
    """

    system: str
    value: float
    low: float
    high: float
    lam: float
    people: float
    people_low: float
    people_high: float
    judge: float
    judged: int
    documents: int
    people_alone: float
    saved: float


@dataclass(frozen=True, slots=True)
class PairEstimate:
    """`difference` is first − second; p values are two-sided, `p_people` of people alone."""

    first: str
    second: str
    difference: float
    low: float
    high: float
    lam: float
    judged: int
    p: float
    p_holm: float
    p_bh: float
    p_people: float
    p_people_holm: float


@dataclass(frozen=True, slots=True)
class Estimates:
    """All that is told of one study; `untold` pairs share too few judged documents.

    `is_few`: a system has fewer than 20 judged documents.
    """

    systems: tuple[Estimate, ...]
    pairs: tuple[PairEstimate, ...]
    untold: int
    is_few: bool
    target: str
    level: float
    sampling: str
    signature: str

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def estimate_systems(
    scores: PartialScores,
    sampling: Sampling,
    *,
    target: str = DOCUMENTS,
    level: float = LEVEL,
) -> Estimates:
    """Every system and every pair; *sampling* says how the judged documents were chosen."""
    pairs, untold = _estimate_pairs(scores, sampling, target, level)
    systems, is_few = _estimate_each(scores, sampling, target, level)
    return Estimates(
        tuple(systems),
        tuple(pairs),
        untold,
        is_few,
        target,
        level,
        sampling.name,
        _sign(scores, sampling, target, level),
    )


def _estimate_each(
    scores: PartialScores, sampling: Sampling, target: str, level: float
) -> tuple[list[Estimate], bool]:
    both, alone = _both(
        scores.human, scores.automatic, scores, sampling, target, level, is_moderated=True
    )
    needed = people_alone(
        both.width,
        _variances(scores.human, alone),
        both.documents.astype(np.float64),
        target=target,
        level=level,
        extra=count_prior(len(scores.systems)) / 2,
    )
    columns = zip(
        scores.systems,
        *(part.tolist() for part in (both.value, both.low, both.high, both.lam)),
        *(part.tolist() for part in (alone.value, alone.low, alone.high, _judge_means(scores))),
        *(part.tolist() for part in (both.judged, both.documents, needed, needed - both.judged)),
        strict=True,
    )
    is_few = bool((alone.judged < FEW).any())
    return [Estimate(*values) for values in columns], is_few


def _estimate_pairs(
    scores: PartialScores, sampling: Sampling, target: str, level: float
) -> tuple[list[PairEstimate], int]:
    firsts, seconds = np.triu_indices(len(scores.systems), k=1)
    human, automatic = (
        table[firsts] - table[seconds] for table in (scores.human, scores.automatic)
    )
    told = can_be_estimated(human, automatic, sampling)
    if not told.any():
        return [], len(told)
    both, alone = _both(human[told], automatic[told], scores, sampling, target, level)
    columns = zip(
        (scores.systems[place] for place in firsts[told]),
        (scores.systems[place] for place in seconds[told]),
        *(part.tolist() for part in (both.value, both.low, both.high, both.lam, both.judged)),
        *(part.tolist() for part in (both.p, holm(both.p), benjamini_hochberg(both.p))),
        *(part.tolist() for part in (alone.p, holm(alone.p))),
        strict=True,
    )
    return [PairEstimate(*values) for values in columns], int((~told).sum())


def _both(
    human: Floats,
    automatic: Floats,
    scores: PartialScores,
    sampling: Sampling,
    target: str,
    level: float,
    *,
    is_moderated: bool = False,
) -> tuple[Means, Means]:
    """People with the judge, and people alone."""
    both, alone = (
        estimate_means(
            human,
            automatic,
            sampling,
            target=target,
            weights=scores.weights,
            lam=lam,
            level=level,
            is_moderated=is_moderated,
        )
        for lam in (None, 0.0)
    )
    return both, alone


def _variances(human: Floats, alone: Means) -> Floats:
    """Of people's scores between documents."""
    known = ~np.isnan(human)
    squares = np.where(known, human - alone.value[:, None], 0.0) ** 2
    freedom = np.maximum(known.sum(axis=1) - 1.0, 1.0)
    rows = np.ones(len(human))
    return moderate(squares.sum(axis=1) / freedom, rows, freedom, rows > 0)[0]


def _judge_means(scores: PartialScores) -> Floats:
    sizes = np.ones(len(scores.documents)) if scores.weights is None else scores.weights
    weights = np.where(np.isnan(scores.automatic), 0.0, sizes)
    sums = (weights * np.nan_to_num(scores.automatic)).sum(axis=1)
    return np.asarray(sums / weights.sum(axis=1))


def _sign(scores: PartialScores, sampling: Sampling, target: str, level: float) -> str:
    chosen = hashlib.sha256()
    for part in (sampling.probabilities, sampling.audit):
        chosen.update(b"" if part is None else np.ascontiguousarray(part).tobytes())
    parts = [
        "estimate:ppi++cf",
        f"data:{scores.content_hash()[:16]}",
        f"sampling:{sampling.name}" + ("" if sampling.is_simple else chosen.hexdigest()[:12]),
        f"target:{target}",
        f"level:{level:g}",
        f"giza:{__version__}",
    ]
    return "|".join(parts)
