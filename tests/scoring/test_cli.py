"""`python -m scoring`."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from scoring import __version__
from scoring.cli import COMMANDS, GROUPS, build_parser, main
from scoring.cli.aggregate import parse_filter
from tests.servers import ROOT

ANSWERS = """document,system,statement,worker,answer
d1,bart,u1,a,p
d1,bart,u1,b,p
d1,bart,u1,c,n
d1,bart,u2,a,n
d1,bart,u2,b,n
d1,bart,u2,c,n
d1,lead,u1,a,p
d1,lead,u1,b,n
"""


@pytest.fixture
def answers(tmp_path):
    path = tmp_path / "answers.csv"
    path.write_text(ANSWERS)
    return path


@pytest.fixture
def study(tmp_path):
    (tmp_path / "SCUs.txt").write_text("One.\tTwo.\nThree.")
    labels = tmp_path / "labels"
    labels.mkdir()
    (labels / "bart.label").write_text("1\t0\n1")
    (labels / "lead.label").write_text("0\t0\n1")
    return tmp_path


def run(capsys, *arguments):
    assert main([*map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_it_aggregates(answers, capsys):
    found = run(capsys, "aggregate", answers, "--filter", "per-summary", "--tie", "absent")
    assert (found["answers"], found["assignments"], found["kept"], found["dropped"]) == (8, 5, 4, 1)
    assert found["dropped_by"] == {"per-summary": 1}
    assert found["drops"][0]["assignment"] == "c@d1/bart"
    assert found["alpha"]["pooled"]["value"] == pytest.approx(4 / 9)
    assert found["labels"] == {"total": 3, "present": 1, "absent": 2, "unlabelled": 0, "ties": 1}
    assert found["scores"] == {"bart": 0.5, "lead": 0}
    assert found["recipe"]["filters"] == [{"name": "per-summary", "options": {}}]
    assert "|filters:per-summary|vote:majority|tie:absent|" in found["signature"]


@pytest.mark.parametrize("tie, ones, zeros", [("present", 2, 1), ("unlabelled", 1, 1)])
def test_it_breaks_ties_as_told(answers, capsys, tie, ones, zeros):
    labels = run(capsys, "aggregate", answers, "--tie", tie)["labels"]
    assert (labels["present"], labels["absent"]) == (ones, zeros)


def test_it_votes_as_told(answers, capsys):
    found = run(capsys, "aggregate", answers, "--vote", "wawa")
    assert "|vote:wawa|tie:absent|crowd-kit:" in found["signature"]
    assert found["labels"]["total"] == 3


def test_it_says_null_where_nothing_is_known(tmp_path, capsys):
    path = tmp_path / "answers.csv"
    path.write_text("document,system,statement,worker,answer\nd,s,u,a,p\n")
    found = run(capsys, "aggregate", path)
    assert found["alpha"]["pooled"]["value"] is None
    assert found["alpha"]["mean_per_summary"]["untold"] == 1


def test_it_writes_labels_that_pyramid_reads(answers, study, capsys):
    out = study / "made"
    (study / "SCUs.txt").write_text("One.\tTwo.")
    (study / "ids.txt").write_text("d1")
    run(capsys, "aggregate", answers, "--labels-out", out)
    found = run(capsys, "pyramid", "--units", study / "SCUs.txt", "--labels", out)
    assert {row["system"]: row["score"] for row in found["systems"]} == {"bart": 0.5, "lead": 0}
    run(capsys, "aggregate", answers, "--labels-out", study / "labels.csv")
    assert (study / "labels.csv").read_text().startswith("document,system,statement,label")


def test_it_scores(study, capsys):
    found = run(capsys, "pyramid", "--units", study / "SCUs.txt", "--labels", study / "labels")
    assert [(row["system"], row["score"], row["rank"]) for row in found["systems"]] == [
        ("bart", 0.75, 1),
        ("lead", 0.5, 2),
    ]
    [pair] = found["comparisons"]
    assert (pair["first"], pair["second"], pair["difference"]) == ("bart", "lead", 0.25)
    assert found["documents"] == 2


@pytest.mark.parametrize(
    "options, score",
    [
        (["--method", "original"], 1.0),
        (["--method", "lite", "--sample", "2", "--seed", "5"], 0.75),
    ],
)
def test_it_scores_by_other_methods(study, capsys, options, score):
    arguments = ["pyramid", "--units", study / "SCUs.txt", "--labels", study / "labels", *options]
    found = run(capsys, *arguments, "--summaries")
    assert found["systems"][0]["score"] == score
    assert set(found["summaries"]["bart"]) == {"1", "2"}


@pytest.mark.parametrize("command", ["aggregate", "pyramid"])
def test_it_speaks_to_people_too(command, answers, study, capsys):
    arguments = {
        "aggregate": [answers, "--filter", "per-summary"],
        "pyramid": ["--units", study / "SCUs.txt", "--labels", study / "labels"],
    }
    assert main([command, *map(str, arguments[command])]) == 0
    out = capsys.readouterr().out
    assert "bart" in out
    assert "giza:" in out


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["aggregate", "nowhere.csv"], "no such file"),
        (["aggregate", "{answers}", "--filter", "noise"], "There is no filter 'noise'. Use one of"),
        (["aggregate", "{answers}", "--filter", "fast:soon"], "'soon' is not an option"),
        (["aggregate", "{answers}", "--samples", "-1"], "--samples must be 0 or more"),
        (["pyramid", "--units", "{study}/SCUs.txt", "--labels", "{study}/odd"], "has 1 labels"),
        (
            [
                "pyramid",
                "--units",
                "{study}/SCUs.txt",
                "--labels",
                "{study}/labels",
                "--sample",
                "2",
            ],
            "'lite' needs a sample",
        ),
        (
            [
                "pyramid",
                "--units",
                "{study}/SCUs.txt",
                "--labels",
                "{study}/labels",
                "--samples",
                "0",
            ],
            "--samples must be 1 or more",
        ),
    ],
)
def test_it_says_what_is_wrong(arguments, message, answers, study, capsys):
    (study / "odd").mkdir()
    (study / "odd" / "bart.label").write_text("1\n1")
    filled = [item.format(answers=answers, study=study) for item in arguments]
    assert main(filled) == 2
    said = capsys.readouterr()
    assert message in said.err
    assert said.out == ""


def test_it_reads_options_of_filters():
    step = parse_filter("per-worker:min_hits=20,max_disagreement=0.4")
    assert step.options == {"min_hits": 20, "max_disagreement": 0.4}


def test_it_documents_every_command_and_option():
    text = "".join(path.read_text() for path in (ROOT / "docs").glob("*.md"))
    usage = build_parser().format_help()
    for name, command in COMMANDS.items():
        assert name in usage
        assert f"python -m scoring {name}" in text
        parser = build_parser()
        helped = next(
            action.choices[name]
            for action in parser._actions
            if isinstance(action.choices, dict) and name in action.choices
        ).format_help()
        for option in re.findall(r"--[a-z-]+", helped):
            assert option in text or option == "--help", (command.NAME, option)


def test_its_help_has_every_command_in_a_group_with_a_line():
    lines = build_parser().format_help().splitlines()
    rows = [line.split(maxsplit=1) for line in lines if re.match(r"  [a-z]", line)]
    assert [name for name, _ in rows] == list(COMMANDS)
    assert len(COMMANDS) == sum(map(len, GROUPS.values()))
    assert all(f"{title}:" in lines for title in GROUPS)
    assert all(len(line) <= 100 for line in lines)


@pytest.mark.parametrize(
    "called, prog",
    [("/x/scoring/__main__.py", "python -m scoring"), ("/x/bin/giza-scoring", "giza-scoring")],
)
def test_it_is_named_as_it_was_called(called, prog, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", [called])
    assert build_parser().format_usage().startswith(f"usage: {prog} ")
    assert main(["pyramid", "--units", "nowhere", "--labels", "nowhere"]) == 2
    assert capsys.readouterr().err.startswith(f"{prog} pyramid: ")


def test_it_prints_its_version(capsys):
    with pytest.raises(SystemExit) as done:
        main(["--version"])
    assert (done.value.code, capsys.readouterr().out) == (0, f"Giza {__version__}\n")


def test_it_runs_as_a_module_without_the_product(realsumm_dir):
    arguments = ["--units", realsumm_dir / "SCUs.txt", "--labels", realsumm_dir / "labels"]
    code = (
        "import sys; from scoring.cli import main; status = main(sys.argv[1:]);"
        "sys.stderr.write(' '.join(sys.modules)); sys.exit(status)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "pyramid", *map(str, arguments), "--json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    scores = {row["system"]: row["score"] for row in json.loads(done.stdout)["systems"]}
    assert scores["abs_bart_out"] == 0.48349483849483854
    assert not {"django", "torch", "pandas", "crowdkit"} & set(done.stderr.split())


def test_it_prints_the_agreement_of_published_answers(realsumm_dir):
    done = subprocess.run(
        [sys.executable, "-m", "scoring", "aggregate", realsumm_dir / "raw_crowd", "--json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(done.stdout)
    assert found["check_items"] == {"asked": 0, "right": 0}
    assert (found["kept"], found["dropped"], found["labels"]["total"]) == (7743, 0, 26_400)
    assert found["alpha"]["mean_per_summary"]["value"] == pytest.approx(0.6646, abs=0.0005)
