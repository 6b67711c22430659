"""`python -m scoring finetune`."""

from __future__ import annotations

import json

import pytest
import torch

from scoring.cli import main
from scoring.cli.finetune import ProgressLine
from scoring.finetune.progress import Progress
from scoring.judge import load_judge
from tests.scoring.backends.tiny_models import make_encoder
from tests.scoring.finetune.toy import make_records, write_study


@pytest.fixture
def command(tmp_path):
    torch.set_num_threads(1)
    study = write_study(tmp_path / "study", make_records(documents=4, systems=3))
    base = make_encoder(tmp_path / "base", "bert")
    data = [part for name in DATA for part in (f"--{name}", str(study / DATA[name]))]
    output = ["--base", str(base), "--output", str(tmp_path / "judge")]
    return ["finetune", *data, *output, "--sharing", "shared", "--threads", "1", "--epochs", "1"]


DATA = {"units": "SCUs.txt", "summaries": "summaries", "labels": "labels"}


def test_it_fine_tunes(command, tmp_path, capsys):
    assert main([*command, "--folds", "by-examples", "--k", "2", "--json"]) == 0
    printed = capsys.readouterr()
    found = json.loads(printed.out)
    assert printed.err == ""  # no terminal, no line
    assert found["folds"] == ["fold1", "fold2"]
    assert found["held_out"]["units"] == 48
    assert found["held_out"]["system_level"]["level"] == "system-level"
    assert found["options"]["learning_rate"] == 1e-5
    assert load_judge(found["judge"]).identity.kind == "shared"


def test_it_speaks_to_people_too(command, tmp_path, capsys):
    for name, text in {"a.sys": "s0", "b.sys": "s1\ns2"}.items():
        (tmp_path / name).write_text(text)
    folds = [str(tmp_path / "a.sys"), str(tmp_path / "b.sys")]
    assert main([*command, "--folds", *folds]) == 0
    told = capsys.readouterr().out
    assert "trained on 48 labels, 4 documents × 3 systems" in told
    assert "held out in 2 folds, each judged by a model without it:" in told
    assert "  summary-level: pearson " in told
    [line] = [line for line in told.splitlines() if "system-level, mean over folds" in line]
    assert line.endswith("(1 undefined, left out)")  # a fold of one system


def test_it_says_so_where_nothing_was_held_out(command, capsys):
    assert main(command) == 0
    assert "its quality is unknown" in capsys.readouterr().out


@pytest.mark.parametrize(
    "more, message",
    [
        (["--epochs", "0"], "epochs can't be 0"),
        (["--folds", "by-examples", "--k", "9"], "9 folds can't be made of 4 examples"),
        (["--folds", "one.id", "two.id"], "one.id: There is no such file"),
        (["--folds", "by-units"], "at least 2 files of folds"),
        (["--gold", "gold.zip"], "Give --gold, or --units, --summaries and --labels"),
        (["--base", "./nowhere/at/all"], "There is no folder ./nowhere/at/all"),
    ],
)
def test_it_says_what_is_wrong_and_writes_nothing(command, tmp_path, capsys, more, message):
    before = sorted(tmp_path.iterdir())
    assert main([*command, *more]) == 2
    assert message in capsys.readouterr().err
    assert sorted(tmp_path.iterdir()) == before


def test_it_shows_a_line_that_is_written_over(capsys):
    line = ProgressLine()
    line(Progress(1, 3, 0.7, 10, "all", 2))
    line(Progress(2, 3, 0.6, 10, "all", 1))  # too soon after the first
    line(Progress(3, 3, 0.5, 10, "all", 0))
    line.end()
    told = capsys.readouterr().err
    assert told.count("\r") == 3
    assert "step 3 of 3 · loss 0.5000 · 10 pairs/s · 0 s left" in told
    assert "\n" not in told
