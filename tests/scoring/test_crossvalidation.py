"""Folds that are held out, and what is said of them by models that did not see them."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.crossvalidation import (
    Fold,
    Place,
    cross_validate,
    make_folds,
    read_folds,
    try_elsewhere,
)
from scoring.finetune import records_from_labels
from scoring.io.score_files import load_study
from tests.scoring.finetune.toy import make_records


@pytest.fixture
def records():
    return make_records(documents=8, systems=4)


@pytest.mark.parametrize("by, sizes", [("examples", [3, 3, 2]), ("systems", [2, 1, 1])])
def test_it_holds_out_everything_once(records, by, sizes):
    folds = make_folds(records, by, 3)
    assert [len(fold.members) for fold in folds] == sizes
    held_out = [record for fold in folds for record in fold.split(records)[1]]
    assert len(held_out) == len(records)
    assert {(row.document, row.system) for row in held_out} == {
        (row.document, row.system) for row in records
    }


@pytest.mark.parametrize("by, name", [("examples", "document"), ("systems", "system")])
def test_it_never_trains_on_what_is_held_out(records, by, name):
    for fold in make_folds(records, by, 4):
        train_on, held_out = fold.split(records)
        seen = {getattr(record, name) for record in train_on}
        assert seen.isdisjoint(getattr(record, name) for record in held_out)
        assert len(train_on) + len(held_out) == len(records)


def test_it_draws_the_same_folds_for_the_same_seed(records):
    assert make_folds(records, "examples", 3) == make_folds(records[::-1], "examples", 3)
    assert make_folds(records, "examples", 3) != make_folds(records, "examples", 3, seed=1)


@pytest.mark.parametrize(
    "by, k, message",
    [
        ("examples", 9, "9 folds can't be made of 8 examples. Give 2 to 8"),
        ("examples", 1, "1 folds"),
        ("units", 2, "not by 'units'"),
    ],
)
def test_it_refuses_folds_that_can_not_be(records, by, k, message):
    with pytest.raises(ValueError, match=message):
        make_folds(records, by, k)


def test_it_reads_published_folds(realsumm_dir):
    parts = (realsumm_dir / name for name in ("SCUs.txt", "summaries", "labels"))
    records = records_from_labels(*parts)
    by_examples = read_folds(sorted((realsumm_dir / "by_examples").iterdir()), records)
    assert [len(fold.split(records)[1]) for fold in by_examples] == [500] * 5
    by_systems = read_folds(sorted((realsumm_dir / "by_systems").iterdir()), records)
    assert [(fold.by, len(fold.members)) for fold in by_systems] == [("systems", 5)] * 5


@pytest.fixture
def write(tmp_path):
    def write_files(**texts):
        for name, text in texts.items():
            (tmp_path / name.replace("_", ".")).write_text(text)
        return [tmp_path / name.replace("_", ".") for name in texts]

    return write_files


def test_it_reads_given_folds(records, write):
    paths = write(one_sys="s0\ns1", two_sys="s2\ns3\n")
    assert read_folds(paths, records) == [
        Fold("one", "systems", ("s0", "s1")),
        Fold("two", "systems", ("s2", "s3")),
    ]


@pytest.mark.parametrize(
    "texts, message",
    [
        (
            {"a_sys": "s0\ns9", "b_sys": "s1"},
            "a.sys, line 2: 's9' is not one of the",
        ),
        ({"a_sys": "s0\ns1", "b_sys": "s1\ns2\ns3"}, "'s1' is in a and in b"),
        ({"a_sys": "s0", "b_sys": "s1"}, r"'s2' is in no fold \(2 of 4 systems\)"),
        ({"a_sys": "s0\ns1\ns2\ns3", "b_sys": ""}, "b.sys: The fold is empty"),
        ({"a_sys": "s0", "b_id": "d1"}, "all end in .id"),
        ({"a_txt": "s0", "b_txt": "d1"}, "all end in .id"),
        ({"a_sys": "s0"}, "at least 2 files"),
    ],
)
def test_it_refuses_folds_that_do_not_fit(records, write, texts, message):
    with pytest.raises(ValueError, match=message):
        read_folds(write(**texts), records)


def test_it_says_which_file_is_missing(records, tmp_path):
    with pytest.raises(ValueError, match="a.id: There is no such file"):
        read_folds([tmp_path / "a.id", tmp_path / "b.id"], records)


def seen_by(learned):
    """A model that remembers what it learned from."""
    return {(record.document, record.system) for record in learned}


def has_seen(model, others):
    return [(record.document, record.system) in model for record in others]


@pytest.mark.parametrize("by", ["examples", "systems"])
def test_no_model_sees_what_it_is_tried_on(records, by):
    folds = make_folds(records, by, 3)
    found = list(cross_validate(records, folds, seen_by, has_seen))
    assert [tried.fold for tried in found] == ["fold1", "fold2", "fold3"]
    assert sum(len(tried.records) for tried in found) == len(records)
    assert not any(answer for tried in found for _, answer in tried.pairs())


def test_a_model_of_another_study_is_tried_on_this_one(records):
    others = [Place("x", "s0"), Place("y", "s0")]
    found = try_elsewhere(records, others, seen_by, has_seen)
    assert (found.fold, list(found.pairs())) == ("", [(others[0], False), (others[1], False)])
    assert try_elsewhere(records, records, seen_by, has_seen).answers == (True,) * len(records)


def test_models_are_made_when_their_turn_comes(records):
    made = []

    def fit(learned):
        made.append(len(learned))

    rounds = cross_validate(records, make_folds(records, "systems", 4), fit, lambda _, held: held)
    assert made == []
    next(rounds)
    assert made == [24]


def test_a_fold_without_records_is_skipped_and_one_with_all_is_refused(records):
    folds = [Fold("none", "systems", ("x",)), Fold("all", "systems", ("s0", "s1", "s2", "s3"))]
    with pytest.raises(ValueError, match="when all is held out"):
        list(cross_validate(records, folds, seen_by, has_seen))
    assert list(cross_validate(records, folds[:1], seen_by, has_seen)) == []


def test_it_wants_an_answer_for_each_record(records):
    with pytest.raises(ValueError, match="1 predictions for 32 records"):
        try_elsewhere(records, records, seen_by, lambda model, others: [0])
    with pytest.raises(ValueError, match="no training data"):
        try_elsewhere([], records, seen_by, has_seen)


def test_a_learned_metric_is_cross_validated_on_realsumm(realsumm_dir):
    """Least squares on the published metrics beat the best of them on systems not seen."""
    study = load_study(
        [realsumm_dir / "metric_scores.csv"], human="litepyramid_recall", flagged=False
    )
    features = np.stack([study.scores[name] for name in study.metrics], axis=-1)
    features = np.concatenate([features, np.ones((*features.shape[:2], 1))], axis=-1)
    rows = {name: place for place, name in enumerate(study.systems)}
    columns = {name: place for place, name in enumerate(study.documents)}
    places = [Place(document, system) for system in rows for document in columns]

    def take(table, records):
        return np.array([table[rows[one.system], columns[one.document]] for one in records])

    def fit(learned):
        return np.linalg.lstsq(take(features, learned), take(study.people, learned), rcond=None)[0]

    def predict(weights, held):
        return take(features, held) @ weights

    folds = make_folds(places, "systems", 5)
    found = np.full(study.people.shape, np.nan)
    for tried in cross_validate(
        places, folds, fit, lambda model, held: take(features, held) @ model
    ):
        for record, value in tried.pairs():
            found[rows[record.system], columns[record.document]] = value
    assert not np.isnan(found).any()
    learned = np.mean((found - study.people) ** 2)
    best = min(np.mean((study.scores[name] - study.people) ** 2) for name in study.metrics)
    assert learned < best
