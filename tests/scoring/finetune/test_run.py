"""A whole fine-tuning: folds, the judge, its card."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from dataclasses import replace
from typing import Any

import pytest
import torch

from scoring.backends.tree_training import rows_of
from scoring.finetune import FineTuneOptions, TrainingRecord, data_hash, fine_tune, make_folds
from scoring.finetune import run as runs
from scoring.finetune.progress import Meter, Progress
from scoring.judge import Question, load_judge
from scoring.judge.held_out import HeldOutRecord, evaluate_held_out
from tests.scoring.backends.nli_models import make_model
from tests.scoring.backends.tiny_models import make_classifier, make_encoder
from tests.scoring.finetune.toy import make_records
from tests.servers import ROOT

RECORDS = make_records(documents=6, systems=3)
SETTINGS: dict[str, Any] = {
    "sharing": "shared",
    "learning_rate": 1e-3,
    "batch_size": 24,
    "threads": 1,
    "checkpoint_every": 2,
}


@pytest.fixture(autouse=True)
def one_thread():
    torch.set_num_threads(1)


@pytest.fixture
def options(tmp_path):
    base = make_encoder(tmp_path / "base", "bert")
    return FineTuneOptions(str(base), **SETTINGS)


@pytest.fixture
def seen(monkeypatch):
    """What each training was given, by stage, and what each model was then asked of."""
    found: dict[str, dict[str, set[str]]] = {}
    plain_train, plain_judge = runs.Run.train, runs.judge_records

    def train(self, stage, records):
        found.setdefault(stage, {})["trained"] = {record.document for record in records}
        return plain_train(self, stage, records)

    def judge(folder, records, options, tell):
        stage = folder.parent.name
        found[stage]["judged"] = {record.document for record in records}
        return plain_judge(folder, records, options, tell)

    monkeypatch.setattr(runs.Run, "train", train)
    monkeypatch.setattr(runs, "judge_records", judge)
    return found


def test_it_tries_each_fold_by_a_model_that_did_not_see_it(options, tmp_path, seen):
    folds = make_folds(RECORDS, "examples", 3)
    found = fine_tune(RECORDS, options, tmp_path / "judge", folds=folds)
    assert list(seen) == ["fold1", "fold2", "fold3", "all"]
    for fold in folds:
        assert seen[fold.name]["judged"] == set(fold.members)
        assert seen[fold.name]["trained"].isdisjoint(fold.members)
    assert len(seen["all"]["trained"]) == 6
    assert "judged" not in seen["all"]
    assert found.held_out is not None
    assert found.held_out.units == 72


def test_it_writes_a_judge_with_its_card(options, tmp_path):
    folds = make_folds(RECORDS, "systems", 3)
    found = fine_tune(RECORDS, options, tmp_path / "judge", folds=folds, name="toy")
    card = json.loads((tmp_path / "judge" / "judge.json").read_text())
    assert card == json.loads(json.dumps(found.card))
    assert (card["kind"], card["name"], card["function"]) == ("shared", "toy", "p2c")
    assert card["data"]["hash"] == data_hash(RECORDS)
    assert card["data"]["labels"] == 72
    assert card["base"]["name"] == options.base
    assert card["options"]["learning_rate"] == 1e-3
    assert [fold["by"] for fold in card["folds"]] == ["systems"] * 3
    assert card["held_out"]["summary_level"]["level"] == "summary-level"
    assert len(card["held_out"]["calibration"]) == 10
    assert set(card["versions"]) == {"giza", "python", "torch", "transformers"}
    assert not (tmp_path / "judge.work").exists()
    judge = load_judge(str(tmp_path / "judge"))
    [verdicts] = judge.judge([Question(RECORDS[0].summary, RECORDS[0].units)])
    assert len(verdicts) == 4


def test_it_makes_an_nli_judge_of_pairs(tmp_path):
    base = make_classifier(tmp_path / "base", "roberta", ("neutral", "entailment", "contradiction"))
    options = FineTuneOptions(str(base), learning_rate=1e-3, threads=1)
    folds = make_folds(RECORDS, "examples", 2)
    found = fine_tune(RECORDS, options, tmp_path / "judge", folds=folds)
    assert (found.card["kind"], found.card["classes"]) == ("nli", 3)
    assert found.held_out is not None
    judge = load_judge(str(tmp_path / "judge"))
    assert (judge.identity.name, judge.default_function, judge.classes) == ("judge", "p2c", 3)


def test_it_counts_an_empty_summary_as_carrying_nothing(options, tmp_path):
    empty = TrainingRecord("d0", "s9", " ", RECORDS[0].units, (1, 0, 0, 0))
    folds = make_folds(RECORDS, "examples", 2)
    found = fine_tune([*RECORDS, empty], options, tmp_path / "judge", folds=folds)
    assert found.card["data"]["empty_summaries"] == 1
    assert found.held_out is not None
    assert found.held_out.units == 76


def test_it_goes_on_after_kills_without_a_difference(options, tmp_path):
    folds = make_folds(RECORDS, "examples", 2)
    whole = fine_tune(RECORDS, options, tmp_path / "whole", folds=folds)
    output, stages = tmp_path / "broken", []

    def kill_in(stage):
        def tell(progress):
            stages.append(progress.stage)
            if (progress.stage, progress.step) == (stage, 3):
                raise KeyboardInterrupt

        return tell

    for stage in ("fold2", "all"):
        with pytest.raises(KeyboardInterrupt):
            fine_tune(RECORDS, options, output, folds=folds, tell=kill_in(stage))
        assert not output.exists()
    again = fine_tune(RECORDS, options, output, folds=folds)
    assert stages.count("fold1") == stages.count("fold2") - 1  # one step of fold2 was done twice
    assert again.held_out == whole.held_out
    for name in ("model.safetensors", "config.json"):
        assert (again.folder / name).read_bytes() == (whole.folder / name).read_bytes()


def test_it_survives_kill_9(options, tmp_path):
    """The process is killed for good in the middle of a training; another goes on.

    Before that, it loaded a judge as any process does: the same one, and without a word.
    """
    (tmp_path / "nli").mkdir()
    nli = make_model(tmp_path / "nli")
    whole = fine_tune(RECORDS, options, tmp_path / "whole")
    command = [sys.executable, "-c", KILLED, str(tmp_path / "broken"), options.base, nli]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True)
    assert done.returncode == -signal.SIGKILL
    assert done.stderr == b""
    assert done.stdout.decode().strip() == load_judge(nli).identity.key
    left = [path.name for path in (tmp_path / "broken.work" / "all").iterdir()]
    assert left == ["checkpoint-00000004"]
    again = fine_tune(RECORDS, options, tmp_path / "broken")
    weights = [found.folder / "model.safetensors" for found in (whole, again)]
    assert weights[0].read_bytes() == weights[1].read_bytes()


KILLED = """
import os, signal, sys
from pathlib import Path
from scoring.judge import load_judge
print(load_judge(sys.argv[3]).identity.key, flush=True)
from tests.scoring.finetune.test_run import RECORDS, SETTINGS
from scoring.finetune import FineTuneOptions, fine_tune

