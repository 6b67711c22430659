"""Studies of robustness: what is refused, what the job finds, and that a kill loses nothing."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management.base import CommandError
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Activity
from annotation.corpora.jobs.models import JobState
from annotation.corpora.jobs.service import cancel_job, claim_job, run_job
from annotation.corpora.jobs.work import Work
from annotation.corpora.projects import service as projects_service
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError, NotFound
from annotation.evaluation.management.commands.study_robustness import describe
from annotation.evaluation.metrics import service as metrics_service
from annotation.evaluation.metrics.models import StoredScore
from annotation.evaluation.overview.guards import refuse_if_perturbed
from annotation.evaluation.robustness import service as robustness_service
from annotation.evaluation.robustness.models import ExampleDrops, RobustnessStudy
from annotation.evaluation.robustness.queries import (
    Piece,
    choose_columns,
    get_ready_study,
    get_study,
    list_lines,
    list_pieces,
    list_studies,
    stream_drops,
)
from annotation.evaluation.robustness.service import run_robustness
from annotation.evaluation.robustness.views import APART, draw_drops
from annotation.evaluation.templatetags.metric_words import lost, percents
from scoring.io.texts import SummaryTexts
from scoring.metrics import load_metric
from scoring.metrics.perturbations import perturb
from scoring.metrics.robustness import measure_drops
from tests import factories
from tests.annotation.evaluation.commanding import run, run_json
from tests.annotation.evaluation.studied import begin_study, lead_study, make_study

SUM_BLOCK = robustness_service.sum_block
DOCUMENT = "The dam burst. Nobody was hurt."
REFERENCE = "The dam burst on Monday. Nobody was hurt."


def test_it_finds_what_the_library_finds(corpus: Project, owner: User):
    made = make_study(corpus, owner, note=" first ")
    texts = SummaryTexts(
        ("e",) * 2, ("lead", "soup"), ("The dam burst.", "dam dam"), ((REFERENCE,),) * 2,
        ((DOCUMENT,),) * 2,
    )  # fmt: skip
    for place, share in enumerate([0.5, 1.0]):
        other = perturb(texts, "characters", share=share, seed=0)
        drops = measure_drops([load_metric("rouge")], texts, other)
        for row, expected in zip(made.found["columns"], drops, strict=True):
            told = row["drops"][place]
            assert (row["column"], told["share"]) == (expected.column, share)
            assert told["drop"] == pytest.approx(expected.drop)
            assert told["actual"] == pytest.approx(expected.actual)
            assert told["summaries"] == 6
            assert told["low"] == pytest.approx(told["drop"])  # all examples are alike
    assert made.found["columns"][0]["drops"][1]["drop"] > 0
    assert made.found["examples"] == 3
    assert made.signature.startswith(
        "robustness|metrics:rouge|shares:0.5+1|perturbation:characters|synonyms:none|"
    )
    assert (made.note, str(made)) == ("first", f"Robustness {made.pk}: rouge")
    assert Activity.objects.filter(project=corpus, text=f"finished {made}").exists()


def test_it_shows_texts_in_other_words(corpus: Project):
    made = make_study(corpus)
    assert [row["example"] for row in made.found["texts"]] == ["e1", "e2", "e3"]
    row = made.found["texts"][0]
    assert (row["before"], row["share"]) == ("The dam burst.", 1.0)
    assert row["after"] != row["before"]
    pieces = list_pieces(row["before"], row["after"])
    assert "".join(piece.text for piece in pieces) == row["after"]
    assert {piece.was for piece in pieces} >= {"burst"}


def test_a_text_is_cut_where_words_are_others():
    assert list_pieces("A dam burst.", "A dike burst.") == [
        Piece("A ", ""), Piece("dike", "dam"), Piece(" burst.", ""),
    ]  # fmt: skip
    assert list_pieces("Same.", "Same.") == [Piece("Same.", "")]
    assert list_pieces("She said so.", "So said.") == [
        Piece("So", "She"), Piece(" said.", ""), Piece("", "so"),
    ]  # fmt: skip


def test_it_names_metrics_that_use_the_same_wordnet(corpus: Project, as_owner: Client):
    """On the page, in the command and in what REST shows; not for other perturbations."""
    made = make_study(corpus, metrics=["meteor", "rouge"], perturbation="synonyms")
    assert made.found["circular"] == ["meteor"]
    assert made.found["synonyms"] == "wordnet-1.6"
    page = as_owner.get(f"/p/study/metrics/robustness/{made.pk}/").content.decode()
    assert 'id="circular"' in page
    assert any("meteor" in line and "WordNet" in line for line in describe(made))
    other = make_study(corpus, metrics=["meteor"], perturbation="numbers")
    assert (other.found["circular"], other.found["synonyms"]) == ([], "")
    page = as_owner.get(f"/p/study/metrics/robustness/{other.pk}/").content.decode()
    assert 'id="circular"' not in page
    assert "a large drop is better" in page


def test_an_unknown_perturbation_lists_the_known(corpus: Project):
    with pytest.raises(DomainError, match="'jokes' is not one of synonyms, characters"):
        begin_study(corpus, perturbation="jokes")


def test_it_computes_nothing_twice(corpus: Project, monkeypatch: pytest.MonkeyPatch):
    first = make_study(corpus)
    assert first.found["stored"] == 0
    monkeypatch.setattr(metrics_service, "_ask", _refuse_to_ask)
    again = make_study(corpus)
    assert again.content_hash == first.content_hash
    assert again.found["stored"] == 6 * 3


def _refuse_to_ask(metric: Any, missing: Any) -> dict[bytes, Any]:
    assert not missing
    return {}


def test_a_seed_gives_other_words(corpus: Project):
    studies = [make_study(corpus, shares=[0.4], seed=seed) for seed in range(6)]
    found = {made.found["texts"][0]["after"] for made in studies}
    assert len(found) > 1


def test_it_goes_on_after_its_worker_died(corpus: Project, monkeypatch: pytest.MonkeyPatch):
    expected = make_study(corpus)
    StoredScore.objects.all().delete()
    monkeypatch.setattr(robustness_service, "SUMMARIES_A_STEP", 1)
    made = begin_study(corpus)
    assert made.job is not None
    claimed = claim_job(job_id=made.job.pk)
    assert claimed is not None
    asked: list[int] = []
    monkeypatch.setattr(robustness_service, "sum_block", _dying(asked, after=2))
    with pytest.raises(KeyboardInterrupt):
        run_robustness(Work(claimed))
    assert ExampleDrops.objects.filter(study=made, sums=b"").count() == 1
    with pytest.raises(DomainError, match="is not ready yet"):
        get_ready_study(corpus, made.pk)
    type(claimed).objects.filter(pk=claimed.pk).update(lease_until="2000-01-01T00:00:00Z")
    monkeypatch.setattr(robustness_service, "sum_block", _dying(asked, after=9))
    assert run_job(job_id=claimed.pk)
    made.refresh_from_db()
    assert made.content_hash == expected.content_hash
    assert made.found["columns"] == expected.found["columns"]
    assert len(asked) == 3
    assert not run_job(job_id=claimed.pk)


def _dying(asked: list[int], after: int) -> Any:
    """Sums blocks until it has done enough."""

    def block(study: RobustnessStudy, metrics: Any, rows: Any) -> Any:
        if len(asked) == after:
            raise KeyboardInterrupt
        asked.append(len(rows))
        return SUM_BLOCK(study, metrics, rows)

    return block


def test_it_takes_as_many_examples_as_are_wanted(corpus: Project):
    made = make_study(corpus, examples=2, seed=1, systems=["lead"])
    assert made.found["examples"] == 2
    assert made.found["columns"][0]["drops"][0]["summaries"] == 2
    assert make_study(corpus, examples=7).found["examples"] == 3


def test_without_documents_summaries_are_changed_too(corpus: Project):
    for example in corpus.examples.all():
        example.documents.all().delete()
    assert make_study(corpus).found["columns"][0]["drops"][1]["drop"] > 0
    with pytest.raises(DomainError, match="sem_ncg reads documents, and no example has any"):
        begin_study(corpus, metrics=["rouge", "sem_ncg"])


def test_it_fails_where_there_is_nothing_to_score(corpus: Project):
    made = begin_study(corpus)
    for example in corpus.examples.all():
        example.references.all().delete()
    lead_study(made)
    assert made.job is not None
    assert (made.job.state, made.is_ready) == (JobState.FAILED, False)
    assert "No metric could score any summary" in made.job.error


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"metrics": ["rogue"]}, "'rogue'"),
        ({"metrics": []}, "expected 1 to 12, not 0"),
        ({"metrics": ["qa_overlap"]}, "needs models that this server doesn’t offer"),
        ({"shares": []}, "expected 1 to 6 of them, not 0"),
        ({"shares": [0]}, "expected more than 0 and at most 1, not 0"),
        ({"shares": [0.2, 20]}, "not 20"),
        ({"seed": -1}, "seed: expected 0 to"),
        ({"examples": 10**7}, "examples: expected 0 to 1,000,000"),
    ],
)
def test_it_refuses_what_makes_no_study(corpus: Project, said: dict[str, Any], words: str):
    with pytest.raises(DomainError, match=words):
        begin_study(corpus, **said)
    assert not RobustnessStudy.objects.exists()


def test_it_refuses_a_project_without_summaries(project: Project):
    with pytest.raises(DomainError, match="has no summaries"):
        begin_study(project)


def test_it_is_cancelled_and_deleted(corpus: Project, owner: User):
    waiting, other, ready = begin_study(corpus), begin_study(corpus), make_study(corpus)
    assert waiting.job is not None
    with pytest.raises(DomainError, match="still being computed"):
        robustness_service.delete_study(study=other, user=owner)
    cancel_job(job=waiting.job)
    robustness_service.delete_study(study=ready, user=owner)
    assert list(list_studies(corpus)) == [other]
    with pytest.raises(NotFound, match="no robustness study"):
        get_study(corpus, ready.pk)


def test_it_keeps_the_import_and_goes_with_the_project(corpus: Project, owner: User):
    made = make_study(corpus)
    with pytest.raises(DomainError, match=f"are in Robustness {made.pk}"):
        refuse_if_perturbed(corpus.imports.get())
    robustness_service.delete_study(study=made, user=owner)
    begin_study(corpus)
    with pytest.raises(DomainError, match="this import are in Robustness"):
        refuse_if_perturbed(corpus.imports.get())
    projects_service.delete_project(project=corpus)
    assert not RobustnessStudy.objects.exists()


def test_a_line_shows_one_column_of_each_metric(corpus: Project):
    made = make_study(corpus, metrics=["js", "rouge"])
    assert choose_columns(made, {}) == {"rouge": "rouge1_f1", "js": "js1"}
    chosen = choose_columns(made, {"rouge": "rougeL_recall", "js": "js9"})
    assert chosen == {"rouge": "rougeL_recall", "js": "js1"}
    lines = list_lines(made, chosen)
    assert [line["words"] for line in lines] == ["rouge rougeL_recall", "js js1"]
    assert len(lines[0]["values"]) == len(made.percentages) == 3


def line(name: str, *values: float | None) -> dict[str, Any]:
    return {"words": name, "values": [0.0, *values], "low": [0.0, *values], "high": [0.0, *values]}


def test_a_chart_keeps_names_apart():
    lines = [line(f"m{n} f1", 0.1, 0.2 + n / 1000) for n in range(8)]
    for width in (760, 350):
        chart = draw_drops(lines, [0, 10, 20], width)
        assert chart is not None
        heights = [one.label_y for one in chart.lines]
        assert np.all(np.diff(heights) >= APART - 0.11)
        assert heights[-1] <= chart.base
        assert [tick.label for tick in chart.across] == ["0 %", "10 %", "20 %"]
        assert len(chart.lines[0].dots) == 2


def test_a_chart_leaves_out_what_is_not_known():
    chart = draw_drops([line("a", None, 0.2), line("b", None, None)], [0, 10, 20])
    assert chart is not None
    assert {one.name: len(one.dots) for one in chart.lines} == {"a": 1, "b": 0}
    assert draw_drops([line("a", None)], [0, 10]) is None


def test_shares_are_told_in_percent():
    assert percents([0.125]) == "12.5 %"
    assert percents([0.1, 0.2, 1]) == "10, 20 and 100 %"
    assert (lost(-0.0184), lost(None)) == ("−1.8 %", "–")


def test_the_command_tells_and_writes(corpus: Project, tmp_path: Path):
    out = tmp_path / "drops.csv"
    said = ("study_robustness", "--project", "study", "--metric", "rouge", "--share", 1,
            "--perturbation", "characters")  # fmt: skip
    text = run(*said, "--csv", out, "--system", "lead")
    made = RobustnessStudy.objects.get()
    assert f"{made}: 3 examples, 1 systems" in text
    assert "rouge rouge1_f1" in text
    assert made.signature in text
    rows = list(csv.DictReader(io.StringIO(out.read_text())))
    assert out.read_text() == "".join(stream_drops(made)).replace("\r\n", "\n")
    assert (rows[2]["column"], rows[2]["share"], rows[2]["summaries"]) == ("rouge1_f1", "1", "3")
    assert float(rows[2]["drop"]) > 0
    again = run_json(*said, "--system", "lead")
    assert again["stored"] == 6
    with pytest.raises(CommandError, match="expected more than 0"):
        run(*said, "--share", 0)


def test_it_asks_no_more_of_a_large_block(
    owner: User, tmp_path: Path, django_assert_max_num_queries
):
    project = factories.make_project(owner, "large")
    lines = [
        factories.example(f"l{n}", summaries=dict.fromkeys("abcdef", f"The dam {n} burst."))
        for n in range(12)
    ]
    factories.import_corpus(project, factories.write_jsonl(tmp_path / "l.jsonl", lines))
    made = begin_study(project)
    with django_assert_max_num_queries(60):
        lead_study(made)
    assert made.is_ready
