"""Training on a study, held out by documents."""

from pathlib import Path

import numpy as np
import pytest

from scoring.crossvalidation import Fold
from scoring.easiness.cases import (
    cases_of,
    join_texts,
    load_trees,
    make_cases,
    own_stus,
    read_folder,
)
from scoring.easiness.damage import sentence_damage
from scoring.easiness.features import SentenceCase
from scoring.easiness.regressors import load_regressor
from scoring.easiness.released import compare_choice, read_choice
from scoring.easiness.training import (
    Options,
    Trained,
    choose_folds,
    hold_out,
    measure,
    rank_correlation,
    read_rows,
    train_regressor,
)
from scoring.easiness.trees import read_tree
from scoring.planning.orders import true_easiness
from scoring.planning.study import SentenceUnits, UnitStudy, UnitTexts, align_texts, read_study
from tests.scoring.easiness.toy_study import write_toy


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> UnitTexts:
    return read_folder(write_toy(tmp_path_factory.mktemp("toy"), 20))


@pytest.fixture(scope="module")
def cases(texts: UnitTexts) -> list[SentenceCase]:
    return cases_of(texts)


def train(texts: UnitTexts, cases: list[SentenceCase], options: Options | None = None) -> Trained:
    folds = choose_folds(texts.documents)
    return train_regressor(texts.sentences, cases, true_easiness(texts), folds, options)


def test_it_gives_each_sentence_its_stus(texts: UnitTexts, cases: list[SentenceCase]) -> None:
    stus = own_stus(texts)
    assert [len(own) for own in stus] == [1] * 40
    assert all(case.stus == tuple(own) for case, own in zip(cases, stus, strict=True))
    assert cases[1].parse.text == texts.sentences[1].text


def test_it_learns_what_is_easy(texts: UnitTexts, cases: list[SentenceCase]) -> None:
    found = train(texts, cases, Options("paper"))
    assert found.figures.sentences == 40
    assert found.figures.mae < found.figures.mean_mae / 2
    assert found.figures.gain == pytest.approx(found.figures.mean_mae - found.figures.mae)
    assert found.figures.gain_low <= found.figures.gain <= found.figures.gain_high
    assert found.figures.rho > 0.5
    easy, hard = found.regressor.predict(cases[:2])
    assert easy > hard


def test_it_writes_a_card(texts: UnitTexts, cases: list[SentenceCase], tmp_path: Path) -> None:
    found = train(texts, cases, Options(name="ours"))
    found.save(tmp_path / "ours.json")
    card = load_regressor(str(tmp_path / "ours.json")).card
    assert card == found.regressor.card
    assert (card["name"], card["target"], card["features"]) == ("ours", "easiness", "giza")
    assert card["data"] | {"hash": ""} == {"documents": 20, "sentences": 40, "hash": ""}
    assert card["held_out"] == found.figures.to_json()
    again = train(texts, list(cases), Options(name="ours")).regressor.card
    assert again == card


def test_it_hashes_what_it_learned_from(texts: UnitTexts, cases: list[SentenceCase]) -> None:
    one = train(texts, cases).regressor.card["data"]["hash"]
    other = [SentenceCase(case.parse, None, ("x",)) for case in cases]
    assert train(texts, other).regressor.card["data"]["hash"] != one


def test_it_never_sees_the_fold_that_it_is_tried_on() -> None:
    """The target is the document's number: who did not see a document can't tell it."""
    documents = [f"d{i}" for i in range(8) for _ in range(4)]
    targets = np.repeat(np.arange(8.0), 4)
    rows = np.repeat(np.eye(8, 69, dtype=np.float32), 4, axis=0)
    folds = [Fold(f"fold{i}", "examples", (f"d{i}",)) for i in range(8)]
    found, means = hold_out(rows, targets, documents, folds, Options("paper"))
    assert np.abs(found - targets).reshape(8, 4).mean(axis=1).min() > 0.3
    assert means[:4] == pytest.approx(np.full(4, targets[4:].mean()))


def test_it_says_what_it_can_of_sentences_without_a_target(
    texts: UnitTexts, cases: list[SentenceCase]
) -> None:
    targets = true_easiness(texts)
    targets[::4] = np.nan
    folds = choose_folds(texts.documents)
    found = train_regressor(texts.sentences, cases, targets, folds)
    assert found.figures.sentences == 30
    assert not np.isnan(found.held_out).any()


def test_it_tells_figures_of_each_study(texts: UnitTexts, cases: list[SentenceCase]) -> None:
    groups = ["a"] * 20 + ["b"] * 20
    folds = choose_folds(texts.documents)
    found = train_regressor(texts.sentences, cases, true_easiness(texts), folds, groups=groups)
    parts = found.regressor.card["held_out_by_study"]
    assert {name: part["sentences"] for name, part in parts.items()} == {"a": 20, "b": 20}
    both = (parts["a"]["mae"] + parts["b"]["mae"]) / 2
    assert both == pytest.approx(found.figures.mae, abs=1e-5)


def test_it_measures_against_the_mean() -> None:
    targets, means = np.array([0.0, 1.0, np.nan, 1.0]), np.full(4, 0.5)
    found = measure(targets, np.array([0.1, 0.8, 0.3, 0.9]), means, list("abcd"))
    assert (found.sentences, found.mean_mae) == (3, 0.5)
    assert found.mae == pytest.approx(0.4 / 3)
    assert found.rho == pytest.approx(np.sqrt(3) / 2)
    with pytest.raises(ValueError, match="Fewer than 2"):
        measure(targets[:1], means[:1], means[:1], ["a"])


