"""Pages of metrics and their scores."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.corpora.jobs.service import run_job
from annotation.corpora.projects.models import Project
from annotation.evaluation.metrics.models import ScoreSet
from scoring.metrics import METRICS
from tests.annotation.corpora.pages import Page, page_of
from tests.annotation.evaluation.scored import begin_scores, lead_scores, make_scores

HERE = "/p/study/metrics/"


def get(client: Client, path: str = "", **query: str) -> Page:
    return page_of(client.get(f"{HERE}{path}", query))


def send(client: Client, text: str, **fields: str) -> object:
    file = SimpleUploadedFile("theirs.csv", text.encode())
    return client.post(f"{HERE}import/", {"file": file, **fields})


def test_it_says_what_is_missing(project: Project, as_owner: Client) -> None:
    assert "First import a corpus" in get(as_owner).text
    assert "Nothing to score yet" in get(as_owner, "new/").text
    assert "No summaries yet" in get(as_owner, "import/").text


def test_it_offers_the_first_step(corpus: Project, as_owner: Client, as_viewer: Client) -> None:
    page = get(as_owner)
    assert "No scores yet" in page.text
    assert {f"{HERE}new/", f"{HERE}import/"} <= set(page.links)
    assert "Only owners and editors" in get(as_viewer).text


def test_it_describes_every_metric_and_its_options(corpus: Project, as_owner: Client) -> None:
    page = get(as_owner, "new/")
    for name, entry in METRICS.items():
        assert f"?metric={name}" in page.links
        assert entry.what in page.text
    page = get(as_owner, "new/", metric="meteor")
    assert "Weight of recall against precision, from 0 to 1." in page.text
    assert page.values["option_alpha"] == "0.9"
    assert "has no options" in get(as_owner, "new/", metric="length").text
    assert as_owner.get(f"{HERE}new/", {"metric": "rogue"}).status_code == 404


def test_it_scores_by_a_metric(corpus: Project, as_owner: Client) -> None:
    sent = {"option_several": "mean", "systems": ["lead"], "note": "first"}
    response = as_owner.post(f"{HERE}new/?metric=rouge", sent)
    made = ScoreSet.objects.get()
    assert response["Location"] == f"{HERE}{made.pk}/"
    assert made.options == {"stem": False, "several": "mean"}
    assert made.systems == ["lead"]
    assert "Waiting for a worker" in get(as_owner, f"{made.pk}/").text
    assert "In progress" in get(as_owner).text
    run_job(job_id=made.job_id or 0)
    page = get(as_owner, f"{made.pk}/", column="rouge2_recall")
    assert "rouge2_recall by system" in page.text
    assert "0.2857" in page.text
    assert "Highest first." in page.text
    assert "✓ Ready" in get(as_owner).text
    assert "and 9 more" in get(as_owner).text


@pytest.mark.parametrize(
    ("metric", "sent", "words"),
    [
        ("rouge", {"option_several": "all"}, "Select a valid choice"),
        ("meteor", {"option_alpha": "2"}, "This field is required"),
        ("autosummeng", {"option_shortest": 5, "option_longest": 3, "option_window": 3,
                         "option_several": "mean"}, "5 to 3 characters"),
    ],
)  # fmt: skip
def test_it_says_what_is_wrong_with_the_form(
    corpus: Project, as_owner: Client, metric: str, sent: dict[str, object], words: str
) -> None:
    response = as_owner.post(f"{HERE}new/?metric={metric}", sent)
    assert words in page_of(response, 422).text
    assert not ScoreSet.objects.exists()


def test_it_says_that_less_is_better(corpus: Project, as_viewer: Client) -> None:
    made = make_scores(corpus, "js")
    page = get(as_viewer, f"{made.pk}/")
    assert "Lower is better." in page.text
    assert "js1, js2" in page.text
    assert not any("delete" in action for action in page.actions)


def test_it_turns_pages(corpus: Project, as_viewer: Client, monkeypatch) -> None:
    monkeypatch.setattr("annotation.evaluation.metrics.views.ROWS_A_PAGE", 2)
    made = make_scores(corpus, "length")
    page = get(as_viewer, f"{made.pk}/", page="2")
    assert "2–2 of 3 examples" in page.text
    assert page.text.count("e2") == 2
    page = get(as_viewer, f"{made.pk}/", system="soup")
    assert "Scores by summary: soup" in page.text
    assert "1–2 of 3 examples" in page.text
    assert "?system=soup&page=2" in page.links


def test_an_unknown_column_is_not_there(corpus: Project, as_viewer: Client) -> None:
    made = make_scores(corpus, "length")
    assert as_viewer.get(f"{HERE}{made.pk}/", {"column": "x"}).status_code == 404
    assert as_viewer.get(f"{HERE}{made.pk + 1}/").status_code == 404


def test_it_says_why_scores_were_not_made(corpus: Project, as_owner: Client) -> None:
    for example in corpus.examples.all():
        example.references.all().delete()
    made = lead_scores(begin_scores(corpus))
    page = get(as_owner, f"{made.pk}/")
    assert "The scores could not be computed." in page.text
    assert "rouge could not score any summary" in page.text
    assert "Failed" in get(as_owner).text
    assert as_owner.get(f"{HERE}{made.pk}/scores.csv").status_code == 409


def test_it_downloads_and_deletes(corpus: Project, as_owner: Client) -> None:
    made = make_scores(corpus, "length")
    response = as_owner.get(f"{HERE}{made.pk}/scores.csv")
    lines = b"".join(response.streaming_content).decode().splitlines()  # type: ignore[attr-defined]
    assert lines[:2] == ["doc_id,system,metric,score", "e1,lead,words,3.0"]
    page = page_of(as_owner.post(f"{HERE}{made.pk}/delete/", follow=True))
    assert f"Scores {made.pk}: length were deleted." in page.text


def test_it_imports_scores(corpus: Project, as_owner: Client) -> None:
    text = "doc_id,system,metric,score,flag\ne1,lead,bleu,0.5,\ne1,soup,bleu,1,odd\n"
    sent = send(as_owner, text, name="BLEU", lower=" bleu ,", unflagged="on")
    made = ScoreSet.objects.get()
    assert sent["Location"] == f"{HERE}{made.pk}/"  # type: ignore[index]
    assert (made.name, made.lower, made.systems) == ("BLEU", ["bleu"], ["lead"])
    lead_scores(made)
    page = get(as_owner, f"{made.pk}/")
    assert "Imported from a file." in page.text
    assert "0.5000" in page.text


def test_it_names_problems_by_line(corpus: Project, as_owner: Client) -> None:
    response = send(as_owner, "doc_id,system,metric,score\ne9,lead,bleu,0.5\n")
    page = page_of(response, 422)
    assert "1 problem found. Nothing was changed." in page.text
    assert "There is no example 'e9'." in page.text
    assert "theirs.csv" in page.text


def test_it_asks_for_a_file(corpus: Project, as_owner: Client) -> None:
    response = as_owner.post(f"{HERE}import/", {})
    assert "This field is required" in page_of(response, 422).text


def test_it_shows_hostile_names_as_text(corpus: Project, as_owner: Client) -> None:
    text = 'doc_id,system,metric,score\ne1,lead,"<img src=x onerror=alert(1)>",0.5\n'
    send(as_owner, text, name="<script>alert(1)</script>")
    made = lead_scores(ScoreSet.objects.get())
    page = get(as_owner, f"{made.pk}/")
    assert page.faults == []
    assert "<script>alert(1)</script>" in page.text
