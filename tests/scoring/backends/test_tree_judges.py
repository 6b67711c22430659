"""The embedded judges: what comes with Giza, and what is trained anew."""

import json
import subprocess
import sys

import numpy as np
import pytest

from scoring.backends.tree_judge import MODEL
from scoring.backends.trees import OPTIONS, fit_trees, options_for
from scoring.finetune import FineTuneOptions, fine_tune, make_folds
from scoring.judge import JudgeOptions, Question, load_judge, read_presence
from tests.scoring.finetune.toy import make_records

SUMMARY = "The ferry to Brack sank on Monday. Nobody was hurt. Its 40 passengers swam to Lund."
UNITS = ("The ferry sank on Monday.", "Its passengers swam to Lund.", "The captain was arrested.")


def presence(judge, question):
    [verdicts] = judge.judge([question])
    return [read_presence("p2c", verdict.logits) for verdict in verdicts]


@pytest.mark.parametrize("name", ["lexical", "embedded"])
def test_it_tells_what_is_there_from_what_is_not(name):
    judge = load_judge(name, JudgeOptions(threads=1))
    first, second, third = presence(judge, Question(SUMMARY, UNITS))
    assert min(first, second) > 0.7
    assert third < 0.3
    assert judge.classes == 2
    assert judge.default_function == "p2c"
    assert judge.identity.reads_context


@pytest.mark.parametrize("name", ["lexical", "embedded"])
def test_it_names_the_sentence_that_convinced(name):
    [verdicts] = load_judge(name).judge([Question(SUMMARY, UNITS[:2])])
    assert [verdict.sentence for verdict in verdicts] == [0, 2]


@pytest.mark.parametrize("name", ["lexical", "embedded"])
def test_a_summary_has_the_same_bits_in_any_company(name):
    judge = load_judge(name)
    questions = [Question(SUMMARY, UNITS), Question("A long walk home.", UNITS[:1])]
    together = [verdict.logits for row in judge.judge(questions) for verdict in row]
    apart = [
        verdict.logits for each in questions[::-1] for row in judge.judge([each]) for verdict in row
    ]
    apart = apart[1:] + apart[:1]
    assert all(np.array_equal(a, b) for a, b in zip(together, apart, strict=True))


def test_the_lexical_judge_needs_no_torch():
    code = (
        "import sys; from scoring.judge import Question, load_judge; "
        "list(load_judge('lexical').judge([Question('A ferry sank.', ('A ferry sank.',))])); "
        "sys.exit('torch' in sys.modules or 'transformers' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_it_retrains_with_held_out_figures(tmp_path):
    records = make_records(documents=6, systems=4)
    folds = make_folds(records, "examples", 3, seed=0)
    made = fine_tune(records, FineTuneOptions("lexical"), tmp_path / "mine", folds=folds)
    assert made.card["kind"] == "lexical"
    assert made.held_out is not None
    assert made.held_out.units == sum(len(record.units) for record in records)
    judge = load_judge(str(made.folder))
    assert judge.identity.weights != load_judge("lexical").identity.weights
    assert 0 < presence(judge, Question(SUMMARY, UNITS))[0] < 1


def test_a_trained_judge_is_called_as_its_card_says(tmp_path):
    records = make_records(documents=3, systems=3)
    made = fine_tune(records, FineTuneOptions("lexical"), tmp_path / "folder", name="mine@2")
    assert load_judge(str(made.folder)).identity.name == "mine@2"


def test_few_labels_teach_something():
    rows = np.arange(60, dtype=np.float32).reshape(-1, 1)
    labels = (rows[:, 0] >= 30).astype(np.int64)
    logits = fit_trees(rows, labels, ("a",)).judge(rows)
    assert logits[:25].max() < 0 < logits[-25:].min()


def test_many_labels_are_split_as_carefully_as_ever():
    assert options_for(26_400) == OPTIONS
    assert options_for(1_800) == OPTIONS
    assert options_for(300)["min_child_weight"] == 10


def test_the_same_labels_give_the_same_judge(tmp_path):
    records = make_records(documents=3, systems=3)
    made = [
        fine_tune(order, FineTuneOptions("lexical"), tmp_path / name)
        for name, order in (("a", records), ("b", records[::-1]))
    ]
    first, second = ((each.folder / MODEL).read_bytes() for each in made)
    assert first == second


def test_trees_need_both_labels():
    with pytest.raises(ValueError, match="All labels are the same"):
        fit_trees(np.ones((4, 2), np.float32), np.ones(4, np.int64), ("a", "b"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "is not valid JSON"),
        (json.dumps({"format": 1, "features": ["other"]}), "another version of Giza"),
        (None, "There is no model.json"),
    ],
)
def test_a_broken_folder_is_told(tmp_path, content, message):
    (tmp_path / "judge.json").write_text('{"kind": "lexical"}')
    if content is not None:
        (tmp_path / MODEL).write_text(content)
    with pytest.raises(ValueError, match=message):
        load_judge(str(tmp_path))
