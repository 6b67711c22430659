"""What the embedded judges read off a text, on sentences of our own."""

import numpy as np
import pytest

from scoring.judge import Question, lexical, soft, uniqueness
from scoring.judge.frequencies import DocumentFrequencies, load_frequencies
from scoring.judge.lexical import convincing_sentence, lexical_features
from scoring.judge.reading_rows import EMBEDDED, LEXICAL, embedded_rows, lexical_rows
from scoring.judge.readings import read_text
from scoring.judge.soft import LAYERS, soft_features
from scoring.judge.uniqueness import count_units, unique_features
from scoring.stemming import stem

SUMMARY = "The ferry to Brack sank on Monday. Nobody was hurt. Its 40 passengers swam to Lund."


def words(unit, summary=SUMMARY):
    return dict(
        zip(lexical.NAMES, lexical_features(read_text(summary), read_text(unit)), strict=True)
    )


def test_it_reads_words():
    found = read_text("Its 40 passengers didn't swim to Lund.")
    assert len(found) == 7
    assert found.is_number.tolist() == [False, True, *[False] * 5]
    assert found.is_name.tolist() == [*[False] * 6, True]
    assert found.is_negation.tolist() == [False] * 3 + [True] + [False] * 3
    assert found.is_content.tolist()[:3] == [False, True, True]


def test_the_first_word_of_a_sentence_is_no_name():
    assert read_text("Ferries sank. Boats too.").is_name.tolist() == [False] * 4


def test_it_finds_the_sentence_of_each_word():
    found = read_text(SUMMARY)
    assert found.starts.tolist() == [0, 7, 10]
    assert found.sentences == (0, 1, 2)


def test_rare_words_weigh_more():
    rarity = load_frequencies().rarity
    assert rarity("the") < rarity(stem("police")) < rarity("zeppelin")


def test_words_weigh_by_the_table_that_is_given():
    table = DocumentFrequencies(9, {stem("ferry"): 9})
    found = read_text("The ferry sank.", table).weights
    assert found == pytest.approx(np.log([10 / 0.5, 10 / 9.5, 10 / 0.5]))
    features = [
        lexical_features(read_text(SUMMARY), read_text("A ferry rose.", each))
        for each in (table, None)
    ]
    place = lexical.NAMES.index("weighted coverage")
    assert features[0][place] < features[1][place]


@pytest.mark.parametrize("text", ["!!!", "…", "—"])
def test_a_text_without_words_matches_nothing(text):
    found = words("The ferry sank.", text)
    assert found["coverage"] == 0
    assert words(text)["coverage"] == 0
    assert np.isfinite(list(found.values())).all()


@pytest.mark.parametrize(
    ("unit", "name", "expected"),
    [
        ("The ferry sank.", "coverage", 1.0),
        ("The ferry burned.", "coverage", 0.5),
        ("The ferry burned.", "unmatched", 1),
        ("The ferry burned.", "last word matched", 0),
        ("The ferry burned.", "first word matched", 1),
        ("Passengers swam on Monday.", "coverage", 1.0),
        ("Passengers swam on Monday.", "sentence: unmatched", 1),
        ("There were 41 passengers.", "numbers unmatched", 1),
        ("There were 40 passengers.", "numbers unmatched", 0),
        ("All passengers swam to Brack.", "names unmatched", 0),
        ("All passengers swam to Brack.", "names unmatched in sentence", 1),
        ("The ferry did not sink.", "negation differs", 1),
        ("The ferry sank.", "negation differs", 0),
        ("The ferry to Brack sank.", "pairs of words", 0.75 + 0.25),
        ("The ferry sank.", "sentences of summary", 3),
        ("The ferry sank.", "words of summary", 16),
        ("Monday sank ferry.", "sentence: words in order", 1 / 3),
        ("The ferries sank.", "spelling", 1.0),
    ],
)
def test_it_says_what_words_say(unit, name, expected):
    assert words(unit)[name] == pytest.approx(expected)


def test_a_misspelt_word_is_near():
    assert 0.3 < words("The ferrry sank.")["worst spelling"] < 1
    assert words("The zeppelin sank.")["worst spelling"] < 0.3


@pytest.mark.parametrize(
    ("unit", "place"), [("The ferry sank.", 0), ("Nobody was hurt.", 1), ("They swam to Lund.", 2)]
)
def test_it_names_the_sentence_that_convinces(unit, place):
    assert convincing_sentence(read_text(SUMMARY), read_text(unit)) == place


def test_what_no_other_unit_has_tells():
    units = [read_text("The ferry sank."), read_text("The ferry was old.")]
    summary = read_text("A ferry sank.")
    rows = [
        dict(zip(uniqueness.NAMES, unique_features(summary, unit, count_units(units)), strict=True))
        for unit in units
    ]
    assert [row["own: words"] for row in rows] == [1, 1]
    assert [row["own: coverage"] for row in rows] == [1, 0]
    assert rows[1]["own: weighted coverage"] < words("The ferry was old.")["weighted coverage"]
    assert rows[0]["units that share a word"] == 1.5


def vectors(text):
    """A direction for each stem, so that only equal words are near."""
    rows = np.zeros((len(read_text(text)), 5000), np.float32)
    rows[np.arange(len(rows)), read_text(text).stems % 5000] = 1
    return dict.fromkeys(LAYERS, rows)


def test_vectors_of_equal_words_say_what_coverage_says():
    unit = "The ferry to Lund sank."
    found = soft_features(read_text(SUMMARY), read_text(unit), vectors(SUMMARY), vectors(unit))
    row = dict(zip(soft.NAMES, found, strict=True))
    assert row["layer 6: mean"] == pytest.approx(words(unit)["coverage"])
    assert row["layer 6: sentence: mean"] == pytest.approx(words(unit)["sentence: coverage"])
    assert row["layer 6: sentence: lowest"] == 0


def test_rows_have_a_value_for_every_name():
    question = Question(SUMMARY, ("The ferry sank.", "Nobody was hurt."))
    assert lexical_rows(question).shape == (2, len(LEXICAL))
    assert embedded_rows(question, vectors).shape == (2, len(EMBEDDED))
    assert len(set(EMBEDDED)) == len(EMBEDDED)
