"""The figures of easiness on REALSumm and PyrXSum, beside those that the paper prints."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.crossvalidation import Fold
from scoring.easiness.cases import cases_of, read_folder
from scoring.easiness.damage import sentence_damage
from scoring.easiness.features import FEATURES, SentenceCase
from scoring.easiness.regressors import DAMAGE, EASINESS, load_regressor
from scoring.easiness.released import compare_choice, read_choice
from scoring.easiness.training import (
    Options,
    choose_folds,
    hold_out,
    measure,
    rank_correlation,
    read_rows,
)
from scoring.planning.orders import true_easiness
from scoring.planning.presence import NEAREST_LABELS
from scoring.planning.study import HUMAN, UnitTexts, read_study

HELP = "Measure regressors of easiness on held-out folds, next to the paper's."
STUDIES = {"realsumm": "REALSumm", "pyrxsum": "PyrXSum"}
# MAE of Zhang & Bansal (2021), A.4; no rank correlation is printed.
PAPER = {"realsumm": 0.135, "pyrxsum": 0.090}
MIXED = "STUs_SCUs_percentage50.txt"
CHOOSER = "regressors/TAC08/all_xgb.json"
RELEASED = "regressors/REALSumm/fold{number}_xgb.json"
ROW = "{study:<9} {target:<9} {model:<22} {mae:>7} {rho:>6} {gain:>22} {drawn:>16}"
AGREEMENT = (
    "{study}: with the embedded trees, the released regressor takes {share:.0%} of sentences as it "
    "did with its own (AUC {auc:.3f})."
)

Floats = NDArray[np.float64]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data", type=Path, required=True, help="folder with realsumm/, pyrxsum/, regressors/"
    )
    parser.add_argument(
        "--judge", default=HUMAN, help="judge whose scores define the damage; default: human"
    )
    parser.add_argument(
        "--repeats", type=int, default=10, help="number of times that folds are drawn"
    )
    parser.add_argument("--seed", type=int, default=0)


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    rows: list[dict[str, Any]] = []
    trees: list[dict[str, Any]] = []
    for study, name in STUDIES.items():
        folder = arguments.data / study
        texts = read_folder(folder)
        cases = cases_of(texts)
        rows += _easiness_rows(arguments, study, texts, cases)
        damage = sentence_damage(read_study(folder, judge=arguments.judge))
        rows.append({"study": name, **_likeness(arguments, study, damage, texts, cases)})
        rows += _rows(arguments, study, DAMAGE, damage, texts, cases)
        trees.append({"study": name, **_agreement(arguments.data, folder, texts, cases)})
    return {"rows": rows, "trees": trees, "judge": arguments.judge, "repeats": arguments.repeats}


def _easiness_rows(
    arguments: argparse.Namespace, study: str, texts: UnitTexts, cases: Sequence[SentenceCase]
) -> Iterator[dict[str, Any]]:
    targets = true_easiness(texts)
    start = {"study": STUDIES[study], "target": EASINESS}
    yield start | {"model": "paper, as printed", "mae": PAPER[study]}
    if study == "realsumm":
        yield start | {"model": "paper, as released", **_released(arguments, texts, cases, targets)}
    yield from _rows(arguments, study, EASINESS, targets, texts, cases)


def _rows(
    arguments: argparse.Namespace,
    study: str,
    target: str,
    targets: Floats,
    texts: UnitTexts,
    cases: Sequence[SentenceCase],
) -> Iterator[dict[str, Any]]:
    """The mean, and a regressor of each kind, on released folds or drawn ones."""
    documents = [row.document for row in texts.sentences]
    folds = _folds(arguments.data / study, texts, arguments.seed)
    drawn = [
        choose_folds(texts.documents, seed=arguments.seed + 1 + number)
        for number in range(arguments.repeats)
    ]
    start = {"study": STUDIES[study], "target": target}
    for features in FEATURES:
        rows = read_rows(cases, features)
        options = Options(features, target, seed=arguments.seed)
        found = [
            measure(targets, *hold_out(rows, targets, documents, each, options), documents)
            for each in (folds, *drawn)
        ]
        if features == next(iter(FEATURES)):
            yield start | {"model": "mean", "mae": found[0].mean_mae}
        again = {
            f"drawn_{name}": float(np.mean([getattr(each, name) for each in found[1:]]))
            for name in ("mae", "rho")
            if drawn
        }
        yield start | {"model": features, **found[0].to_json(), **again}


def _likeness(
    arguments: argparse.Namespace,
    study: str,
    damage: Floats,
    texts: UnitTexts,
    cases: Sequence[SentenceCase],
) -> dict[str, Any]:
    """How well predicted easiness ranks damage: what the second target has to beat."""
    documents = [row.document for row in texts.sentences]
    folds = _folds(arguments.data / study, texts, arguments.seed)
    options = Options("giza", seed=arguments.seed)
    rows = read_rows(cases, options.features)
    easiness, _ = hold_out(rows, true_easiness(texts), documents, folds, options)
    rho = rank_correlation(-easiness, damage)
    return {"target": DAMAGE, "model": "easiness of giza", "rho": rho}


def _folds(folder: Path, texts: UnitTexts, seed: int) -> list[Fold]:
    return choose_folds(texts.documents, sorted(folder.glob("by_examples/fold*.id")), seed=seed)


def _released(
    arguments: argparse.Namespace,
    texts: UnitTexts,
    cases: Sequence[SentenceCase],
    targets: Floats,
) -> dict[str, Any]:
    """The released regressors, each on the fold that it did not see, with the embedded trees.

    `rho_seen` is over the sentences that each learned from: the nearer the trees, the higher.
    """
    documents = np.array([row.document for row in texts.sentences])
    held_out = np.full(len(targets), np.nan)
    known = ~np.isnan(targets)
    seen = []
    for number, fold in enumerate(_folds(arguments.data / "realsumm", texts, arguments.seed)):
        regressor = load_regressor(str(arguments.data / RELEASED.format(number=number)))
        held = np.isin(documents, fold.members)
        predicted = np.array(regressor.predict(cases))
        held_out[held] = predicted[held]
        seen.append(rank_correlation(predicted[known & ~held], targets[known & ~held]))
    errors = np.abs(held_out - targets)[known]
    return {
        "mae": float(errors.mean()),
        "rho": rank_correlation(held_out[known], targets[known]),
        "rho_seen": float(np.mean(seen)),
    }


def _agreement(
    data: Path, folder: Path, texts: UnitTexts, cases: Sequence[SentenceCase]
) -> dict[str, Any]:
    lines = (folder / MIXED).read_text(encoding="utf-8").split("\n")
    chosen = read_choice(texts, [line.split("\t") for line in lines])
    predicted = np.array(load_regressor(str(data / CHOOSER)).predict(cases))
    return asdict(compare_choice(chosen, predicted))


def show(found: dict[str, Any]) -> str:
    head = {
        "study": "",
        "target": "",
        "model": "",
        "mae": "MAE",
        "rho": "ρ",
        "gain": "gain over mean, 95 %",
        "drawn": f"{found['repeats']} drawn folds",
    }
    lines = [ROW.format(**head), *(ROW.format(**_short(row)) for row in found["rows"])]
    lines.append(f"Damage is to the scores of {found['judge']}. Drawn folds: mean MAE and ρ.")
    if found["judge"] == HUMAN:
        lines.append(NEAREST_LABELS)
    lines += [AGREEMENT.format(**row) for row in found["trees"]]
    return "\n".join(lines)


def _short(row: dict[str, Any]) -> dict[str, str]:
    gain = "{gain:.4f} ({gain_low:.4f}, {gain_high:.4f})".format(**row) if "gain" in row else ""
    drawn = "{drawn_mae:.4f} {drawn_rho:.3f}".format(**row) if "drawn_mae" in row else ""
    return {
        **{name: row[name] for name in ("study", "target", "model")},
        "mae": f"{row['mae']:.4f}" if "mae" in row else "",
        "rho": f"{row['rho']:.3f}" if "rho" in row else "",
        "gain": gain,
        "drawn": drawn,
    }
