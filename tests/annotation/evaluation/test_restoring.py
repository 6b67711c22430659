"""A study from its gold dataset: the same to the last byte, all or nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.test import Client

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.kinds import KINDS
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.jobs.service import run_job
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Assignment, Campaign, Worker
from annotation.errors import DomainError, Invalid
from annotation.evaluation.gold import restoring as gold_restoring
from annotation.evaluation.gold import service as gold_service
from annotation.evaluation.gold.models import GoldVersion
from annotation.evaluation.labels import settling
from annotation.evaluation.labels.models import LabelSet, SummaryLabels
from annotation.units.sets.models import UnitSet
from tests.annotation.evaluation.campaigns import make_gold


def restore(path: Path, owner: User, slug: str = "copy") -> Job:
    outcome = gold_restoring.import_gold(user=owner, name="", slug=slug, path=path)
    assert outcome.job is not None, outcome.problems
    run_job(job_id=outcome.job.pk)
    outcome.job.refresh_from_db()
    return outcome.job


def restored() -> GoldVersion:
    return GoldVersion.objects.get(project__slug="copy")


def test_it_restores_a_study_with_the_same_hash(gold: GoldVersion, owner: User):
    job = restore(gold.path, owner)
    assert job.state == JobState.DONE, job.error
    copy = restored()
    assert copy.content_hash == gold.content_hash
    assert copy.path.read_bytes() == gold.path.read_bytes()
    assert copy.project.example_count == gold.project.example_count
    assert SummaryLabels.objects.filter(label_set=copy.label_set).count() == 6
    unit_set = UnitSet.objects.get(project=copy.project)
    assert (unit_set.is_frozen, unit_set.content_hash) == (
        True,
        gold.label_set.unit_set.content_hash,
    )


def test_it_restores_what_was_restored(gold: GoldVersion, owner: User):
    restore(gold.path, owner)
    job = restore(restored().path, owner, "again")
    assert job.state == JobState.DONE, job.error
    assert GoldVersion.objects.get(project__slug="again").content_hash == gold.content_hash


def test_it_calls_workers_by_pseudonyms(gold: GoldVersion, owner: User):
    text = gold.path.read_text()
    assert not any(name in text for name in ("ANN", "BOB", "CEM", "DUD"))
    restore(gold.path, owner)
    assert Worker.objects.filter(project__slug="copy").count() == 4


def test_it_gives_ids_where_the_owner_says_so(labelled: LabelSet, owner: User):
    made = make_gold(labelled, owner, worker_names="id")
    assert '"worker":"ANN"' in made.path.read_text()
    restore(made.path, owner)
    assert restored().content_hash == made.content_hash


def test_it_brings_drops_and_experts_words_along(judged: Campaign, owner: User):
    from tests.annotation.evaluation.campaigns import make_labels

    work = Assignment.objects.filter(campaign=judged).select_related("hit__summary").first()
    assert work is not None
    unit = judged.unit_set.units.filter(example=work.hit.summary.example_id)[0]
    settling.adjudicate(
        project=judged.project,
        user=owner,
        summary=work.hit.summary,
        unit=unit,
        present=False,
        reason="It says so nowhere.",
    )
    gold = make_gold(make_labels(judged, owner), owner)
    assert owner.name not in gold.path.read_text()
    restore(gold.path, owner)
    copy = restored()
    assert copy.content_hash == gold.content_hash
    assert copy.label_set.drops.count() == 6
    assert copy.project.adjudications.get().reason == "It says so nowhere."


def test_it_gives_the_next_version_of_a_name_its_number(labelled: LabelSet, owner: User):
    assert [make_gold(labelled, owner).version for _ in range(2)] == [1, 2]


@pytest.mark.parametrize("name", ["", "  ", "Dams\x07"])
def test_it_refuses_a_name_that_no_file_can_carry(labelled: LabelSet, owner: User, name: str):
    with pytest.raises(Invalid, match="name"):
        make_gold(labelled, owner, name=name)
    assert not GoldVersion.objects.exists()


STAGES = ["restore_units", "freeze_units", "restore_answers", "finish_labels", "restore_gold"]


class Killed(BaseException):
    """As if the worker had been killed there."""


@pytest.mark.parametrize("stage", STAGES)
def test_it_goes_on_where_a_killed_worker_stopped(
    gold: GoldVersion, owner: User, stage: str, monkeypatch: pytest.MonkeyPatch
):
    def dies(_: object) -> None:
        raise Killed

    monkeypatch.setattr(gold_restoring, "CHUNK", 1)
    outcome = gold_restoring.import_gold(user=owner, name="", slug="copy", path=gold.path)
    assert outcome.job is not None
    with monkeypatch.context() as patch:
        patch.setattr(gold_restoring._Restorer, stage, dies)
        with pytest.raises(Killed):
            run_job(job_id=outcome.job.pk)
    Job.objects.filter(pk=outcome.job.pk).update(state=JobState.QUEUED)
    run_job(job_id=outcome.job.pk)
    outcome.job.refresh_from_db()
    assert outcome.job.state == JobState.DONE, outcome.job.error
    assert restored().content_hash == gold.content_hash


def change(path: Path, out: Path, **changes: object) -> Path:
    """The file with other values in its first line."""
    first, *rest = path.read_text().splitlines()
    lines = [json.dumps(json.loads(first) | changes), *rest]
    out.write_text("\n".join(lines) + "\n")
    return out


def test_a_version_that_failed_can_be_deleted_and_frees_its_labels(
    labelled: LabelSet, owner: User, as_owner: Client, monkeypatch: pytest.MonkeyPatch
):
    def full(*_: object) -> bytes:
        raise DomainError("No.", "Try again.")

    with monkeypatch.context() as patch:
        patch.setattr("annotation.evaluation.gold.service._write_lines", full)
        made = gold_service.create_gold(
            project=labelled.project, user=owner, label_set=labelled, name="Dams"
        )
        assert made.job is not None
        here = f"/p/{labelled.project.slug}/gold/versions/{made.pk}/"
        with pytest.raises(DomainError, match="still being created"):
            gold_service.delete_gold(gold=made, user=owner)
        run_job(job_id=made.job.pk)
    assert "delete/" in as_owner.get(here).content.decode()
    assert as_owner.post(f"{here}delete/").status_code == 302
    assert not GoldVersion.objects.exists()
    kept = make_gold(labelled, owner)
    assert kept.version == 1
    with pytest.raises(DomainError, match="complete"):
        gold_service.delete_gold(gold=kept, user=owner)


def test_it_refuses_a_file_that_was_changed(gold: GoldVersion, owner: User, tmp_path: Path):
    other = change(gold.path, tmp_path / "gold.jsonl", name="Other")
    outcome = gold_restoring.import_gold(user=owner, name="", slug="copy", path=other)
    assert outcome.project is None
    assert outcome.problems
    assert not Project.objects.filter(slug="copy").exists()


@pytest.mark.parametrize("text", ["", "{}\n", "no json\n", '{"type": "gold", "format": 9}\n'])
def test_it_refuses_what_is_no_gold_dataset(owner: User, tmp_path: Path, text: str):
    path = tmp_path / "gold.jsonl"
    path.write_text(text)
    outcome = gold_restoring.import_gold(user=owner, name="", slug="copy", path=path)
    assert outcome.problems[0]["file"] == "gold.jsonl"
    assert outcome.problems[0]["expected"]
    assert not Project.objects.filter(slug="copy").exists()


def test_it_leaves_nothing_behind_when_given_up(gold: GoldVersion, owner: User):
    outcome = gold_restoring.import_gold(user=owner, name="", slug="copy", path=gold.path)
    assert outcome.job is not None
    undo = KINDS[outcome.job.kind].undo
    assert undo is not None
    undo(outcome.job)
    assert not Project.objects.filter(slug="copy").exists()


def test_it_never_shows_a_version_whose_hash_is_another(
    gold: GoldVersion, owner: User, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(gold_restoring.RowWriter, "write", lambda *_: None)
    job = restore(gold.path, owner)
    assert job.state == JobState.FAILED
    assert not GoldVersion.objects.filter(project__slug="copy", is_ready=True).exists()


def test_it_restores_the_agreement_of_the_answers_that_counted(judged: Campaign, owner: User):
    from tests.annotation.evaluation.campaigns import make_labels

    gold = make_gold(make_labels(judged, owner), owner)
    restore(gold.path, owner)
    before, after = gold.label_set.figures, restored().label_set.figures
    assert before["agreement"]["by_summary"]["alpha"] is not None
    assert after["agreement"] == before["agreement"]
    assert after["drops"] == before["drops"]
