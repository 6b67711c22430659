"""Gold datasets as Parquet, and as a directory that `datasets` opens."""

import io
import json
import zipfile
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml

from scoring.io.gold import GoldFacts, from_json, to_json, write_gold
from scoring.io.gold.huggingface import hub_card
from scoring.io.gold.labels import kinds_of, label_rows
from tests.scoring.gold_records import (
    FACTS,
    Gold,
    joined,
    many_examples,
    published_gold,
    small_gold,
)


def table_of(gold: Gold) -> Any:
    return pq.ParquetFile(io.BytesIO(joined(write_gold("parquet", *gold))))


def test_it_holds_a_row_a_label_with_its_summary() -> None:
    facts, systems, examples = small_gold()
    rows = table_of(small_gold()).read().to_pylist()
    assert rows == [
        {**asdict(row), "summary": example.summaries[row.system]}
        for example in examples
        for row in label_rows(kinds_of(systems), example)
    ]
    held = json.loads(table_of(small_gold()).schema_arrow.metadata[b"gold"])
    assert from_json(GoldFacts, held, "gold") == facts
    assert held == to_json(facts)


def test_it_writes_a_row_group_whenever_there_is_enough() -> None:
    facts, systems, _ = small_gold()
    examples = list(many_examples(1500))
    file = table_of((facts, systems, examples))
    assert file.metadata.num_rows == 6_000
    assert file.metadata.num_row_groups == 2


def test_it_takes_long_texts_for_enough() -> None:
    facts, systems, (first, _) = small_gold()
    long = replace(first, summaries={"lead_3": "x" * 2_500_000, "bart": ""})
    assert table_of((facts, systems, [long])).metadata.num_row_groups == 2


@pytest.fixture
def offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """`datasets` without the hub, its cache in a folder of the test's own."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    import datasets

    monkeypatch.setattr(datasets.config, "HF_DATASETS_OFFLINE", True)
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)
    datasets.disable_progress_bars()
    return datasets


def unpack(gold: Gold, folder: Path) -> Path:
    with zipfile.ZipFile(io.BytesIO(joined(write_gold("hf", *gold)))) as archive:
        archive.extractall(folder)
    return folder


def load(offline: Any, path: Path, *name: str) -> Any:
    return offline.load_dataset(str(path), *name, cache_dir=str(path.parent / "cache"))


def test_it_opens_with_load_dataset(offline: Any, tmp_path: Path) -> None:
    path = unpack(small_gold(), tmp_path / "dams")
    opened = load(offline, path)
    assert list(opened) == ["test"]
    first, second = opened["test"]
    assert first["example_id"] == "a1"
    assert first["units"][0] == {"text": "The dam burst.", "kind": "scu", "weight": 2}
    assert first["summaries"][0] == {
        "system": "lead_3",
        "system_kind": "extractive",
        "text": "The dam burst.",
        "labels": [1, 0],
        "posteriors": [0.875, 0.25],
        "score": pytest.approx(2 / 3),
    }
    assert second["references"] == [{"name": "", "text": "Rain fell."}]
    assert second["summaries"][1]["posteriors"] is None


def test_it_opens_labels_and_answers_by_name(offline: Any, tmp_path: Path) -> None:
    path = unpack(small_gold(), tmp_path / "dams")
    assert offline.get_dataset_config_names(str(path)) == ["examples", "labels", "answers"]
    labels = load(offline, path, "labels")["test"]
    assert [row["label"] for row in labels] == [1, 0, 1, 1, 1, 0]
    answers = load(offline, path, "answers")["test"]
    assert [(row["worker"], row["position"], row["kept"]) for row in answers] == [
        ("wy", 2, True),
        ("wy", 1, True),
        ("wx", 1, False),
        ("wx", 2, False),
    ]


def test_it_opens_a_published_dataset(offline: Any, pyrxsum_dir: Path, tmp_path: Path) -> None:
    path = unpack(published_gold(pyrxsum_dir), tmp_path / "pyrxsum")
    rows = load(offline, path)["test"]
    assert (len(rows), sum(len(row["units"]) for row in rows)) == (100, 478)
    assert len(load(offline, path, "labels")["test"]) == 4780
    assert not (path / "data" / "answers.parquet").exists()


@pytest.mark.parametrize(
    "licence, told",
    [
        ("CC BY 4.0", {"license": "cc-by-4.0"}),
        ("cc0-1.0", {"license": "cc0-1.0"}),
        ("", {"license": "unknown"}),
        ("For: us\n# only", {"license": "other", "license_name": "For: us\n# only"}),
    ],
)
def test_it_names_the_licence_as_the_hub_does(licence: str, told: dict[str, str]) -> None:
    card = hub_card(replace(FACTS, licence=licence), ["examples", "labels"])
    head = yaml.safe_load(card.split("---\n")[1])
    assert {name: head.get(name) for name in told} == told
    assert head["configs"][0]["default"] is True
    assert [config["config_name"] for config in head["configs"]] == ["examples", "labels"]


@pytest.mark.parametrize("name", ['a: "b"', "---", "\u2028\x85\x7f", "é𝒳\ufeff", "[x]", "# y"])
def test_it_quotes_a_name_for_yaml(name: str) -> None:
    card = hub_card(replace(FACTS, name=name), ["examples"])
    assert yaml.safe_load(card.split("\n---\n")[0])["pretty_name"] == name


@pytest.mark.parametrize(
    "labels, size", [(999, "n<1K"), (1000, "1K<n<10K"), (10**6, "1M<n<10M"), (10**7, "10M<n<100M")]
)
def test_it_names_the_size(labels: int, size: str) -> None:
    facts, _, _ = small_gold()
    large = replace(facts, counts=replace(facts.counts, labels=labels))
    head = yaml.safe_load(hub_card(large, ["examples"]).split("---\n")[1])
    assert head["size_categories"] == [size]
