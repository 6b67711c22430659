"""Reports: what is refused, what is found, that a kill loses nothing, and who reads by link."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Activity
from annotation.corpora.jobs.models import JobState
from annotation.corpora.jobs.service import cancel_job, claim_job, run_job
from annotation.corpora.jobs.work import Work
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError, NotFound
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.metrics.models import ScoreSet
from annotation.evaluation.overview.next_steps import find_report_work
from annotation.evaluation.overview.stages import get_report_stage
from annotation.evaluation.reports import service as reports_service
from annotation.evaluation.reports.files import write_html
from annotation.evaluation.reports.models import MOST_METRICS, Report
from annotation.evaluation.reports.queries import (
    get_ready_report,
    get_report,
    get_shared_report,
    list_report_sections,
    list_reports,
    read_reported_scores,
    stream_scores,
    write_figure,
)
from annotation.evaluation.reports.service import run_report
from scoring.io.score_files import load_study
from scoring.metaeval.levels import correlate
from scoring.metaeval.report import write_record
from tests.annotation.evaluation.reported import (
    COLUMNS,
    SYSTEMS,
    asked,
    begin_report,
    key_of,
    make_report,
    make_score_set,
)


@pytest.fixture(scope="module")
def kept_scores(kept_corpus: Project) -> ScoreSet:
    return make_score_set(kept_corpus)


@pytest.fixture
def scores(db: None, kept_scores: ScoreSet) -> ScoreSet:
    return ScoreSet.objects.get(pk=kept_scores.pk)


def test_it_holds_metrics_against_people(scores: ScoreSet, owner: User):
    report = make_report(scores, owner, title="  Six systems ")
    assert report.is_ready
    assert str(report) == f"Report {report.pk}: Six systems"
    assert (report.found["human"], report.found["lead"]) == ("gold", "good")
    assert [row["name"] for row in report.found["systems"]] == SYSTEMS
    assert (report.human_name, report.metric_names) == ("gold", COLUMNS[1:])
    assert report.found["options"]["lower"] == [COLUMNS[2]]
    assert report.signature == report.found["signature"]
    assert report.lead is not None
    assert report.lead["metric"] == "good"


def test_it_is_the_same_again(scores: ScoreSet):
    first, again = (make_report(scores, seed=5) for _ in range(2))
    assert write_record(first.found) == write_record(again.found)
    assert write_record(make_report(scores, seed=6).found) != write_record(first.found)


def test_it_takes_labels_for_people(labelled: LabelSet, kept_scores: ScoreSet):
    said = asked(kept_scores) | {"human": f"labels:{labelled.pk}"}
    report = reports_service.build_report(project=labelled.project, user=None, **said)
    assert report.human_name == str(labelled)
    assert report.job is not None
    run_job(job_id=report.job.pk)
    report.refresh_from_db()
    # The systems that people judged have no such scores.
    assert report.found["lead"] is None
    assert "No correlation can be computed" in " ".join(report.found["abstract"])


def test_it_keeps_to_the_systems_that_are_asked_for(scores: ScoreSet):
    report = make_report(scores, systems=["f", "a", "c"])
    assert [row["name"] for row in report.found["systems"]] == ["f", "a", "c"]


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"resamples": 0}, "resamples: expected 1 to 10,000"),
        ({"seed": -1}, "seed: expected 0"),
        ({"inputs": "x"}, "inputs: 'x' is not one of judged, every"),
        ({"metrics": []}, "with themselves"),
        ({"metrics": [f"scores:1:{at}" for at in range(MOST_METRICS + 1)]}, "at most 30"),
        ({"systems": ["nobody"]}, "'nobody'"),
        ({"human": "labels:999999"}, "no scores 'labels:999999'"),
    ],
)
def test_it_refuses_what_can_not_be_told(scores: ScoreSet, said: dict[str, Any], words: str):
    with pytest.raises(DomainError, match=words):
        begin_report(scores, **said)
    assert not Report.objects.exists()


def test_it_does_not_hold_scores_against_themselves(scores: ScoreSet):
    gold = key_of(scores, "gold")
    with pytest.raises(DomainError, match="with themselves"):
        begin_report(scores, metrics=[gold, gold])


def test_it_goes_on_after_its_worker_died(scores: ScoreSet, monkeypatch: pytest.MonkeyPatch):
    expected = make_report(scores).found
    report = begin_report(scores)
    assert report.job is not None
    claimed = claim_job(job_id=report.job.pk)
    assert claimed is not None
    with monkeypatch.context() as patch:
        patch.setattr("annotation.evaluation.reports.service.build", _die)
        with pytest.raises(KeyboardInterrupt):
            run_report(Work(claimed))
    report.refresh_from_db()
    assert not report.is_ready
    type(claimed).objects.filter(pk=claimed.pk).update(lease_until="2000-01-01T00:00:00Z")
    assert run_job(job_id=claimed.pk)
    report.refresh_from_db()
    assert report.found == expected
    assert not run_job(job_id=claimed.pk)


def _die(*args: Any, **options: Any) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("change", ["gone", "other"])
def test_it_says_that_its_scores_are_not_those_any_more(scores: ScoreSet, change: str):
    report = begin_report(scores)
    assert report.job is not None
    if change == "gone":
        ScoreSet.objects.filter(pk=scores.pk).delete()
    else:
        ScoreSet.objects.filter(pk=scores.pk).update(content_hash="1" * 64)
    run_job(job_id=report.job.pk)
    report.job.refresh_from_db()
    assert report.job.state == JobState.FAILED
    assert ("no scores" if change == "gone" else "have changed") in report.job.error


def test_it_leaves_nothing_behind_when_cancelled(scores: ScoreSet):
    report = begin_report(scores)
    assert report.job is not None
    cancel_job(job=report.job)
    assert not Report.objects.exists()


def test_it_is_deleted_once_it_is_built(scores: ScoreSet, owner: User):
    waiting, ready = begin_report(scores), make_report(scores)
    with pytest.raises(DomainError, match="still being built"):
        reports_service.delete_report(report=waiting, user=owner)
    reports_service.delete_report(report=ready, user=owner)
    assert list(list_reports(scores.project)) == [waiting]
    with pytest.raises(DomainError, match="not ready yet"):
        get_ready_report(scores.project, waiting.pk)
    with pytest.raises(NotFound, match="no report"):
        get_report(scores.project, ready.pk)


def test_it_is_shared_by_a_link_that_can_be_taken_back(scores: ScoreSet, owner: User):
    report = make_report(scores)
    with pytest.raises(NotFound):
        get_shared_report("")
    reports_service.share_report(report=report, user=owner, shared=True)
    token = report.share_token
    assert token is not None
    assert len(token) >= 32
    reports_service.share_report(report=report, user=owner, shared=True)
    assert report.share_token == token
    assert get_shared_report(token) == report
    reports_service.share_report(report=report, user=owner, shared=False)
    with pytest.raises(NotFound, match="No report is shared"):
        get_shared_report(token)
    reports_service.share_report(report=report, user=owner, shared=True)
    assert report.share_token != token
    told = Activity.objects.filter(
        project=scores.project, target_kind="report", target_id=report.pk
    )
    verbs = told.order_by("pk").values_list("verb", flat=True)
    assert list(verbs) == ["start", "finish", "share", "unshare", "share"]
    assert not any(str(share) in str(row.__dict__) for row in told for share in (token,))


def test_it_shares_nothing_before_it_is_built(scores: ScoreSet, owner: User):
    with pytest.raises(DomainError, match="not ready yet"):
        reports_service.share_report(report=begin_report(scores), user=owner, shared=True)


def test_it_writes_every_figure_as_files(scores: ScoreSet):
    report = make_report(scores)
    for section in list_report_sections(report):
        name = section.words["figure"]
        assert write_figure(report, name, "svg").startswith(b"<?xml")
        assert write_figure(report, name, "pdf").startswith(b"%PDF-1.4")
        lines = write_figure(report, name, "csv").decode().splitlines()
        assert len(lines) == len(section.drawing.table.rows) + 1
    with pytest.raises(NotFound, match="no figure 'pie'. Known|no figure 'pie'"):
        write_figure(report, "pie", "svg")
    with pytest.raises(NotFound, match="'gif'"):
        write_figure(report, "scatter", "gif")


def test_its_figures_are_computed_again_from_its_scores(scores: ScoreSet, tmp_path: Path):
    """With the library, from the file that readers download; less is better keeps its sign."""
    report = make_report(scores)
    file = tmp_path / "scores.csv"
    file.write_text("".join(stream_scores(read_reported_scores(report))), newline="")
    study = load_study([file], human="gold")
    assert list(study.scores) == COLUMNS
    signs = {"good": 1, COLUMNS[2]: -1}
    for row in report.found["leaderboard"]:
        for level in ("system", "summary"):
            for measure in ("kendall", "pearson"):
                found = correlate(study, row["metric"], level=level, measure=measure).value
                told = row[level][measure][0]
                assert found * signs[row["metric"]] == pytest.approx(told, abs=1e-9)
    shared = reports_service.share_report(report=report, user=None, shared=True)
    answer = Client().get(f"/shared/{shared.share_token}/scores.csv")
    assert b"".join(answer).decode() == file.read_bytes().decode()
    assert "no-store" in answer["Cache-Control"]
    page = Client().get(f"/shared/{shared.share_token}/").content.decode()
    assert f'href="/shared/{shared.share_token}/scores.csv"' in page


def test_its_scores_are_refused_when_they_are_others_now(scores: ScoreSet):
    report = make_report(scores)
    ScoreSet.objects.filter(pk=scores.pk).update(content_hash="1" * 64)
    with pytest.raises(DomainError, match="have changed"):
        read_reported_scores(report)


def test_it_is_one_file_that_needs_nothing(scores: ScoreSet):
    text = write_html(make_report(scores, title="<script>x</script>"))
    assert "<script" not in text
    assert "&lt;b&gt;bad&lt;/b&gt;" in text
    assert "<b>bad" not in text
    for outside in ("http:", "https:", "//", 'src="', "@import", "url("):
        assert outside not in text.replace("http-equiv", ""), outside
    assert text.count("<svg") == 2 * text.count("<figcaption>")
    assert 'href="/' not in text


def test_it_has_a_commentary_that_is_no_part_of_its_numbers(scores: ScoreSet, owner: User):
    report = make_report(scores, commentary=" Read figure 2 first.\r\n\r\n<b>Then</b> the rest. ")
    found, signature = report.found, report.signature
    assert report.commentary == "Read figure 2 first.\n\n<b>Then</b> the rest."
    text = write_html(report)
    assert "<p>Read figure 2 first.</p>" in text
    assert "&lt;b&gt;Then&lt;/b&gt;" in text
    reports_service.comment_report(report=report, user=owner, commentary="")
    report.refresh_from_db()
    assert (report.found, report.signature) == (found, signature)
    assert "Commentary" not in write_html(report)
    with pytest.raises(DomainError, match="10,001 characters"):
        reports_service.comment_report(report=report, user=owner, commentary="x" * 10_001)
    told = Activity.objects.filter(target_kind="report", target_id=report.pk).latest("pk")
    assert told.verb == "change"


def test_it_stands_at_the_end_of_the_pipeline(scores: ScoreSet, labelled: LabelSet):
    project = scores.project
    assert get_report_stage(project).figure == "None yet"
    waiting = begin_report(scores)
    assert get_report_stage(project).figure == "Draft"
    assert waiting.job is not None
    run_job(job_id=waiting.job.pk)
    stage = get_report_stage(project)
    assert (stage.figure, stage.state, stage.url) == ("1 report", "done", "/p/study/reports/")


def test_it_is_the_next_step_once_there_are_scores(
    scores: ScoreSet, labelled: LabelSet, owner: User
):
    from annotation.access import get_access

    access = get_access(owner, scores.project.slug)
    step = find_report_work(access)
    assert step is not None
    assert step.url == "/p/study/reports/new/"
    make_report(scores)
    assert find_report_work(access) is None
