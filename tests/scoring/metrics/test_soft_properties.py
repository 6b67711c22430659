"""What must hold for any vectors, weights and choices."""

import numpy as np
import pytest
from hypothesis import given as given_any
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from scoring.backends.transport import move_earth
from scoring.metrics.centrality import PacSum, choose_top, find_centrality, normalise
from scoring.metrics.encoding import unit_rows
from scoring.metrics.extracted import Source, match_sentences
from scoring.metrics.greedy import harmonic_mean, match_greedily, match_many, weigh
from scoring.metrics.ncg import (
    ENSEMBLES,
    find_gains,
    join_gains,
    rank_down,
    score_ncg,
    score_ncg_without_repeats,
)
from scoring.metrics.perturbation import replace_words
from scoring.metrics.rarity import Rarity
from scoring.metrics.relevance import (
    combine,
    find_beta_squared,
    score_redundancy,
    score_relevance,
    weigh_hybrid,
)
from scoring.metrics.source_overlap import find_divergence
from scoring.metrics.transport import find_distances, move, share_evenly

NUMBERS = st.floats(-10, 10, width=32).map(lambda value: round(value, 3))
SHARES = st.floats(0, 1).map(lambda value: round(value, 4))
WORDS = st.lists(st.sampled_from(["lamp", "dog", "rain", "pier", "glass"]), min_size=1, max_size=6)


def given(*strategies):
    """Fewer cases than usual: they are many small facts."""
    return lambda test: settings(max_examples=20)(given_any(*strategies)(test))


def rows(least=1, most=6, size=3):
    """Vectors of length 1."""
    shapes = st.tuples(st.integers(least, most), st.just(size))
    found = arrays.arrays(np.float32, shapes, elements=NUMBERS)
    return found.filter(lambda one: (np.linalg.norm(one, axis=1) > 0.1).all()).map(unit_rows)


def values(least=1, most=8, elements=NUMBERS):
    return arrays.arrays(np.float64, st.integers(least, most), elements=elements)


@given(rows(), rows())
def test_matching_is_the_same_from_either_side(first, second):
    one, other = match_greedily(first, second)
    again, swapped = match_greedily(second, first)
    assert one == pytest.approx(swapped, abs=1e-5)
    assert other == pytest.approx(again, abs=1e-5)
    assert (np.abs(one) <= 1 + 1e-5).all()


@given(st.lists(rows(), min_size=1, max_size=4), rows())
def test_many_are_matched_as_each_alone(candidates, reference):
    for candidate, found in zip(candidates, match_many(candidates, reference), strict=True):
        for mine, expected in zip(found, match_greedily(candidate, reference), strict=True):
            assert mine == pytest.approx(expected, abs=1e-5)


@given(rows(), rows(), st.data())
def test_relevance_of_a_text_to_itself_is_the_highest(summary, reference, data):
    weights = np.array(
        data.draw(st.lists(SHARES, min_size=len(reference), max_size=len(reference)))
    )
    weights = weigh_hybrid(weights, np.array([], dtype=np.int64))
    own = share_evenly(len(summary))
    assert score_relevance(summary, summary, own) == pytest.approx(1, abs=1e-5)
    assert (
        score_relevance(summary, reference, weights) <= 1 + 1e-5
        or min(
            match_greedily(summary, reference)[0].mean(),
            weigh(match_greedily(summary, reference)[1], weights),
        )
        < 0
    )


@given(rows(least=2))
def test_saying_everything_twice_is_wholly_redundant(summary):
    twice = np.concatenate([summary, summary])
    assert score_redundancy(twice) == pytest.approx(1, abs=1e-5)
    assert score_redundancy(summary) <= 1 + 1e-5


@given(values(elements=SHARES), st.data())
def test_hybrid_weights_sum_to_one(weights, data):
    places = data.draw(st.lists(st.integers(0, len(weights) - 1), max_size=10))
    found = weigh_hybrid(weights, np.array(places, dtype=np.int64))
    assert len(found) == len(places) + len(weights)
    assert found.sum() == pytest.approx(1)


@given(st.integers(1, 500), st.integers(1, 500), st.floats(0.1, 8))
def test_beta_stays_within_its_bounds(reference, summary, gamma):
    assert 1 <= find_beta_squared(reference, summary, gamma) <= 2


@given(st.floats(0.01, 1), st.floats(0.01, 1), st.floats(1, 2))
def test_the_harmonic_mean_lies_between(precision, recall, squared):
    found = harmonic_mean(precision, recall, squared)
    assert min(precision, recall) - 1e-9 <= found <= max(precision, recall) + 1e-9


