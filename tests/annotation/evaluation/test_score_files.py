"""Scores from files: taken whole or not at all, with every problem named by its line."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.models import JobState
from annotation.corpora.jobs.service import cancel_job, run_job
from annotation.corpora.projects.models import Project
from annotation.evaluation.metrics import files
from annotation.evaluation.metrics.models import ExampleScores, ScoreOrigin, ScoreSet
from annotation.evaluation.metrics.queries import get_score_table, list_system_scores, stream_scores
from tests.annotation.evaluation.scored import (
    Row,
    bring,
    bring_whole,
    lead_scores,
    make_scores,
    write_csv,
)

ROWS: list[Row] = [
    (key, system, metric, score)
    for key, base in (("e1", 0.1), ("e2", 0.2), ("e3", 0.3))
    for system, metric, score in (
        ("lead", "bleu", base),
        ("soup", "bleu", base + 0.5),
        ("lead", "ter", 1.0),
    )
]


def test_it_takes_a_csv(corpus: Project, tmp_path: Path):
    made = bring_whole(corpus, write_csv(tmp_path / "theirs.csv", ROWS), lower=["ter"])
    assert (made.name, made.origin, made.metric) == ("theirs.csv", ScoreOrigin.FILE, "")
    assert (made.systems, made.columns, made.lower) == (["lead", "soup"], ["bleu", "ter"], ["ter"])
    assert made.counts == {"examples": 3, "systems": 2, "summaries": 6, "scores": 9, "stored": 0}
    assert made.signature.startswith(f"scores:{made.content_hash[:16]}|from:theirs.csv|giza:")
    bleu, ter = (get_score_table(made, column).scores for column in ("bleu", "ter"))
    assert bleu[0].tolist() == [0.1, 0.2, 0.3]
    assert math.isnan(ter[1, 0])
    assert [row.system for row in list_system_scores(made, "bleu")] == ["soup", "lead"]


def test_what_was_written_is_read_back_the_same(corpus: Project, tmp_path: Path):
    first = make_scores(corpus)
    path = tmp_path / "out.csv"
    path.write_text("".join(stream_scores(first)), newline="")
    again = bring_whole(corpus, path, name="  Ours again ")
    assert again.name == "Ours again"
    assert again.content_hash == first.content_hash


@pytest.mark.parametrize("flagged", [True, False])
def test_it_says_what_became_of_flags_and_other_columns(
    corpus: Project, tmp_path: Path, flagged: bool
):
    path = tmp_path / "theirs.csv"
    rows = ["e1,lead,bleu,0.1,empty,x", "e2,lead,bleu,0.2,,y", "e3,lead,bleu,0.3,empty,z"]
    path.write_text("\n".join(["doc_id,system,metric,score,flag,comment", *rows]))
    made = bring_whole(corpus, path, flagged=flagged)
    assert made.counts["scores"] == (3 if flagged else 1)
    assert made.options == {"flagged": flagged, "flags": {"empty": 2}, "unread": ["comment"]}
    of_flags, of_columns = made.import_notes
    assert "2 rows" in of_flags
    assert ("skipped" in of_flags) is not flagged
    assert "comment" in of_columns


def test_it_has_nothing_to_say_of_a_plain_file(corpus: Project, tmp_path: Path):
    assert bring_whole(corpus, write_csv(tmp_path / "theirs.csv", ROWS)).import_notes == []


@pytest.mark.parametrize("kind", ["jsonl", "sacrerouge"])
def test_it_takes_json_lines(corpus: Project, tmp_path: Path, kind: str):
    path = tmp_path / "theirs.jsonl"
    path.write_text("\n".join(map(json.dumps, _lines(kind))))
    made = bring_whole(corpus, path)
    column = "rouge-1_recall" if kind == "sacrerouge" else "bleu"
    assert made.columns == [column]
    assert get_score_table(made, column).scores.tolist() == [[0.5, 0.5, 0.5]]


def _lines(kind: str) -> Iterator[dict[str, object]]:
    for key in ("e1", "e2", "e3"):
        if kind == "jsonl":
            yield {"doc_id": key, "system": "lead", "metric": "bleu", "score": 0.5}
        else:
            metrics = {"rouge-1": {"recall": 0.5}}
            yield {"instance_id": key, "summarizer_id": "lead", "metrics": metrics}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (("e9", "lead", "bleu", 0.1), "There is no example 'e9'."),
        (("e1", "lede", "bleu", 0.1), "There is no system 'lede'."),
        (("e1", "soup", "ter", "much"), 'The score is "much".'),
        (("e1", "soup", "ter", "inf"), 'The score is "inf".'),
        (("e1", "lead", "bleu", 0.1), "'lead' has more than one 'bleu' score for 'e1'."),
        (("e1", "lead", "", 0.1), "The metric is empty."),
        (("e1", "lead", "b" * 101, 0.1), "The metric's name is too long."),
        (("e1", "lead", "bleu", "0.1,2"), "The row has 5 cells and the header 4."),
    ],
)
def test_it_names_the_line_of_a_problem(corpus: Project, tmp_path: Path, row: Row, message: str):
    outcome = bring(corpus, write_csv(tmp_path / "theirs.csv", [*ROWS, row]))
    assert outcome.score_set is None
    [problem] = outcome.problems
    assert (problem["file"], problem["line"]) == ("theirs.csv", len(ROWS) + 2)
    assert problem["message"] == message
    assert not ScoreSet.objects.exists()


def test_it_refuses_a_score_of_no_summary(corpus: Project, tmp_path: Path):
    corpus.examples.get(key="e2").summaries.filter(system__name="soup").delete()
    outcome = bring(corpus, write_csv(tmp_path / "theirs.csv", ROWS))
    assert [problem["message"] for problem in outcome.problems] == [
        "There is no summary of 'e2' by 'soup'."
    ]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.csv", "doc_id,system,metric,score\n", "The file has no scores."),
        ("a.csv", "doc,system,score\n", "The columns are doc, system, score."),
        ("a.csv", 'doc_id,system,metric,score\n"e1,', "The row is not CSV"),
        ("a.xml", "<scores/>", "The file type is not recognised."),
        ("a.zip", "PK", "The file type is not recognised."),
        ("a.jsonl", '{"doc_id": "e1"}', "The line has no 'score'."),
        ("a.jsonl", '{"doc_id": "", "score": 1}', "The line has no 'doc_id'."),
        ("a.jsonl", '{"instance_id": "e1", "summarizer_id": "lead"}', "The line has no 'metrics'."),
    ],
)
def test_it_refuses_other_files(
    corpus: Project, tmp_path: Path, name: str, text: str, message: str
):
    (tmp_path / name).write_text(text)
    outcome = bring(corpus, tmp_path / name)
    assert outcome.score_set is None
    assert message in outcome.problems[0]["message"]


def test_it_refuses_an_unknown_column_of_less(corpus: Project, tmp_path: Path):
    outcome = bring(corpus, write_csv(tmp_path / "theirs.csv", ROWS), lower=["tre"])
    assert outcome.problems[0]["message"] == "There is no metric 'tre'."
    assert outcome.problems[0]["expected"] == "one of bleu, ter."


def test_it_refuses_too_many_columns(
    corpus: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(files, "MOST_COLUMNS", 1)
    outcome = bring(corpus, write_csv(tmp_path / "theirs.csv", ROWS))
    assert outcome.problems[0]["message"] == "'ter' exceeds the number of metrics allowed."


def test_it_leaves_out_what_the_file_warns_of(corpus: Project, tmp_path: Path):
    path = tmp_path / "theirs.csv"
    path.write_text("doc_id,system,metric,score,flag\ne1,lead,bleu,0.5,\ne1,soup,bleu,0.5,copied\n")
    assert bring_whole(corpus, path).systems == ["lead", "soup"]
    assert bring_whole(corpus, path, flagged=False).systems == ["lead"]


def test_it_goes_on_after_its_worker_died(
    corpus: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    expected = bring_whole(corpus, write_csv(tmp_path / "theirs.csv", ROWS)).content_hash
    monkeypatch.setattr(files, "EXAMPLES_A_STEP", 1)
    made = bring(corpus, tmp_path / "theirs.csv").score_set
    assert made is not None
    assert made.job is not None
    packed = iter(range(2))
    with monkeypatch.context() as patch:
        patch.setattr(files, "pack", lambda values: _die_at_the_end(packed, values))
        with pytest.raises(KeyboardInterrupt):
            run_job(job_id=made.job.pk)
    assert ExampleScores.objects.filter(score_set=made).count() == 2
    type(made.job).objects.filter(pk=made.job.pk).update(lease_until="2000-01-01T00:00:00Z")
    assert lead_scores(made).content_hash == expected


def _die_at_the_end(packed: Iterator[int], values: files.Floats) -> bytes:
    if next(packed, None) is None:
        raise KeyboardInterrupt
    return bytes(values.tobytes())


def test_what_was_sent_is_removed_in_the_end(corpus: Project, owner: User, tmp_path: Path):
    data = write_csv(tmp_path / "theirs.csv", ROWS).read_bytes()
    outcome = files.import_uploaded_scores(
        project=corpus, user=owner, files=[("up/theirs.csv", iter([data]))]
    )
    made = outcome.score_set
    assert made is not None
    assert made.job is not None
    sent = Path(made.job.params["path"])
    assert sent.name == "theirs.csv"
    assert sent.exists()
    lead_scores(made)
    assert made.job.state == JobState.DONE
    assert not sent.parent.exists()


def test_what_is_cancelled_or_refused_leaves_nothing(
    corpus: Project, owner: User, tmp_path: Path, settings
):
    settings.IMPORTS_DIR = tmp_path / "imports"
    data = write_csv(tmp_path / "theirs.csv", ROWS).read_bytes()
    for content in (data, b"nothing"):
        outcome = files.import_uploaded_scores(
            project=corpus, user=owner, files=[("theirs.csv", iter([content]))]
        )
        if outcome.score_set is not None:
            assert outcome.score_set.job is not None
            cancel_job(job=outcome.score_set.job)
    assert not list(settings.IMPORTS_DIR.iterdir())
    assert not ScoreSet.objects.exists()
