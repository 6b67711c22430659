"""A label set on its page, labels from files, and scores."""

from __future__ import annotations

import csv
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.imports.models import KeptFile
from annotation.corpora.jobs.service import run_job
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Campaign
from annotation.evaluation.gold.models import GoldVersion
from annotation.evaluation.labels import service as labels_service
from annotation.evaluation.labels import settling
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.labels.wording import RULE_NAMES, tell_recipe
from scoring.aggregation import Recipe
from tests.annotation.corpora.pages import page_of
from tests.annotation.evaluation.campaigns import make_labels

LABELS = "/p/study/gold/labels/"
LINES = b"1\t0\t1\n" * 3


@pytest.fixture
def page_url(labelled: LabelSet) -> str:
    return f"{LABELS}{labelled.pk}/"


def rows_of(response: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(b"".join(response).decode().splitlines()))


def test_it_says_how_answers_became_labels(as_viewer: Client, labelled: LabelSet, page_url: str):
    page = page_of(as_viewer.get(page_url))
    assert tell_recipe(labelled.recipe)[0] in page.text
    assert labelled.signature in as_viewer.get(page_url).content.decode()
    assert labelled.content_hash[:12] in page.text
    assert "18 of 24" in page.text
    assert "Alpha by summary mean of 6" in page.text


def test_it_lists_what_was_left_out_by_rule(as_viewer: Client, as_owner: Client, page_url: str):
    page = page_of(as_viewer.get(page_url))
    assert f"{RULE_NAMES['per-summary']} 6" in page.text
    assert "e1 by lead , Worker 4" in page.text
    assert "1–6 of 6 assignments" in page.text
    assert "DUD" not in page.text
    assert "e1 by lead , DUD" in page_of(as_owner.get(page_url)).text
    assert "1–6 of 6" in page_of(as_viewer.get(f"{page_url}?rule=per-summary")).text
    assert "of 6 assignments" not in page_of(as_viewer.get(f"{page_url}?rule=fast")).text


def test_it_gives_what_was_left_out_as_csv(as_viewer: Client, as_owner: Client, page_url: str):
    seen, known = (rows_of(who.get(f"{page_url}drops.csv")) for who in (as_viewer, as_owner))
    assert {row["worker"] for row in seen} == {"Worker 4"}
    assert {row["worker"] for row in known} == {"DUD"}
    assert [row["example"] for row in seen] == ["e1", "e1", "e2", "e2", "e3", "e3"]
    assert {row["rule"] for row in seen} == {"per-summary"}


def test_it_deletes_what_no_version_is_made_of(as_owner: Client, page_url: str):
    response = as_owner.post(f"{page_url}delete/")
    assert response["Location"] == "/p/study/gold/"
    assert not LabelSet.objects.exists()


def test_it_keeps_what_a_version_is_made_of(as_owner: Client, gold: GoldVersion, page_url: str):
    assert "Delete" not in page_of(as_owner.get(page_url)).text
    assert as_owner.post(f"{page_url}delete/").status_code == 409
    assert LabelSet.objects.exists()


def test_it_shows_progress_and_polls(as_viewer: Client, judged: Campaign, owner: User):
    made = labels_service.keep_labels(
        project=judged.project, user=owner, campaigns=[judged], recipe=Recipe()
    )
    text = as_viewer.get(f"{LABELS}{made.pk}/").content.decode()
    assert "<progress" in text
    assert 'hx-trigger="every 1s"' in text


def test_it_tells_of_a_job_that_failed(as_viewer: Client, labelled: LabelSet, page_url: str):
    LabelSet.objects.update(is_ready=False)
    assert labelled.job is not None
    labelled.job.state, labelled.job.error = "failed", "The disk is full."
    labelled.job.save()
    assert "The disk is full." in page_of(as_viewer.get(page_url)).text


def test_it_counts_what_an_expert_settled(as_viewer: Client, judged: Campaign, owner: User):
    hit = judged.hits.earliest("pk")
    unit = judged.unit_set.units.filter(example=hit.summary.example_id).earliest("pk")
    settling.adjudicate(
        project=judged.project, user=owner, summary=hit.summary, unit=unit, present=False
    )
    made = make_labels(judged, owner)
    page = page_of(as_viewer.get(f"{LABELS}{made.pk}/"))
    assert "1 label decided by an expert" in page.text


def send(client: Client, labelled: LabelSet, *files: tuple[str, bytes], **more: Any) -> Any:
    sent = [SimpleUploadedFile(name, data) for name, data in files]
    return client.post(
        f"{LABELS}import/", {"unit_set": labelled.unit_set_id, "files": sent, **more}
    )


