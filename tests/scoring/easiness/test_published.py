"""Held-out figures on the published sets, and how near the embedded trees come."""

from pathlib import Path

import numpy as np
import pytest

from scoring.easiness.cases import cases_of, read_folder
from scoring.easiness.regressors import load_regressor
from scoring.easiness.released import compare_choice, read_choice
from scoring.easiness.training import Options, choose_folds, train_regressor
from scoring.planning.orders import true_easiness

MIXED = "STUs_SCUs_percentage50.txt"


def check(folder: Path, mae: float, rho: float, mean: float, share: float) -> None:
    """`giza` is at least so good, `paper` about as good as the mean, and trees are so near."""
    texts = read_folder(folder)
    cases, targets = cases_of(texts), true_easiness(texts)
    folds = choose_folds(texts.documents, sorted(folder.glob("by_examples/fold*.id")))
    giza, paper = (
        train_regressor(texts.sentences, cases, targets, folds, Options(name)).figures
        for name in ("giza", "paper")
    )
    assert giza.mean_mae == pytest.approx(mean, abs=0.0015)
    assert giza.mae <= mae
    assert giza.rho >= rho
    assert giza.mae < paper.mae < mean + 0.01
    lines = (folder / MIXED).read_text(encoding="utf-8").split("\n")
    chosen = read_choice(texts, [line.split("\t") for line in lines])
    released = load_regressor(str(folder.parent / "regressors" / "TAC08" / "all_xgb.json"))
    assert compare_choice(chosen, np.array(released.predict(cases))).share >= share


def test_it_is_good_on_realsumm(realsumm_dir: Path) -> None:
    check(realsumm_dir, mae=0.112, rho=0.40, mean=0.124, share=0.78)


def test_it_is_good_on_pyrxsum(pyrxsum_dir: Path) -> None:
    check(pyrxsum_dir, mae=0.085, rho=0.37, mean=0.088, share=0.92)
