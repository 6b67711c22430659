"""Pages of judges, as those who read them and those who train them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from annotation.corpora.jobs.service import run_job
from annotation.corpora.projects.models import Project
from annotation.evaluation.gold.models import GoldVersion
from annotation.evaluation.judges.models import TrainedJudge
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.templatetags.judge_words import KINDS
from annotation.units.sets.models import UnitSet
from tests.annotation.corpora.pages import Page, page_of
from tests.annotation.evaluation.judge_permissions import filled
from tests.annotation.evaluation.training import learn, train

HERE = "/p/study/judges/"


def get(client: Client, path: str = "", **query: str) -> Page:
    return page_of(client.get(f"{HERE}{path}", query))


def test_it_says_what_each_judge_is(corpus: Project, as_viewer: Client) -> None:
    text = get(as_viewer).text
    assert "/p/study/gold/" in get(as_viewer).links
    assert str(KINDS["embedded"]) in text
    assert "RoBERTa-large trained on SNLI" in text


def test_it_offers_the_first_training_to_those_who_may(
    labelled: LabelSet, as_owner: Client, as_viewer: Client
) -> None:
    assert f"{HERE}new/" in get(as_owner).links
    assert f"{HERE}new/" not in get(as_viewer).links
    assert HERE in page_of(as_viewer.get("/p/study/runs/")).links


def test_it_asks_for_labels_first(judged_set: UnitSet, as_owner: Client) -> None:
    page = get(as_owner, "new/")
    assert "/p/study/gold/" in page.links
    assert "source" not in page.values


def test_it_lists_judges_with_held_out_figures(labelled: LabelSet, as_viewer: Client) -> None:
    train(labelled)
    learn(labelled, folds=0)
    train(labelled, folds=0, name="sure")
    text = get(as_viewer).text
    assert "dams@1" in text
    assert "✓ Ready" in text
    assert "3 folds, by examples" in text
    assert "dams@2" in text
    assert "… Queued" in text


def test_it_begins_a_training(labelled: LabelSet, as_owner: Client) -> None:
    form = get(as_owner, "new/", source=f"labels-{labelled.pk}").html
    assert f'value="labels-{labelled.pk}" selected' in form
    assert 'value="examples" selected' in form
    sent = {"name": "dams", "base": "lexical", **filled(labelled.pk)}
    response = as_owner.post(f"{HERE}new/", sent)
    made = TrainedJudge.objects.get()
    assert response["Location"] == f"{HERE}{made.pk}/"
    assert (made.label_set, made.folds, made.options["learning_rate"]) == (labelled, 3, 1e-5)
    waiting = get(as_owner, f"{made.pk}/")
    assert "… Queued" in waiting.text
    assert f"/p/study/jobs/{made.job_id}/cancel/" in waiting.actions


def test_it_learns_from_gold_without_folds(gold: GoldVersion, as_owner: Client) -> None:
    sent = {"name": "dams", "base": "lexical", **filled(0)}
    sent |= {"source": f"gold-{gold.pk}", "folds_by": "nothing"}
    as_owner.post(f"{HERE}new/", sent)
    made = TrainedJudge.objects.get()
    assert (made.gold, made.label_set, made.folds) == (gold, None, 0)
    assert made.job_id is not None
    run_job(job_id=made.job_id)
    text = get(as_owner, f"{made.pk}/").text
    assert "No held-out data." in text
    assert "Held-out accuracy" not in text


@pytest.mark.parametrize(
    "wrong, message",
    [
        ({"name": "a b"}, "name: expected "),
        ({"base": "other"}, "Enter the name of the model."),
        ({"base": "other", "model": "./x"}, "there is no judge"),
        ({"folds": "9"}, "9 folds can&#x27;t be made of 3 examples"),
        ({"folds": "1"}, "greater than or equal to 2"),
        ({"epochs": "0"}, "greater than or equal to 1"),
        ({"source": "labels-0"}, "Select a valid choice"),
    ],
)
def test_it_says_what_is_wrong(
    labelled: LabelSet, as_owner: Client, wrong: dict[str, Any], message: str
) -> None:
    sent = {"name": "dams", "base": "lexical", **filled(labelled.pk), **wrong}
    response = as_owner.post(f"{HERE}new/", sent)
    assert response.status_code == 422
    assert message in page_of(response, 422).html
    assert not TrainedJudge.objects.exists()


def test_it_shows_the_card(labelled: LabelSet, as_owner: Client, as_viewer: Client) -> None:
    judge = train(labelled)
    page = get(as_owner, f"{judge.pk}/")
    assert "/p/study/runs/new/?judge=dams%401" in page.links
    assert f"{HERE}{judge.pk}/delete/" in page.actions
    text = page.text
    assert judge.card["data"]["hash"][:12] in text
    assert "System-level, mean over folds" in text
    assert str(KINDS[judge.card["kind"]]) in text
    assert "<svg" in page.html
    seen = get(as_viewer, f"{judge.pk}/")
    assert f"{HERE}{judge.pk}/delete/" not in seen.actions
    chosen = page_of(as_owner.get("/p/study/runs/new/?judge=dams%401"))
    assert 'value="dams@1" checked' in chosen.html


def test_it_gives_the_card_as_json(labelled: LabelSet, as_viewer: Client) -> None:
    judge = train(labelled)
    response = as_viewer.get(f"{HERE}{judge.pk}/card.json")
    assert json.loads(response.content) == judge.card
    assert "attachment" in response["Content-Disposition"]
    waiting = learn(labelled)
    assert as_viewer.get(f"{HERE}{waiting.pk}/card.json").status_code == 409


def test_it_shows_why_a_training_failed(labelled: LabelSet, as_owner: Client) -> None:
    judge = learn(labelled)
    labelled.summaries.all().delete()
    assert judge.job_id is not None
    run_job(job_id=judge.job_id)
    page = get(as_owner, f"{judge.pk}/")
    assert "✕ Failed" in page.text
    assert 'role="alert"' in page.html
    as_owner.post(f"{HERE}{judge.pk}/delete/")
    assert not TrainedJudge.objects.exists()
