"""Training a judge on a project's labels: what is refused, what comes of it, how it ends early."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Activity
from annotation.corpora.jobs.models import Job, JobState
from annotation.corpora.jobs.service import cancel_job, run_job
from annotation.corpora.jobs.work import REPORT_EVERY, Work
from annotation.corpora.projects.models import Project
from annotation.corpora.projects.service import delete_project
from annotation.errors import DomainError, NotFound
from annotation.evaluation.gold.models import GoldVersion
from annotation.evaluation.judges import service as judges_service
from annotation.evaluation.judges.models import TrainedJudge
from annotation.evaluation.judges.offered import list_judges, resolve_judge
from annotation.evaluation.judges.queries import get_trained, read_records
from annotation.evaluation.labels import service as labels_service
from annotation.evaluation.labels.models import LabelSet, SummaryLabels
from annotation.evaluation.runs import service as runs_service
from scoring.finetune import data_hash
from scoring.finetune.progress import Progress
from tests import factories
from tests.annotation.evaluation.running import begin, finish
from tests.annotation.evaluation.training import learn, train

pytestmark = pytest.mark.usefixtures("toys")


def test_it_trains_a_judge_with_a_card(labelled: LabelSet, owner: User) -> None:
    made = train(labelled, owner)
    assert (str(made), made.is_ready, made.learned_from) == ("dams@1", True, str(labelled))
    card = made.card
    assert (card["name"], card["kind"], card["function"]) == ("dams@1", "lexical", "p2c")
    assert card["data"] | {"labels": 18, "documents": 3, "systems": 2} == card["data"]
    assert [fold["by"] for fold in card["folds"]] == ["examples"] * 3
    assert card["held_out"]["units"] == 18
    assert card["held_out"]["system_level"]["level"] == "system-level"
    assert (made.path / "judge.json").is_file()
    assert not made.work_path.exists()
    assert made.job is not None
    assert made.job.result["data"] == card["data"]["hash"]
    assert Activity.objects.filter(text="trained dams@1").exists()


def test_it_learns_the_same_from_a_gold_version(gold: GoldVersion) -> None:
    records = read_records(None, gold)
    assert data_hash(records) == data_hash(read_records(gold.label_set, None))
    made = train(None, gold=gold, folds=0)
    assert made.card["data"]["hash"] == data_hash(records)
    assert (made.card["held_out"], made.learned_from) == (None, "Dams v1")


def test_it_counts_versions_by_name(labelled: LabelSet) -> None:
    names = ("dams", "dams", "rivers")
    first, second, other = (train(labelled, name=name, folds=0) for name in names)
    assert [str(judge) for judge in (first, second, other)] == ["dams@1", "dams@2", "rivers@1"]
    project = labelled.project
    assert resolve_judge(project, "dams").name == "dams@2"
    assert resolve_judge(project, "dams@1").where == str(first.path)
    listed = {choice.name: choice for choice in list_judges(project)}
    assert {"dams@1", "dams@2", "rivers@1", "lexical"} <= set(listed)
    assert "18 presence labels" in listed["dams@1"].what
    assert (listed["dams@1"].functions, listed["dams@1"].is_light) == (("p2c", "l2c"), True)


def test_it_is_its_projects_own(labelled: LabelSet, owner: User) -> None:
    made = train(labelled, folds=0)
    other = factories.make_project(owner, slug="other")
    assert "dams@1" not in {choice.name for choice in list_judges(other)}
    below = made.path.relative_to(settings.JUDGES_DIR)
    for name in ("dams", "dams@1", str(made.folder), str(below), f"x/../{below}"):
        with pytest.raises(DomainError, match="there is no judge"):
            resolve_judge(other, name)
    with pytest.raises(NotFound):
        get_trained(other, made.pk)


def test_it_knows_no_other_version(labelled: LabelSet) -> None:
    train(labelled, folds=0)
    for name in ("dams@2", "dams@", "dams@one", "dams@9999999999999"):
        with pytest.raises(DomainError, match="there is no judge"):
            resolve_judge(labelled.project, name)


def test_it_judges_in_a_run(labelled: LabelSet) -> None:
    train(labelled, folds=0)
    run = finish(labelled.unit_set, judge="dams")
    assert (run.judge, run.function) == ("dams@1", "p2c")
    assert run.signature.startswith("judge:dams@1|kind:lexical|")
    assert str(settings.JUDGES_DIR) not in run.signature


@pytest.mark.parametrize(
    "said, message",
    [
        ({"name": ""}, "name: expected "),
        ({"name": "a/b"}, "name: expected "),
        ({"name": "dams@3"}, "name: expected "),
        ({"name": "lexical"}, "already has a judge 'lexical'"),
        ({"base": "oracle"}, "there is no judge 'oracle'"),
        ({"base": "/etc"}, "there is no judge '/etc'"),
        ({"folds": 4}, "4 folds can't be made of 3 examples"),
        ({"folds": 3, "folds_by": "systems"}, "3 folds can't be made of 2 systems"),
        ({"folds": 1}, "1 folds can't be made"),
        ({"folds": -1}, "folds: expected 0 to"),
        ({"folds_by": "luck"}, "folds_by: 'luck'"),
        ({"options": {"epochs": 0}}, "epochs can't be 0"),
        ({"options": {"epochs": 101}}, "epochs: 101 is more than 100"),
        ({"options": {"speed": 1}}, "options: 'speed' is unknown"),
        ({"options": {"device": "abacus"}}, "device: 'abacus'"),
        ({"options": {"sharing": "none"}}, "sharing can't be 'none'"),
    ],
)
def test_it_refuses_what_is_wrong(labelled: LabelSet, said: dict[str, Any], message: str) -> None:
    with pytest.raises(DomainError, match=message):
        learn(labelled, **said)
    assert not TrainedJudge.objects.exists()
    assert not Job.objects.filter(kind="train_judge").exists()
    assert not any(Path(settings.JUDGES_DIR).iterdir())


def test_it_needs_one_source_that_is_ready(gold: GoldVersion) -> None:
    with pytest.raises(DomainError, match="either labels or a gold version"):
        learn(None)
    with pytest.raises(DomainError, match="either labels or a gold version"):
        learn(gold.label_set, gold=gold)
    GoldVersion.objects.update(is_ready=False)
    gold.refresh_from_db()
    with pytest.raises(DomainError, match="is not ready"):
        learn(None, gold=gold)


def test_it_needs_labels_of_both_kinds(labelled: LabelSet) -> None:
    rows = SummaryLabels.objects.filter(label_set=labelled)
    rows.exclude(summary__example__key="e1").update(labels=[1, 1, 1])
    with pytest.raises(DomainError, match="Without fold"):
        learn(labelled)
    rows.update(labels=[1, 1, None])
    with pytest.raises(DomainError, match="both present and absent units"):
        learn(labelled, folds=0)


def test_it_says_that_the_gold_file_is_gone(gold: GoldVersion) -> None:
    gold.path.unlink()
    with pytest.raises(DomainError):
        learn(None, gold=gold)


def test_it_grows_trees_anew(labelled: LabelSet) -> None:
    train(labelled, folds=0)
    with pytest.raises(DomainError, match="tree model") as refused:
        learn(labelled, base="dams@1")
    assert "Choose 'lexical'" in refused.value.hint


def telling(monkeypatch: pytest.MonkeyPatch, then: Callable[[Work], None]) -> None:
    """Call *then* when the training first tells of its second fold."""
    real = judges_service.Teller.__call__
    seen: list[str] = []

    def tell(self: judges_service.Teller, progress: Progress) -> None:
        if progress.stage == "fold2" and not seen:
            seen.append(progress.stage)
            self.told = -REPORT_EVERY
            then(self.work)
        real(self, progress)

    monkeypatch.setattr(judges_service.Teller, "__call__", tell)


def test_it_tells_how_far_it_is(labelled: LabelSet, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int | None, str | None]] = []
    monkeypatch.setattr(Work, "report", lambda _, *said, phase="": told.append((*said, phase)))
    judge = learn(labelled)
    assert judge.job is not None
    records = read_records(labelled, None)
    folds = judges_service._draw_folds(records, "examples", 3, 0)
    tell = judges_service.Teller(Work(judge.job), records, folds)
    tell(Progress(1, 2, 0.25, 1234.5, "fold2", share=0.5))
    tell(Progress(2, 2, 0.25, 1234.5, "fold2", share=0.6))
    for rate in (10, 0):
        tell.told = -REPORT_EVERY
        tell(Progress(2, 2, None, rate, "all", share=1))
    assert told == [
        (27, 54, "Fold 2 of 3 · loss 0.2500 · 1,234 pairs per second"),
        (54, 54, "Final judge · 10 pairs per second"),
        (54, 54, "Final judge"),
    ]


def test_it_is_cancelled_without_a_trace(
    labelled: LabelSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = learn(labelled)
    assert judge.job is not None

    def cancel(work: Work) -> None:
        assert judge.work_path.is_dir()
        cancel_job(job=work.job)

    telling(monkeypatch, cancel)
    run_job(job_id=judge.job.pk)
    judge.job.refresh_from_db()
    assert judge.job.state == JobState.CANCELLED
    assert not TrainedJudge.objects.exists()
    assert not judge.work_path.exists()
    assert not judge.path.exists()


def test_it_goes_on_after_a_kill(labelled: LabelSet, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first fold is done when the worker dies; its successor does the rest and no more."""
    whole = train(labelled)
    judge = learn(labelled)
    assert judge.job is not None

    def die(_: Work) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        telling(patched, die)
        with pytest.raises(KeyboardInterrupt):
            run_job(job_id=judge.job.pk)
    assert (judge.work_path / "fold1.json").is_file()
    stages: list[str] = []
    real = judges_service.Teller.__call__

    def note(self: judges_service.Teller, progress: Progress) -> None:
        stages.append(progress.stage)
        real(self, progress)

    monkeypatch.setattr(judges_service.Teller, "__call__", note)
    Job.objects.filter(pk=judge.job.pk).update(state=JobState.QUEUED, lease="")
    run_job(job_id=judge.job.pk)
    judge.refresh_from_db()
    assert judge.is_ready
    assert set(stages) == {"fold2", "fold3", "all"}
    assert judge.card["held_out"] == whole.card["held_out"]
    model = "model.json"
    assert (judge.path / model).read_bytes() == (whole.path / model).read_bytes()