def kill(progress):
    if progress.step == 5:
        os.kill(os.getpid(), signal.SIGKILL)

fine_tune(RECORDS, FineTuneOptions(sys.argv[2], **SETTINGS), Path(sys.argv[1]), tell=kill)
"""


def test_it_does_not_mix_two_runs(options, tmp_path):
    def kill(progress):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fine_tune(RECORDS, options, tmp_path / "judge", tell=kill)
    other = replace(options, seed=5)
    with pytest.raises(ValueError, match="other data, options or versions"):
        fine_tune(RECORDS, other, tmp_path / "judge")


def test_it_tells_of_the_whole_run(options, tmp_path):
    told: list[Any] = []
    folds = make_folds(RECORDS, "examples", 2)
    fine_tune(RECORDS, options, tmp_path / "judge", folds=folds, tell=told.append)
    assert [*dict.fromkeys(progress.stage for progress in told)] == ["fold1", "fold2", "all"]
    assert told[0].seconds_left > 0
    assert told[-1].seconds_left == 0
    shares = [progress.share for progress in told]
    assert shares == sorted(shares)
    assert (shares[-1], max(progress.pairs_per_second for progress in told) > 0) == (1, True)


def test_trees_tell_the_rate_of_what_they_read_and_not_of_what_they_remember(tmp_path):
    """Each pair is read once for all folds; the rest of the training takes no time to speak of."""
    rows_of.cache_clear()
    told: list[Any] = []
    folds = make_folds(RECORDS, "examples", 2)
    trees = FineTuneOptions("lexical")
    fine_tune(RECORDS, trees, tmp_path / "judge", folds=folds, tell=told.append)
    last = [progress for progress in told if progress.stage == "all"]
    assert {progress.pairs_per_second for progress in last} == {0}
    assert last[0].share == last[-1].share == 1
    assert all(progress.pairs_per_second > 0 for progress in told if progress.stage == "fold1")


def test_what_an_earlier_process_did_says_nothing_about_the_pace():
    told: list[Progress] = []
    meter = Meter({"fold1": 1000, "all": 10}, told.append)
    meter.skip("fold1")
    time.sleep(0.01)
    meter.tell("all", "all", Progress(1, 10, None, 5.0))
    [found] = told
    assert found.share == pytest.approx(1001 / 1010)
    assert 0.05 < (found.seconds_left or 0) < 9


def test_it_writes_nothing_where_something_is_wrong(options, tmp_path):
    (tmp_path / "there").mkdir()
    before = sorted(tmp_path.iterdir())
    twice = make_folds(RECORDS, "examples", 2) * 2
    whole = [replace(twice[0], members=tuple(f"d{number}" for number in range(6)))]
    for message, output, folds in (
        ("there already", "there", []),
        ("its own name", "new", twice),
        ("holds out no data or all data", "new", whole),
    ):
        with pytest.raises(ValueError, match=message):
            fine_tune(RECORDS, options, tmp_path / output, folds=folds)
    for message, changed in (
        ("is not a model folder", {"base": str(tmp_path / "there")}),
        ("The device 'tape' is not available", {"device": "tape"}),
        ("A window of 9 tokens is too small", {"window": 9}),
    ):
        with pytest.raises(ValueError, match=message):
            fine_tune(RECORDS, replace(options, **changed), tmp_path / "new")
    assert sorted(tmp_path.iterdir()) == before


def test_it_reports_what_the_folds_models_said(options, tmp_path, monkeypatch):
    """Held-out figures are those of the presence that was told of held-out summaries."""
    folds = make_folds(RECORDS, "examples", 2)
    monkeypatch.setattr(
        runs, "judge_records", lambda _, records, *__: [[0.9, 0.1, 0.6, 0.2] for _ in records]
    )
    found = fine_tune(RECORDS, options, tmp_path / "judge", folds=folds).held_out
    rows = [
        HeldOutRecord(row.document, row.system, row.labels, [0.9, 0.1, 0.6, 0.2], fold=fold.name)
        for fold in folds
        for row in RECORDS
        if row.document in fold.members
    ]
    assert found is not None
    assert found.accuracy == evaluate_held_out(rows).accuracy
    assert found.confusion == evaluate_held_out(rows).confusion
