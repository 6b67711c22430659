"""Several metrics at once, and what a project lacks for some; by service, command and REST."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management.base import CommandError

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError
from annotation.evaluation.metrics import service as metrics_service
from annotation.evaluation.metrics.models import ScoreSet
from annotation.evaluation.metrics.sources import MODELS, list_metric_choices
from scoring.errors import InputError
from scoring.metrics import METRICS, Metric, load_metric
from tests.annotation.corpora.rest import Rest
from tests.annotation.evaluation.commanding import run, run_json
from tests.annotation.evaluation.scored import lead_scores

SCORE = ("score_metric", "--project", "study")
READ_DOCUMENTS = {
    "reference_free", "sem_ncg", "supert", "c_sbert", "pseudo_references", "source_overlap",
    "extractive", "length",
}  # fmt: skip


def remove_documents(project: Project) -> None:
    for example in project.examples.all():
        example.documents.all().delete()


def test_it_begins_all_that_can_be_computed(corpus: Project, owner: User):
    begun = metrics_service.score_metrics(project=corpus, user=owner, systems=["lead"], note="all")
    assert begun.left_out == {"qa_overlap": MODELS}
    assert [made.metric for made in begun.score_sets] == [n for n in METRICS if n != "qa_overlap"]
    assert len({made.job_id for made in begun.score_sets}) == len(METRICS) - 1
    assert {made.note for made in begun.score_sets} == {"all"}
    first = lead_scores(begun.score_sets[0])
    assert first.counts["summaries"] == 3


def test_it_leaves_out_what_the_project_lacks(corpus: Project):
    remove_documents(corpus)
    lacks = {row.name: row.lack for row in list_metric_choices(corpus) if row.lack}
    assert set(lacks) == {"qa_overlap", *READ_DOCUMENTS}
    assert lacks["length"] == "reads documents, and no example has any"
    begun = metrics_service.score_metrics(
        project=corpus, user=None, metrics=["length", "js", "rouge"]
    )
    assert [made.metric for made in begun.score_sets] == ["rouge", "js"]
    assert list(begun.left_out) == ["length"]


def test_it_refuses_where_nothing_is_left(corpus: Project):
    remove_documents(corpus)
    with pytest.raises(DomainError, match="None of these metrics can be computed here: length re"):
        metrics_service.score_metrics(project=corpus, user=None, metrics=["length"])
    with pytest.raises(DomainError, match="'rogue'"):
        metrics_service.score_metrics(project=corpus, user=None, metrics=["rouge", "rogue"])
    assert not ScoreSet.objects.exists()


def test_the_command_scores_by_several(corpus: Project):
    remove_documents(corpus)
    text = run(*SCORE, "js", "rouge", "length")
    assert "rouge1_recall 0.3750" in text
    assert "length was skipped: it" in text
    said = run_json(*SCORE, "js", "rouge", "length")
    assert [row["name"] for row in said["score_sets"]] == ["rouge", "js"]
    assert [row["stored"] for row in said["score_sets"]] == [6, 6]
    assert list(said["left_out"]) == ["length"]


def test_the_command_takes_all(corpus: Project, monkeypatch: pytest.MonkeyPatch):
    few = {name: METRICS[name] for name in ("rouge", "js", "qa_overlap")}
    monkeypatch.setattr("annotation.evaluation.metrics.sources.METRICS", few)
    said = run_json(*SCORE, "--all")
    assert [row["name"] for row in said["score_sets"]] == ["rouge", "js"]
    assert said["left_out"] == {"qa_overlap": MODELS}


def test_one_that_fails_leaves_the_others(corpus: Project, monkeypatch: pytest.MonkeyPatch):
    def load(name: str, options: Any) -> Metric:
        if name == "rouge":
            raise InputError("The stems are gone.")
        return load_metric(name, options)

    monkeypatch.setattr("annotation.evaluation.metrics.service.load_metric", load)
    with pytest.raises(CommandError, match="The stems are gone"):
        run(*SCORE, "rouge", "length")
    assert ScoreSet.objects.get(metric="length").is_ready
    assert not ScoreSet.objects.get(metric="rouge").is_ready


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "--all"),
        (("rouge", "--all"), "--all"),
        (("rouge", "js", "--option", "stem=no"), "--option"),
        (("rouge", "rogue"), "'rogue'"),
    ],
)
def test_the_command_says_what_it_can_not_do(
    corpus: Project, arguments: tuple[str, ...], words: str
):
    with pytest.raises(CommandError, match=words):
        run(*SCORE, *arguments)


def test_rest_begins_several(corpus: Project, owner: User):
    remove_documents(corpus)
    there = "/projects/study/score-sets/several/"
    told = Rest(owner).post(there, {"metrics": ["length", "rouge"], "systems": ["lead"]})
    assert told.status_code == 202, told.json()
    [made] = told.json()["score_sets"]
    assert (made["metric"], made["systems"]) == ("rouge", ["lead"])
    assert told.json()["left_out"] == [
        {"metric": "length", "why": "reads documents, and no example has any"}
    ]
    assert Rest(owner).post(there, {"metrics": ["rogue"]}).status_code == 400
    assert Rest(owner).post(there, {"metrics": ["length"]}).status_code == 409
