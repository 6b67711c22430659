"""A mixed model of raw judgements: how much documents, systems and annotators each vary.

One judgement is one annotator's score of one summary:

    score = mean + document + system + annotator + summary + residual

with crossed random effects, fitted by restricted maximum likelihood (REML; Patterson & Thompson
1971, in the profiled form of Bates et al. 2015, §3). `summary` is the effect of a document in a
system; it can be estimated where some summaries have two judgements or more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.errors import InputError
from scoring.translation import gettext as _

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
DOCUMENT, SYSTEM, ANNOTATOR, SUMMARY, RESIDUAL = (
    "document",
    "system",
    "annotator",
    "summary",
    "residual",
)
FACTORS = (DOCUMENT, SYSTEM, ANNOTATOR, SUMMARY)
# With more documents, systems and annotators together the model takes minutes.
MOST_LEVELS = 800
LARGEST_RATIO = 1e4


@dataclass(frozen=True, slots=True)
class Component:
    """How much one factor varies; `share` is of all variance together."""

    factor: str
    levels: int
    variance: float
    share: float


@dataclass(frozen=True, slots=True)
class MixedModel:
    """`left_out` says of each factor without a component why it has none."""

    mean: float
    judgements: int
    components: tuple[Component, ...]
    left_out: tuple[tuple[str, str], ...]

    def variance(self, factor: str) -> float:
        return next((row.variance for row in self.components if row.factor == factor), 0.0)


def fit_mixed_model(
    codes: dict[str, Codes], scores: Floats, *, factors: Sequence[str] = FACTORS
) -> MixedModel:
    """Variance components of *factors*, whose codes are given by name, and of the residual.

    A factor with one level, or whose levels have one judgement each, has no component of its own.
    """
    from scipy import optimize  # takes a while, and a server seldom needs it

    if len(scores) < 3:
        raise InputError(
            _("A mixed model needs at least 3 judgements; there are {scores}.").format(
                scores=len(scores)
            )
        )
    kept = {name: _dense(codes[name]) for name in factors}
    reasons = {name: _why_left_out(levels) for name, levels in kept.items()}
    kept = {name: levels for name, levels in kept.items() if not reasons[name]}
    criterion = Criterion(kept, scores)
    roots = np.full(len(kept), 0.5)
    if kept and criterion.spread > 0:
        bounds = [(0.0, LARGEST_RATIO)] * len(kept)
        options = {"ftol": 1e-14, "gtol": 1e-7, "maxiter": 500}
        found = optimize.minimize(
            criterion, roots, method="L-BFGS-B", jac="3-point", bounds=bounds, options=options
        )
        roots = np.asarray(found.x)
    mean, residual = criterion.estimate(roots)
    variances = [*(residual * roots**2), residual]
    total = sum(variances) or 1.0
    sizes = [*(int(levels.max()) + 1 for levels in kept.values()), len(scores)]
    rows = zip([*kept, RESIDUAL], sizes, variances, strict=True)
    return MixedModel(
        mean,
        len(scores),
        tuple(
            Component(name, size, float(value), float(value / total)) for name, size, value in rows
        ),
        tuple((name, reason) for name, reason in reasons.items() if reason),
    )


def count_levels(codes: dict[str, Codes]) -> int:
    """Those of the factors that have a component; summaries cost little."""
    levels = [_dense(codes[name]) for name in FACTORS if name != SUMMARY]
    return sum(int(each.max()) + 1 for each in levels if not _why_left_out(each))


def _dense(codes: Codes) -> Codes:
    return np.unique(codes, return_inverse=True)[1].astype(np.int64)


def _why_left_out(levels: Codes) -> str:
    counts = np.bincount(levels)
    if len(counts) < 2:
        return _("there is only one")
    return _("each has one judgement") if counts.max() < 2 else ""


class Criterion:
    """The profiled REML criterion as a function of roots: each factor's standard deviation over the
    residual's. Summaries, by far the most, are eliminated first: their block is diagonal."""

    def __init__(self, kept: dict[str, Codes], scores: Floats) -> None:
        from scipy import sparse

        self.count = len(scores)
        self.centre = float(scores.mean())
        right = np.stack([np.ones(self.count), scores - self.centre], axis=1)
        self.spread = float(right[:, 1] @ right[:, 1])
        self.products = right.T @ right
        tables = {name: _indicators(levels) for name, levels in kept.items()}
        self.has_summaries = SUMMARY in tables
        summaries = tables.pop(SUMMARY, sparse.csr_matrix((self.count, 0)))
        others = sparse.hstack([sparse.csr_matrix((self.count, 0)), *tables.values()]).tocsr()
        self.widths = [table.shape[1] for table in tables.values()]
        self.order = [list(kept).index(name) for name in tables]
        self.summary_at = list(kept).index(SUMMARY) if self.has_summaries else -1
        self.between = (others.T @ others).toarray()
        self.right = others.T @ right
        self.groups = list(_group(summaries, others, right))

    def __call__(self, roots: Floats) -> float:
        """Minus twice the restricted log likelihood, up to a constant."""
        log_determinant, rest = self._reduce(roots)
        left = rest[1, 1] - rest[0, 1] ** 2 / rest[0, 0]
        left = max(left, self.spread * 1e-14)
        free = self.count - 1
        return float(log_determinant + np.log(rest[0, 0]) + free * np.log(left / free))

    def estimate(self, roots: Floats) -> tuple[float, float]:
        """The mean and the residual variance."""
        __, rest = self._reduce(roots)
        slope = rest[0, 1] / rest[0, 0]
        left = max(rest[1, 1] - rest[0, 1] * slope, 0.0)
        return self.centre + float(slope), float(left / (self.count - 1))

    def _reduce(self, roots: Floats) -> tuple[float, Floats]:
        """log |V|, and products of (1, score) weighted by the inverse of V."""
        from scipy import linalg

        roots = np.asarray(roots, dtype=np.float64)
        own = float(roots[self.summary_at]) ** 2 if self.has_summaries else 0.0
        scale = np.repeat(roots[self.order], self.widths) if self.widths else np.zeros(0)
        between, right, rest, log_determinant = self.between, self.right, self.products, 0.0
        for group in self.groups:
            diagonal = own * group.size + 1.0
            weight = own / diagonal
            between = between - weight * group.between
            right = right - weight * group.right
            rest = rest - weight * group.products
            log_determinant += group.summaries * np.log(diagonal)
        factor = linalg.cholesky(between * scale[:, None] * scale + np.eye(len(scale)), lower=True)
        solved = linalg.solve_triangular(factor, right * scale[:, None], lower=True)
        log_determinant += 2 * np.log(np.diag(factor)).sum()
        return float(log_determinant), rest - solved.T @ solved


@dataclass(frozen=True, slots=True)
class _Group:
    """Summaries with `size` judgements each: sums of products of their rows."""

    size: int
    summaries: int
    between: Floats
    right: Floats
    products: Floats


def _group(summaries: Any, others: Any, right: Floats) -> Iterator[_Group]:
    counts = np.asarray(summaries.sum(axis=0)).ravel()
    crossed, own = (summaries.T @ others).tocsr(), summaries.T @ right
    for size in np.unique(counts):
        rows = counts == size
        part, ours = crossed[rows], own[rows]
        between = (part.T @ part).toarray()
        yield _Group(int(size), int(rows.sum()), between, part.T @ ours, ours.T @ ours)


def _indicators(levels: Codes) -> Any:
    """Judgements × levels."""
    from scipy import sparse

    rows = np.arange(len(levels))
    return sparse.csr_matrix((np.ones(len(levels)), (rows, levels)))
