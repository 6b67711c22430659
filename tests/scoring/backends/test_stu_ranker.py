from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from scoring.backends.stu_ranker import (
    SHIPPED,
    StuRanker,
    fit_ranker,
    load_shipped,
    read_ranker,
    write_ranker,
)
from scoring.stu.rich.budget import SIZE
from scoring.stu.rich.features import FEATURES


@pytest.fixture(scope="module")
def ranker() -> StuRanker:
    rows = np.random.default_rng(0).random((300, len(FEATURES)), dtype=np.float32)
    return fit_ranker(rows, rows[:, 0], [0.5, 0.25])


def test_it_learns_from_rows(ranker: StuRanker) -> None:
    rows = np.random.default_rng(1).random((100, len(FEATURES)), dtype=np.float32)
    assert np.corrcoef(ranker.rank(rows), rows[:, 0])[0, 1] > 0.9


def test_it_is_the_same_when_read_again(ranker: StuRanker, tmp_path: Path) -> None:
    path = tmp_path / "ranker.json"
    write_ranker(path, ranker)
    again = read_ranker(path.read_bytes(), path.name)
    rows = np.random.default_rng(2).random((50, len(FEATURES)), dtype=np.float32)
    assert again.version == ranker.version
    assert again.counts == (0.5, 0.25)
    assert again.rank(rows).tolist() == ranker.rank(rows).tolist()


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"{", "is no JSON"),
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
