"""Labels from files: checked against the units before anything is written."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from django.core.management import CommandError

from annotation.corpora.accounts.models import User
from annotation.corpora.jobs.models import Job
from annotation.corpora.jobs.service import claim_job, run_job
from annotation.corpora.jobs.work import Work
from annotation.corpora.projects.models import Project
from annotation.errors import DomainError
from annotation.evaluation.labels import files, settling
from annotation.evaluation.labels.models import LabelOrigin, LabelSet, SummaryLabels
from annotation.evaluation.labels.scores import get_scores
from annotation.units.sets.models import UnitSet
from tests import factories
from tests.annotation.corpora.rest import Rest, error_of
from tests.annotation.evaluation.campaigns import make_units
from tests.annotation.evaluation.commanding import run, run_json


@pytest.fixture
def unit_set(corpus: Project, owner: User) -> UnitSet:
    return make_units(corpus, owner)


def count_lines(project: Project) -> list[tuple[str, int]]:
    """The examples in their order, and how many units each has."""
    rows = project.examples.order_by("position", "pk")
    return [(row.key, row.units.filter(is_deleted=False).count()) for row in rows]


def write_labels(folder: Path, project: Project, label: str = "1", name: str = "lead") -> Path:
    folder.mkdir(exist_ok=True)
    lines = ["\t".join([label] * number) for _, number in count_lines(project)]
    (folder / f"{name}.label").write_text("\n".join(lines))
    return folder


def take(unit_set: UnitSet, owner: User, path: Path) -> LabelSet:
    outcome = files.import_labels(
        project=unit_set.project, user=owner, unit_set=unit_set, path=path
    )
    assert outcome.label_set is not None, outcome.problems
    assert outcome.label_set.job is not None
    run_job(job_id=outcome.label_set.job.pk)
    outcome.label_set.refresh_from_db()
    return outcome.label_set


def problems_of(unit_set: UnitSet, owner: User, path: Path) -> list[dict[str, object]]:
    outcome = files.import_labels(
        project=unit_set.project, user=owner, unit_set=unit_set, path=path
    )
    assert outcome.label_set is None
    assert not LabelSet.objects.exists()
    assert not Job.objects.filter(kind="import_labels").exists()
    return outcome.problems


def test_it_takes_labels_and_scores_them(unit_set: UnitSet, owner: User, tmp_path: Path):
    folder = write_labels(tmp_path / "labels", unit_set.project)
    write_labels(folder, unit_set.project, "0", "soup")
    made = take(unit_set, owner, folder)
    assert (made.is_ready, made.origin) == (True, LabelOrigin.FILES)
    assert {row.system: row.score for row in get_scores(made).rows} == {"lead": 1.0, "soup": 0.0}
    assert made.signature.startswith("labels:")


def test_it_takes_a_zip(unit_set: UnitSet, owner: User, tmp_path: Path):
    folder = write_labels(tmp_path / "labels", unit_set.project)
    path = tmp_path / "labels.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(folder / "lead.label", "labels/lead.label")
    assert SummaryLabels.objects.filter(label_set=take(unit_set, owner, path)).count() == 3


def test_it_leaves_units_without_a_label_open(unit_set: UnitSet, owner: User, tmp_path: Path):
    folder = write_labels(tmp_path / "labels", unit_set.project)
    text = (folder / "lead.label").read_text().replace("1\t1\t1", "1\t\t0", 1)
    (folder / "lead.label").write_text(text)
    made = take(unit_set, owner, folder)
    assert [1, None, 0] in SummaryLabels.objects.filter(label_set=made).values_list(
        "labels", flat=True
    )


@pytest.mark.parametrize(
    "name, change, message",
    [
        ("nobody", lambda text: text, "'nobody'"),
        ("lead", lambda text: text.replace("1\t1\t1", "1\t1", 1), "There are 2 labels"),
        ("lead", lambda text: text.replace("1", "2", 1), "A label is '2'"),
        ("lead", lambda text: f"{text}\n1\t1\t1\n1", "lines"),
    ],
)
def test_it_refuses_what_does_not_fit(
    unit_set: UnitSet, owner: User, tmp_path: Path, name: str, change: object, message: str
):
    folder = write_labels(tmp_path / "labels", unit_set.project, name=name)
    path = folder / f"{name}.label"
    path.write_text(change(path.read_text()))  # type: ignore[operator]
    found = problems_of(unit_set, owner, folder)
    assert any(message in str(problem["message"]) for problem in found), found
    assert all(problem["expected"] for problem in found)


def test_it_refuses_a_folder_without_labels(unit_set: UnitSet, owner: User, tmp_path: Path):
    (tmp_path / "empty").mkdir()
    assert problems_of(unit_set, owner, tmp_path / "empty")[0]["message"] == "There are no labels."


def test_it_refuses_a_set_that_may_still_change(corpus: Project, owner: User, tmp_path: Path):
    draft = factories.make_set(corpus, owner, "Draft")
    with pytest.raises(DomainError, match="not frozen"):
        files.import_labels(project=corpus, user=owner, unit_set=draft, path=tmp_path)


def test_it_takes_uploads_and_forgets_them(
    unit_set: UnitSet, owner: User, tmp_path: Path, uploads: Path
):
    folder = write_labels(tmp_path / "labels", unit_set.project)
    data = (folder / "lead.label").read_bytes()
    outcome = files.import_uploaded_labels(
        project=unit_set.project, user=owner, unit_set=unit_set, files=[("lead.label", [data])]
    )
    assert outcome.label_set is not None, outcome.problems
    assert outcome.label_set.job is not None
    run_job(job_id=outcome.label_set.job.pk)
    assert not any(uploads.iterdir())


def settle(label_set: LabelSet, owner: User) -> LabelSet:
    made = settling.settle_labels(label_set=label_set, user=owner)
    assert made.job is not None
    run_job(job_id=made.job.pk)
    made.refresh_from_db()
    return made


def say(label_set: LabelSet, owner: User, present: bool) -> SummaryLabels:
    """An expert's word on the first unit of the first summary that has labels."""
    row = label_set.summaries.select_related("summary__example").earliest("pk")
    unit = label_set.unit_set.units.filter(example=row.summary.example_id).earliest("position")
    settling.adjudicate(
        project=label_set.project, user=owner, summary=row.summary, unit=unit, present=present
    )
    return row


