"""The published SCUs and STUs: they come along with a corpus, are aligned, and leave unchanged."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project
from annotation.units.files import service as files_service
from annotation.units.files.queries import list_kept_files, stream_units
from annotation.units.sets.models import Unit, UnitSet
from tests import factories
from tests.annotation.units.writing import assert_sound, freeze, run

COUNTS = {
    "realsumm_dir": {"SCUs.txt": 1056, "STUs.txt": 976},
    "pyrxsum_dir": {"SCUs.txt": 478, "STUs.txt": 281},
}
# The formats in which units leave and come back, with the files' suffixes.
JOURNEYS = {"jsonl": "jsonl", "csv": "csv", "scu_list": "csv", "lines": "txt"}


def make_sets(project: Project, owner: User) -> dict[str, UnitSet]:
    sets = {}
    for kept in list_kept_files(project):
        made = files_service.import_kept_units(project=project, user=owner, kept=kept).unit_set
        assert made is not None, "no published units are doubtful"
        assert run(made.job).state == "done"
        sets[kept.name] = made
    return sets


def assert_aligned(unit_set: UnitSet) -> None:
    """Every unit stands on words of a sentence of its own example."""
    units = Unit.objects.filter(set=unit_set).select_related("example")
    for unit in units.prefetch_related("contributors__sentence__reference"):
        parts = unit.contributors.all()
        assert parts, unit
        for part in parts:
            assert part.sentence is not None
            assert part.reference.example_id == unit.example_id
            assert part.sentence.reference_id == part.reference_id
            assert part.sentence.start <= part.start < part.end <= part.sentence.end


def make_published(folder: Path, owner: User) -> Project:
    project = factories.make_project(owner)
    factories.import_corpus(project, folder)
    return project


@pytest.fixture(scope="module")
def kept_pyrxsum(kept_database: None, pyrxsum_dir: Path) -> Project:
    """Made once for a module."""
    return make_published(pyrxsum_dir, factories.make_user("Publisher"))


def check_all(project: Project, folder: Path, counts: dict[str, int], owner: User) -> None:
    sets = make_sets(project, owner)
    for name, unit_set in sets.items():
        assert_sound(unit_set)
        assert_aligned(unit_set)
        freeze(unit_set, owner)
        kinds = Unit.objects.filter(set=unit_set).values_list("kind", flat=True)
        assert set(kinds) == {name[:3].lower()}
        assert b"".join(stream_units(unit_set, "lines")) == (folder / name).read_bytes()
    assert {name: unit_set.unit_count for name, unit_set in sets.items()} == counts


def test_it_takes_realsumm(realsumm_dir: Path, owner: User):
    project = make_published(realsumm_dir, owner)
    check_all(project, realsumm_dir, COUNTS["realsumm_dir"], owner)


def test_it_takes_pyrxsum(kept_pyrxsum: Project, pyrxsum_dir: Path, owner: User):
    project = Project.objects.get(pk=kept_pyrxsum.pk)
    check_all(project, pyrxsum_dir, COUNTS["pyrxsum_dir"], owner)


def test_it_is_the_same_after_a_journey(kept_pyrxsum: Project, owner: User, tmp_path: Path):
    project = Project.objects.get(pk=kept_pyrxsum.pk)
    first = make_sets(project, owner)["SCUs.txt"]
    hashes = {}
    for format, suffix in JOURNEYS.items():
        path = tmp_path / format / f"SCUs.{suffix}"
        path.parent.mkdir()
        path.write_bytes(b"".join(stream_units(UnitSet.objects.get(pk=first.pk), format)))
        outcome = files_service.import_unit_file(
            project=project, user=owner, name=format, path=path
        )
        assert outcome.unit_set is not None, outcome.problems
        run(outcome.unit_set.job)
        hashes[format] = freeze(outcome.unit_set, owner)
    assert hashes == dict.fromkeys(JOURNEYS, freeze(first, owner))
