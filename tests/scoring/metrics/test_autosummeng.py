"""N-gram graphs small enough to draw by hand."""

import pytest

from scoring.metrics import load_metric
from scoring.metrics.autosummeng import build_graph, compare_graphs


def score(summary, *references, **options):
    found = load_metric("autosummeng", options).score([summary], [references], [])
    return found.values[0].tolist()


def test_it_joins_neighbouring_runs():
    assert build_graph("abcd", 2, 1) == {("ab", "bc"): 1, ("bc", "cd"): 1}
    assert build_graph("abcd", 2, 2) == {("ab", "bc"): 1, ("bc", "cd"): 1, ("ab", "cd"): 1}


def test_it_has_edges_without_direction():
    assert build_graph("ababab", 2, 1) == {("ab", "ba"): 4}


def test_it_compares_by_value_size_and_containment():
    """One common edge of one and two."""
    assert score("abcd", "abcde", window=1) == [0.5, 1, 1]


def test_it_compares_weights():
    found = compare_graphs(build_graph("abab", 2, 1), build_graph("ababab", 2, 1))
    assert found == (0.5, 0.5, 1)


def test_it_is_one_for_the_same_text_and_nothing_for_another():
    assert score("The lamp burns.", "The  lamp burns.") == [1, 1, 1]
    assert score("xyz xyz", "The lamp burns.") == [0, 0, 0]
    assert score("", "The lamp burns.") == [0, 0, 0]


def test_it_tells_capitals_apart_unless_it_is_told_not_to():
    assert score("ABCD", "abcd")[0] == 0
    assert score("ABCD", "abcd", lowercase=True)[0] == 1


def test_it_weighs_lengths_by_themselves():
    one, two = (score("abcd", "abce", shortest=n, longest=n)[0] for n in (1, 2))
    both = score("abcd", "abce", shortest=1, longest=2)[0]
    assert both == pytest.approx((one + 2 * two) / 3)


def test_it_takes_the_mean_of_several_references():
    assert score("abcd", "abcd", "wxyz")[0] == 0.5
    assert score("abcd", "wxyz", "abcd", several="best")[0] == 1


@pytest.mark.parametrize(
    "options, message",
    [
        ({"shortest": 4}, "4 to 3 characters"),
        ({"shortest": 0}, "0 to 3"),
        ({"window": 0}, "window can't be 0"),
        ({"window": "wide"}, "Expected a whole number"),
        ({"several": "all"}, "Expected one of mean, best"),
    ],
)
def test_it_says_what_an_option_takes(options, message):
    with pytest.raises(ValueError, match=message):
        load_metric("autosummeng", options)
