import pytest

from scoring.metrics import load_metric


def test_it_counts_words_and_their_share_of_the_source():
    found = load_metric("length").score(["One two.", ""], [], [["a b c d", "e f g h"], ["a"]])
    assert found.columns == ("words", "compression")
    assert found.values.tolist() == [[2, 0.25], [0, 0]]


def test_it_names_what_a_summary_lacks():
    with pytest.raises(ValueError, match="reads documents, and summary 2 has none"):
        load_metric("length").score(["a", "b"], [], [["c"], []])


def test_it_lists_the_known_metrics():
    with pytest.raises(ValueError, match="'lenght'. Known: .*length"):
        load_metric("lenght")


def test_it_lists_the_known_options():
    with pytest.raises(ValueError, match="length has no option 'stem'. Known: none"):
        load_metric("length", {"stem": True})
