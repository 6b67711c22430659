"""Recipes and figures as pages say them."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.evaluation.labels.wording import RULE_NAMES, TIE_NAMES, VOTE_NAMES, tell_recipe
from annotation.evaluation.templatetags import gold_words as words
from scoring.aggregation import FILTERS, TIES, VOTES, FilterStep, Recipe


def test_it_has_a_name_for_every_rule_vote_and_tie():
    assert set(FILTERS) <= set(RULE_NAMES)
    assert set(VOTES) <= set(VOTE_NAMES)
    assert set(TIES) == set(TIE_NAMES)


@pytest.mark.parametrize("name", FILTERS)
def test_it_says_every_rule_in_a_sentence_of_its_own(name: str):
    first, last = tell_recipe(Recipe((FilterStep(name),)).to_json())
    assert first.endswith(".")
    assert first != name
    assert last.startswith("Label each statement by the majority")


def test_it_says_thresholds():
    step = FilterStep("per-worker", {"min_hits": 210, "max_disagreement": 0.5})
    assert "at least 210 HITs" in tell_recipe(Recipe((step,)).to_json())[0]
    assert "more than 50%" in tell_recipe(Recipe((step,)).to_json())[0]


def test_it_says_that_all_answers_are_included():
    assert tell_recipe(Recipe().to_json()) == [
        "Include all answers.",
        "Label each statement by the majority of the included answers. Ties: not present.",
    ]


def test_it_names_the_seed_of_random_ties():
    assert tell_recipe(Recipe(tie="random", seed=5).to_json())[-1].endswith("with seed 5.")


def test_it_says_where_imported_labels_come_from():
    assert tell_recipe({"vote": "imported"}) == ["Labels were imported from files."]


@pytest.mark.parametrize(
    "say, given, said",
    [
        (words.figure, (0.66461,), "0.665"),
        (words.figure, (0.5, 4), "0.5000"),
        (words.figure, (-0.0951,), "−0.095"),
        (words.figure, (None,), "–"),
        (words.signed, (0.2,), "+0.200"),
        (words.signed, (-0.2,), "−0.200"),
        (words.signed, (-0.00004,), "±0.000"),
        (words.signed, (-19483, 0), "−19,483"),
        (words.signed, (None,), "–"),
        (words.share, (0.859,), "85.9 %"),
        (words.share, (None,), "–"),
        (words.p_value, (0.0482,), ".048"),
        (words.p_value, (0.0001,), "< .001"),
        (words.p_value, (1.0,), "1"),
        (words.p_value, (None,), "–"),
        (words.less, (3, 1), 2),
        (words.less, (None, 1), None),
        (words.rule_name, ("fast",), "Too fast"),
        (words.rule_name, ("of-another-study",), "of-another-study"),
    ],
)
def test_it_prints_figures(say: Any, given: tuple[Any, ...], said: Any):
    assert say(*given) == said
