"""Runs by real judges: what the library says, to the bit, however it is cut."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.models import JobState
from annotation.corpora.jobs.service import run_job
from annotation.corpora.projects.models import Project
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.runs.models import StoredVerdict
from annotation.units.sets.models import UnitSet
from scoring.judge import Document, JudgeOptions, load_judge, score_summaries
from tests import factories
from tests.annotation.corpora.rest import Rest
from tests.annotation.evaluation.campaigns import make_units
from tests.annotation.evaluation.running import begin, finish, lead, results
from tests.annotation.evaluation.training import train
from tests.scoring.backends.nli_models import make_model

SUMMARIES = {
    "lead": "The dam burst on Monday. Nobody was hurt, the mayor said.",
    "soup": "Monday, a dam. People were hurt.",
    "other": "It rained for a week.",
}
JUDGES = ["lexical", "embedded"]


@pytest.fixture
def units(project: Project, owner: User, tmp_path: Path) -> UnitSet:
    lines = [factories.example(f"e{number}", summaries=SUMMARIES) for number in range(2)]
    lines[1]["summaries"] = {name: f"{text} Again." for name, text in SUMMARIES.items()}
    factories.import_corpus(project, factories.write_jsonl(tmp_path / "texts.jsonl", lines))
    return make_units(project, owner)


def by_library(judge: str, summary: str, texts: list[str], **more: Any) -> Any:
    documents = [Document("one", tuple(texts), summary, **more)]
    return score_summaries(documents, load_judge(judge, JudgeOptions(threads=1)))


@pytest.mark.parametrize("judge", JUDGES)
def test_it_finds_what_the_library_finds(units: UnitSet, judge: str) -> None:
    run = finish(units, judge=judge, chunk_size=4)
    texts = list(units.units.filter(example__key="e0").order_by("position").values_list("text"))
    for system, summary in SUMMARIES.items():
        found = by_library(judge, summary, [text for (text,) in texts])
        values, sentences = results(run)[("e0", system)]
        assert values == found.presence("p2c")[0]
        assert sentences == [verdict.sentence for verdict in found.verdicts[0]]


@pytest.mark.parametrize("judge", JUDGES)
def test_it_is_the_same_however_it_is_cut_and_whatever_is_stored(
    units: UnitSet, judge: str
) -> None:
    whole = finish(units, judge=judge)
    StoredVerdict.objects.all().delete()
    finish(units, judge=judge, systems=["soup"])
    cut = finish(units, judge=judge, chunk_size=1)
    assert cut.figures["counts"]["stored"] == 6
    assert (cut.content_hash, cut.signature) == (whole.content_hash, whole.signature)


def test_it_scores_texts_as_the_library_does(units: UnitSet, owner: User) -> None:
    texts = ["The dam burst.", "It was Monday."]
    body = {"units": texts, "summary": SUMMARIES["lead"], "weights": [2, 1], "labels": [1, 0]}
    rest = Rest(owner)
    answer = rest.post(
        "/projects/study/score/", {"judge": "lexical", "documents": [{"name": "one", **body}]}
    )
    run_job(job_id=answer.json()["job"]["id"])
    told = rest.get(f"/projects/study/score/{answer.json()['id']}/").json()["result"]
    found = by_library("lexical", SUMMARIES["lead"], texts, weights=(2, 1), labels=(1, 0))
    assert told["scores"] == found.means()
    assert told["human"] == found.human()
    assert told["signatures"]["p2c"] == found.signature("p2c")


@pytest.fixture
def nli() -> str:
    """A small NLI model of three classes among the server's judges."""
    folder = Path(settings.JUDGES_DIR) / "small"
    folder.mkdir(parents=True)
    return make_model(folder)


def test_an_nli_model_judges_a_run(units: UnitSet, nli: str) -> None:
    run = finish(units, judge="small", function="p3c", chunk_size=1)
    texts = list(units.units.filter(example__key="e0").order_by("position").values_list("text"))
    found = by_library(nli, SUMMARIES["lead"], [text for (text,) in texts])
    assert results(run)[("e0", "lead")][0] == found.presence("p3c")[0]
    other = finish(units, judge="small", function="l2c")
    assert other.figures["counts"]["stored"] == other.figures["counts"]["pairs"]
    assert results(other)[("e0", "lead")][0] == found.presence("l2c")[0]


def test_an_nli_model_is_fine_tuned_on_a_projects_labels(labelled: LabelSet, nli: str) -> None:
    made = train(labelled, base="small", name="mine", folds=0, options={"epochs": 1})
    assert made.card["kind"] == "nli"
    run = finish(labelled.unit_set, judge="mine")
    assert run.judge == "mine@1"
    assert all(0 < value < 1 for values, _ in results(run).values() for value in values)


def test_it_says_what_helps_where_a_worker_lacks_the_device(
    units: UnitSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scoring.backends.nli.precision.list_devices", lambda: ["cpu"])
    run = lead(begin(units, judge="anli", options={"device": "cuda"}))
    assert run.job is not None
    assert run.job.state == JobState.FAILED
    assert run.job.error.startswith("The device 'cuda' is not available. Available: cpu.")
    assert "--wait" in run.job.error
    # Nothing of it is lost: who has the device goes on.
    assert set(run.chunks.values_list("state", flat=True)) == {"waiting"}
