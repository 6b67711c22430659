"""The tables of document frequencies: what is counted, and that nothing held out is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scoring.backends.tree_judge import MODEL
from scoring.backends.tree_training import FEWEST, choose_frequencies
from scoring.cli import main
from scoring.finetune import FineTuneOptions, TrainingRecord, fine_tune, make_folds
from scoring.finetune.trees import hold_out
from scoring.judge import load_judge
from scoring.judge.frequencies import TABLE, count_frequencies, load_frequencies
from tests.scoring.finetune.toy import make_records, write_study


def test_a_document_counts_a_stem_once() -> None:
    texts = [("a", "Foxes ran."), ("a", "The fox ran and ran."), ("b", "A fox's den."), ("c", "No")]
    table = count_frequencies(texts)
    assert (table.documents, dict(table.stems)) == (3, {"fox": 2})
    assert table is count_frequencies(reversed(texts))


def test_a_version_names_what_a_table_holds() -> None:
    one, two = (count_frequencies([("a", "fox"), ("b", text)]) for text in ("fox", "hen"))
    assert one.version != two.version != load_frequencies().version


def make_many(documents: int, *, word: str = "") -> list[TrainingRecord]:
    """Toy records of so many documents; the last one's summaries have a word of their own."""
    records = make_records(documents=documents, systems=2)
    last = records[-1].document
    return [
        TrainingRecord(
            record.document,
            record.system,
            f"{record.summary} {word if record.document == last else ''}",
            record.units,
            record.labels,
        )
        for record in records
    ]


def test_few_documents_are_read_with_the_table_that_ships() -> None:
    assert choose_frequencies(make_many(FEWEST - 1)) is load_frequencies()
    assert choose_frequencies(make_many(FEWEST)).documents == FEWEST


def test_what_is_held_out_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words that only the held-out documents have change nothing that is said of the others."""
    seen = []
    counting = choose_frequencies

    def choose(records: list[TrainingRecord]) -> object:
        table = counting(records)
        seen.append((table, {record.document for record in records}))
        return table

    monkeypatch.setattr("scoring.backends.tree_training.choose_frequencies", choose)
    records = make_many(2 * FEWEST)
    folds = make_folds(records, "examples", 2)
    list(hold_out(records, folds, FineTuneOptions("lexical")))
    assert len(seen) == 2
    for fold, (table, learned) in zip(folds, seen, strict=True):
        assert learned.isdisjoint(fold.members)
        assert table.documents == len(learned) == FEWEST


def test_a_judge_carries_the_table_that_it_learned_with(tmp_path: Path) -> None:
    records = make_many(FEWEST)
    made = fine_tune(records, FineTuneOptions("lexical"), tmp_path / "mine")
    table = choose_frequencies(records)
    judge = load_judge(str(made.folder))
    assert made.card["frequencies"] == {"version": table.version, "documents": FEWEST}
    assert judge.identity.options["frequencies"] == table.version
    assert f"frequencies:{table.version}" in judge.identity.signature("p2c")

    path = made.folder / MODEL
    found = json.loads(path.read_text())
    assert found["format"] == 2
    assert found["frequencies"] == table.to_json()
    path.write_text(json.dumps(found | {"format": 1, "frequencies": None}))
    other = load_judge(str(made.folder)).identity
    assert other.options["frequencies"] == load_frequencies().version
    assert other.key != judge.identity.key


def test_the_judges_that_ship_name_their_table() -> None:
    identity = load_judge("lexical").identity
    assert identity.options["frequencies"] == load_frequencies().version


def test_a_command_makes_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_study(tmp_path / "study", make_many(3, word="fox hens"))
    out, without = tmp_path / "table.json", tmp_path / "held.id"
    without.write_text("d2")
    asked = ["document-frequencies", "--data", str(folder), "--out", str(out), "--json"]
    assert main(asked) == 0
    whole = json.loads(capsys.readouterr().out)
    assert whole["documents"] == json.loads(out.read_text())["documents"] == 3
    assert main([*asked, "--without", str(without)]) == 0
    part = json.loads(capsys.readouterr().out)
    assert part["documents"] == 2
    assert part["version"] != whole["version"]
    without.write_text("nowhere")
    assert main([*asked, "--without", str(without)]) == 2
    assert "nowhere" in capsys.readouterr().err


def test_the_table_that_ships_is_made_by_it(realsumm_dir: Path, tmp_path: Path) -> None:
    out = tmp_path / TABLE
    assert main(["document-frequencies", "--data", str(realsumm_dir), "--out", str(out)]) == 0
    shipped = Path("scoring/judge") / TABLE
    assert out.read_bytes() == shipped.read_bytes()
