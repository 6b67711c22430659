"""Training a regressor on any study, with figures from folds of documents that it did not see."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoring import __version__
from scoring.crossvalidation import Fold, Place, cross_validate, make_folds, read_folds
from scoring.easiness.features import FEATURES, READERS, SentenceCase
from scoring.easiness.regressors import EASINESS, TARGETS, Regressor
from scoring.errors import InputError
from scoring.planning.study import SentenceUnits
from scoring.translation import gettext as _

Floats = NDArray[np.float64]

RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class Options:
    """What is trained: the features that are read, and what they are to predict."""

    features: str = "giza"
    target: str = EASINESS
    name: str = ""
    seed: int = 0

    def __post_init__(self) -> None:
        for what, value, known in (
            ("features", self.features, tuple(FEATURES)),
            ("target", self.target, TARGETS),
        ):
            if value not in known:
                raise InputError(
                    _("There is no {what} '{value}'. Known: {known}.").format(
                        what=what, value=value, known=", ".join(known)
                    )
                )


@dataclass(frozen=True, slots=True)
class Figures:
    """Mean absolute error and Spearman's ρ on sentences that were held out.

    `mean_mae` is that of saying the training folds' mean of every sentence; `gain` is what is won
    over it, with a 95 % interval from drawing documents anew.
    """

    sentences: int
    mae: float
    rho: float
    mean_mae: float
    gain: float
    gain_low: float
    gain_high: float

    def to_json(self) -> dict[str, float | int]:
        return {name: round(getattr(self, name), 6) for name in self.__slots__}


class _Sentence(NamedTuple):
    """A sentence by its place, as folds see it."""

    document: str
    place: int
    system: str = ""


@dataclass(frozen=True, eq=False)
class Trained:
    """A regressor of all sentences, and what others said of each sentence that they never saw."""

    regressor: Regressor
    held_out: Floats
    means: Floats
    figures: Figures

    def save(self, path: Path) -> None:
        _backend().write_regressor(path, self.regressor)


def train_regressor(
    sentences: Sequence[SentenceUnits],
    cases: Sequence[SentenceCase],
    targets: Floats,
    folds: Sequence[Fold],
    options: Options | None = None,
    *,
    groups: Sequence[str] = (),
) -> Trained:
    """Learn *targets* (nan: unknown) from *cases*; both go by sentence.

    With *groups*, such as the study that each sentence is from, figures are told for each as well:
    studies differ in their means, so that figures of all together flatter.
    """
    options = options or Options()
    rows = read_rows(cases, options.features)
    documents = [sentence.document for sentence in sentences]
    held_out, means = hold_out(rows, targets, documents, folds, options)
    figures = measure(targets, held_out, means, documents, seed=options.seed)
    card = {
        **_card(cases, targets, documents, options),
        "folds": len(folds),
        "held_out": figures.to_json(),
        "held_out_by_study": _by_group(targets, held_out, means, documents, groups, options.seed),
    }
    known = ~np.isnan(targets)
    regressor = _backend().fit_regressor(
        rows[known], targets[known], options.features, card=card, seed=options.seed
    )
    return Trained(regressor, held_out, means, figures)


def _card(
    cases: Sequence[SentenceCase], targets: Floats, documents: Sequence[str], options: Options
) -> dict[str, Any]:
    known = np.flatnonzero(~np.isnan(targets))
    return {
        "name": options.name or options.features,
        "target": options.target,
        "features": options.features,
        "giza": __version__,
        "training": _backend().describe(options.features) | {"seed": options.seed},
        "data": {
            "documents": len({documents[int(i)] for i in known}),
            "sentences": len(known),
            "hash": _hash(cases, targets),
        },
    }


def _by_group(
    targets: Floats,
    held_out: Floats,
    means: Floats,
    documents: Sequence[str],
    groups: Sequence[str],
    seed: int,
) -> dict[str, dict[str, float | int]]:
    found = {}
    for group in dict.fromkeys(groups):
        own = np.array([name == group for name in groups])
        names = [name for name, is_own in zip(documents, own, strict=True) if is_own]
        figures = measure(targets[own], held_out[own], means[own], names, seed=seed)
        found[group] = figures.to_json()
    return found


def hold_out(
    rows: NDArray[np.float32],
    targets: Floats,
    documents: Sequence[str],
    folds: Sequence[Fold],
    options: Options,
) -> tuple[Floats, Floats]:
    """What is said of each sentence by a regressor, and by the mean, of all other folds."""
    found, means = np.full((2, len(targets)), np.nan)
    sentences = [_Sentence(document, place) for place, document in enumerate(documents)]

    def fit(learned: list[_Sentence]) -> tuple[Regressor, float]:
        places = np.array([row.place for row in learned])
        known = places[~np.isnan(targets[places])]
        if not len(known):
            raise InputError(_("No training data is left when a fold is held out."))
        regressor = _backend().fit_regressor(
            rows[known], targets[known], options.features, seed=options.seed
        )
        return regressor, float(targets[known].mean())

    def predict(model: tuple[Any, float], held: list[_Sentence]) -> list[tuple[float, float]]:
        said = model[0].predict_rows(rows[[row.place for row in held]])
        return [(float(value), model[1]) for value in said]

    for tried in cross_validate(sentences, folds, fit, predict):
        for row, answer in tried.pairs():
            found[row.place], means[row.place] = answer
    return found, means


def measure(
    targets: Floats, held_out: Floats, means: Floats, documents: Sequence[str], *, seed: int = 0
) -> Figures:
    """Over the sentences whose target is known."""
    known = ~np.isnan(targets) & ~np.isnan(held_out)
    if known.sum() < 2:
        raise InputError(
            _("Fewer than 2 sentences were held out, so the error can't be estimated.")
        )
    errors, mean_errors = (np.abs(given - targets)[known] for given in (held_out, means))
    owners = np.unique(np.array(documents)[known], return_inverse=True)[1]
    low, high = _interval(mean_errors - errors, owners, seed)
    return Figures(
        sentences=int(known.sum()),
        mae=float(errors.mean()),
        rho=rank_correlation(held_out[known], targets[known]),
        mean_mae=float(mean_errors.mean()),
        gain=float((mean_errors - errors).mean()),
        gain_low=low,
        gain_high=high,
    )


def rank_correlation(one: Floats, other: Floats) -> float:
    """Spearman's ρ; 0 where one side is the same everywhere, and so ranks nothing."""
    from scipy import stats

    if np.ptp(one) == 0 or np.ptp(other) == 0:
        return 0.0
    return float(stats.spearmanr(one, other).statistic)


