"""`python -m scoring easiness`."""

from __future__ import annotations

import argparse
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from scoring.backends.easiness_trees import write_regressor
from scoring.cli import main
from scoring.cli.easiness import add_arguments
from tests.scoring.easiness.test_regressors import trained
from tests.scoring.easiness.toy_study import write_toy
from tests.servers import ROOT


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return write_toy(tmp_path / "toy", 10)


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    assert main(["easiness", *map(str, arguments), "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def refuse(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert main(["easiness", *map(str, arguments)]) == 2
    return capsys.readouterr().err


def files(folder: Path) -> list[object]:
    return [
        *("--references", folder / "references.txt"),
        *("--scus", folder / "SCUs.txt"),
        *("--stus", folder / "STUs.txt"),
    ]


def test_it_trains_on_files(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, said = tmp_path / "mine.json", tmp_path / "said.txt"
    folds = study / "by_examples"
    found = run(
        capsys,
        *("train", *files(study), "--ids", study / "ids.txt", "--folds", folds, "--name", "mine"),
        *("--model", "paper", "--out", out, "--predictions", said),
    )
    assert (found["name"], found["features"], found["folds"]) == ("mine", "paper", 2)
    assert found["held_out"]["sentences"] == 20
    assert json.loads(out.read_text())["card"]["held_out"] == found["held_out"]
    lines = said.read_text().split("\n")
    assert [len(line.split("\t")) for line in lines] == [2] * 10


def test_it_trains_on_folders_together(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = write_toy(study.parent / "other", 6, seed=1, prefix="e")
    found = run(capsys, "train", "--data", study, other, "--k", 4, "--seed", 3)
    assert found["data"]["documents"] == 16
    assert set(found["held_out_by_study"]) == {"toy", "other"}
    assert (found["folds"], found["training"]["seed"]) == (4, 3)


def test_it_trains_on_damage(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = run(capsys, "train", "--data", study, "--target", "damage", "--judge", "human")
    assert found["target"] == "damage"
    assert 0 < found["held_out"]["mean_mae"] < 1


def test_it_says_how_training_went(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["easiness", "train", "--data", str(study)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == [
        "giza: easiness from the features of giza",
        "trained on 20 sentences of 10 documents",
        "held out in 5 folds of documents:",
    ]
    assert lines[3].startswith("  all: MAE 0.")
    assert len(lines) == 4


def test_it_ranks_sentences_by_difficulty(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "easiness.txt"
    references = ("--references", study / "references.txt")
    found = run(capsys, "predict", *references, "--stus", study / "STUs.txt", "--out", out)
    rows = found["sentences"]
    assert [row["rank"] for row in rows] == list(range(1, 21))
    values = [row["predicted"] for row in rows]
    assert values == sorted(values)
    assert (found["model"], found["target"]) == ("giza", "easiness")
    assert all("sailor" in row["text"] for row in rows[:5])
    first = rows[0]
    fields = out.read_text().split("\n")[int(first["document"][1:])].split("\t")
    assert float(fields[first["sentence"]]) == pytest.approx(first["predicted"])


def test_it_extracts_stus_where_none_are_given(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    references = ("--references", study / "references.txt")
    rows = run(capsys, "predict", *references, "--extractor", "srl")["sentences"]
    assert len(rows) == 20
    assert all(row["stus"] for row in rows)


def test_it_ranks_by_damage_the_other_way(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--references", study / "references.txt", "--stus", study / "STUs.txt")
    found = run(capsys, "predict", *arguments, "--model", "damage")
    values = [row["predicted"] for row in found["sentences"]]
    assert values == sorted(values, reverse=True)
    assert found["target"] == "damage"


def test_it_reads_trees_and_models_from_files(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, trees = tmp_path / "mine.json", tmp_path / "trees.txt"
    write_regressor(model, trained())
    trees.write_text("\n".join(["(S (NP (NN x)) (VP (VBZ y)))"] * 20))
    arguments = ("--references", study / "references.txt", "--stus", study / "STUs.txt")
    found = run(capsys, "predict", *arguments, "--model", model, "--trees", trees)
    assert found["model"] == "mine"
    assert len({row["predicted"] for row in found["sentences"]}) == 1
    trees.write_text("(X (NN x))")
    assert "1 trees and 20 sentences" in refuse(capsys, "predict", *arguments, "--trees", trees)


def test_it_shows_the_hardest_first(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    long = write_toy(study.parent / "long", 12)
    assert main(["easiness", "predict", "--references", str(long / "references.txt")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("predicted easiness, the hardest first")
    assert lines[1].split()[0] == "1"
    assert lines[-1] == "… and 4 more; --json has all"


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("train",), "--references, --scus and --stus together"),
        (("train", "--scus", "x"), "--references, --scus and --stus together"),
        (("predict", "--references", "nowhere.txt"), "nowhere.txt"),
    ],
)
def test_it_refuses_half_a_study(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    assert message in refuse(capsys, *arguments)


def test_it_refuses_what_does_not_fit(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "Give --data" in refuse(capsys, "train", "--data", study, *files(study))
    assert "--data" in refuse(capsys, "train", *files(study), "--target", "damage")
    assert "There is no fold*.id" in refuse(capsys, "train", "--data", study, "--folds", study)
    references = ("--references", study / "references.txt")
    assert "no regressor 'x'" in refuse(capsys, "predict", *references, "--model", "x")
    assert "no spaCy pipeline 'x'" in refuse(capsys, "predict", *references, "--parser", "x")
    stus = study.parent / "more" / "STUs.txt"
    stus.parent.mkdir()
    stus.write_text("\n".join(["a b"] * 11))
    assert "There are STUs of '1'" in refuse(capsys, "predict", *references, "--stus", stus)


def test_it_prints_figures_beside_the_papers(
    tmp_path: Path, realsumm_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, prefix in (("realsumm", "r"), ("pyrxsum", "p")):
        folder = write_toy(tmp_path / name, 10, prefix=prefix)
        scus = (folder / "SCUs.txt").read_text().split("\n")
        stus = (folder / "STUs.txt").read_text().split("\n")
        (folder / "STUs_SCUs_percentage50.txt").write_text("\n".join(stus[:5] + scus[5:]))
    shutil.copytree(realsumm_dir.parent / "regressors", tmp_path / "regressors")
    found = run(capsys, "figures", "--data", tmp_path, "--repeats", 1, "--judge", "human")
    rows = [(row["study"], row["target"], row["model"]) for row in found["rows"]]
    models = ["paper, as printed", "mean", "paper", "giza"]
    assert [model for study, target, model in rows if study == "PyrXSum"] == [
        *models,
        "easiness of giza",
        *models[1:],
    ]
    assert ("REALSumm", "easiness", "paper, as released") in rows
    assert [row["mae"] for row in found["rows"] if "printed" in row["model"]] == [0.135, 0.09]
    assert all(-1 <= row["rho"] <= 1 for row in found["rows"] if "rho" in row)
    assert [row["sentences"] for row in found["trees"]] == [20, 20]
    assert main(["easiness", "figures", "--data", str(tmp_path), "--repeats", "0"]) == 0
    shown = capsys.readouterr().out
    assert "gain over mean" in shown
    assert "the released regressor takes" in shown


def test_it_says_that_benepar_is_missing(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    references = ("--references", study / "references.txt")
    said = refuse(capsys, "predict", *references, "--trees", "benepar_none")
    assert "benepar" in said


def test_it_documents_the_options_of_each_action() -> None:
    text = (ROOT / "docs" / "easiness.md").read_text(encoding="utf-8")
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    actions = next(action.choices for action in parser._actions if action.dest == "action")
    assert isinstance(actions, dict)
    for name, action in actions.items():
        assert f"`easiness {name}`" in text
        options = re.findall(r"--[a-z-]+", action.format_help())
        assert [option for option in options if option not in text and option != "--help"] == []
