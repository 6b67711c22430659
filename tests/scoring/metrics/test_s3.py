"""The learned metric: regression by hand, lessons from files and gold datasets, models as files."""

import json
from dataclasses import replace

import numpy as np
import pytest

from scoring.cli import main
from scoring.io.gold import GoldExample, GoldSystem, count_gold
from scoring.io.gold.canonical import write_canonical
from scoring.io.texts import read_texts
from scoring.metrics import load_metric
from scoring.metrics.learned import count_scored
from scoring.metrics.regression import Ridge, fit_ridge, predict_left_out
from scoring.metrics.s3 import FEATURES, read_model
from scoring.metrics.s3_training import (
    Lesson,
    correlate,
    lessons_from_folder,
    lessons_from_gold,
    read_scores,
)
from scoring.types import ReferenceText, UnitRecord
from tests.scoring.gold_records import FACTS

REFERENCES = ["The council lit the lamp in the harbour.", "A ferry struck the pier at Ammer.",
              "Rain fell on Brack for a week.", "The mayor was hurt by a dog."]  # fmt: skip
BAD = ["Cats sleep a lot.", "Nobody knows.", "It is late.", "Glass is dear."]


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """Four documents; one system says what the references say, the other nothing of it."""
    folder = tmp_path_factory.mktemp("study")
    for name in ("summaries", "labels"):
        (folder / name).mkdir()
    files = {
        "ids.txt": ["d1", "d2", "d3", "d4"],
        "documents.txt": REFERENCES,
        "references.txt": REFERENCES,
        "SCUs.txt": ["One.\tTwo."] * 4,
        "summaries/good.summary": [text.replace("The", "A") for text in REFERENCES],
        "summaries/bad.summary": BAD,
        "labels/good.label": ["1\t1", "1\t0", "1\t1", "1\t1"],
        "labels/bad.label": ["0\t0", "0\t0", "1\t0", "0\t0"],
    }
    for name, lines in files.items():
        (folder / name).write_text("\n".join(lines), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def model(study):
    out = study / "s3.json"
    code = main(["train-s3", "--data", str(study), "--out", str(out), "--folds", "2"])
    assert code == 0
    return out


def test_a_ridge_of_one_feature_by_hand():
    """Standardised, the feature is −1, 1; Σ xy = 4, so the weight is 4 / (2 + penalty)."""
    ridge = fit_ridge(np.array([[2.0], [6.0]]), np.array([1.0, 5.0]), 2.0)
    assert ridge.weights.tolist() == [1]
    assert ridge.predict(np.array([[2.0], [4], [np.nan]])).tolist() == [2, 3, 3]


def test_a_feature_that_never_changes_says_nothing():
    ridge = fit_ridge(np.array([[1.0, 0], [1, 1]]), np.array([0.0, 1]), 0.1)
    assert ridge.weights[0] == 0


@pytest.mark.parametrize(
    "rows, penalty, message", [(1, 1, "at least 2 summaries, not 1"), (2, 0, "above 0")]
)
def test_nothing_is_learnt_from_nothing(rows, penalty, message):
    with pytest.raises(ValueError, match=message):
        fit_ridge(np.ones((rows, 1)), np.ones(rows), penalty)


def test_a_document_is_predicted_by_others():
    """With as many folds as documents each target is predicted from those of the others."""
    features, targets = np.zeros((4, 1)), np.array([1.0, 1, 4, 4])
    found = predict_left_out(features, targets, list("aabb"), penalty=1, folds=2, seed=0)
    assert found.tolist() == [4, 4, 1, 1]
    with pytest.raises(ValueError, match="2 documents can't be cut into 3 folds"):
        predict_left_out(features, targets, list("aabb"), penalty=1, folds=3, seed=0)


def test_lessons_are_the_shares_of_labels(study):
    found = {(one.document, one.system): one for one in lessons_from_folder(study, None)}
    assert found["d2", "good"].target == 0.5
    assert found["d3", "bad"].target == 0.5
    assert found["d1", "bad"].target == 0
    assert found["d1", "bad"].references == (REFERENCES[0],)


def test_lessons_can_have_scores_of_a_table(study, tmp_path):
    path = tmp_path / "resp.csv"
    path.write_text("doc_id,system,score\nd1,good,4.5\nd1,bad,\nd9,bad,3\n", encoding="utf-8")
    [found] = lessons_from_folder(study, path)
    assert (found.system, found.target) == ("good", 4.5)


@pytest.mark.parametrize(
    "text, message",
    [
        ("a,b\n", "has no columns doc_id, system and score"),
        ("doc_id,system,score\nd,s,1\nd,s,2\n", "line 3: s has two scores"),
        ("doc_id,system,score\nd,s,high\n", "line 2: 'high'"),
    ],
)
def test_a_faulty_table_is_told_by_line(tmp_path, text, message):
    path = tmp_path / "scores.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        read_scores(path)


def test_lessons_come_from_a_gold_dataset(tmp_path):
    example = GoldExample(
        "d1",
        references=(ReferenceText("<t> A lamp . </t>"),),
        units=(UnitRecord("d1", "One.", weight=3), UnitRecord("d1", "Two.", weight=1)),
        summaries={"good": "A lamp.", "bad": "No."},
        labels={"good": (1, 0), "bad": (0, None)},
    )
    path = tmp_path / "gold.jsonl"
    systems = [GoldSystem("bad"), GoldSystem("good")]
    facts = replace(FACTS, counts=count_gold(systems, [example]))
    path.write_bytes(b"".join(write_canonical(facts, systems, [example])))
    found = {one.system: one for one in lessons_from_gold(path)}
    assert found["good"].target == 0.75
    assert found["bad"].target == 0
    assert found["good"].references == ("A lamp .",)


def test_it_learns_who_is_better(study, model):
    metric = load_metric("s3", {"model": str(model)})
    texts = [REFERENCES[0], BAD[0]]
    good, bad = metric.score(texts, [[REFERENCES[0]]] * 2, []).values[:, 0]
    assert good > 0.6 > 0.3 > bad


def test_it_is_told_how_well_it_does(study, tmp_path, capsys):
    arguments = ["--data", str(study), "--out", str(tmp_path / "m.json"), "--folds", "2"]
    assert main(["train-s3", *arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["summaries"] == 8
    assert found["held_out"]["pearson"]["summary"] == pytest.approx(1)
    assert set(found["weights"]) == {".".join(feature) for feature in FEATURES}
    assert main(["train-s3", *arguments]) == 0
    assert "on held-out documents" in capsys.readouterr().out


def test_it_correlates_within_documents_and_by_system():
    """Both documents with two systems: once in people's order, once not; f has only one."""
    rows = [("d", "a", 1), ("d", "b", 2), ("e", "a", 1), ("e", "b", 0), ("f", "a", 2)]
    lessons = [Lesson(document, system, "", (), target) for document, system, target in rows]
    found = correlate(lessons, np.array([1.0, 2, 0, 1, 5]))
    assert found["kendall"] == {"system": 1, "summary": 0}


def test_the_embedded_model_prefers_what_the_reference_says():
    metric = load_metric("s3")
    good, bad = metric.score([REFERENCES[0], BAD[0]], [[REFERENCES[0]]] * 2, []).values[:, 0]
    assert good > bad + 0.3
    assert "model:pyr@" in metric.signature


def test_a_model_is_read_as_it_was_written(model):
    found, digest = read_model(str(model))
    assert isinstance(found.ridge, Ridge)
    assert found.as_json() == json.loads(model.read_text(encoding="utf-8"))
    assert len(digest) == 16


@pytest.mark.parametrize(
    "content, message",
    [
        ("{}", "not an s3 model"),
        ('{"features": ["rouge.r9"]}', "'rouge.r9'"),
        (
            '{"features": [], "means": [1], "scales": [], "weights": [], "intercept": 0}',
            "does not have one mean",
        ),
    ],
)
def test_a_faulty_model_is_refused(tmp_path, content, message):
    path = tmp_path / "m.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        load_metric("s3", {"model": str(path)})


def test_an_unknown_model_is_told_with_the_known_ones():
    with pytest.raises(ValueError, match="'resp'.*Known: pyr"):
        load_metric("s3", {"model": "resp"})


def test_it_wants_one_source(capsys, tmp_path):
    assert main(["train-s3", "--out", str(tmp_path / "m.json")]) == 2
    assert "Give either --gold or --data" in capsys.readouterr().err


def test_it_says_that_it_scores_what_it_was_trained_on(study, model, tmp_path, capsys):
    """Of the eight summaries it learned from all; the shipped model learned from none."""
    asked = ["metric", "s3", "--data", str(study)]
    assert main([*asked, "--option", f"model={model}", "--json"]) == 0
    learned = json.loads(capsys.readouterr().out)["learned"]
    assert (learned["summaries"], learned["all_summaries"]) == (8, 8)
    assert main([*asked, "--option", f"model={model}"]) == 0
    assert "in-sample: s3 was trained on 8 of 8 summaries" in capsys.readouterr().out
    assert main(asked) == 0
    assert "in-sample" not in capsys.readouterr().out
    assert main(["metric", "length", "--data", str(study), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["learned"] is None


def test_a_model_without_hashes_says_that_nothing_is_known(study, model, tmp_path, capsys):
    """Written by an earlier version of the program."""
    data = json.loads(model.read_text())
    assert len(data.pop("learned")["references"]) > 0
    old = tmp_path / "old.json"
    old.write_text(json.dumps(data))
    asked = ["metric", "s3", "--data", str(study), "--option", f"model={old}", "--json"]
    assert main(asked) == 0
    assert json.loads(capsys.readouterr().out)["learned"]["is_known"] is False


def test_the_shipped_model_was_trained_on_realsumm(realsumm_dir):
    texts = read_texts(realsumm_dir)
    met = count_scored(load_metric("s3"), texts.summaries)
    assert met is not None
    assert (met.summaries, met.all_summaries, met.words) == (
        2500, 2500, "2,500 of 2,500 summaries",
    )  # fmt: skip
    other = count_scored(load_metric("s3"), ["Nobody wrote this one."])
    assert other is not None
    assert not other.is_in_sample
