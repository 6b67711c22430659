"""A run is begun when everything is in order, and else not at all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from annotation.corpora.accounts.models import User
from annotation.corpora.corpus.models import Summary
from annotation.corpora.jobs.models import Job
from annotation.corpora.projects import service as projects_service
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError
from annotation.evaluation.judges.offered import list_judges, resolve_judge
from annotation.evaluation.overview.guards import refuse_if_judged
from annotation.evaluation.runs import service as runs_service
from annotation.evaluation.runs.models import JudgeRun, RunChunk, SummaryPresence
from annotation.units.sets.models import Unit, UnitSet
from tests import factories
from tests.annotation.evaluation.running import begin, finish, lead

pytestmark = pytest.mark.usefixtures("toys")


def test_it_begins_with_chunks_and_a_job(judged_set: UnitSet, owner: User) -> None:
    run = begin(judged_set, owner, chunk_size=4, function="p2c", note=" A try. ")
    assert run.job is not None
    assert (run.job.kind, run.job.state, run.note) == ("judge_summaries", "queued", "A try.")
    assert run.counts == {"summaries": 6, "systems": 2, "examples": 3, "pairs": 18, "empty": 0}
    assert [len(chunk.summaries) for chunk in run.chunks.all()] == [4, 2]
    assert [chunk.pairs for chunk in run.chunks.all()] == [12, 6]


def test_it_takes_the_systems_that_are_named(judged_set: UnitSet) -> None:
    assert begin(judged_set, systems=["soup"]).counts["summaries"] == 3


def refused(unit_set: UnitSet, **said: Any) -> str:
    """The sentence, once nothing was written."""
    with pytest.raises(DomainError) as caught:
        begin(unit_set, **said)
    assert not JudgeRun.objects.exists()
    assert not RunChunk.objects.exists()
    assert not Job.objects.filter(kind="judge_summaries").exists()
    return f"{caught.value.message} {caught.value.hint}"


@pytest.mark.parametrize(
    "said, words",
    [
        (
            {"judge": "oracle"},
            "there is no judge 'oracle'. Known judges: embedded, reader, lexical",
        ),
        ({"judge": "./no/such/folder"}, "there is no judge './no/such/folder'"),
        ({"judge": "/etc"}, "there is no judge '/etc'"),
        ({"judge": "annotation/corpora"}, "there is no judge 'annotation/corpora'"),
        ({"function": "p9c"}, "there is no function 'p9c'"),
        ({"judge": "lexical", "function": "p3c"}, "Use p2c or l2c"),
        ({"systems": ["nobody"]}, "The project has no system 'nobody'"),
        ({"empty": "maybe"}, "'maybe' is not one of refuse, absent"),
        ({"options": {"precision": "fp64"}}, "precision: 'fp64' is not one of"),
        ({"options": {"colour": "red"}}, "'colour' is unknown"),
        ({"chunk_size": 0}, "chunk_size"),
    ],
)
def test_it_refuses_what_it_does_not_know(
    judged_set: UnitSet, said: dict[str, Any], words: str
) -> None:
    assert words in refused(judged_set, **said)


def test_it_names_the_unit_that_is_empty(judged_set: UnitSet) -> None:
    unit = judged_set.units.filter(example__key="e2").order_by("position")[1]
    Unit.objects.filter(pk=unit.pk).update(text=" \n")
    assert "Unit 2 of example e2 in Judged v1 is empty." in refused(judged_set)


def test_it_names_the_summary_that_is_empty(judged_set: UnitSet) -> None:
    Summary.objects.filter(example__key="e3", system__name="soup").update(text=" ")
    assert "soup’s summary of e3 is empty." in refused(judged_set)


def test_it_refuses_units_that_may_change(corpus: Project, owner: User) -> None:
    draft = factories.make_set(corpus, owner, "Draft")
    factories.add_unit(draft, corpus.examples.all()[0], owner, "The dam burst.")
    assert "Draft v1 is not frozen" in refused(draft)


def test_it_refuses_a_project_without_summaries(project: Project, owner: User, tmp_path: Path):
    lines = [factories.example("e1", summaries={})]
    factories.import_corpus(project, factories.write_jsonl(tmp_path / "bare.jsonl", lines))
    made = factories.make_set(project, owner)
    factories.add_unit(made, project.examples.get(), owner, "The dam burst.")
    factories.freeze(made, owner)
    made.refresh_from_db()
    assert "There are no summaries of examples with units in SCUs v1." in refused(made)


def make_folder(name: str, card: str) -> Path:
    folder = Path(settings.JUDGES_DIR) / name
    folder.mkdir(parents=True)
    (folder / "judge.json").write_text(card)
    return folder


def test_it_lists_presets_and_the_folders_of_the_server(corpus: Project) -> None:
    make_folder("ours", json.dumps({"kind": "lexical", "function": "p2c", "name": "Ours"}))
    make_folder("spoilt", "{")
    (Path(settings.JUDGES_DIR) / "no-judge").mkdir()
    listed = {choice.name: choice for choice in list_judges(corpus)}
    assert {"embedded", "anli", "ours", "spoilt"} <= set(listed)
    assert "no-judge" not in listed
    assert listed["ours"].functions == ("p2c", "l2c")
    assert listed["anli"].functions == ("p3c", "l3c", "p2c", "l2c")
    assert "is not valid JSON" in listed["spoilt"].what


def test_it_finds_folders_below_its_own_alone(corpus: Project, tmp_path: Path) -> None:
    folder = make_folder("ours", json.dumps({"kind": "lexical"}))
    for name in ("ours", str(folder)):
        assert resolve_judge(corpus, name).where == str(folder)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "judge.json").write_text("{}")
    (Path(settings.JUDGES_DIR) / "link").symlink_to(outside)
    for name in (str(outside), "../outside", "link", ".", "", "ours\0"):
        with pytest.raises(DomainError, match="there is no judge"):
            resolve_judge(corpus, name)


def test_it_counts_the_classes_that_a_model_names(corpus: Project) -> None:
    folder = make_folder("two", json.dumps({"kind": "nli"}))
    (folder / "config.json").write_text(json.dumps({"id2label": {"0": "yes", "1": "no"}}))
    assert resolve_judge(corpus, "two").functions == ("p2c", "l2c")


def test_it_takes_a_name_of_hugging_face(corpus: Project) -> None:
    assert resolve_judge(corpus, "somebody/roberta-nli").kind == "nli"


def test_it_is_deleted_when_it_is_over(judged_set: UnitSet, owner: User) -> None:
    run = finish(judged_set)
    runs_service.delete_run(run=run, user=owner)
    assert not SummaryPresence.objects.exists()
    with pytest.raises(DomainError, match="has not finished"):
        runs_service.delete_run(run=begin(judged_set), user=owner)


def test_it_keeps_the_texts_that_it_judged(judged_set: UnitSet, owner: User) -> None:
    import_ = judged_set.project.imports.get()
    run = begin(judged_set)
    for _ in range(2):
        with pytest.raises(DomainError, match=f"judged by {run}"):
            refuse_if_judged(import_)
        lead(run)
    runs_service.delete_run(run=run, user=owner)
    refuse_if_judged(import_)


def test_it_goes_with_its_project(judged_set: UnitSet) -> None:
    lead(begin(judged_set))
    projects_service.delete_project(project=judged_set.project)
    assert not JudgeRun.objects.exists()
