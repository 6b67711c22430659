"""Accuracy, precision and x."""

from __future__ import annotations

import math

import pytest

from scoring.stu.quality import ReferenceUnits, measure_extraction


def test_it_measures_the_three_together() -> None:
    found = measure_extraction(
        [
            ReferenceUnits(
                sentences=["Ann won gold in Rome.", "Rain fell.", "Nobody came."],
                scus=["Ann won gold", "Ann won in Rome", "Rain fell"],
                stus=["Ann won gold", "Rain fell hard", "Ben slept"],
            ),
            ReferenceUnits(["It snowed."], ["It snowed"], []),
        ]
    )
    first = (1 + 2 * 2 / 7) / 2  # "Ann won" of three and four words
    assert found.by_sentence == pytest.approx((first, 0.8, 0.0))
    assert found.accuracy == pytest.approx((first + 0.8) / 3)
    assert found.precision == pytest.approx((1 + 0.8 + 0) / 3)
    assert found.x == 3 / 4
    assert (found.references, found.sentences, found.scus, found.stus) == (2, 3, 4, 3)


def test_it_knows_when_there_is_nothing_to_measure() -> None:
    found = measure_extraction([ReferenceUnits(["Rain."], [], ["Rain"])])
    assert math.isnan(found.accuracy)
    assert math.isnan(found.x)
    assert found.precision == 0
