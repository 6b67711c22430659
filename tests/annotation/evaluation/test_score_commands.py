"""`score_metric`, `import_scores` and `export_scores`, as a shell would run them."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management.base import CommandError

from annotation.corpora.projects.models import Project
from annotation.evaluation.metrics.models import ScoreSet
from tests.annotation.evaluation.commanding import run, run_both, run_json
from tests.annotation.evaluation.scored import begin_scores, write_csv

SCORE = ("score_metric", "--project", "study")
BRING = ("import_scores", "--project", "study")
WRITE = ("export_scores", "--project", "study")


def test_it_scores(corpus: Project) -> None:
    text = run(*SCORE, "rouge", "--option", "stem=no", "--system", "lead", "--note", "n")
    made = ScoreSet.objects.get()
    assert f"{made}: 3 summaries, 0 reused" in text
    assert "rouge1_recall 0.3750" in text
    assert made.signature in text
    said = run_json(*SCORE, "rouge", "--option", "stem=no")
    assert said["stored"] == 3
    assert said["means"]["rouge1_recall"]["lead"] == 0.375


def test_what_is_written_can_be_brought_in(corpus: Project, tmp_path: Path) -> None:
    first = run_json(*SCORE, "length")
    out = tmp_path / "out.csv"
    assert "12 scores in" in run(*WRITE, first["id"], "--out", out)
    assert run(*WRITE, first["id"]).splitlines() == out.read_text().splitlines()
    again = run_json(*BRING, out, "--name", "again", "--lower", "words")
    assert again["hash"] == first["hash"]
    assert ScoreSet.objects.get(name="again").lower == ["words"]
    assert "12 scores of 6 summaries." in run(*BRING, out, "--unflagged")


def test_it_names_problems(corpus: Project, tmp_path: Path) -> None:
    path = write_csv(tmp_path / "a.csv", [("e9", "lead", "bleu", 1)])
    with pytest.raises(CommandError, match="Nothing was imported"):
        run_both(*BRING, path)
    with pytest.raises(CommandError, match="no such file"):
        run(*BRING, tmp_path / "b.csv")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((*SCORE, "rogue"), "'rogue'"),
        ((*SCORE, "rouge", "--option", "stem"), "Expected KEY=VALUE"),
        ((*SCORE, "rouge", "--option", "stem=x"), "Expected yes or no"),
        (("score_metric", "rouge", "--project", "none"), "There is no project 'none'"),
        ((*WRITE, 999999), "has no scores 999999"),
    ],
)
def test_it_says_what_it_can_not_do(
    corpus: Project, arguments: tuple[object, ...], words: str
) -> None:
    with pytest.raises(CommandError, match=words):
        run(*arguments)


def test_it_does_not_write_what_is_not_there_yet(corpus: Project) -> None:
    with pytest.raises(CommandError, match="not ready yet"):
        run(*WRITE, begin_scores(corpus).pk)
