"""Scores from verdicts, with a judge that knows its verdicts by heart."""

import numpy as np
import pytest

from scoring.errors import InputError
from scoring.judge import Document, Identity, Question, Verdict, score_summaries


class Counting:
    """Says of a unit that it is there by as many logits as it has letters more than four."""

    classes = 2
    default_function = "p2c"
    identity = Identity("counting", "test", "0" * 64)

    def __init__(self):
        self.asked = []

    def judge(self, questions):
        for question in questions:
            self.asked.append(question)
            yield [Verdict(np.array([[len(unit) - 4.0, 0]], np.float32)) for unit in question.units]


def presence(unit):
    return 1 / (1 + np.exp(4.0 - len(unit)))


def test_it_weighs_units():
    documents = [Document("a", ("one", "three"), "Text.", weights=(3, 1), labels=(1, 0))]
    found = score_summaries(documents, Counting())
    assert found.scores("p2c") == pytest.approx([(3 * presence("one") + presence("three")) / 4])
    assert found.human() == 0.75
    assert found.means()["l2c"] == 0.25


def test_without_weights_all_weigh_the_same():
    found = score_summaries([Document("a", ("one", "three"), "Text.")], Counting())
    assert found.scores("p2c") == pytest.approx([(presence("one") + presence("three")) / 2])
    assert found.human() is None


def test_units_without_a_label_do_not_count_for_people():
    documents = [Document("a", ("one", "two", "six"), "Text.", labels=(1, None, 0))]
    assert score_summaries(documents, Counting()).human() == 0.5


def test_an_empty_summary_is_refused_by_name_and_nobody_is_asked():
    judge = Counting()
    documents = [Document("a", ("one",), "Text."), Document("b", ("one",), " \n")]
    with pytest.raises(ValueError, match="b: The summary is empty"):
        score_summaries(documents, judge)
    assert judge.asked == []


def test_an_empty_summary_may_carry_nothing():
    judge = Counting()
    documents = [Document("a", ("three",), "Text."), Document("b", ("three",), "")]
    found = score_summaries(documents, judge, empty="absent")
    assert found.scores("p2c") == pytest.approx([presence("three"), 0.0])
    assert [question.summary for question in judge.asked] == ["Text."]


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (Document("a", ("one", " "), "Text."), "a: Unit 2 is empty"),
        (Document("a", (), "Text."), "a has no units"),
        (Document("a", ("one",), "Text.", labels=(1, 0)), "a has 2 labels and 1 units"),
        (Document("a", ("one",), "Text.", weights=(1, 2)), "a has 2 weights and 1 units"),
    ],
)
def test_it_refuses_what_does_not_fit(document, message):
    with pytest.raises(ValueError, match=message):
        score_summaries([document], Counting())


@pytest.mark.parametrize("units", ["three", ["three"]])
def test_one_string_is_one_unit_and_not_its_letters(units):
    judge = Counting()
    found = score_summaries([Document("a", units, "Text.")], judge)
    assert found.scores("p2c") == pytest.approx([presence("three")])
    assert [question.units for question in judge.asked] == [("three",)]
    assert Question("Text.", units).units == ("three",)


@pytest.mark.parametrize("units", [b"three", 3, None, {"three": 1}, ["three", 3], [["three"]]])
def test_units_that_are_no_texts_are_refused(units):
    for make in (lambda: Document("a", units, "Text."), lambda: Question("Text.", units)):
        with pytest.raises(InputError, match="string"):
            make()


@pytest.mark.parametrize("summary", [["Text."], None, b"Text."])
def test_a_summary_that_is_no_text_is_refused(summary):
    for make in (lambda: Document("a", ("one",), summary), lambda: Question(summary, ("one",))):
        with pytest.raises(InputError, match="A summary is a string"):
            make()


def test_it_refuses_another_way_with_empty_summaries():
    with pytest.raises(ValueError, match="expected one of refuse, absent, not 'drop'"):
        score_summaries([Document("a", ("one",), "Text.")], Counting(), empty="drop")


def test_it_tells_how_far_it_is():
    told = []
    documents = [Document(name, ("one",), "Text.") for name in "abc"]
    score_summaries(documents, Counting(), progress=lambda *where: told.append(where))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_the_signature_holds_texts_judge_and_function():
    def sign(summary, function):
        found = score_summaries([Document("a", ("one",), summary)], Counting())
        return found.signature(function)

    assert "judge:counting|kind:test|weights:0000000000000000|function:p2c|giza:" in sign(
        "x", "p2c"
    )
    assert len({sign("x", "p2c"), sign("y", "p2c"), sign("x", "l2c")}) == 3


def test_identity_depends_on_what_changes_verdicts_and_not_on_the_name():
    plain = Identity("a", "nli", "w", options={"window": 64})
    assert plain.key == Identity("b", "nli", "w", options={"window": 64}).key
    assert plain.key != Identity("a", "nli", "w", options={"window": 32}).key
    assert plain.key != Identity("a", "nli", "v", options={"window": 64}).key
    assert not plain.reads_context
    assert Identity("a", "lexical", "w", options={"context": "units"}).reads_context


def test_a_question_has_texts():
    with pytest.raises(ValueError, match="The summary is empty"):
        Question("", ("one",))
