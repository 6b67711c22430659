"""Each conclusion is drawn where the numbers allow it, and is not drawn where they don't."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.metaeval.report.conclusions import (
    conclude_above,
    conclude_agreement,
    conclude_better_than_chance,
    conclude_close,
    conclude_decisions,
    conclude_difference,
    conclude_gap,
    conclude_highest,
    conclude_not_shown,
    conclude_open,
    conclude_tests,
    find_first,
)


@pytest.mark.parametrize(
    "estimate, said",
    [
        ((0.83, 0.72, 0.91), "strong agreement"),
        ((0.5, 0.35, 0.65), "moderate agreement"),
        ((0.2, 0.1, 0.28), "weak agreement"),
        ((0.91, 0.17, 1.0), "from weak to strong"),
        ((0.6, 0.4, 0.8), "from moderate to strong"),
        ((0.5, -0.1, 0.8), "does not rank systems significantly better than chance"),
        ((0.9, 0.0, 1.0), "does not rank"),
        ((-0.5, -0.8, -0.1), "in the opposite direction"),
        ((0.9, None, None), "nothing more can be concluded"),
    ],
)
def test_the_verb_follows_the_interval(estimate: tuple[float | None, ...], said: str):
    assert said in conclude_agreement("m", "systems", estimate, 20)


@pytest.mark.parametrize(
    "estimate", [(0.91, 0.17, 1.0), (0.9, None, None), (0.9, 0.0, 1.0), (0.9, 0.69, 1.0)]
)
def test_a_high_estimate_alone_is_no_strong_agreement(estimate: tuple[float | None, ...]):
    said = conclude_agreement("m", "systems", estimate, 20)
    assert "strong agreement" not in said
    assert "as people do" not in said


def test_few_systems_allow_no_word_of_strength():
    said = conclude_agreement("m", "systems", (1.0, 1.0, 1.0), 6)
    assert "6 systems. These are too few" in said
    assert "strong" not in said
    assert "strong agreement" in conclude_agreement("m", "systems", (1.0, 1.0, 1.0), 10)
    assert conclude_agreement("m", "systems", (None, None, None), 20) == ""


def test_better_than_chance_needs_the_whole_interval():
    estimates: dict[str, Any] = {
        "a": (0.5, 0.1, 0.7),
        "b": (0.6, -0.1, 0.9),
        "c": (0.7, None, None),
    }
    systems = dict.fromkeys(estimates, 10)
    said = conclude_better_than_chance(estimates, systems)
    assert said.startswith("a ranks systems better than chance")
    assert conclude_better_than_chance({"b": estimates["b"], "c": estimates["c"]}, systems) == ""
    assert conclude_better_than_chance(estimates, systems | {"a": 9}) == ""
    assert conclude_not_shown(estimates) == (
        "That b ranks systems better than chance: its interval includes 0."
    )
    assert conclude_not_shown({"a": estimates["a"], "c": estimates["c"]}) == ""


def test_ties_are_ties():
    values = {"a": 0.6, "b": 0.6 + 1e-12, "c": 0.6, "d": 0.6, "e": 0.6, "f": 0.5, "g": None}
    assert find_first(values) == ["a", "b", "c", "d", "e"]
    said = conclude_highest(values, [], "among extractive systems")
    assert said == "Among extractive systems, a, b, c, d and e tie for the highest τ, .60."
    assert find_first({"g": None}) == []
    assert conclude_highest({"g": None}, None) == ""


@pytest.mark.parametrize(
    "rivals, said",
    [
        ([], "significantly higher than each of the 2 others"),
        (["b"], "not significantly higher than b"),
        (["b", "c"], "not significantly higher than any of the 2 others"),
        (None, "was not tested"),
    ],
)
def test_the_highest_is_better_only_where_a_test_says_so(rivals: list[str] | None, said: str):
    found = conclude_highest({"a": 0.9, "b": 0.8, "c": 0.1}, rivals)
    assert found.startswith("a has the highest τ, .90")
    assert said in found
    assert ("significantly" in found and "not" not in found) == (rivals == [])


def test_the_only_metric_is_compared_with_none():
    assert "no other metric" in conclude_highest({"a": 0.9, "b": None}, [])


@pytest.mark.parametrize(
    "significant, open_tests, said",
    [
        (0, 0, "None of 91 pairs of metrics differ significantly."),
        (1, 0, "1 of 91 pairs of metrics differs significantly."),
        (12, 3, "12 of 91 pairs of metrics differ significantly. 3 verdicts are not settled"),
    ],
)
def test_tests_are_counted_and_open_ones_are_named(significant: int, open_tests: int, said: str):
    assert conclude_tests(significant, open_tests, 91).startswith(said)


def test_nothing_is_said_of_no_tests():
    assert conclude_tests(0, 0, 0) == ""
    assert conclude_open(0) == ""
    assert conclude_open(1).startswith("1 verdict is not settled")


def test_a_difference_is_concluded_only_of_those_that_are_better():
    assert "significantly higher than b and c" in conclude_difference("a", ["b", "c"], "summary")
    assert conclude_difference("a", [], "summary") == ""


def close(low: float | None, high: float | None, right: int = 12) -> dict[str, Any]:
    return {"values": 0.6, "low": low, "high": high, "gap": 0.02, "right": right, "wrong": 3}


@pytest.mark.parametrize(
    "found, said, other",
    [
        (close(0.1, 0.9), ", significantly better than chance.", "not"),
        (close(-0.1, 0.9), ", not significantly better than chance.", ", significantly"),
        (close(-0.9, -0.1), ", significantly worse than chance.", "better"),
        (close(None, None), "τ .60.", "chance"),
        (close(0.1, 0.9, right=5), "too few close pairs", "better"),
    ],
)
def test_close_pairs_are_ordered_better_than_chance_only_by_the_interval(
    found: dict[str, Any], said: str, other: str
):
    concluded = conclude_close("m", 20, found)
    assert said in concluded
    assert other not in concluded


@pytest.mark.parametrize(
    "limit, said",
    [
        (0.0, "m ranks two systems better than chance at every difference"),
        (0.01, "Don’t rely on differences below 0.01"),
        (float("inf"), "m does not rank two systems significantly better than chance at any"),
        (None, ""),
    ],
)
def test_a_gap_is_relied_on_only_where_its_interval_is_above_0(limit: float | None, said: str):
    assert conclude_gap("m", limit, 10).startswith(said)
    assert bool(conclude_gap("m", limit, 10)) == bool(said)


def test_few_systems_allow_no_reliance_on_a_gap():
    assert conclude_gap("m", 0.0, 5) == ""
    assert conclude_gap("m", float("inf"), 5).startswith("m does not rank")


def test_the_highest_f1_is_not_called_better():
    said = conclude_decisions({"a": 0.83, "b": 0.83, "c": 0.5})
    assert said.startswith("a and b tie for the highest F1, .83.")
    assert "not tested" in said
    assert conclude_decisions({"a": 0.83, "c": 0.5}).startswith("a has the highest F1")
    assert conclude_decisions({"c": None}) == ""


def test_an_estimate_above_its_interval_is_named():
    assert "τ of a is above its interval" in conclude_above({"a": (0.9, 0.2, 0.8)})
    assert conclude_above({"a": (0.7, 0.2, 0.8), "b": (0.7, None, None)}) == ""
