"""Jensen–Shannon divergence, by hand and by its textbook formula."""

import math
import random
from collections import Counter

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon

from scoring.metrics import load_metric
from scoring.metrics.js import divergence


def score(summary, references, **options):
    found = load_metric("js", {"stem": False, **options}).score([summary], [references], [])
    return found.values[0].tolist()


def test_it_is_half_where_half_of_the_words_are_shared():
    assert score("a b", ["a c"]) == [0.5, 1.0]


def test_it_is_nothing_where_the_shares_are_equal():
    assert score("a b a b", ["a b a b"]) == pytest.approx([0.0, 0.0], abs=1e-15)
    assert score("a b", ["b b a a"])[0] == 0.0


def test_it_equals_the_square_of_the_distance_of_scipy():
    rng = random.Random(3)
    for _ in range(20):
        mine, theirs = (
            Counter(map(tuple, rng.choices("abcdefgh", k=rng.randint(1, 30)))) for _ in range(2)
        )
        counts = np.array([[side[(letter,)] for letter in "abcdefgh"] for side in (mine, theirs)])
        assert divergence(mine, theirs) == pytest.approx(jensenshannon(*counts, base=2) ** 2)


@pytest.mark.parametrize(
    "several, expected", [("pool", 0.0), ("best", 0.311278), ("mean", 0.311278)]
)
def test_it_takes_several_references_as_it_is_told(several, expected):
    assert score("a b", ["a", "b"], several=several)[0] == pytest.approx(expected, abs=1e-6)


def test_it_takes_the_nearest_of_several():
    assert score("a b", ["c", "a b"], several="best") == [0.0, 0.0]


def test_it_counts_stems():
    assert score("houses", ["house"]) == pytest.approx([1.0, math.nan], nan_ok=True)
    assert score("houses", ["house"], stem=True)[0] == 0.0


def test_it_has_no_answer_where_a_reference_has_no_words():
    assert np.isnan(score("a b", ["..."])).all()
    assert np.isnan(score("a b", ["..."], several="best")).all()


def test_a_summary_without_words_shares_nothing():
    assert score("", ["a b c"]) == [1.0, 1.0]


def test_it_says_that_less_is_better():
    metric = load_metric("js")
    assert metric.lower == set(metric.columns)