@given(st.floats(-1, 1), st.floats(-1, 1), st.floats(0.01, 1))
def test_the_score_stays_within_its_bounds(relevance, redundancy, scale):
    assert -1 - 1e-9 <= combine(relevance, redundancy, scale) <= 1 + 1e-9


@given(rows(least=1, most=8), st.integers(1, 9))
def test_centrality_is_brought_to_its_range_and_order(sentences, most):
    found = find_centrality(sentences, PacSum())
    shares = normalise(found)
    assert (shares >= 0).all()
    assert shares.max() == pytest.approx(1)
    chosen = choose_top(found, most)
    assert len(chosen) == min(most, len(sentences))
    assert chosen.tolist() == sorted(set(chosen.tolist()))
    left = np.setdiff1d(np.arange(len(found)), chosen)
    assert not len(left) or found[chosen].min() >= found[left].max()


@given(values())
def test_gains_are_shares_in_the_order_of_similarity(similarity):
    gains = find_gains(similarity)
    assert gains.sum() == pytest.approx(1)
    assert sorted(rank_down(similarity)) == list(range(1, len(similarity) + 1))
    assert gains.argmax() == similarity.argmax()


@given(st.lists(values(4, 4), min_size=1, max_size=4), st.sampled_from(ENSEMBLES))
def test_joined_gains_are_shares_too(similarities, ensemble):
    assert join_gains(similarities, ensemble).sum() == pytest.approx(1)


@given(values(2), st.data())
def test_the_best_choice_has_a_gain_of_one(similarity, data):
    gains = find_gains(similarity)
    cut = data.draw(st.integers(1, len(gains)))
    best = np.argsort(-gains).tolist()
    chosen = data.draw(st.permutations(best))
    likeness = np.full((len(gains), len(gains)), 0.5)
    assert score_ncg(gains, best, cut) == pytest.approx(1)
    found = score_ncg(gains, chosen, cut)
    assert 0 <= found <= 1 + 1e-9
    assert score_ncg_without_repeats(gains, likeness, chosen, cut) <= found + 1e-9


@given(rows(), rows())
def test_moving_earth_is_a_distance(first, second):
    there, back = (
        move(one, two, share_evenly(len(one)), share_evenly(len(two)))
        for one, two in ((first, second), (second, first))
    )
    assert there == pytest.approx(back, abs=1e-3)
    assert 0 <= there <= 2 + 1e-3
    own = share_evenly(len(first))
    assert move(first, first, own, own) == pytest.approx(0, abs=2e-3)


@given(rows(), rows())
def test_no_row_can_be_moved_for_less_than_its_nearest(first, second):
    distances = find_distances(first, second)
    cost = move_earth(share_evenly(len(first)), share_evenly(len(second)), distances)
    assert cost >= distances.min(axis=1).mean() - 1e-6
    assert cost <= distances.mean() + 1e-6


@given(values(2, 6, st.integers(0, 9).map(float)), st.data())
def test_divergence_lies_between_0_and_1(first, data):
    second = np.array(data.draw(st.permutations(first.tolist())))
    found = find_divergence(first, second)
    assert -1e-9 <= found <= 1 + 1e-9
    assert found == pytest.approx(find_divergence(second, first))


@given(st.lists(st.lists(st.integers(0, 5), min_size=1, max_size=5), min_size=1, max_size=5))
def test_what_more_texts_have_weighs_less(texts):
    rarity = Rarity.of_pieces(texts)
    weights = rarity.weigh([0, 1, 9])
    having = [sum(piece in ids for ids in texts) for piece in (0, 1, 9)]
    assert (weights >= 0).all()
    assert (
        np.argsort(-weights, kind="stable").tolist() == np.argsort(having, kind="stable").tolist()
    )


@given(st.lists(WORDS, min_size=1, max_size=5), st.data())
def test_every_sentence_of_a_source_is_found_in_it(listed, data):
    sentences = [" ".join(words) for words in listed]
    source = Source.of_sentences(sentences)
    chosen = data.draw(st.lists(st.sampled_from(sentences), max_size=5))
    places = match_sentences(chosen, source, 0.7)
    assert [sentences[place] for place in places] == chosen


@given(st.lists(WORDS, max_size=4))
def test_replacing_by_themselves_changes_nothing(listed):
    text = ". ".join(" ".join(words) for words in listed)
    assert replace_words(text, {"lamp": "lamp", "dog": "dog"}) == text
    assert "lamp" not in replace_words(text, {"lamp": "light"})
