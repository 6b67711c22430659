"""`python -m scoring estimate` and `python -m scoring power`, on small files."""

from __future__ import annotations

import json

import numpy as np
import pytest

from scoring.cli import main
from scoring.cli.progress import ProgressLine
from scoring.io.cells import row_line
from tests.scoring.estimation.toys import judge_some, make_scores
from tests.scoring.finetune.toy import make_records, write_study


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("scores")


@pytest.fixture(scope="module")
def scores(folder):
    return write_scores(folder / "scores.csv", judge_some(make_scores(), np.arange(20)))


def write_scores(path, scores):
    rows = [row_line("doc_id", "system", "metric", "score")]
    for metric, table in (("people", scores.human), ("judge", scores.automatic)):
        for (row, column), value in np.ndenumerate(table):
            if not np.isnan(value):
                cell = repr(float(value))
                rows.append(row_line(scores.documents[column], scores.systems[row], metric, cell))
    path.write_text("".join(rows))
    return path


def run(capsys, *arguments):
    code = main([str(argument) for argument in arguments])
    out, error = capsys.readouterr()
    return code, out, error


def names(scores):
    return ["estimate", "--scores", scores, "--human", "people", "--automatic", "judge"]


def test_it_estimates_ones_own_systems(scores, capsys):
    code, out, _ = run(capsys, *names(scores), "--chosen", "random", "--json")
    found = json.loads(out)
    assert code == 0
    assert [row["system"] for row in found["systems"]] == ["s0", "s1", "s2", "s3"]
    assert all(row["judged"] == 20 and row["documents"] == 60 for row in found["systems"])
    assert len(found["pairs"]) == 6
    assert found["sampling"] == "random"
    assert "target:documents" in found["signature"]


def test_it_says_what_was_taken_for_granted(scores, capsys):
    code, out, _ = run(capsys, *names(scores), "--chosen", "random", "--target", "population")
    assert code == 0
    assert "assumed to be a random sample" in out
    assert "all documents of the kind" in out
    assert "6 pairs:" in out


def test_it_wants_to_know_how_documents_were_chosen(scores, capsys):
    code, _, error = run(capsys, *names(scores))
    assert code == 2
    assert "Say how the documents that people judged were chosen" in error


def test_it_refuses_the_choice_of_a_ranker(scores, capsys):
    code, _, error = run(capsys, *names(scores), "--chosen", "ranker")
    assert code == 2
    assert "chosen by a ranker" in error


def test_it_takes_chances_or_an_audit_slice(scores, folder, capsys):
    audit, chances = folder / "audit.id", folder / "chances.csv"
    audit.write_text("\n".join(f"d{number}" for number in range(8, 20)))
    lines = [f"d{number},{0.2 + number / 100}" for number in range(60)]
    chances.write_text("\n".join(["doc_id,probability", *lines]))
    for option, path, words in (
        ("--audit", audit, "the audit slice"),
        ("--probabilities", chances, "probability of being chosen"),
    ):
        code, out, _ = run(capsys, *names(scores), "--chosen", "ranker", option, path)
        assert code == 0
        assert words in out


def test_it_names_the_metrics_there_are(scores, capsys):
    code, _, error = run(capsys, *names(scores)[:-1], "other", "--chosen", "random")
    assert code == 2
    assert "'other'" in error


@pytest.fixture(scope="module")
def study(folder):
    records = make_records(documents=12, systems=3)
    made = write_study(folder / "study", records)
    (made / "by_examples").mkdir()
    for place in (0, 1):
        members = [f"d{number}" for number in range(place, 12, 2)]
        (made / "by_examples" / f"fold{place}.id").write_text("\n".join(members))
    return made


def test_it_measures_coverage_with_a_judge_of_other_folds(study, folder, capsys):
    saved = folder / "saved.csv"
    asked = ["--judged", 5, "--draws", 20, "--json"]
    judged = ["estimate", "--data", study, "--judge", "lexical", "--save", saved]
    code, out, _ = run(capsys, *judged, *asked)
    found = json.loads(out)
    assert code == 0
    assert (found["judged"], found["documents"], found["draws"]) == (5, 12, 20)
    assert len(found["systems"]) == len(found["covered_by_system"]) == 3
    again = ["estimate", "--scores", saved, "--automatic", "lexical"]
    assert run(capsys, *again, *asked)[1] == out


def test_it_tells_coverage_in_words(study, capsys):
    asked = ["--judge", "lexical", "--judged", 5, "--draws", 4]
    code, out, _ = run(capsys, "estimate", "--data", study, *asked)
    assert code == 0
    assert out.startswith("5 of 12 documents judged by people, 4 draws, 3 systems")
    assert "with people only" in out


def test_it_draws_folds_where_a_study_has_no_files_of_them(folder, capsys):
    plain = write_study(folder / "plain", make_records(documents=12, systems=3))
    asked = ["--judge", "lexical", "--judged", 5, "--draws", 4, "--json"]
    found = [run(capsys, "estimate", "--data", plain, *asked) for _ in range(2)]
    assert found[0] == found[1]
    assert (found[0][0], json.loads(found[0][1])["judged"]) == (0, 5)


def test_it_warns_of_few_documents(scores, folder, capsys):
    few = write_scores(folder / "few.csv", judge_some(make_scores(), np.arange(6)))
    for path, is_few in ((few, True), (scores, False)):
        _, out, _ = run(capsys, *names(path), "--chosen", "random")
        assert ("Few documents" in out) == is_few


def test_a_whole_study_needs_a_number_to_draw(study, capsys):
    code, _, error = run(capsys, "estimate", "--data", study)
    assert code == 2
    assert "Give --judged" in error


@pytest.fixture(scope="module")
def answers(folder):
    rng = np.random.default_rng(0)
    rows = [row_line("document", "system", "statement", "worker", "answer")]
    for document in range(10):
        for system in ("one", "two"):
            for worker in ("a", "b"):
                for unit in range(3):
                    said = ("absent", "present")[int(rng.random() < 0.5)]
                    rows.append(row_line(f"d{document}", system, str(unit), worker, said))
    path = folder / "answers.csv"
    path.write_text("".join(rows))
    return path


def test_power_is_a_row_for_each_study(answers, capsys):
    asked = ["--difference", 0.2, "--examples", 10, 40, "--annotators", 1, 2, "--rounds", 200]
    code, out, _ = run(capsys, "power", answers, *asked, "--json")
    found = json.loads(out)
    assert code == 0
    assert [(row["annotators"], row["examples"]) for row in found["rows"]] == [
        (1, 10),
        (1, 40),
        (2, 10),
        (2, 40),
    ]
    assert found["rows"][1]["power"] > found["rows"][0]["power"]


def test_power_says_which_annotators_were_made_up(answers, capsys):
    asked = ["--difference", 0.2, "--examples", 10, "--annotators", 3, "--rounds", 50]
    code, out, _ = run(capsys, "power", answers, *asked)
    assert code == 0
    assert "From a pilot of 10 documents, over 1 pairs" in out
    assert "Up to 1.0 annotators per summary are not in the pilot" in out


def test_progress_is_shown_to_those_who_look_on(monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with ProgressLine("Judging") as line:
        line(5, 5)
    assert "Judging: 5 of 5, about 0 s left" in capsys.readouterr().err
