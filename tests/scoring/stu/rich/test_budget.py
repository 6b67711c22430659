from __future__ import annotations

import numpy as np
import pytest

from scoring.stu.rich.budget import MARGIN, SIZE, budget_of, count_values, fit_counts
from tests.scoring.stu.rich.candidates import pools


def test_it_reads_each_sentence_of_a_reference() -> None:
    found = count_values(pools("The mayor opened the bridge.", "It rained in Rome and Oslo."))
    assert found.shape == (2, SIZE)
    assert found[0, :2].tolist() == [1, 5]
    assert found[1, 3:6].tolist() == [2, 1, 2]  # sentences, place, names


def test_it_learns_how_many_units_there_are() -> None:
    rows = np.random.default_rng(0).normal(size=(400, SIZE))
    wanted = np.arange(SIZE) / 10
    assert fit_counts(rows, rows @ wanted) == pytest.approx(wanted, abs=0.05)


@pytest.mark.parametrize(("x", "units"), [(1.0, 10), (1.6, 16), (0.5, 5), (0.001, 1)])
def test_it_scales_with_what_is_asked_for(x: float, units: int) -> None:
    rows = np.full((5, 1), 2.0)
    assert budget_of(rows, [1.0], x) == units == max(1, round(MARGIN * x * 10))


def test_it_counts_no_sentence_for_less_than_nothing() -> None:
    assert budget_of(np.array([[-50.0], [4.0]]), [1.0], 1.0) == 4
