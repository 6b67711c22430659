"""Pages of samples: from scores to a sample, and on to a campaign."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Campaign
from annotation.evaluation.metrics.models import ScoreSet
from annotation.evaluation.samples.models import Sample
from tests.annotation.corpora.pages import Page, page_of
from tests.annotation.evaluation.campaigns import make_units
from tests.annotation.evaluation.sampled import draw, import_many, score_many

HERE = "/p/study/samples/"
FILLED = {"bins": 2, "per_bin": 2, "seed": 0, "chances": "auto", "draws": 500}


@pytest.fixture
def scores(project: Project, tmp_path: Path) -> ScoreSet:
    import_many(project, tmp_path)
    return score_many(project, tmp_path)


def get(client: Client, path: str = "") -> Page:
    return page_of(client.get(f"{HERE}{path}"))


def test_it_says_what_is_missing(project: Project, as_owner: Client) -> None:
    assert "Score the summaries first" in get(as_owner).text
    assert "No scores to stratify by" in get(as_owner, "new/").text


def test_it_draws_a_sample(scores: ScoreSet, as_owner: Client, as_viewer: Client) -> None:
    assert f"{HERE}new/" in get(as_owner).links
    assert "Only owners and editors" in get(as_viewer).text
    page = get(as_owner, "new/")
    assert f"r1 of {scores}" in page.text
    sent = {**FILLED, "sources": [f"scores:{scores.pk}:r1", f"scores:{scores.pk}:ter"]}
    response = as_owner.post(f"{HERE}new/", sent)
    made = Sample.objects.get()
    assert response["Location"] == f"{HERE}{made.pk}/"
    assert "8 of 12 examples" in get(as_viewer).text


def test_it_says_what_is_wrong_with_the_form(scores: ScoreSet, as_owner: Client) -> None:
    sent = {**FILLED, "bins": 12, "sources": [f"scores:{scores.pk}:r1"]}
    response = as_owner.post(f"{HERE}new/", sent)
    assert response.status_code == 422
    assert "make 24" in page_of(response, 422).text
    assert as_owner.post(f"{HERE}new/", FILLED).status_code == 422
    assert not Sample.objects.exists()


def test_it_shows_the_sample_against_its_population(scores: ScoreSet, as_viewer: Client) -> None:
    sample = draw(scores, "r1", "ter", bins=3, per_bin=2)
    page = get(as_viewer, f"{sample.pk}/")
    assert "12 of 12 examples" in page.text
    assert "2 scores × 3 bins × 2 examples" in page.text
    # Each source is drawn for a wide and for a narrow screen.
    assert page.html.count('<svg class="plot plot--wide distribution"') == 2
    assert page.html.count("distribution__bar") >= 4
    assert "in the population" in page.text
    assert "Lower is better" in page.text
    assert "hardest" in page.text
    assert sample.signature in page.html
    assert f"{HERE}{sample.pk}/sample.csv" in page.links
    assert "Judge this sample" not in page.text


def test_it_leads_on_to_a_campaign(scores: ScoreSet, owner: User, as_owner: Client) -> None:
    sample = draw(scores, "r1", bins=2, per_bin=1)
    page = get(as_owner, f"{sample.pk}/")
    assert "no frozen unit set covers these examples yet" in page.text
    unit_set = make_units(scores.project, owner)
    page = get(as_owner, f"{sample.pk}/")
    assert f"{unit_set}: units of 2 of 2" in page.text
    assert page.values["name"] == f"Sample {sample.pk}"
    sent = {"unit_set": unit_set.pk, "name": "Of the sample", "preset": "blank"}
    response = as_owner.post(f"{HERE}{sample.pk}/campaign/", sent)
    made = Campaign.objects.get()
    assert response["Location"] == f"/p/study/crowd/{made.pk}/setup/"
    assert len(made.scope["examples"]) == 2
    assert f"/p/study/crowd/{made.pk}/" in get(as_owner, f"{sample.pk}/").links
    again = as_owner.post(f"{HERE}{sample.pk}/campaign/", sent)
    assert again.status_code == 422
    assert "A campaign called 'Of the sample' already exists." in page_of(again, 422).text


def test_it_is_downloaded_and_deleted(scores: ScoreSet, as_owner: Client) -> None:
    sample = draw(scores, "r1")
    response = as_owner.get(f"{HERE}{sample.pk}/sample.csv")
    lines = b"".join(response).decode().splitlines()
    assert lines[0] == "doc_id,is_drawn,place,metric,bin,chance,mean_r1,bin_r1"
    assert len(lines) == 13
    assert as_owner.post(f"{HERE}{sample.pk}/delete/").status_code == 302
    assert not Sample.objects.exists()
