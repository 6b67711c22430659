"""Changes of summaries that no metric has in its tables, and which drop is wanted of each."""

from __future__ import annotations

import difflib
import re

import pytest

from scoring.io.texts import SummaryTexts
from scoring.metrics import load_metric
from scoring.metrics.perturbations import (
    PERTURBATIONS,
    SYNONYMS,
    list_circular,
    perturb,
    perturb_summary,
)
from scoring.metrics.robustness import measure_drops
from scoring.overlap import tokenize

SUMMARY = (
    "The council of Cairo can't meet before June. Ann Lee said that 23 people were in the storm. "
    "Nobody was hurt in London because of twelve guards. The rain over the dam ended on Monday."
)
SOURCES = ("In Paris, Bob Day met the mayor of Rome. He paid 400 dollars.",)
OTHERS = [name for name in PERTURBATIONS if name != SYNONYMS]
TEXTS = SummaryTexts(
    documents=("d1",),
    systems=("one",),
    summaries=(SUMMARY,),
    references=((SUMMARY,),),
    sources=(SOURCES,),
)


def changed(name, share=1.0, seed=0, summary=SUMMARY):
    return perturb_summary(summary, name, SOURCES, share, seed)


def words(text):
    return [token.text for token in tokenize(text)]


@pytest.mark.parametrize("name", OTHERS)
def test_it_changes_summaries_only_and_the_same_way_again(name):
    found = perturb(TEXTS, name, share=1, seed=3)
    assert found == perturb(TEXTS, name, share=1, seed=3)
    assert found.summaries != TEXTS.summaries
    assert (found.sources, found.references) == (TEXTS.sources, TEXTS.references)
    assert perturb(TEXTS, name, share=0, seed=3).summaries == TEXTS.summaries
    assert len({changed(name, 0.5, seed) for seed in range(8)}) > 1 or name == "paraphrase"


@pytest.mark.parametrize("name", [name for name in OTHERS if name != "order"])
def test_a_larger_share_changes_what_a_smaller_one_does(name):
    for seed in range(5):
        few, many = (_edits(changed(name, share, seed)) for share in (0.4, 1.0))
        assert few <= many


def _edits(text):
    """Words put in, and in what place of the summary as it was."""
    before, after = words(SUMMARY), words(text)
    codes = difflib.SequenceMatcher(a=before, b=after, autojunk=False).get_opcodes()
    return {
        (place, word)
        for kind, start, _, low, high in codes
        if kind == "replace"
        for place, word in enumerate(after[low:high], start)
    } & {(place, word) for place, word in enumerate(after) if word not in before}


def test_character_noise_changes_one_letter_of_longer_words():
    before, after = words(SUMMARY), words(changed("characters"))
    assert len(before) == len(after)
    for old, new in zip(before, after, strict=True):
        assert abs(len(old) - len(new)) <= 1
        assert (old == new) == (len(old) < 4 or not old.isalpha())


def test_paraphrases_by_hand():
    assert changed("paraphrase") == (
        "The council of Cairo cannot meet before June. According to Ann Lee, 23 people were in the "
        "storm. Nobody was hurt in London owing to twelve guards. On Monday, the rain over the dam "
        "ended."
    )


def test_sentences_change_places_and_stay_whole():
    found = changed("order")
    assert found != SUMMARY
    assert sorted(re.split(r"(?<=\.) ", found)) == sorted(re.split(r"(?<=\.) ", SUMMARY))
    assert changed("order", summary="Only one sentence.") == "Only one sentence."


def test_names_give_way_to_other_names_of_the_example():
    found = changed("entities")
    assert "Cairo" not in found.split(".")[0]
    assert "Ann Lee said" not in found
    for name in re.findall(r"council of ([A-Z]\w+(?: [A-Z]\w+)*)", found):
        assert name in {"Ann Lee", "London", "Paris", "Bob Day", "Rome"}
    assert "June" in found
    assert "Nobody" in found
    assert changed("entities", summary="nobody was hurt.") == "nobody was hurt."


def test_numbers_are_other_numbers():
    found = changed("numbers")
    [number] = re.findall(r"\d+", found)
    assert (number[0] != "2", number[1:]) == (True, "3")
    assert "twelve" not in found
    assert words(found)[:6] == words(SUMMARY)[:6]


def test_meaning_is_kept_by_some_and_changed_by_others():
    keeps = {row.name for row in PERTURBATIONS.values() if row.keeps_meaning}
    assert keeps == {"synonyms", "characters", "paraphrase", "order"}


def test_rouge_loses_to_noise_and_nothing_to_order():
    def lost(name):
        drops = measure_drops([load_metric("rouge")], TEXTS, perturb(TEXTS, name, share=1, seed=0))
        return next(one.drop for one in drops if one.column == "rouge1_f1")

    assert lost("characters") > 0.3
    assert lost("order") == pytest.approx(0)
    assert 0 < lost("numbers") < lost("characters")


def test_meteor_is_circular_for_synonyms_only():
    signatures = {name: load_metric(name).signature for name in ("meteor", "rouge")}
    assert list_circular(SYNONYMS, signatures) == ["meteor"]
    assert list_circular("numbers", signatures) == []
    without = {"meteor": load_metric("meteor", {"synonyms": "no"}).signature}
    assert list_circular(SYNONYMS, without) == []


@pytest.mark.parametrize(
    "name, share, told",
    [("jokes", 0.5, "'jokes'"), ("order", 2, "0 to 1"), (SYNONYMS, 0.5, "needs a source")],
)
def test_it_says_what_can_not_be_done(name, share, told):
    with pytest.raises(ValueError, match=told):
        perturb(TEXTS, name, share=share, seed=0)