def test_it_draws_documents_whole() -> None:
    """All gains of a document are drawn together: two documents leave three possible means."""
    targets, held_out, means = np.zeros(20), np.repeat([0.0, 0.2], 10), np.full(20, 0.1)
    found = measure(targets, held_out, means, ["a"] * 10 + ["b"] * 10)
    assert found.gain_low == pytest.approx(-0.1)
    assert found.gain_high == pytest.approx(0.1)


def test_it_ranks_nothing_by_a_constant() -> None:
    assert rank_correlation(np.ones(3), np.arange(3.0)) == 0
    assert rank_correlation(np.arange(3.0), np.arange(3.0) ** 3) == pytest.approx(1)


def test_it_reads_or_draws_folds(tmp_path: Path) -> None:
    folder = write_toy(tmp_path, 6)
    paths = sorted((folder / "by_examples").glob("*.id"))
    documents = [f"d{i}" for i in range(6)]
    assert [fold.members for fold in choose_folds(documents, paths)] == [
        ("d0", "d2", "d4"),
        ("d1", "d3", "d5"),
    ]
    drawn = choose_folds(documents, k=3, seed=1)
    assert sorted(name for fold in drawn for name in fold.members) == documents
    assert drawn == choose_folds(documents, k=3, seed=1)


def test_it_refuses_folds_that_leave_nothing() -> None:
    fold = Fold("fold1", "examples", ("a",))
    with pytest.raises(ValueError, match="fold1"):
        hold_out(np.zeros((2, 69), np.float32), np.zeros(2), ["a", "a"], [fold], Options("paper"))


@pytest.mark.parametrize(
    "features, target, message", [("x", "damage", "giza"), ("giza", "x", "easiness, damage")]
)
def test_it_lists_what_is_known(features: str, target: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Options(features, target)


def test_it_wants_a_tree_for_each_sentence() -> None:
    tree = read_tree("(X (NN x))")
    one, other = make_cases(["A dog.", "A cat."], [[], ["cat"]], trees=[tree, None])
    assert (one.tree, other.tree, other.stus) == (tree, None, ("cat",))
    with pytest.raises(ValueError, match="1 trees and 2 sentences"):
        make_cases(["A dog.", "A cat."], [[], []], trees=[tree])


def test_it_reads_trees_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "trees.txt"
    path.write_text("(X (NN x))\n")
    assert load_trees(str(path), ["x"]) == [read_tree("(X (NN x))")]
    assert load_trees("", ["x"]) == []


def test_it_joins_studies(tmp_path: Path) -> None:
    parts = [read_folder(write_toy(tmp_path / name, 2, prefix=name)) for name in "ab"]
    found = join_texts(parts)
    assert found.documents == ("a0", "a1", "b0", "b1")
    assert len(found.sentences) == 8
    with pytest.raises(ValueError, match="twice"):
        join_texts([parts[0], parts[0]])


def test_it_reads_no_rows_of_no_cases() -> None:
    assert read_rows([], "paper").shape == (0, 69)


def repeated(scus: list[list[float]], stus: list[list[float]], times: int = 1) -> UnitStudy:
    """The same document so many times: two sentences with a unit each, two systems."""
    documents = tuple(f"d{number}" for number in range(times))
    rows = tuple(
        SentenceUnits(document, place, "a", (place,), (place,))
        for document in documents
        for place in (0, 1)
    )
    presence = ([np.array(table)] * times for table in (scus, stus))
    return UnitStudy(
        documents, ("s", "t"), rows, next(presence), next(presence), np.zeros((times, 2))
    )


@pytest.mark.parametrize("times", [1, 3])
def test_it_measures_the_damage_of_a_sentence(times: int) -> None:
    # Sentence 0: system s loses its unit (its score is 1, then .5). Sentence 1: nothing changes.
    study = repeated([[1, 1], [0, 1]], [[0, 1], [0, 1]], times)
    assert sentence_damage(study) == pytest.approx([0.25, 0] * times)


def test_it_measures_damage_by_a_judge(tmp_path: Path) -> None:
    study = read_study(write_toy(tmp_path, 4), judge="human")
    found = sentence_damage(study)
    assert found.shape == (8,)
    assert 0 < found.max() <= 1


def test_it_learns_damage(texts: UnitTexts, cases: list[SentenceCase]) -> None:
    targets = np.array([float("sailor" in row.text) for row in texts.sentences])
    folds = choose_folds(texts.documents)
    options = Options("paper", "damage")
    found = train_regressor(texts.sentences, cases, targets, folds, options)
    assert found.regressor.target == "damage"
    assert found.figures.mae < 0.1


def test_it_reads_a_released_choice() -> None:
    reference = [["A dog barks.", "A cat sits.", "Nothing."]]
    scus = [["dog barks", "dog is loud", "cat sits", "cat is old"]]
    texts = align_texts(["d"], reference, scus, [["A dog barks", "A cat sits"]])
    chosen = read_choice(texts, [["A dog barks", "cat sits", "cat is old"]])
    assert chosen[:2].tolist() == [1, 0]
    assert np.isnan(chosen[2])


def test_it_compares_choices() -> None:
    chosen = np.array([1, 1, 0, 0, np.nan])
    found = compare_choice(chosen, np.array([0.9, 0.4, 0.5, 0.1, 1.0]))
    assert (found.sentences, found.share, found.auc) == (4, 0.5, 0.75)
    assert compare_choice(chosen, chosen).auc == 1
    with pytest.raises(ValueError, match="nothing to compare"):
        compare_choice(np.ones(3), np.arange(3.0))