def test_it_takes_a_finished_folder_for_what_it_is(
    labelled: LabelSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker died after the folder was in its place, and before the database knew."""
    judge = learn(labelled, folds=0)
    assert judge.job is not None
    with monkeypatch.context() as patched:
        patched.setattr(judges_service, "_finish", lambda *_: 1 / 0)
        run_job(job_id=judge.job.pk)
    judge.job.refresh_from_db()
    assert judge.job.state == JobState.FAILED
    assert judge.path.is_dir()
    monkeypatch.setattr(judges_service, "fine_tune", None)
    Job.objects.filter(pk=judge.job.pk).update(state=JobState.QUEUED)
    run_job(job_id=judge.job.pk)
    judge.refresh_from_db()
    assert judge.is_ready


def test_it_fails_in_words_when_labels_go(labelled: LabelSet) -> None:
    judge = learn(labelled)
    assert judge.job is not None
    labels_service.delete_labels(label_set=labelled, user=None)
    run_job(job_id=judge.job.pk)
    judge.job.refresh_from_db()
    words = "The labels were deleted. Train a judge on other labels."
    assert (judge.job.state, judge.job.error) == (JobState.FAILED, words)
    judge.refresh_from_db()
    judges_service.delete_judge(judge=judge, user=None)
    assert not TrainedJudge.objects.exists()


def test_it_names_its_base_without_the_servers_folders(labelled: LabelSet) -> None:
    judge = learn(labelled, folds=0)
    secret = f"{settings.JUDGES_DIR}/base"
    card = {"base": {"name": secret}, "options": {"base": secret, "seed": 0}, "kind": "nli"}
    judges_service._finish(judge, card)
    assert (judge.card["base"]["name"], judge.card["options"]["base"]) == ("lexical", "lexical")


def test_it_is_deleted_once_no_run_stands_on_it(labelled: LabelSet, owner: User) -> None:
    judge = train(labelled, folds=0)
    run = finish(labelled.unit_set, judge="dams")
    with pytest.raises(DomainError, match="uses it"):
        judges_service.delete_judge(judge=judge, user=owner)
    runs_service.delete_run(run=run, user=owner)
    judges_service.delete_judge(judge=judge, user=owner)
    assert not judge.path.exists()
    with pytest.raises(DomainError, match="there is no judge"):
        begin(labelled.unit_set, judge="dams")
    waiting = learn(labelled, folds=0)
    with pytest.raises(DomainError, match="still being trained"):
        judges_service.delete_judge(judge=waiting, user=owner)


def test_it_goes_with_its_project(labelled: LabelSet) -> None:
    judge = train(labelled, folds=0)
    delete_project(project=labelled.project)
    assert not Project.objects.filter(slug="study").exists()
    assert not judge.path.exists()
