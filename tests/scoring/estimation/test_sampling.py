"""How judged documents were chosen."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.estimation import choose_sampling

DOCUMENTS = ["a", "b", "c", "d"]
JUDGED = np.array([True, True, False, False])


def test_a_random_sample_needs_nothing_more():
    found = choose_sampling(DOCUMENTS, JUDGED, chosen="random")
    assert found.is_simple
    chances = found.inclusion(JUDGED[None], np.ones((1, 4), dtype=bool))
    assert chances.tolist() == [[0.5] * 4]


def test_chances_are_kept_by_document():
    found = choose_sampling(
        DOCUMENTS, JUDGED, chosen="ranker", probabilities={"b": 0.9, "a": 1.0, "c": 0.2}
    )
    assert found.name == "probabilities"
    chances = found.inclusion(JUDGED[None], np.ones((1, 4), dtype=bool))
    assert chances[0, :3].tolist() == [1.0, 0.9, 0.2]


def test_a_slice_stands_for_what_the_ranker_left():
    found = choose_sampling(DOCUMENTS, JUDGED, chosen="ranker", audit=["b"])
    chances = found.inclusion(JUDGED[None], np.ones((1, 4), dtype=bool))
    assert found.name == "audit"
    assert chances[0].tolist() == pytest.approx([1, 1 / 3, 1 / 3, 1 / 3])


@pytest.mark.parametrize(
    "options, message",
    [
        ({"chosen": "ranker"}, "the others"),
        ({"chosen": "hand"}, "chosen by 'hand'"),
        ({"chosen": "random", "audit": ["a"]}, "audit"),
        ({"chosen": "ranker", "audit": ["a"], "probabilities": {"a": 1}}, "not both"),
        ({"chosen": "ranker", "audit": ["x"]}, "'x', which is not among"),
        ({"chosen": "ranker", "audit": ["c"]}, "'c' is"),
        ({"chosen": "ranker", "probabilities": {"x": 0.5}}, "'x', which is not among"),
        ({"chosen": "ranker", "probabilities": {"a": 0.5}}, "'b' was judged"),
        ({"chosen": "ranker", "probabilities": {"a": 0.5, "b": 0}}, "'b' .* probability 0"),
        ({"chosen": "ranker", "probabilities": {"a": 0.5, "b": 1, "d": 1}}, "'d'"),
    ],
)
def test_it_refuses_what_can_not_be_mended(options, message):
    with pytest.raises(ValueError, match=message):
        choose_sampling(DOCUMENTS, JUDGED, **options)
