"""`python -m scoring metric` and `metrics`."""

import csv
import json

import pytest

from scoring.cli import main
from scoring.metrics import METRICS


@pytest.fixture
def study(tmp_path):
    """Two documents, two systems."""
    (tmp_path / "summaries").mkdir()
    files = {
        "ids.txt": ["d1", "d2"],
        "documents.txt": ["the cat sat on the mat today", "a dog ran"],
        "references.txt": ["<t> The cat sat . </t> <t> It purred . </t>", "<t> A dog ran . </t>"],
        "summaries/good.summary": ["The cat sat. It purred.", "A dog ran."],
        "summaries/bad.summary": ["t t t", ""],
    }
    for name, lines in files.items():
        (tmp_path / name).write_text("\n".join(lines))
    return tmp_path


def run(capsys, *arguments):
    code = main([*map(str, arguments)])
    said = capsys.readouterr()
    assert code == 0, said.err
    return said.out


def test_it_lists_metrics_with_their_options(capsys):
    found = json.loads(run(capsys, "metrics", "--json"))["metrics"]
    assert [metric["name"] for metric in found] == list(METRICS)
    said = run(capsys, "metrics")
    assert "stem=yes" in said


def test_it_scores_a_study_without_the_marks_of_sentences(capsys, study):
    found = json.loads(run(capsys, "metric", "rouge", "--data", study, "--json"))
    assert found["systems"]["good"]["rouge1_recall"] == 1
    assert found["systems"]["bad"]["rouge1_recall"] == 0
    assert found["signature"].startswith("metric:rouge|several:best|stem:yes|")


def test_it_writes_every_score(capsys, study):
    out = study / "scores.csv"
    run(capsys, "metric", "length", "--data", study, "--csv", out)
    with out.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[0] == {"doc_id": "d1", "system": "bad", "metric": "words", "score": "3.0"}
    assert len(rows) == 2 * 2 * 2


def test_it_leaves_a_score_empty_that_there_is_none_of(capsys, study):
    out = study / "scores.csv"
    said = run(capsys, "metric", "extractive", "--data", study, "--csv", out)
    assert "d2,bad,coverage,\n" in out.read_text()
    assert "bad" in said
    assert "coverage" in said


def test_it_scores_files_with_several_references(capsys, study):
    second = study / "second.txt"
    second.write_text("Nothing\nA dog ran away")
    found = run(
        capsys, "metric", "rouge", "--json", "--option", "several=mean", "--option", "stem=no",
        "--summaries", study / "summaries/good.summary",
        "--references", study / "references.txt", "--references", second,
    )  # fmt: skip
    means = json.loads(found)["systems"]["good"]
    assert means["rouge1_recall"] == pytest.approx(((1 + 0) / 2 + (1 + 3 / 4) / 2) / 2)


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["rouge"], "Give either --data or --summaries."),
        (["rogue", "--data", "."], "'rogue'. Known: rouge"),
        (["rouge", "--option", "stem"], "--option stem is not an option. Expected KEY=VALUE."),
        (["rouge", "--option", "stem=perhaps"], "option stem can't be 'perhaps'. Expected yes or"),
    ],
)
def test_it_says_what_it_can_not_use(capsys, arguments, message):
    assert main(["metric", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_it_compares_the_lengths_of_files(capsys, study):
    (study / "short.txt").write_text("one")
    arguments = [
        "--summaries",
        study / "summaries/good.summary",
        "--references",
        study / "short.txt",
    ]
    assert main(["metric", "rouge", *map(str, arguments)]) == 2
    assert "short.txt has 1 lines. Expected 2, as good.summary." in capsys.readouterr().err


def test_it_says_that_a_folder_has_no_summaries(capsys, tmp_path):
    (tmp_path / "references.txt").write_text("a")
    assert main(["metric", "rouge", "--data", str(tmp_path)]) == 2
    assert "has no summaries" in capsys.readouterr().err
