"""Pages of reports: the list, the form, the report, its link, its files."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from annotation.corpora.jobs.service import run_job
from annotation.corpora.projects.models import Project
from annotation.evaluation.estimates.models import ScoreEstimate
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.metrics.models import ScoreOrigin, ScoreSet
from annotation.evaluation.reports.models import MOST_METRICS, Report
from annotation.evaluation.reports.views import ReportForm
from tests.annotation.corpora.pages import Page, page_of
from tests.annotation.evaluation.reported import (
    asked,
    begin_report,
    key_of,
    make_report,
    make_score_set,
)

HERE = "/p/study/reports/"


@pytest.fixture(scope="module")
def kept_scores(kept_corpus: Project) -> ScoreSet:
    return make_score_set(kept_corpus)


@pytest.fixture
def scores(db: None, kept_scores: ScoreSet) -> ScoreSet:
    return ScoreSet.objects.get(pk=kept_scores.pk)


@pytest.fixture(scope="module")
def kept_report(kept_scores: ScoreSet) -> Report:
    return make_report(kept_scores, title="<script>alert(1)</script>")


@pytest.fixture
def report(db: None, kept_report: Report) -> Report:
    """Made once for a module, under a name that means harm."""
    return Report.objects.get(pk=kept_report.pk)


def get(client: Client, path: str = "", **query: str) -> Page:
    return page_of(client.get(f"{HERE}{path}", query))


def test_it_says_what_is_missing(corpus: Project, as_owner: Client) -> None:
    assert "Collect human labels first" in get(as_owner).text
    assert "Something is missing" in get(as_owner, "new/").text


def test_it_asks_for_scores(labelled: LabelSet, as_owner: Client) -> None:
    # Those that others of these tests share are there already.
    Report.objects.all().delete()
    ScoreSet.objects.all().delete()
    page = get(as_owner)
    assert "Score the summaries first" in page.text
    assert "Open metrics" in page.text


def test_it_leads_to_the_first_report(
    scores: ScoreSet, as_owner: Client, as_viewer: Client
) -> None:
    assert f"{HERE}new/" in get(as_owner).links
    assert "Only owners and editors" in get(as_viewer).text


def test_the_metrics_chosen_at_first_are_not_too_many(scores: ScoreSet, as_owner: Client) -> None:
    names = [f"m{at}_{part}" for at in range(22) for part in ("recall", "precision", "f1")]
    ScoreSet.objects.create(
        project=scores.project, name="Many", origin=ScoreOrigin.FILE, columns=names, is_ready=True
    )
    form = ReportForm(scores.project)
    chosen = [key.rpartition(":")[2] for key in form.chosen]
    assert len(chosen) == MOST_METRICS
    assert {name for name in names if name.endswith("f1")} <= set(chosen)
    page = as_owner.get(f"{HERE}new/").content.decode()
    assert len(re.findall(r'name="metrics"[^>]* checked', page)) == MOST_METRICS
    assert f'data-choose-most="{MOST_METRICS}"' in page


def test_too_many_metrics_are_refused_at_their_field(scores: ScoreSet, as_owner: Client) -> None:
    columns = [f"m{at}" for at in range(MOST_METRICS + 1)]
    many = ScoreSet.objects.create(
        project=scores.project, name="Many", origin=ScoreOrigin.FILE, columns=columns, is_ready=True
    )
    sent = asked(scores) | {"metrics": [key_of(many, name) for name in columns]}
    form = ReportForm(scores.project, sent | {"seed": 0, "inputs": "every"})
    assert list(form.errors) == ["metrics"]


@pytest.mark.parametrize(("columns", "wide"), [("1", 240), ("2", 504), ("", 504)])
def test_a_figure_is_as_wide_as_columns(
    report: Report, as_viewer: Client, columns: str, wide: int
) -> None:
    here = f"{HERE}{report.pk}/figures/scatter"
    answer = as_viewer.get(f"{here}.pdf", {"columns": columns})
    assert re.search(rb"/MediaBox \[0 0 %d " % wide, answer.content)
    svg = as_viewer.get(f"{here}.svg", {"columns": columns}).content.decode()
    assert (f'width="{wide}pt"' in svg) == bool(columns)
    assert as_viewer.get(f"{here}.pdf", {"columns": "3"}).status_code == 404


def test_it_leads_to_estimates(report: Report, as_owner: Client) -> None:
    page = get(as_owner, f"{report.pk}/")
    assert "can be estimated from both" in page.text
    assert "/p/study/estimates/" in page.links


def test_it_tells_the_widths_of_the_newest_estimate(report: Report, as_owner: Client) -> None:
    row = {"judged": 2, "documents": 5, "low": 0.25, "high": 0.375}
    systems = [row | {"people_low": 0.25, "people_high": 0.5}]
    other = ScoreEstimate.objects.create(
        project=report.project, found={"systems": systems}, is_ready=True
    )
    page = get(as_owner, f"{report.pk}/")
    assert "judged 2 of 5 examples" in page.text
    assert "0.125 wide on average" in page.text
    assert "0.250" in page.text
    assert f"/p/study/estimates/{other.pk}/" in page.links


def test_it_builds_a_report(scores: ScoreSet, as_owner: Client) -> None:
    sent = asked(scores, title="Dams & rain", seed=2) | {"inputs": "every"}
    response = as_owner.post(f"{HERE}new/", sent)
    made = Report.objects.get()
    assert response["Location"] == f"{HERE}{made.pk}/"
    assert "Waiting for a worker" in get(as_owner, f"{made.pk}/").text
    run_job(job_id=made.job_id or 0)
    page = get(as_owner, f"{made.pk}/")
    for words in (
        "Data and settings",
        "What may be concluded",
        "How it was computed",
        "Dams & rain",
    ):
        assert words in page.text
    for columns in (1, 2):
        assert f"{HERE}{made.pk}/figures/pairs.pdf?columns={columns}" in page.links
    assert f"{HERE}{made.pk}/correlations.tex" in page.links
    assert "✓ Ready" in get(as_owner).text


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"metrics": []}, "Choose at least one metric."),
        ({"resamples": 0}, "greater than or equal to 1"),
        ({"seed": ""}, "This field is required"),
    ],
)
def test_it_keeps_a_form_with_what_is_wrong(
    scores: ScoreSet, as_owner: Client, changes: dict[str, object], words: str
) -> None:
    sent = asked(scores, seed=0) | {"inputs": "every"} | changes
    response = as_owner.post(f"{HERE}new/", sent)
    assert words in page_of(response, 422).text


def test_it_says_what_the_service_refuses(scores: ScoreSet, as_owner: Client) -> None:
    gold = key_of(scores, "gold")
    sent = asked(scores, seed=0, metrics=[gold]) | {"inputs": "every"}
    response = as_owner.post(f"{HERE}new/", sent)
    assert "Scores can’t be compared with themselves." in page_of(response, 422).text


def test_it_fills_the_form_from_the_address(scores: ScoreSet, as_owner: Client) -> None:
    answer = as_owner.get(f"{HERE}new/", {"metrics": key_of(scores, "good")})
    checked = re.findall(r'name="metrics" value="([^"]+)" checked', answer.content.decode())
    assert checked == [key_of(scores, "good")]


def test_it_groups_what_may_be_the_truth_and_names_each_metric(
    scores: ScoreSet, as_owner: Client
) -> None:
    page = as_owner.get(f"{HERE}new/").content.decode()
    assert re.findall(r'<optgroup label="([^"]+)">', page)[-1] == "Metrics and judges"
    assert f"<span>{scores.metric} good".replace("> ", ">") in page
    assert 'data-choose="none"' in page


def test_it_lets_no_name_run(report: Report, as_owner: Client) -> None:
    text = as_owner.get(f"{HERE}{report.pk}/").content.decode()
    assert "<script>alert" not in text
    assert "<b>bad" not in text
    assert not re.search(r"\sstyle=", text)


def test_it_prints_without_the_frame(report: Report, as_viewer: Client) -> None:
    page = get(as_viewer, f"{report.pk}/print/")
    assert "Data and settings" in page.text
    assert not any("figures/" in link for link in page.links)


def test_it_says_that_it_failed(scores: ScoreSet, as_owner: Client) -> None:
    report = begin_report(scores)
    ScoreSet.objects.filter(pk=scores.pk).update(content_hash="1" * 64)
    run_job(job_id=report.job_id or 0)
    page = get(as_owner, f"{report.pk}/")
    assert "The report could not be built." in page.text
    assert "have changed" in page.text
    assert as_owner.get(f"{HERE}{report.pk}/print/").status_code == 409


def test_it_is_read_by_link_only_while_it_is_shared(report: Report, as_owner: Client) -> None:
    stranger = Client()
    assert "Create link" in get(as_owner, f"{report.pk}/").text
    as_owner.post(f"{HERE}{report.pk}/share/", {"shared": "1"})
    report.refresh_from_db()
    shared = f"/shared/{report.share_token}/"
    assert shared in as_owner.get(f"{HERE}{report.pk}/").content.decode()
    answer = stranger.get(shared)
    page = page_of(answer)
    assert "Data and settings" in page.text
    assert (answer["X-Robots-Tag"], answer["Referrer-Policy"]) == (
        "noindex, nofollow",
        "no-referrer",
    )
    assert not any(link.startswith("/p/") for link in page.links)
    for link in page.links:
        if link.startswith("/shared/"):
            assert stranger.get(link).status_code == 200, link
    as_owner.post(f"{HERE}{report.pk}/share/", {"shared": "0"})
    for path in ("", "report.html", "figures/scatter.svg"):
        assert stranger.get(f"{shared}{path}").status_code == 404


def test_it_deletes_a_report(report: Report, as_owner: Client) -> None:
    as_owner.post(f"{HERE}{report.pk}/delete/")
    assert not Report.objects.exists()
    assert "was deleted" in get(as_owner).text