def test_it_takes_labels_from_files(as_owner: Client, labelled: LabelSet):
    response = send(as_owner, labelled, ("lead.label", LINES), ("soup.label", b"0\t0\t1\n" * 3))
    made = LabelSet.objects.get(origin="files")
    assert response["Location"] == f"{LABELS}{made.pk}/"
    assert made.job is not None
    run_job(job_id=made.job.pk)
    page = page_of(as_owner.get(response["Location"]))
    assert "the files lead.label and soup.label." in page.text
    assert "drops-title" not in page.html
    assert "Agreement" not in page.text
    assert page_of(as_owner.get(f"{response['Location']}scores/")).text.count("0.6667") == 1


def test_it_lists_what_is_wrong_with_files(as_owner: Client, labelled: LabelSet):
    response = send(as_owner, labelled, ("lead.label", b"1\t0\n" * 3), ("nobody.label", LINES))
    page = page_of(response, 422)
    assert "problems found. Nothing was changed." in page.text
    assert "'nobody'" in page.text
    assert "lead.label" in page.text


def test_it_needs_a_file(as_owner: Client, labelled: LabelSet):
    assert send(as_owner, labelled).status_code == 422
    assert send(as_owner, labelled, source="7").status_code == 422
    assert not LabelSet.objects.filter(origin="files").exists()


def test_it_takes_over_labels_that_came_with_the_corpus(as_owner: Client, labelled: LabelSet):
    source = labelled.project.imports.get()
    KeptFile.objects.create(source=source, name="labels/lead.label", data=LINES)
    page = page_of(as_owner.get(f"{LABELS}import/"))
    assert "1 file from corpus.jsonl" in page.text
    send(as_owner, labelled, source=str(source.pk))
    assert LabelSet.objects.filter(origin="files").count() == 1


def test_it_imports_nothing_before_units_are_frozen(as_owner: Client, corpus: Project):
    page = page_of(as_owner.get(f"{LABELS}import/"))
    assert "No unit set is frozen yet" in page.text


def test_it_shows_scores_as_plot_table_and_pairs(as_viewer: Client, page_url: str):
    response = as_viewer.get(f"{page_url}scores/")
    page = page_of(response)
    assert [row.system for row in response.context["scores"].rows] == ["lead", "soup"]
    assert "0.6667" in page.text
    assert "0.3333" in page.text
    assert "0 of 1 pairs are significantly different" in page.text
    assert "significantly different" in page.text
    assert page.text.count("Score and interval of 2 systems") == 2


@pytest.mark.parametrize(
    "query, system, other, sign", [("", "lead", "soup", 1), ("?baseline=lead", "soup", "lead", -1)]
)
def test_it_compares_with_the_next_system_or_a_baseline(
    as_viewer: Client, page_url: str, query: str, system: str, other: str, sign: int
):
    response = as_viewer.get(f"{page_url}scores/{query}")
    leads = {row.system: lead for row, _, lead in response.context["rows"] if lead}
    assert list(leads) == [system]
    lead = leads[system]
    assert lead.other == other
    assert lead.difference == pytest.approx(sign / 3)
    assert lead.low <= lead.difference <= lead.high
    assert lead.verdict == "not significant"
    assert "Compare with" in page_of(response).text


@pytest.mark.parametrize(
    "sort, systems",
    [
        ("rank", ["lead", "soup"]),
        ("-rank", ["soup", "lead"]),
        ("system", ["lead", "soup"]),
        ("-system", ["soup", "lead"]),
        ("score", ["lead", "soup"]),
        ("-score", ["soup", "lead"]),
        ("nonsense", ["lead", "soup"]),
    ],
)
def test_it_sorts_by_column(as_viewer: Client, page_url: str, sort: str, systems: list[str]):
    response = as_viewer.get(f"{page_url}scores/?sort={sort}")
    assert [row.system for row, *_ in response.context["rows"]] == systems


def test_it_says_how_the_table_is_sorted(as_viewer: Client, page_url: str):
    text = as_viewer.get(f"{page_url}scores/?sort=-score&method=original").content.decode()
    assert 'aria-sort="ascending"' in text
    assert "?sort=score&amp;method=original" in text


@pytest.mark.parametrize(
    "query, mark",
    [
        ("method=exhaustive", "exhaustive"),
        ("method=original", "original"),
        ("method=lite&sample=2&seed=3", "lite"),
    ],
)
def test_it_scores_by_the_method_of_the_address(
    as_viewer: Client, page_url: str, query: str, mark: str
):
    response = as_viewer.get(f"{page_url}scores/?{query}")
    assert response.context["scores"].method == mark
    assert mark in response.context["scores"].signature
    assert response.context["scores"].sample == (2 if mark == "lite" else None)


