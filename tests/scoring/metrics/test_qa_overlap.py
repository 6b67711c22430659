"""Overlap of answers: phrases, questions, spans and scores; with small models built here."""

import numpy as np
import pytest
import torch
from transformers import BertForQuestionAnswering, T5Config, T5ForConditionalGeneration

from scoring.backends.questions import choose_span, load_answerer, load_asker, sign
from scoring.metrics import load_metric
from scoring.metrics.qa_overlap import (
    Found,
    Question,
    compare_answers,
    list_phrases,
    score_summary,
)
from scoring.parses import load_parser
from tests.scoring.backends.tiny_models import SPECIAL, WORDS, make_config, make_tokenizer

REFERENCE = "The old fox swam over the pond."


@pytest.fixture(scope="module")
def asker(tmp_path_factory):
    folder = tmp_path_factory.mktemp("asker")
    config = T5Config(
        vocab_size=len(SPECIAL) + len(WORDS), d_model=16, d_kv=8, d_ff=32, num_layers=1,
        num_decoder_layers=1, num_heads=2, pad_token_id=1, eos_token_id=2, decoder_start_token_id=0,
        initializer_factor=4.0,  # so that it writes words
    )  # fmt: skip
    return save(folder, lambda: T5ForConditionalGeneration(config))


@pytest.fixture(scope="module")
def answerer(tmp_path_factory):
    folder = tmp_path_factory.mktemp("answerer")
    return save(folder, lambda: BertForQuestionAnswering(make_config("bert")))


def save(folder, make):
    with torch.random.fork_rng():
        torch.manual_seed(3)
        make().save_pretrained(folder)
    make_tokenizer("bert").save_pretrained(folder)
    return str(folder)


class Answers:
    """Answers from a dictionary; what it does not know is not in the text."""

    def __init__(self, known):
        self.known = known

    def answer(self, questions, text):
        return [Found(self.known.get(one, ""), one in self.known) for one in questions]


def test_phrases_are_nouns_with_what_stands_before_them():
    [parse] = load_parser().parse(["The very old harbour lamp of Brack was lit by two men."])
    found = list(list_phrases(parse))
    assert found[-1] == "two men"
    assert found[0].endswith("old harbour lamp")
    assert "Brack" in found
    assert "harbour" not in found


@pytest.mark.parametrize(
    "said, expected, found",
    [
        ("The lamp", "a lamp!", (1, 1)),
        ("an old lamp", "the lamp", (0, 2 / 3)),
        ("rain", "the lamp", (0, 0)),
    ],
)
def test_answers_are_compared_by_words(said, expected, found):
    assert compare_answers(said, expected) == pytest.approx(found)


def test_a_summary_is_as_good_as_its_answers():
    first = [Question("who", "the old fox"), Question("where", "the pond"), Question("why", "rain")]
    second = [Question("who", "a fox")]
    answers = Answers({"who": "an old fox", "where": "a lane"})
    found = score_summary("Text.", [first, second], answers)
    one = np.array([1 / 3, 1 / 3, 2 / 3])
    two = np.array([0, 2 / 3, 1])
    assert found == pytest.approx((one + two) / 2)


def test_an_empty_summary_answers_nothing():
    assert score_summary(" ", [[Question("who", "a fox")]], Answers({"who": "a fox"})).sum() == 0


def test_where_nothing_is_asked_there_is_no_score():
    assert np.isnan(score_summary("Text.", [[]], Answers({}))).all()


SPANS = np.array([[0, 0], [0, 3], [0, 0], [0, 3], [4, 7], [8, 12], [0, 0]])
INSIDE = np.array([False, False, False, True, True, True, False])
TEXT = "old fox swam"
ONES = np.ones(7, dtype=np.float32)


@pytest.mark.parametrize(
    "first, last, expected",
    [
        ([0, 9, 0, 1, 3, 0, 0], [0, 9, 0, 1, 0, 2, 0], Found("fox swam", True)),
        # The best end stands before the best start, which is no stretch.
        ([0, 0, 0, 1, 0, 3, 0], [0, 0, 0, 4, 0, 1, 0], Found("old", True)),
        ([4, 0, 0, 1, 1, 1, 0], [4, 0, 0, 1, 1, 2, 0], Found("old fox swam", False)),
    ],
)
def test_the_likeliest_stretch_is_marked(first, last, expected):
    sums = np.array(first, dtype=np.float32), np.array(last, dtype=np.float32)
    assert choose_span(*sums, INSIDE, SPANS, TEXT) == expected


def test_of_no_text_nothing_is_marked():
    nothing = np.zeros(7, dtype=np.bool_)
    assert choose_span(ONES, ONES, nothing, SPANS, TEXT) == Found("", False)


def test_models_ask_and_answer(asker, answerer):
    prompts = ["answer: fox context: the fox ran", "answer: pond context: by the pond"]
    model = load_asker(asker, sign(asker))
    questions = model.ask(prompts)
    assert all(questions)
    assert len(set(questions)) == 2
    assert questions == model.ask(prompts)
    text = "the old fox swam near the pond"
    for found in load_answerer(answerer, sign(answerer)).answer(["who swam", "who ran"], text):
        assert found.text
        assert found.text in text


def test_the_metric_runs_with_both(asker, answerer):
    metric = load_metric("qa_overlap", {"asker": asker, "answerer": answerer})
    found = metric.score([REFERENCE, "A bird sang.", ""], [[REFERENCE]] * 3, [])
    assert found.columns == ("exact", "f1", "answered")
    assert ((found.values >= 0) & (found.values <= 1)).all()
    assert found.values[2].tolist() == [0, 0, 0]
    assert metric.signature.count("@") == 3


def test_it_says_that_models_are_needed():
    metric = load_metric("qa_overlap")
    assert "asker:none" in metric.signature
    with pytest.raises(ValueError, match="needs a model that asks and one that answers"):
        metric.score(["Text."], [[REFERENCE]], [])


def test_a_model_that_was_not_trained_for_it_is_refused(asker, tmp_path):
    from tests.scoring.backends.tiny_models import make_encoder

    folder = str(make_encoder(tmp_path / "plain", "bert"))
    with pytest.raises(ValueError, match="has no weights for .*qa_outputs"):
        load_answerer(folder, sign(folder))


def test_a_prompt_has_places_for_both():
    with pytest.raises(ValueError, match="lacks {answer}"):
        load_metric("qa_overlap", {"prompt": "{sentence}"})
