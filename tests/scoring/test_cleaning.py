"""Summaries cleaned for readers: each rule by examples, undone for any text, learned case."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.casing import Caser, has_case, learn_case
from scoring.cleaning import (
    CASE,
    RULES,
    TOKENS,
    Cleaned,
    Edit,
    check_rules,
    clean_text,
    hash_shown,
    undo_cleaning,
)

CASER = Caser({"cnn": "CNN", "kathmandu": "Kathmandu", "u.s.": "U.S.", "mcdonald": "McDonald"})


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ("the <unk> said", "the […] said", "unknown"),
        ("[UNK] [UNK] won", "[…] won", "unknown"),
        ("UNK won", "[…] won", "unknown"),
        ("-lrb- cnn -rrb- two", "(cnn) two", "bracket"),
        ("a -LSB- b -RSB- c", "a [b] c", "bracket"),
        ("un ##happi ##ness grows", "unhappiness grows", "piece"),
        ("un@@ happy", "unhappy", "piece"),
        ("▁the▁dam", "the dam", "piece"),
        ("<s> it burst </s>", "it burst", "marker"),
        ("one<q>two", "one two", "marker"),
        ("`` yes '' he said", '"yes" he said', "quote"),
        ("burst , then fell .", "burst, then fell.", "space"),
        ("he did n't , she 's here", "he didn't, she's here", "space"),
        ("scientists ' pockets", "scientists' pockets", "space"),
        ("it cost $ 5 , or 3 %", "it cost $5, or 3%", "space"),
        ("about 4 .2 million", "about 4.2 million", "space"),
        ("( see above )", "(see above)", "space"),
        ("one  two \n\n three", "one two\nthree", "space"),
    ],
)
def test_it_mends_tokens(before: str, after: str, kind: str):
    found = clean_text(before, [TOKENS])
    assert found.text == after
    assert kind in found.kinds
    assert undo_cleaning(found) == before


@pytest.mark.parametrize(
    "text",
    [
        "The dam burst on Monday, he said; nobody was hurt.",
        "The UNKNOWN soldier's #1 C# pick (2.5 %) won.".replace(" %", "%"),
        'He said "no" and left - at once.',
        "",
    ],
)
def test_it_leaves_good_text_alone(text: str):
    assert clean_text(text, RULES, CASER) == Cleaned(text)


def test_it_leaves_an_unpaired_quote_alone():
    assert clean_text('he said " no', [TOKENS]).text == 'he said " no'


def test_it_cases_a_text_that_has_no_case():
    found = clean_text("( cnn ) two cnn heroes in kathmandu . they are safe .", RULES, CASER)
    assert found.text == "(CNN) Two CNN heroes in Kathmandu. They are safe."
    assert found.kinds["case"] == 5
    shouted = clean_text("THE U.S. WON IN KATHMANDU 'S HEAT", RULES, CASER)
    assert shouted.text == "The U.S. won in Kathmandu's heat"


def test_it_cases_possessives_and_the_first_person():
    text = clean_text("i think i'm at mcdonald's", [CASE], CASER).text
    assert text == "I think I'm at McDonald's"


def test_it_begins_no_word_after_a_gap():
    """The gap stands for the first word."""
    text = clean_text("it fell . <unk> said so .", RULES, CASER).text
    assert text == "It fell. […] said so."


def test_it_begins_no_sentence_after_a_title():
    text = clean_text("they met mr. cnn . all left", [CASE], CASER).text
    assert text == "They met mr. CNN . All left"


def test_it_does_not_touch_a_text_that_has_case():
    text = "Heroes in kathmandu"
    assert clean_text(text, [CASE], CASER).text == text


def test_it_does_nothing_without_a_caser_or_a_rule():
    assert not clean_text("all small", [CASE]).is_changed
    assert not clean_text("a <unk> .", []).is_changed


def test_it_learns_the_most_frequent_form_within_sentences():
    caser = learn_case(
        [
            "The dam near Porto burst. Dams burst often in the US.",
            "People of Porto fled; porto is a wine. Porto again.",
            "He told us that the US and Porto agreed, and told us twice.",
        ]
    )
    assert caser.forms["porto"] == "Porto"
    assert "dams" not in caser.forms
    # As often `US` as `us`: the small one.
    assert "us" not in caser.forms


@pytest.mark.parametrize(
    "text", ["all small words of porto here", "ALL CAPITALS IN PORTO", "Heavy Rain Over Porto City"]
)
def test_it_learns_nothing_from_texts_that_tell_no_case(text: str):
    assert learn_case([text]).forms == {}


def test_it_tells_casers_apart_by_what_they_know():
    assert Caser({"a": "A", "b": "B"}).content_hash == Caser({"b": "B", "a": "A"}).content_hash
    assert Caser({"a": "A"}).content_hash != CASER.content_hash
    assert has_case("Aa")
    assert not has_case("aa 1")


@settings(max_examples=50, deadline=None, derandomize=True)
@given(
    st.lists(
        st.sampled_from(
            [
                "dam",
                "<unk>",
                "-lrb-",
                "##s",
                "``",
                "''",
                '"',
                ",",
                ".",
                " ",
                "\n",
                "cnn",
                "<q>",
                "'s",
            ]
        )
    )
)
def test_it_can_be_undone_whatever_the_text(parts: list[str]):
    for joined in (" ".join(parts), "".join(parts)):
        found = clean_text(joined, RULES, CASER)
        assert undo_cleaning(found) == joined


def test_it_refuses_to_undo_another_text():
    with pytest.raises(ValueError, match=r"'\(' is not at 0"):
        undo_cleaning(Cleaned("x", (Edit("bracket", 0, "-lrb-", "("),)))


def test_it_refuses_unknown_rules():
    with pytest.raises(ValueError, match="'spelling'. Known: tokens, case"):
        check_rules(["spelling"])
    assert check_rules(["case", "tokens", "case"]) == RULES


def test_it_hashes_what_is_shown():
    one = hash_shown([("a", "x"), ("b", "y")])
    assert one == hash_shown([("b", "y"), ("a", "x")])
    assert one != hash_shown([("a", "y"), ("b", "x")])


def test_it_cleans_realsumm(realsumm_dir: Path):
    """Documents there are written small and teach nothing; references have capitals."""
    references = (realsumm_dir / "references.txt").read_text().splitlines()
    documents = (realsumm_dir / "documents.txt").read_text().splitlines()
    caser = learn_case(references)
    assert learn_case([*references, *documents]).content_hash == caser.content_hash
    lines = (realsumm_dir / "summaries" / "ext_pnbert_out_lstm_pn_rl.summary").read_text()
    found = [clean_text(line, RULES, caser) for line in lines.splitlines()]
    assert found[0].text.startswith("(CNN) Two CNN Heroes are among the earthquake survivors")
    assert [undo_cleaning(row) for row in found] == lines.splitlines()
    assert all(row.is_changed and "-lrb-" not in row.text for row in found)
