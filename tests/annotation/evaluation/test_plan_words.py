"""Plans in words."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from annotation.evaluation.templatetags.plan_words import (
    budget_words,
    goal_words,
    plan_words,
    price,
)

ASKED = {"sentences": 2.0, "examples": 100, "is_ranked": True}
PLAN = {
    "written": 100,
    "examples": 100,
    "people": 25,
    "judges": 1,
    "combination": "plain",
    "order": "random",
}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "SCUs for 100 of 200 sentences, those predicted to be hardest: people write 100."),
        ({"written": 0}, "Nobody writes: STUs are used for all 200 sentences."),
        ({"written": 200}, "SCUs for all 200 sentences: people write 200."),
        ({"existing": 60}, "60 already written, 40 to write"),
        ({}, "people judge 25 of them (1 judge per HIT), the judge (model) the rest; a system’s"),
        (
            {"combination": "corrected", "judges": 3},
            "(3 judges per HIT), the judge (model) the rest; pe",
        ),
        ({"combination": "people"}, "100 examples are scored, all by people, 1 judge per HIT."),
        ({"combination": "judge", "people": 0}, "all by the judge (model); no people are needed."),
        ({"examples": 80}, "80 of 100 examples are scored"),
    ],
)
def test_it_tells_a_plan(changes: dict[str, Any], words: str) -> None:
    assert words in " ".join(plan_words(PLAN | changes, ASKED))


def test_it_tells_that_sentences_are_drawn() -> None:
    assert "drawn at random" in plan_words(PLAN, ASKED | {"is_ranked": False})[0]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"money": "150.00", "hours": 6.0}, "$150 and 6 hours of writing"),
        ({"money": "150.50", "hours": None}, "$150.50"),
        ({"money": None, "hours": 1.0}, "1 hour of writing"),
        ({"money": None, "hours": None}, "any budget"),
    ],
)
def test_it_tells_a_budget(asked: dict[str, Any], words: str) -> None:
    assert budget_words(asked) == words


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"goal_width": 0.05, "goal_difference": None}, "intervals no wider than 0.05"),
        (
            {"goal_width": None, "goal_difference": 0.1, "power": 0.8},
            "a difference of 0.1 detected 80 % of the time",
        ),
        ({"goal_width": None, "goal_difference": None}, "the best ranking within the budget"),
    ],
)
def test_it_tells_a_goal(asked: dict[str, Any], words: str) -> None:
    assert goal_words(asked) == words


def test_it_writes_prices() -> None:
    assert [price(value) for value in ("93.7500", Decimal("1234.5"), 0, None)] == [
        *("$93.75", "$1,234.50", "$0.00", "–")
    ]
