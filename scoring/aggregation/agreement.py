"""How far people agree: Krippendorff's alpha, percent agreement, Fleiss' kappa.

A row of counts is one statement: how many people said *absent*, how many *present*. Missing
answers are missing: they are in no count, and a statement with fewer than two answers says nothing
about agreement. Where everybody gave one and the same answer there is no variation, and alpha is
undefined; what is made of that is a choice with a name: `one` calls it full agreement, `skip`
leaves it out.
"""

from __future__ import annotations

from dataclasses import dataclass

import krippendorff
import numpy as np
from numpy.typing import NDArray

from scoring.aggregation.answers import Answers, Codes, Counts, Mask
from scoring.errors import InputError
from scoring.metaeval.rows import steps
from scoring.percentiles import middle
from scoring.translation import gettext as _

UNDEFINED = ("one", "skip")
SAMPLES = 500
# Drawn from one or two groups, a resampled alpha has two or three values at most: no interval.
FEWEST = 3

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Alpha with its percentile interval; `None` where agreement, or its interval, can't be told.

    It can't without two answers to some statement. Where everybody gave one and the same answer
    to everything there is no variation, and alpha is 1 by convention: nobody ever disagreed.
    """

    alpha: float | None
    low: float | None
    high: float | None
    statements: int
    answers: int


@dataclass(frozen=True, slots=True)
class LevelAgreement:
    """Alpha of each summary, document or system, and their mean with a percentile interval.

    `alphas` holds a figure for every group; those outside of `counted` are 0 and mean nothing.
    `undefined` groups have no variation; `untold` ones no statement that two people answered.
    """

    level: str
    mean: float | None
    low: float | None
    high: float | None
    groups: int
    undefined: int
    untold: int
    alphas: Floats
    counted: Mask


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """Everything that is told about the agreement behind a set of labels."""

    undefined: str
    pooled: Agreement
    by_summary: LevelAgreement
    by_document: LevelAgreement
    by_system: LevelAgreement
    percent: float | None
    fleiss_kappa: float | None


def measure_agreement(
    counts: Counts,
    groups: Codes | None = None,
    *,
    samples: int = SAMPLES,
    seed: int = 0,
    undefined: str = "one",
) -> Agreement:
    """Nominal alpha over all statements, and an interval from resampling *groups* of statements.

    Statements about one document are alike, so that documents are resampled. Without groups every
    statement is taken to stand for itself, and where they are alike the interval is too narrow.
    """
    check_undefined(undefined)
    is_paired = _is_paired(counts)
    paired = counts[is_paired]
    answers = int(paired.sum())
    varies = np.count_nonzero(paired.sum(axis=0)) == 2
    if not len(paired) or (undefined == "skip" and not varies):
        return Agreement(None, None, None, len(paired), answers)
    table, sizes = _group_sums(paired, None if groups is None else groups[is_paired])
    low, high = _interval(_resampled_alphas(table, sizes, samples, seed), int(sizes.sum()))
    return Agreement(nominal_alpha(paired), low, high, len(paired), answers)


def nominal_alpha(counts: Counts) -> float:
    """Krippendorff's alpha of statements that were answered at least twice."""
    if np.count_nonzero(counts.sum(axis=0)) < 2:
        return 1.0
    return float(krippendorff.alpha(value_counts=counts, level_of_measurement="nominal"))


def measure_levels(
    counts: Counts,
    groups: Codes,
    *,
    level: str,
    size: int,
    undefined: str = "one",
    samples: int = SAMPLES,
    seed: int = 0,
) -> LevelAgreement:
    """Alpha within each group of statements; the interval is from resampling groups."""
    check_undefined(undefined)
    alphas, told, varies = _group_alphas(counts, groups, size)
    counted = told if undefined == "one" else told & varies
    values = alphas[counted]
    low, high = _interval(_resampled_means(values, samples, seed), len(values))
    return LevelAgreement(
        level=level,
        mean=float(values.mean()) if len(values) else None,
        low=low,
        high=high,
        groups=int(counted.sum()),
        undefined=int((told & ~varies).sum()),
        untold=int((~told).sum()),
        alphas=np.where(counted, alphas, 0.0),
        counted=counted,
    )


def report_agreement(
    answers: Answers,
    kept: Mask | None = None,
    *,
    undefined: str = "one",
    samples: int = SAMPLES,
    seed: int = 0,
) -> AgreementReport:
    """Agreement among the kept assignments, at every level. `samples=0` gives no intervals."""
    counts = answers.counts(kept)
    return report_counts(answers, counts, undefined=undefined, samples=samples, seed=seed)


def report_counts(
    answers: Answers, counts: Counts, *, undefined: str, samples: int, seed: int
) -> AgreementReport:
    """Agreement where the answers to each statement are counted already."""
    # Most statements of a large campaign have one answer and say nothing: they go first.
    paired = np.flatnonzero(_is_paired(counts))
    counts = counts[paired]
    grouped = group_statements(answers, paired)
    levels = {
        level: measure_levels(
            counts, groups, level=level, size=size, undefined=undefined, samples=samples, seed=seed
        )
        for level, (groups, size) in grouped.items()
    }
    documents = grouped["document"][0]
    return AgreementReport(
        undefined=undefined,
        pooled=measure_agreement(
            counts, documents, samples=samples, seed=seed, undefined=undefined
        ),
        by_summary=levels["summary"],
        by_document=levels["document"],
        by_system=levels["system"],
        percent=percent_agreement(counts),
        fleiss_kappa=fleiss_kappa(counts, undefined=undefined),
    )


