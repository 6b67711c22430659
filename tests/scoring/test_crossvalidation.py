"""Folds that are held out."""

from __future__ import annotations

import pytest

from scoring.finetune import Fold, make_folds, read_folds, records_from_labels
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
        ({"a_sys": "s0\ns9", "b_sys": "s1"}, "a.sys, line 2: .*called 's9'"),
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