def test_it_puts_experts_words_above_labels_of_files(
    unit_set: UnitSet, owner: User, tmp_path: Path
):
    taken = take(unit_set, owner, write_labels(tmp_path / "labels", unit_set.project))
    row = say(taken, owner, present=False)
    made = settle(taken, owner)
    assert (made.version, made.origin, made.is_ready) == (2, LabelOrigin.FILES, True)
    assert made.content_hash != taken.content_hash
    assert made.recipe["over"] == {"version": 1, "hash": taken.content_hash}
    assert f"labels:{taken.content_hash[:16]}|vote:imported|expert:1|words:" in made.signature
    found = made.summaries.get(summary=row.summary)
    assert (found.labels, found.expert) == ([0, *row.labels[1:]], [0])
    others = made.summaries.exclude(summary=row.summary).values_list("summary", "labels")
    assert dict(others) == dict(taken.summaries.exclude(pk=row.pk).values_list("summary", "labels"))
    assert made.figures["counts"]["expert"] == 1


def test_it_makes_nothing_anew_where_labels_say_all(unit_set: UnitSet, owner: User, tmp_path: Path):
    taken = take(unit_set, owner, write_labels(tmp_path / "labels", unit_set.project))
    with pytest.raises(DomainError, match="already includes all expert decisions"):
        settling.settle_labels(label_set=taken, user=owner)
    say(taken, owner, present=True)
    made = settle(taken, owner)
    assert made.content_hash == taken.content_hash  # the expert bears the file out
    with pytest.raises(DomainError, match="already includes all expert decisions"):
        settling.settle_labels(label_set=made, user=owner)


def test_it_puts_experts_words_above_them_by_rest_and_by_command(
    unit_set: UnitSet, owner: User, tmp_path: Path
):
    taken = take(unit_set, owner, write_labels(tmp_path / "labels", unit_set.project))
    here = f"/projects/{unit_set.project.slug}/labels/{taken.pk}/settle/"
    assert error_of(Rest(owner).post(here))[0] == 409
    say(taken, owner, present=False)
    answer = Rest(owner).post(here)
    assert (answer.status_code, answer.json()["version"]) == (202, 2)
    told = ("--project", unit_set.project.slug, "--labels", "1")
    assert run("settle_labels", *told).startswith("Labels v3 of Judged v1: 1 expert")
    assert run_json("settle_labels", *told)["counts"]["expert"] == 1
    with pytest.raises(CommandError, match="already includes all expert decisions"):
        run("settle_labels", *told[:2])


def test_it_goes_on_with_the_words_of_experts_after_a_kill(
    unit_set: UnitSet, owner: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    taken = take(unit_set, owner, write_labels(tmp_path / "labels", unit_set.project))
    say(taken, owner, present=False)
    made = settling.settle_labels(label_set=taken, user=owner)
    assert made.job is not None
    claimed = claim_job(job_id=made.job.pk)
    assert claimed is not None
    with monkeypatch.context() as patch:
        patch.setattr(settling, "CHUNK", 1)
        patch.setattr(settling, "show_label_set", _killed)
        with pytest.raises(KeyboardInterrupt):
            settling.run_settle(Work(claimed))
    made.refresh_from_db()
    assert not made.is_ready
    Job.objects.filter(pk=claimed.pk).update(lease_until="2000-01-01T00:00:00Z")
    assert run_job(job_id=claimed.pk)
    made.refresh_from_db()
    assert (made.is_ready, made.summaries.count()) == (True, taken.summaries.count())


def _killed(*_: object) -> None:
    raise KeyboardInterrupt
