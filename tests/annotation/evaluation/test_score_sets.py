"""Scores of a metric: what is refused, what the job computes, and that a kill loses nothing."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Activity
from annotation.corpora.jobs.models import JobState
from annotation.corpora.jobs.service import cancel_job, claim_job, run_job
from annotation.corpora.jobs.work import Work
from annotation.corpora.projects import service as projects_service
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError, NotFound
from annotation.evaluation.labels.scores import ScoreRow
from annotation.evaluation.metrics import service as metrics_service
from annotation.evaluation.metrics.models import ExampleScores, ScoreSet, StoredScore
from annotation.evaluation.metrics.queries import (
    get_ready_scores,
    get_score_set,
    get_score_table,
    list_cells,
    list_example_scores,
    list_score_sets,
    list_system_scores,
    order_columns,
    stream_scores,
)
from annotation.evaluation.metrics.service import run_scoring
from annotation.evaluation.overview.guards import refuse_if_scored
from scoring.metrics import load_metric
from tests import factories
from tests.annotation.evaluation.scored import begin_scores, lead_scores, make_scores

SCORE_BLOCK = metrics_service.score_block
REFERENCE = "The dam burst on Monday. Nobody was hurt."


def test_it_scores_every_summary(corpus: Project, owner: User):
    made = make_scores(corpus, user=owner, note=" first ")
    table = get_score_table(made, "rouge1_recall")
    expected = load_metric("rouge").score(["The dam burst.", "dam dam"], [[REFERENCE]] * 2, [])
    assert made.is_ready
    assert (table.systems, table.documents) == (("lead", "soup"), ("e1", "e2", "e3"))
    assert table.scores.tolist() == [[value] * 3 for value in expected.values[:, 0]]
    assert made.counts == {
        "examples": 3, "systems": 2, "summaries": 6, "scores": 6 * 12, "stored": 0,
    }  # fmt: skip
    assert made.signature == load_metric("rouge").signature
    assert (made.note, str(made)) == ("first", f"Scores {made.pk}: rouge")
    assert Activity.objects.filter(project=corpus, text=f"finished {made}").exists()


def test_it_computes_nothing_twice(corpus: Project, monkeypatch: pytest.MonkeyPatch):
    first = make_scores(corpus)
    assert StoredScore.objects.count() == 2  # of six summaries, two texts
    monkeypatch.setattr(metrics_service, "_ask", _refuse_to_ask)
    again = make_scores(corpus)
    assert again.content_hash == first.content_hash
    assert again.counts == first.counts | {"stored": 6}


def _refuse_to_ask(metric: Any, missing: Any) -> dict[bytes, Any]:
    assert not missing
    return {}


def test_other_options_are_other_scores(corpus: Project):
    plain = make_scores(corpus, options={"stem": "no"})
    assert plain.options == {"stem": False, "several": "best"}
    assert make_scores(corpus).counts["stored"] == 0


def test_a_changed_text_is_scored_anew(corpus: Project):
    make_scores(corpus)
    corpus.examples.get(key="e2").references.update(text="Other words.")
    again = make_scores(corpus)
    assert again.counts["stored"] == 4
    assert get_score_table(again).scores[:, 1].tolist() == [0, 0]


def test_it_takes_the_marks_of_sentences_away(corpus: Project):
    example = corpus.examples.get(key="e1")
    example.references.update(text="<t> t t t . </t> <t> t . </t>")
    example.summaries.filter(system__name="lead").update(text="t")
    table = get_score_table(make_scores(corpus), "rouge1_recall")
    assert table.scores[0, 0] == pytest.approx(1 / 4)


def test_it_leaves_out_examples_without_what_the_metric_reads(corpus: Project):
    corpus.examples.get(key="e2").references.all().delete()
    made = make_scores(corpus)
    assert np.isnan(get_score_table(made).scores[:, 1]).all()
    assert (made.counts["examples"], made.counts["summaries"]) == (3, 4)
    assert np.isfinite(get_score_table(make_scores(corpus, "length")).scores).all()


def test_it_fails_where_there_is_nothing_to_score(corpus: Project):
    for example in corpus.examples.all():
        example.references.all().delete()
    made = lead_scores(begin_scores(corpus))
    assert made.job is not None
    assert (made.job.state, made.is_ready) == (JobState.FAILED, False)
    assert "rouge could not score any summary" in made.job.error


def test_it_scores_the_systems_named(corpus: Project):
    made = make_scores(corpus, systems=["soup", "soup"])
    assert made.systems == ["soup"]
    with pytest.raises(NotFound, match="no system 'lede'"):
        begin_scores(corpus, systems=["lede"])


@pytest.mark.parametrize(
    ("metric", "options", "words"),
    [
        ("rogue", {}, "'rogue'"),
        ("rouge", {"stemm": True}, "options: rouge has no option 'stemm'"),
        ("rouge", {"stem": "perhaps"}, "Expected yes or no"),
        ("meteor", {"alpha": 2}, "alpha can't be 2.0"),
        ("autosummeng", {"window": 0}, "window can't be 0"),
    ],
)
def test_it_refuses_odd_options(corpus: Project, metric: str, options: dict[str, Any], words: str):
    with pytest.raises(DomainError, match=words):
        begin_scores(corpus, metric, options=options)
    assert not ScoreSet.objects.exists()


def test_it_refuses_a_project_without_summaries(project: Project):
    with pytest.raises(DomainError, match="has no summaries"):
        begin_scores(project)


def test_it_goes_on_after_its_worker_died(corpus: Project, monkeypatch: pytest.MonkeyPatch):
    expected = make_scores(corpus).content_hash
    StoredScore.objects.all().delete()
    monkeypatch.setattr(metrics_service, "SUMMARIES_A_STEP", 1)
    made = begin_scores(corpus)
    assert made.job is not None
    claimed = claim_job(job_id=made.job.pk)
    assert claimed is not None
    asked: list[int] = []
    with monkeypatch.context() as patch:
        patch.setattr(metrics_service, "score_block", _dying(asked, after=2))
        with pytest.raises(KeyboardInterrupt):
            run_scoring(Work(claimed))
    made.refresh_from_db()
    assert not made.is_ready
    with pytest.raises(DomainError, match="not ready yet"):
        get_ready_scores(corpus, made.pk)
    assert ExampleScores.objects.filter(score_set=made, values=b"").count() == 1
    type(claimed).objects.filter(pk=claimed.pk).update(lease_until="2000-01-01T00:00:00Z")
    monkeypatch.setattr(metrics_service, "score_block", _dying(asked, after=9))
    assert run_job(job_id=claimed.pk)
    made.refresh_from_db()
    assert made.content_hash == expected
    assert len(asked) == 3
    assert not run_job(job_id=claimed.pk)


def _dying(asked: list[int], after: int) -> Any:
    """Scores blocks until it has done enough."""

    def block(score_set: ScoreSet, metric: Any, rows: Any) -> Any:
        if len(asked) == after:
            raise KeyboardInterrupt
        asked.append(len(rows))
        return SCORE_BLOCK(score_set, metric, rows)

    return block


def test_it_leaves_nothing_behind_when_cancelled(corpus: Project):
    made = begin_scores(corpus)
    assert made.job is not None
    cancel_job(job=made.job)
    assert not ScoreSet.objects.exists()


def test_it_deletes_what_is_over(corpus: Project, owner: User):
    waiting, ready = begin_scores(corpus), make_scores(corpus)
    with pytest.raises(DomainError, match="still being computed"):
        metrics_service.delete_score_set(score_set=waiting, user=owner)
    metrics_service.delete_score_set(score_set=ready, user=owner)
    assert list(list_score_sets(corpus)) == [waiting]
    assert StoredScore.objects.exists()
    with pytest.raises(NotFound, match="no scores"):
        get_score_set(corpus, ready.pk)


def test_an_import_whose_summaries_are_scored_stays(corpus: Project, owner: User):
    made = make_scores(corpus, user=owner)
    import_ = corpus.imports.get()
    with pytest.raises(DomainError, match=f"are in Scores {made.pk}"):
        refuse_if_scored(import_)
    metrics_service.delete_score_set(score_set=made, user=owner)
    begin_scores(corpus)
    with pytest.raises(DomainError, match="Summaries of this import are in Scores"):
        refuse_if_scored(import_)


def test_a_project_takes_its_scores_along(corpus: Project):
    make_scores(corpus)
    projects_service.delete_project(project=corpus)
    assert not ExampleScores.objects.exists()


def test_it_ranks_systems(corpus: Project):
    made = make_scores(corpus)
    rows = list_system_scores(made, "rouge2_recall")
    assert [(row.system, row.rank) for row in rows] == [("lead", 1), ("soup", 2)]
    assert rows[0].low == rows[0].high == rows[0].score
    with pytest.raises(NotFound, match="no column 'rouge9'"):
        list_system_scores(made, "rouge9")


def test_less_is_better_where_the_metric_says_so(corpus: Project):
    made = make_scores(corpus, "js")
    rows = list_system_scores(made, "js1")
    assert made.lower == ["js1", "js2"]
    assert [row.system for row in rows] == ["lead", "soup"]
    assert rows[0].score is not None
    assert rows[1].score is not None
    assert 0 < rows[0].score < rows[1].score
    assert made.columns == ["js1", "js2"]
    assert _means(rows) == get_score_table(made, "js1").means().tolist()


def test_a_score_keeps_its_sign_without_an_interval(corpus: Project):
    """Too few examples for an interval, and less is better: the mean is what was measured."""
    kept = corpus.examples.get(key="e1")
    for example in corpus.examples.exclude(pk=kept.pk):
        example.references.all().delete()
    made = make_scores(corpus, "js")
    rows = list_system_scores(made, "js1")
    assert [(row.low, row.high) for row in rows] == [(None, None)] * 2
    assert _means(rows) == get_score_table(made, "js1").means().tolist()


def _means(rows: list[ScoreRow]) -> list[float | None]:
    """By system, in the order of the table."""
    return [row.score for row in sorted(rows, key=lambda row: row.system)]


def test_it_lists_cells_and_lines(corpus: Project):
    corpus.examples.get(key="e1").summaries.filter(system__name="soup").update(text="...")
    made = make_scores(corpus, "extractive")
    rows = list(list_example_scores(made)[:2])
    columns = order_columns(made, "density")
    assert columns == ["density", "coverage", "copied"]
    cells = list_cells(made, rows, columns, "soup")
    assert [cell[:2] for cell in cells] == [("e1", "soup"), ("e2", "soup")]
    assert cells[0][2] == [None, None, None]
    assert list_cells(made, rows, columns)[0] == ("e1", "lead", [3.0, 1.0, 1.0])
    lines = list(stream_scores(made))
    assert lines[0] == "doc_id,system,metric,score\r\n"
    assert len(lines) == 1 + 5 * 3
    assert lines[1].startswith("e1,lead,coverage,")


def test_a_missing_summary_has_no_score(corpus: Project):
    corpus.examples.get(key="e3").summaries.filter(system__name="soup").delete()
    table = get_score_table(make_scores(corpus, "length"), "words")
    assert math.isnan(table.scores[1, 2])
    assert table.scores[0].tolist() == [3, 3, 3]


def test_it_scores_several_references(project: Project, tmp_path: Path):
    lines = [factories.example("e1", references=["Nothing at all.", "The dam burst."])]
    factories.import_corpus(project, factories.write_jsonl(tmp_path / "c.jsonl", lines))
    assert get_score_table(make_scores(project)).scores[0, 0] == 1
