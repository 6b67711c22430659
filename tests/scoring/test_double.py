"""How far two people agree who wrote units of the same references independently."""

from __future__ import annotations

import krippendorff
import numpy as np
import pytest

from scoring.double import (
    DoubleAgreement,
    Tally,
    UnitMatch,
    Writing,
    match_units,
    measure_double,
    tally_example,
)
from scoring.errors import InputError

TEXT = "The dam burst on Monday. Nobody was hurt."


@pytest.mark.parametrize(
    "first, second, pairs",
    [
        ([], ["The dam burst."], []),
        (["The dam burst."], ["The dam burst."], [(0, 0)]),
        (["The dam burst.", "Nobody was hurt."], ["All are safe.", "The dams burst."], [(0, 1)]),
        # One matching for all: the first unit leaves its best partner to the second one.
        (["A dam burst on Monday.", "A dam burst."], ["A dam burst.", "A dam burst Monday."], None),
        (["It rained 3 days."], ["It rained 4 days."], []),
        (["The dam has burst."], ["The dam has not burst."], []),
    ],
)
def test_it_matches_units_one_to_one(
    first: list[str], second: list[str], pairs: list[tuple[int, int]] | None
) -> None:
    found = [(match.first, match.second) for match in match_units(first, second)]
    assert found == (pairs if pairs is not None else [(0, 1), (1, 0)])


def test_equal_units_are_fully_alike() -> None:
    assert match_units(["The dam burst."], ["the dam burst"]) == [UnitMatch(0, 0, 1.0)]


def test_it_counts_words_by_who_covers_them() -> None:
    """Content words: dam, burst, Monday, Nobody, hurt."""
    first = Writing(["The dam burst.", "It was Monday."], [[(0, 13), (17, 23)]])
    second = Writing(["The dam burst."], [[(0, 13)]])
    assert tally_example([TEXT], first, second) == Tally(2, 1, 1, both=2, one=1, neither=2)


def test_it_refuses_spans_of_other_references() -> None:
    with pytest.raises(InputError, match="Spans for 2 references"):
        tally_example([TEXT], Writing([], [[], []]), Writing([], [[]]))


def test_alpha_is_krippendorffs() -> None:
    tally = Tally(4, 5, 3, both=30, one=9, neither=11)
    first = [1] * 30 + [1] * 4 + [0] * 5 + [0] * 11
    second = [1] * 30 + [0] * 4 + [1] * 5 + [0] * 11
    expected = krippendorff.alpha(np.array([first, second]), level_of_measurement="nominal")
    assert tally.alpha == pytest.approx(expected)
    assert tally.f1 == pytest.approx(6 / 9)


def test_it_measures_all_examples_with_intervals() -> None:
    tallies = [
        Tally(4, 5, 3, both=30, one=9, neither=11),
        Tally(6, 4, 4, both=25, one=5, neither=20),
        Tally(0, 0, 0, both=0, one=0, neither=40),
    ]
    found = measure_double(tallies, seed=3)
    assert found.examples == 2
    assert found.total == Tally(10, 9, 7, both=55, one=14, neither=31)
    assert found.f1.value == pytest.approx(14 / 19)
    assert found.alpha.value == pytest.approx(found.total.alpha)
    assert found.percent == pytest.approx(0.86)
    for measure in (found.f1, found.alpha):
        assert None not in (measure.low, measure.value, measure.high)
        assert measure.low <= measure.value <= measure.high  # type: ignore[operator]
    assert found == measure_double(tallies, seed=3)


def test_where_nothing_varies_alpha_is_not_computed() -> None:
    found = measure_double([Tally(1, 1, 1, both=5, one=0, neither=0)])
    assert (found.alpha.value, found.f1.value, found.percent) == (None, 1.0, 1.0)


def test_of_nothing_nothing_is_known() -> None:
    found = measure_double([])
    assert isinstance(found, DoubleAgreement)
    assert (found.examples, found.f1.value, found.percent) == (0, None, None)
