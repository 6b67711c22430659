"""NLI judges against one pair at a time: logits, functions, weights, label orders, padding."""

from pathlib import Path

import numpy as np
import pytest

from scoring.judge import Document, JudgeOptions, Question, functions_of, load_judge
from scoring.judge import score_summaries as score
from tests.scoring.backends.nli_models import (
    CNE,
    ENC,
    NEC,
    OTHER,
    SUMMARY,
    TWO,
    UNITS,
    ask_plainly,
    make_model,
    read_plainly,
)

ONE_THREAD = JudgeOptions(threads=1)
CLOSE = 1e-5
WEIGHTS = (4, 1, 2, 1)
MODELS = [
    ("bert", ENC),
    ("bert", CNE),
    ("bert", NEC),
    ("bert", TWO),
    ("roberta", ENC),
    ("roberta", CNE),
    ("roberta", NEC),
    ("roberta", TWO),
]


@pytest.fixture(scope="module", params=MODELS, ids=lambda model: f"{model[0]}-{model[1][0]}")
def model(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, tuple[str, ...]]:
    shape, labels = request.param
    return make_model(tmp_path_factory.mktemp("model"), shape, labels), labels


def plainly(folder: str, labels: tuple[str, ...], summary: str) -> list[dict[str, float]]:
    """Each unit by itself; half of them padded far."""
    logits = [
        ask_plainly(folder, summary, unit, padded_to=250 if place % 2 else 0)
        for place, unit in enumerate(UNITS)
    ]
    return [read_plainly(row, labels) for row in logits]


@pytest.mark.parametrize("weights", [(), WEIGHTS], ids=["alike", "weighted"])
def test_it_agrees_with_one_pair_at_a_time(
    model: tuple[str, tuple[str, ...]], weights: tuple[int, ...]
) -> None:
    folder, labels = model
    documents = [
        Document("one", UNITS, SUMMARY, weights),
        Document("two", UNITS, OTHER, weights),
    ]
    judged = score(documents, load_judge(folder, ONE_THREAD))
    expected = [plainly(folder, labels, summary) for summary in (SUMMARY, OTHER)]
    for function in functions_of(len(labels)):
        rows = np.array([[unit[function] for unit in row] for row in expected])
        assert np.abs(np.array(judged.presence(function)) - rows).max() < CLOSE
        means = np.average(rows, axis=1, weights=weights or None)
        assert np.abs(judged.scores(function) - means).max() < CLOSE
        assert judged.means()[function] == pytest.approx(means.mean(), abs=CLOSE)


def test_it_offers_the_functions_of_its_classes(model: tuple[str, tuple[str, ...]]) -> None:
    folder, labels = model
    judge = load_judge(folder, ONE_THREAD)
    assert judge.classes == len(labels)
    assert judge.default_function == ("l3c" if len(labels) == 3 else "p2c")


def test_it_puts_entailment_first(tmp_path: Path) -> None:
    folder = make_model(tmp_path, "bert", NEC)
    [[verdict]] = load_judge(folder, ONE_THREAD).judge([Question(SUMMARY, UNITS[:1])])
    neutral, entailed, contradicted = ask_plainly(folder, SUMMARY, UNITS[0])
    expected = [[entailed, neutral, contradicted]]
    assert verdict.logits.dtype == np.float32
    assert np.abs(verdict.logits - expected).max() < CLOSE
    assert verdict.sentence == -1


@pytest.mark.parametrize("function", ["p3c", "l3c"])
def test_it_says_that_two_classes_have_no_third(tmp_path: Path, function: str) -> None:
    judge = load_judge(make_model(tmp_path, "bert", TWO), ONE_THREAD)
    judged = score([Document("one", UNITS, SUMMARY)], judge)
    with pytest.raises(ValueError, match=f"doesn't support {function}. Use p2c or l2c"):
        judged.presence(function)


@pytest.mark.parametrize(
    "document, message",
    [
        (Document("d7", UNITS, " \n"), "d7: The summary is empty"),
        (Document("d7", ("A lamp.", " "), SUMMARY), "d7: Unit 2 is empty"),
        (Document("d7", (), SUMMARY), "d7 has no units"),
    ],
)
def test_it_refuses_what_is_empty_before_it_judges(
    tmp_path: Path, document: Document, message: str
) -> None:
    judge = load_judge(make_model(tmp_path), ONE_THREAD)
    with pytest.raises(ValueError, match=message):
        score([Document("d1", UNITS, SUMMARY), document], judge)


def test_it_gives_the_same_bits_however_the_work_is_cut(tmp_path: Path) -> None:
    judge = load_judge(make_model(tmp_path, "roberta"), ONE_THREAD)
    questions = [Question(SUMMARY, UNITS), Question(OTHER, UNITS), Question(SUMMARY, UNITS[1:])]
    whole = list(judge.judge(questions))
    alone = [verdicts for one in reversed(questions) for verdicts in judge.judge([one])]
    for here, there in zip(whole, reversed(alone), strict=True):
        assert [pair.logits.tobytes() for pair in here] == [pair.logits.tobytes() for pair in there]


def test_it_judges_lazily_and_in_order(tmp_path: Path) -> None:
    asked = []

    def questions():
        for summary in (SUMMARY, OTHER):
            asked.append(summary)
            yield Question(summary, UNITS)

    answers = load_judge(make_model(tmp_path), ONE_THREAD).judge(questions())
    assert asked == []
    assert len(next(answers)) == len(UNITS)
    assert asked == [SUMMARY]


def test_it_answers_nothing_where_nothing_is_asked(tmp_path: Path) -> None:
    judge = load_judge(make_model(tmp_path), ONE_THREAD)
    assert list(judge.judge([])) == []
    assert list(judge.judge([Question(SUMMARY, ())])) == [[]]
