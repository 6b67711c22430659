"""What a judge learns from, out of files."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoring.finetune import TrainingRecord, data_hash, records_from_gold, records_from_labels
from scoring.finetune.data import check_records
from scoring.io.gold import write_canonical
from tests.scoring.finetune.toy import make_records, write_study
from tests.scoring.gold_records import joined, small_gold


def read(study):
    return records_from_labels(study / "SCUs.txt", study / "summaries", study / "labels")


def test_it_reads_units_summaries_and_labels(tmp_path):
    records = make_records()
    assert read(write_study(tmp_path / "study", records)) == check_records(records)


def test_it_reads_published_labels(realsumm_dir):
    records = read(realsumm_dir)
    assert len(records) == 2500
    assert sum(len(record.labels) for record in records) == 26_400
    assert {len(record.units) for record in records} == set(range(5, 17))


def test_it_leaves_out_summaries_without_a_label(tmp_path):
    study = write_study(tmp_path / "study", make_records(documents=2))
    path = study / "labels" / "s0.label"
    path.write_text("\n" + path.read_text().split("\n")[1])
    assert [(row.document, row.system) for row in read(study)][:2] == [("d0", "s1"), ("d0", "s2")]


@pytest.mark.parametrize(
    "name, text, message",
    [
        ("labels/s1.label", "1\t0\t1\n1\t0\t1\t1", "'s1' has 3 labels for 'd0', which has 4 units"),
        ("labels/s1.label", "1\t0\t1\t1", r"s1.label: The file has 1 lines. Expected 2 lines"),
        ("labels/s1.label", "1\t0\t2\t1\n1\t0\t1\t1", "s1.label, line 1: A label is '2'"),
        ("labels/new.label", "1\t0\t1\t1\n1\t0\t1\t1", "'new' has labels, but no summary file"),
        ("summaries/s1.summary", "one", r"s1.summary: The file has 1 lines. Expected 2 lines"),
        ("SCUs.txt", "a\t\tb\tc\na\tb\tc\td", "SCUs.txt, line 1"),
    ],
)
def test_it_says_what_does_not_fit(tmp_path, name, text, message):
    study = write_study(tmp_path / "study", make_records(documents=2))
    (study / name).write_text(text)
    with pytest.raises(ValueError, match=message):
        read(study)


def test_it_says_where_there_are_no_summaries(tmp_path):
    study = write_study(tmp_path / "study", make_records(documents=2))
    with pytest.raises(ValueError, match=r"labels: There are no summaries"):
        records_from_labels(study / "SCUs.txt", study / "labels", study / "labels")


def test_it_reads_a_gold_dataset(tmp_path):
    gold = small_gold()
    (tmp_path / "gold.jsonl").write_bytes(joined(write_canonical(*gold)))
    found = records_from_gold(tmp_path / "gold.jsonl")
    expected = {
        (example.key, system): (example.summaries[system], row)
        for example in gold[2]
        for system, row in example.labels.items()
        if any(label is not None for label in row)
    }
    assert {(row.document, row.system): (row.summary, row.labels) for row in found} == expected


def test_it_knows_data_by_its_content():
    records = make_records()
    assert data_hash(records) == data_hash(records[::-1])
    changed = replace(records[0], labels=(1, 1, 1, None))
    assert data_hash([changed, *records[1:]]) != data_hash(records)
    assert data_hash([replace(record, weights=()) for record in records]) == data_hash(records)


@pytest.mark.parametrize(
    "fields, message",
    [
        ({"labels": (1,)}, "System 's' has 1 labels for 'd', which has 2 units"),
        ({"weights": (1,)}, "System 's' has 1 weights for 'd'"),
        ({"labels": (1, 2)}, "has the label 2"),
        ({"units": ("a", " ")}, "Unit 2 of 'd' is empty"),
    ],
)
def test_it_refuses_a_record_that_does_not_fit(fields, message):
    with pytest.raises(ValueError, match=message):
        TrainingRecord(
            **{"document": "d", "system": "s", "summary": "x", "units": ("a", "b")}
            | {"labels": (1, 0)}
            | fields
        )


def test_it_refuses_what_nothing_can_be_learnt_from():
    one = TrainingRecord("d", "s", "text", ("a", "b"), (1, 0))
    with pytest.raises(ValueError, match="two summaries of 'd'"):
        check_records([one, one])
    with pytest.raises(ValueError, match="both present and absent units"):
        check_records([replace(one, labels=(1, None))])
    with pytest.raises(ValueError, match="both present and absent units"):
        check_records([])
