from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
import xgboost as xgb

from scoring.backends.stu_ranker import OPTIONS, fit_ranker, read_forest
from scoring.stu.rich.budget import SIZE
from scoring.stu.rich.features import FEATURES
from scoring.stu.rich.ranking import SHIPPED, ForestRanker, load_shipped, read_ranker


@pytest.fixture(scope="module")
def ranker() -> ForestRanker:
    rows = np.random.default_rng(0).random((300, len(FEATURES)), dtype=np.float32)
    return fit_ranker(rows, rows[:, 0], [0.5, 0.25])


def test_it_learns_from_rows(ranker: ForestRanker) -> None:
    rows = np.random.default_rng(1).random((100, len(FEATURES)), dtype=np.float32)
    assert np.corrcoef(ranker.rank(rows), rows[:, 0])[0, 1] > 0.9


def test_it_reads_trees_as_the_library_does() -> None:
    draw = np.random.default_rng(3)
    rows = draw.random((500, len(FEATURES)), dtype=np.float32).round(1)
    target = rows[:, 0] * rows[:, 1] + (rows[:, 2] > 0.5)
    for options in (OPTIONS, OPTIONS | {"min_child_weight": 200}):  # whole trees, and stunted ones
        booster = xgb.train(options, xgb.DMatrix(rows, target), 20)
        assert read_forest(booster).read(rows) == pytest.approx(
            booster.predict(xgb.DMatrix(rows)), abs=1e-5
        )


def test_it_is_the_same_when_read_again(ranker: ForestRanker, tmp_path: Path) -> None:
    path = tmp_path / "ranker.json"
    path.write_bytes(ranker.to_bytes())
    again = read_ranker(path.read_bytes(), path.name)
    rows = np.random.default_rng(2).random((50, len(FEATURES)), dtype=np.float32)
    assert again.version == ranker.version
    assert again.counts == (0.5, 0.25)
    assert again.rank(rows).tolist() == ranker.rank(rows).tolist()


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"{", "JSON"),
        (b"{}", "another version of Giza"),
        (b'{"format": 1, "features": ["length"]}', "another version of Giza"),
    ],
)
def test_it_refuses_a_file_it_can_not_use(data: bytes, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        read_ranker(data, "ranker.json")


def test_the_one_that_comes_along_is_small_and_fits() -> None:
    assert len(files("scoring.backends.models").joinpath(SHIPPED).read_bytes()) < 300_000
    assert len(load_shipped().counts) == SIZE
