import numpy as np

from scoring.metrics import load_metric

SOURCE = "Yesterday the cat sat there. Here it purred."


def score(summary, *sources):
    found = load_metric("extractive").score([summary], [], [list(sources)])
    return found.values[0].tolist()


def test_it_measures_fragments():
    """`the cat sat` and `here` of five words."""
    assert score("The cat sat here quickly.", SOURCE) == [4 / 5, (9 + 1) / 5, 3 / 5]


def test_it_takes_the_longest_fragment_each_time():
    assert score("a b c", "a b x a b c") == [1, 3, 1]


def test_no_fragment_runs_from_one_source_into_another():
    assert score("a b c d", "a b", "c d") == [1, 2, 0]


def test_it_has_no_answer_for_a_summary_without_words():
    assert np.isnan(score("...", SOURCE)).all()