def group_statements(answers: Answers, statements: Codes) -> dict[str, tuple[Codes, int]]:
    """For each level, the groups of these statements and how many groups there are in all."""
    summaries = answers.statement_summaries[statements]
    return {
        "summary": (summaries, len(answers.summary_keys)),
        "document": (answers.summary_documents[summaries], len(answers.document_keys)),
        "system": (answers.summary_systems[summaries], len(answers.system_keys)),
    }


def percent_agreement(counts: Counts) -> float | None:
    """The mean, over statements answered at least twice, of the share of pairs that agree."""
    shares = _agreeing_pairs(counts[_is_paired(counts)])
    return float(shares.mean()) if len(shares) else None


def fleiss_kappa(counts: Counts, *, undefined: str = "one") -> float | None:
    """Fleiss' kappa (1971, equations 3, 5 and 7).

    Where statements have different numbers of answers, each statement's share of agreeing pairs
    counts once and the categories' shares are those of all answers.
    """
    check_undefined(undefined)
    paired = counts[_is_paired(counts)]
    if not len(paired):
        return None
    shares = paired.sum(axis=0) / paired.sum()
    by_chance = float((shares**2).sum())
    if np.count_nonzero(shares) < 2:
        return 1.0 if undefined == "one" else None
    return (float(_agreeing_pairs(paired).mean()) - by_chance) / (1 - by_chance)


def check_undefined(name: str) -> None:
    if name not in UNDEFINED:
        raise InputError(
            _("'{name}' is not a way to treat undefined values. Use one of {undefined}.").format(
                name=name, undefined=", ".join(UNDEFINED)
            )
        )


def _is_paired(counts: Counts) -> Mask:
    return counts[:, 0] + counts[:, 1] >= 2


def _agreeing_pairs(paired: Counts) -> Floats:
    sizes = paired.sum(axis=1)
    return (paired * (paired - 1)).sum(axis=1) / (sizes * (sizes - 1))


def _differing(paired: Counts) -> Floats:
    """A statement's part of the observed disagreement: 2·absent·present / (answers − 1)."""
    return 2 * paired[:, 0] * paired[:, 1] / (paired.sum(axis=1) - 1)


def _group_alphas(counts: Counts, groups: Codes, size: int) -> tuple[Floats, Mask, Mask]:
    """Alpha by group (1 without variation), where it can be told, and where answers vary."""
    is_paired = _is_paired(counts)
    paired, groups = counts[is_paired], groups[is_paired]
    sums = [
        np.bincount(groups, weights=column, minlength=size)
        for column in (_differing(paired), paired[:, 0], paired[:, 1])
    ]
    alphas = _alphas_of_sums(np.column_stack(sums))
    return alphas, sums[1] + sums[2] > 0, (sums[1] > 0) & (sums[2] > 0)


def _alphas_of_sums(sums: Floats) -> Floats:
    """Alpha from rows of (observed disagreement, absent, present); 1 where nothing varies.

    Observed disagreement is a sum over statements and expected disagreement follows from the
    totals of the answers (Krippendorff 2011, nominal data).
    """
    observed, absent, present = sums.T
    expected = 2 * absent * present / np.maximum(absent + present - 1, 1)
    alphas: Floats = 1 - np.divide(observed, expected, out=np.zeros(len(sums)), where=expected > 0)
    return alphas


def _group_sums(paired: Counts, groups: Codes | None) -> tuple[Floats, Counts]:
    """What is drawn: rows of (observed disagreement, absent, present), and how many of each.

    Single statements with the same counts are alike, and there are few kinds of them: drawing how
    many come of each kind is the same as drawing statements one by one.
    """
    if groups is None:
        kinds, sizes = np.unique(paired, axis=0, return_counts=True)
        table: Floats = np.column_stack([_differing(kinds), kinds]).astype(np.float64)
        return table, np.asarray(sizes, dtype=np.int64)
    __, codes = np.unique(groups, return_inverse=True)
    columns = (_differing(paired), paired[:, 0], paired[:, 1])
    table = np.column_stack([np.bincount(codes, weights=column) for column in columns])
    return table, np.ones(len(table), dtype=np.int64)


def _resampled_alphas(table: Floats, sizes: Counts, samples: int, seed: int) -> Floats:
    """Alpha of groups drawn with replacement; none of too few groups."""
    number = int(sizes.sum())
    if number < FEWEST:
        return np.zeros(0)
    rng = np.random.default_rng(seed)
    found = np.empty(samples)
    for part in steps(samples, len(sizes)):
        size = part.stop - part.start
        found[part] = _alphas_of_sums(rng.multinomial(number, sizes / number, size=size) @ table)
    return found


def _resampled_means(values: Floats, samples: int, seed: int) -> Floats:
    """Means of values drawn with replacement; as many rounds at once as memory has room for."""
    if not len(values):
        return np.zeros(0)
    rng = np.random.default_rng(seed)
    found = np.empty(samples)
    for part in steps(samples, len(values)):
        rows = found[part]
        rows[:] = values[rng.integers(len(values), size=(len(rows), len(values)))].mean(axis=1)
    return found


def _interval(found: Floats, count: int) -> tuple[float | None, float | None]:
    """The middle of figures of *count* resampled things."""
    if not len(found):
        return None, None
    low, high = middle(found, count)
    return float(low), float(high)
