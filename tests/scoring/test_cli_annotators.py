"""`python -m scoring annotators`."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scoring.cli import main
from tests.scoring.metaeval.judged import make_answers, make_judgements

OPTIONS: dict[str, Any] = {
    "systems": 4,
    "documents": 8,
    "annotators": 8,
    "nested": True,
    "annotator_sd": 0.4,
}


@pytest.fixture
def answers(tmp_path):
    made = make_answers(**OPTIONS)
    lines = ["document,system,statement,worker,assignment,answer"]
    for statement, assignment, label in zip(
        made.statements, made.assignments, made.labels, strict=True
    ):
        summary = made.statement_summaries[statement]
        row = (
            made.document_keys[made.summary_documents[summary]],
            made.system_keys[made.summary_systems[summary]],
            made.statement_keys[statement],
            made.worker_keys[made.assignment_workers[assignment]],
            "",
            "present" if label else "absent",
        )
        lines.append(",".join(row))
    path = tmp_path / "answers.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.fixture
def scores(tmp_path):
    judgements = make_judgements(**OPTIONS)
    table = judgements.table()
    lines = ["doc_id,system,metric,score"]
    for i, system in enumerate(judgements.system_names):
        for j, document in enumerate(judgements.document_names):
            lines += [f"{document},{system},{name},{table[i, j]}" for name in ("human", "m")]
    path = tmp_path / "scores.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def run(capsys, *arguments):
    assert main(["annotators", *map(str, arguments), "--resamples", "50", "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_it_prints_components_the_warning_and_intervals(answers, capsys):
    found = run(capsys, answers)
    assert (found["annotators"], found["judgements"]) == (8, 64)
    assert [row["factor"] for row in found["components"]][:3] == [
        "document",
        "system",
        "annotator",
    ]
    assert found["is_overstated"]
    assert found["false_positives"] > 0.05
    assert len(found["systems"]) == 8
    assert "correlations" not in found


def test_with_scores_it_resamples_three_ways(answers, scores, capsys):
    found = run(capsys, answers, "--scores", scores, "--human", "human", "--measure", "pearson")
    assert [row["drawn"] for row in found["correlations"]] == [
        ["documents"],
        ["documents", "annotators"],
        ["documents", "systems"],
        ["documents", "systems", "annotators"],
    ]
    assert {row["value"] for row in found["correlations"]} == {1.0}


def test_it_speaks_to_people_too(answers, scores, capsys):
    options = ["--scores", str(scores), "--human", "human", "--resamples", "20"]
    assert main(["annotators", str(answers), *options]) == 0
    printed = capsys.readouterr().out
    for words in ("Warning", "true nulls", "documents + systems + annotators", "residual"):
        assert words in printed


@pytest.mark.parametrize(
    "options, told",
    [(["--resamples", "0"], "1 or more"), (["--scores", "x.csv"], "needs --human")],
)
def test_it_says_what_can_not_be_used(answers, capsys, options, told):
    assert main(["annotators", str(answers), *options]) == 2
    assert told in capsys.readouterr().err
