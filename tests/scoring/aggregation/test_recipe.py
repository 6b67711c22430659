"""Recipes: filters in order, a vote, and what a person decided."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import __version__
from scoring.aggregation import FILTERS, TIES, UNDEFINED, VOTES, FilterStep, Recipe, aggregate
from tests.scoring.aggregation.grids import Grid, answers_of, dropped_keys, grids

# x departs everywhere; with x gone, c is the one who departs in the first summary.
GRID: Grid = {
    "d1/s": {"a": "ppp", "b": "ppp", "c": "ppn", "x": "nnp"},
    "d2/s": {"a": "pp", "b": "pp", "c": "pp", "x": "nn"},
}
WORKER = FilterStep("per-worker", {"min_hits": 2, "max_disagreement": 0.5})
SUMMARY = FilterStep("per-summary")


def mask(answers, *keys):
    return np.array([key in keys for key in answers.assignment_keys])


def made(*filters, **options):
    answers = answers_of(GRID)
    found = aggregate(answers, Recipe(filters), samples=0, **options)
    return dropped_keys(answers, found.drops), found


def test_it_lets_each_filter_see_what_the_earlier_ones_kept():
    assert made(SUMMARY)[0] == ["x@d1/s", "x@d2/s"]
    dropped, found = made(WORKER, SUMMARY)
    assert dropped == ["x@d1/s", "x@d2/s", "c@d1/s"]
    assert found.kept.sum() == 8 - 3
    assert [drop.rule for drop in found.drops] == ["per-worker", "per-worker", "per-summary"]


def test_it_deletes_nothing():
    answers = answers_of(GRID)
    before = answers.content_hash()
    aggregate(answers, Recipe((WORKER, SUMMARY)))
    assert answers.content_hash() == before


def test_it_leaves_out_what_a_person_dropped_before_any_rule():
    answers = answers_of(GRID)
    dropped, found = made(SUMMARY, also_drop=mask(answers, "x@d1/s"))
    assert dropped == ["c@d1/s", "x@d2/s"]
    assert not found.kept[list(answers.assignment_keys).index("x@d1/s")]


def test_it_keeps_what_a_person_keeps_and_says_so():
    answers = answers_of(GRID)
    dropped, found = made(SUMMARY, also_keep=mask(answers, "x@d1/s"))
    assert dropped == ["x@d2/s"]
    assert dropped_keys(answers, found.overruled) == ["x@d1/s"]
    assert found.kept.sum() == 7


def test_it_votes_and_measures_with_what_is_kept():
    _, found = made(WORKER)
    assert found.labels.posterior.tolist() == [1, 1, pytest.approx(2 / 3), 1, 1]
    assert found.agreement.by_summary.undefined == 1


@given(grids(), st.lists(st.sampled_from(list(FILTERS)), max_size=3))
def test_it_keeps_exactly_what_is_not_dropped(grid, names):
    answers = answers_of(grid)
    found = aggregate(answers, Recipe(tuple(map(FilterStep, names))), samples=0)
    dropped = {drop.assignment for drop in found.drops}
    assert len(dropped) == len(found.drops)
    assert set(np.flatnonzero(~found.kept).tolist()) == dropped


recipes = st.builds(
    Recipe,
    filters=st.lists(st.sampled_from([WORKER, SUMMARY, FilterStep("fast")]), max_size=3).map(tuple),
    vote=st.sampled_from(VOTES),
    tie=st.sampled_from(list(TIES)),
    seed=st.integers(0, 9),
    undefined=st.sampled_from(UNDEFINED),
)


@given(recipes)
def test_it_goes_through_json_and_back(recipe):
    assert Recipe.from_json(json.loads(json.dumps(recipe.to_json()))) == recipe


def test_it_writes_down_every_option():
    assert str(WORKER) == "per-worker(max_disagreement=0.5,min_hits=2)"
    assert FilterStep("per-worker", {"min_hits": 5}).options == {
        "min_hits": 5,
        "max_disagreement": 0.3,
    }


@pytest.mark.parametrize(
    "recipe, expected",
    [
        (Recipe(), "filters:none|vote:majority|tie:absent"),
        (
            Recipe((SUMMARY, WORKER), tie="random", seed=7),
            f"filters:per-summary+{WORKER}|vote:majority|tie:random|seed:7",
        ),
        (Recipe(vote="mace", seed=3), "filters:none|vote:mace|tie:absent|seed:3|crowd-kit:1.4.2"),
        (Recipe(vote="wawa", seed=3), "filters:none|vote:wawa|tie:absent|crowd-kit:1.4.2"),
    ],
)
def test_it_signs_what_labels_depend_on(recipe, expected):
    signature = recipe.signature("0123456789abcdef" * 4)
    assert signature == f"answers:0123456789abcdef|{expected}|giza:{__version__}"


@pytest.mark.parametrize(
    "data, message",
    [
        ({"vote": "loudest"}, "There is no vote 'loudest'"),
        ({"ties": "absent"}, "A recipe has no field 'ties'. Use filters, seed"),
        ({"filters": [{"name": "noise"}]}, "There is no filter 'noise'"),
        ({"undefined": "zero"}, "'zero' is not .* one, skip"),
    ],
)
def test_it_refuses_what_it_does_not_know(data, message):
    with pytest.raises(ValueError, match=message):
        Recipe.from_json(data)