@pytest.mark.parametrize("query", ["method=best", "sample=0&method=lite", "seed=x"])
def test_it_refuses_a_method_that_it_does_not_know(as_viewer: Client, page_url: str, query: str):
    assert as_viewer.get(f"{page_url}scores/?{query}").status_code == 400


def test_it_gives_scores_and_pairs_as_csv(as_viewer: Client, page_url: str):
    scores = rows_of(as_viewer.get(f"{page_url}scores.csv"))
    assert [row["system"] for row in scores] == ["lead", "soup"]
    assert float(scores[0]["score"]) == pytest.approx(2 / 3)
    assert float(scores[0]["low"]) <= float(scores[0]["high"])
    [pair] = rows_of(as_viewer.get(f"{page_url}pairs.csv"))
    assert (pair["first"], pair["second"]) == ("lead", "soup")
    assert float(pair["difference"]) == pytest.approx(1 / 3)


def test_it_shows_units_by_systems_of_one_example(
    as_viewer: Client, labelled: LabelSet, page_url: str
):
    chosen = labelled.project.examples.get(key="e2")
    response = as_viewer.get(f"{page_url}scores/?example={chosen.pk}")
    presence = response.context["presence"]
    assert presence.example == chosen
    assert presence.systems == ["lead", "soup"]
    assert [row.labels for row in presence.rows] == [[1, 1], [0, 0], [1, 0]]
    assert [row.present for row in presence.rows] == [2, 0, 1]
    other = as_viewer.get(f"{page_url}scores/?example=x").context["presence"]
    assert other.example.key == "e1"


def test_it_has_no_scores_of_labels_that_are_being_made(as_viewer: Client, page_url: str):
    LabelSet.objects.update(is_ready=False)
    assert as_viewer.get(f"{page_url}scores/").status_code == 409


def take_files(client: Client, labelled: LabelSet) -> LabelSet:
    send(client, labelled, ("lead.label", LINES), ("soup.label", b"0\t0\t1\n" * 3))
    made = LabelSet.objects.filter(origin="files").latest("pk")
    assert made.job is not None
    run_job(job_id=made.job.pk)
    return made


def test_it_rebuilds_imported_labels_with_expert_decisions(
    as_owner: Client, labelled: LabelSet, owner: User
):
    taken = take_files(as_owner, labelled)
    there = f"{LABELS}{taken.pk}/"
    page = page_of(as_owner.get(there))
    assert f"{there}settle/" not in page.actions
    assert f"{there}delete/" in page.actions
    summary = taken.summaries.earliest("pk").summary
    unit = taken.unit_set.units.filter(example=summary.example_id).earliest("position")
    settling.adjudicate(
        project=taken.project, user=owner, summary=summary, unit=unit, present=False
    )
    assert f"{there}settle/" in page_of(as_owner.get(there)).actions
    response = as_owner.post(f"{there}settle/")
    made = LabelSet.objects.latest("pk")
    assert response["Location"] == f"{LABELS}{made.pk}/"
    assert made.job is not None
    run_job(job_id=made.job.pk)
    page = page_of(as_owner.get(response["Location"]))
    assert f"override the labels of version {taken.version}." in page.text
    assert "1 label decided by an expert" in page.text
    assert f"{response['Location']}settle/" not in page.actions


def test_it_says_that_labels_are_the_same_as_others(as_owner: Client, labelled: LabelSet):
    first, second = (take_files(as_owner, labelled) for _ in range(2))
    assert 'id="same"' not in page_of(as_owner.get(f"{LABELS}{first.pk}/")).html
    page = page_of(as_owner.get(f"{LABELS}{second.pk}/"))
    assert 'id="same"' in page.html
    assert f"{LABELS}{first.pk}/" in page.links


def test_it_gives_no_interval_over_two_examples(as_viewer: Client, labelled: LabelSet):
    scores = f"{LABELS}{labelled.pk}/scores/"
    assert "no interval" not in page_of(as_viewer.get(scores)).text
    third = labelled.summaries.order_by("summary__example__position").last()
    assert third is not None
    labelled.summaries.filter(summary__example=third.summary.example_id).delete()
    LabelSet.objects.update(content_hash="2" * 64)
    response = as_viewer.get(scores)
    assert {(row.documents, row.low) for row in response.context["scores"].rows} == {(2, None)}
    assert all(pair.low is None for pair in response.context["scores"].pairs)
    assert "2 systems have no interval." in page_of(response).text
    csv = b"".join(as_viewer.get(f"{LABELS}{labelled.pk}/pairs.csv")).decode()
    assert ",,," in csv
