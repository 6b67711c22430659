"""REALSumm's raw crowd answers: all of them come in, and their majority is the published gold."""

from __future__ import annotations

from pathlib import Path

from django.db.models import Count, Q

from annotation.corpora.models import User
from annotation.corpora.services.jobs import run_job
from annotation.crowd.models import Assignment, Hit, Judgement
from annotation.crowd.services import offline
from annotation.units import services
from annotation.units.models import UnitSet
from annotation.units.selectors.files import list_kept_files
from tests import factories


def make_scus(folder: Path, owner: User) -> UnitSet:
    project = factories.make_project(owner)
    factories.import_corpus(project, folder)
    kept = list_kept_files(project).get(name="SCUs.txt")
    made = services.import_kept_units(project=project, user=owner, kept=kept)
    assert made.job is not None
    run_job(job_id=made.job.pk)
    made.refresh_from_db()
    factories.freeze(made, owner)
    made.refresh_from_db()
    return made


def import_raw(unit_set: UnitSet, folder: Path) -> dict[str, int]:
    outcome = offline.import_judgements(
        project=unit_set.project,
        user=None,
        unit_set=unit_set,
        paths=[folder / "raw_crowd", folder / "systems.csv"],
    )
    assert outcome.job is not None, outcome.problems
    run_job(job_id=outcome.job.pk)
    outcome.job.refresh_from_db()
    assert outcome.job.state == "done", outcome.job.error
    result: dict[str, int] = outcome.job.result
    return result


def read_labels(folder: Path) -> dict[tuple[str, str, int], bool]:
    """Published labels by system, example and place of the unit."""
    ids = (folder / "ids.txt").read_text().split("\n")
    return {
        (path.stem, key, place): label == "1"
        for path in (folder / "labels").glob("*.label")
        for key, line in zip(ids, path.read_text().split("\n"), strict=True)
        for place, label in enumerate(line.split("\t"))
    }


def count_majorities() -> dict[tuple[str, str, int], bool]:
    """Present if more than half say so: a tie is not."""
    hit = "assignment__hit__summary"
    rows = (
        Judgement.objects.values_list(f"{hit}__system__name", f"{hit}__example__key")
        .annotate(all=Count("pk"), yes=Count("pk", filter=Q(present=True)))
        .values_list(f"{hit}__system__name", f"{hit}__example__key", "unit__position", "all", "yes")
    )
    return {(system, key, place): 2 * yes > count for system, key, place, count, yes in rows}


def test_it_takes_realsumm_whole(realsumm_dir: Path, owner: User):
    unit_set = make_scus(realsumm_dir, owner)
    result = import_raw(unit_set, realsumm_dir)
    assert (result["assignments"], result["hits"], result["known"]) == (7743, 2500, 0)
    assert not Assignment.objects.exclude(problem="").exists()
    collected = Hit.objects.values_list("collected").annotate(count=Count("pk"))
    assert dict(collected) == {3: 2257, 4: 243}
    labels = read_labels(realsumm_dir)
    assert len(labels) == 26_400
    assert count_majorities() == labels
    assert Judgement.objects.count() == result["judgements"]
