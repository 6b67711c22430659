"""METEOR by hand, against nltk where words stand once, and its alignments against all there are."""

import itertools
import random

import pytest
from nltk.translate.meteor_score import single_meteor_score

from scoring.metrics import load_metric
from scoring.metrics.word_alignment import align

CAT = "the cat sat on the mat"
WORDS = "dog runs house walked tree green quickly river table happy stones ran"


def score(summary, *references, **options):
    metric = load_metric("meteor", {"synonyms": False, **options})
    return metric.score([summary], [references], []).values[0].tolist()


class NoWordNet:
    def synsets(self, word):
        return []


def test_it_penalises_one_chunk_a_little():
    assert score(CAT, CAT) == pytest.approx([1 - 0.5 * (1 / 6) ** 3, 1, 1])


def test_it_penalises_three_chunks_more():
    """`on the mat`, `sat`, `the cat`: the words that stand twice are where chunks are fewest."""
    assert score("on the mat sat the cat", CAT)[0] == pytest.approx(1 - 0.5 * (3 / 6) ** 3)


def test_it_weighs_recall_nine_times():
    """P = 1, R = 1/2, F = 10PR / (R + 9P), one chunk of three."""
    found = score("the cat sat", CAT)
    assert found == pytest.approx([10 * 0.5 / 9.5 * (1 - 0.5 * (1 / 3) ** 3), 0.5, 1])


def test_it_matches_stems():
    assert score("cats sitting", "cat sits", stem=False)[0] == 0
    assert score("cats sitting", "cat sits")[1:] == [1, 1]
    assert score("cats sitting", "cat sits", stem_weight=0.6)[1:] == pytest.approx([0.6, 0.6])


def test_it_matches_meanings():
    assert score("a quick vehicle", "a fast car")[1] == pytest.approx(1 / 3)
    assert score("a quick automobile", "a fast car", synonyms=True)[1] == 1
    weighted = score("a quick automobile", "a fast car", synonyms=True, synonym_weight=0.5)
    assert weighted[1] == pytest.approx(2 / 3)


def test_it_takes_the_best_reference_or_the_mean():
    assert score(CAT, "dogs", CAT) == score(CAT, CAT)
    assert score(CAT, "dogs", CAT, several="mean")[1] == pytest.approx(0.5)


def test_it_is_nothing_without_a_match():
    assert score("", CAT) == [0, 0, 0]
    assert score("dogs", "") == [0, 0, 0]


def test_it_equals_nltk_where_every_word_stands_once():
    rng = random.Random(11)
    words = tuple(WORDS.split())
    for _ in range(25):
        first, second = (rng.sample(words, rng.randint(4, 12)) for _ in range(2))
        expected = single_meteor_score(second, first, wordnet=NoWordNet())
        assert score(" ".join(first), " ".join(second))[0] == pytest.approx(expected)


def test_it_finds_the_best_of_all_alignments():
    rng = random.Random(2)
    for _ in range(60):
        theirs = rng.choices("abc", k=rng.randint(0, 5))
        mine = rng.choices("abcd", k=rng.randint(1, 5))
        candidates = [
            [(place, 1.0) for place, other in enumerate(theirs) if other == word] for word in mine
        ]
        matched, weight, chunks = align(candidates)
        assert (matched, chunks) == best_of_all(candidates)
        assert weight == matched


def best_of_all(candidates):
    choices = [[None, *(place for place, _ in found)] for found in candidates]
    rows = (
        row
        for row in itertools.product(*choices)
        if len({place for place in row if place is not None}) == sum(p is not None for p in row)
    )
    best = min((-sum(place is not None for place in row), count_chunks(row)) for row in rows)
    return -best[0], best[1]


def count_chunks(row):
    before = [None, *row]
    return sum(
        place is not None and (last is None or place != last + 1)
        for last, place in zip(before, row, strict=False)
    )


def test_it_says_which_values_an_option_takes():
    with pytest.raises(ValueError, match="option alpha can't be 2.0. Expected 0 to 1"):
        load_metric("meteor", {"alpha": 2})
    with pytest.raises(ValueError, match="option beta can't be 0.0"):
        load_metric("meteor", {"beta": 0})


def test_it_signs_the_lexicon():
    assert "|lexicon:wordnet-1.6|" in load_metric("meteor").signature
    assert "|lexicon:none|" in load_metric("meteor", {"synonyms": "no"}).signature