def choose_folds(
    documents: Sequence[str], paths: Sequence[Path] = (), *, k: int = 5, seed: int = 0
) -> list[Fold]:
    """Folds of documents from files, one each, or drawn."""
    records = [Place(document) for document in documents]
    if paths:
        return read_folds(list(paths), records)
    return make_folds(records, "examples", k, seed=seed)


def read_rows(cases: Sequence[SentenceCase], features: str) -> NDArray[np.float32]:
    rows = [READERS[features](case) for case in cases]
    return np.array(rows, dtype=np.float32).reshape(len(rows), len(FEATURES[features]))


def _interval(gains: Floats, owners: NDArray[np.int64], seed: int) -> tuple[float, float]:
    """Of the mean gain, where documents with all their sentences are drawn anew."""
    sums, counts = np.bincount(owners, gains), np.bincount(owners)
    drawn = np.random.default_rng(seed).integers(len(sums), size=(RESAMPLES, len(sums)))
    low, high = np.quantile(sums[drawn].sum(1) / counts[drawn].sum(1), (0.025, 0.975))
    return float(low), float(high)


def _hash(cases: Sequence[SentenceCase], targets: Floats) -> str:
    """The same for the same sentences, STUs and targets, in whichever order they came."""
    lines = sorted(
        json.dumps([case.parse.text, case.stus, repr(round(float(target), 9))])
        for case, target in zip(cases, targets, strict=True)
    )
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _backend() -> Any:
    return import_module("scoring.backends.easiness_trees")
