"""Every door that takes a file refuses one that was made to do harm, and names it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project
from annotation.crowd.campaigns.models import Assignment
from annotation.crowd.offline import service as offline
from annotation.evaluation.gold import restoring
from annotation.evaluation.labels import files
from annotation.evaluation.labels.models import LabelSet
from annotation.evaluation.metrics import files as metrics_files
from annotation.evaluation.metrics.models import ScoreSet
from annotation.units.files import service as files_service
from annotation.units.sets.models import UnitSet
from tests import factories
from tests.annotation.crowd.results import make_frozen
from tests.hostile_files import BOMBS, tighten

Problems = list[dict[str, Any]]


@pytest.fixture(scope="module")
def kept_units(kept_corpus: Project) -> UnitSet:
    return make_frozen(kept_corpus, User.objects.get(email="owner@example.org"))


def import_corpus(unit_set: UnitSet, user: User, path: Path) -> Problems:
    checked = factories.check(unit_set.project, path)
    assert checked.state == "refused"
    return list(checked.plan["problems"])


def import_units(unit_set: UnitSet, user: User, path: Path) -> Problems:
    return files_service.import_unit_file(
        project=unit_set.project, user=user, name="sent", path=path
    ).problems


def import_labels(unit_set: UnitSet, user: User, path: Path) -> Problems:
    return files.import_labels(
        project=unit_set.project, user=user, unit_set=unit_set, path=path
    ).problems


def import_judgements(unit_set: UnitSet, user: User, path: Path) -> Problems:
    return offline.import_judgements(
        project=unit_set.project, user=user, unit_set=unit_set, paths=[path]
    ).problems


def import_gold(unit_set: UnitSet, user: User, path: Path) -> Problems:
    return restoring.import_gold(user=user, name="Sent", slug="sent", path=path).problems


def import_scores(unit_set: UnitSet, user: User, path: Path) -> Problems:
    """Takes no zip at all."""
    return metrics_files.import_scores(project=unit_set.project, user=user, path=path).problems


DOORS: list[Callable[[UnitSet, User, Path], Problems]] = [
    import_corpus,
    import_units,
    import_labels,
    import_judgements,
    import_gold,
    import_scores,
]


@pytest.mark.parametrize("bomb", BOMBS)
def test_it_refuses_zips_that_do_harm_at_every_door(
    bomb: str,
    db: None,
    kept_units: UnitSet,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    settings: Any,
):
    write, file, message = BOMBS[bomb]
    path = write(tmp_path / "sent.zip")
    tighten(monkeypatch, settings)
    user = User.objects.get(email="owner@example.org")
    for send in DOORS:
        problem = send(kept_units, user, path)[0]
        if send is import_scores:
            file, message = "sent.zip", "not recognised"
        assert file in problem["file"], send.__name__
        assert message in problem["message"], send.__name__
    assert not Assignment.objects.exists()
    assert not LabelSet.objects.exists()
    assert not ScoreSet.objects.exists()
    assert [made.pk for made in UnitSet.objects.all()] == [kept_units.pk]
    assert Project.objects.count() == 1


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))


@pytest.mark.parametrize(
    "declared",
    [
        f'<!ENTITY l0 "ha">{LAUGHS}',
        '<!ENTITY x SYSTEM "file:///etc/passwd">',
        '<!ENTITY % x SYSTEM "http://example.org/x">%x;',
    ],
)
def test_it_refuses_xml_that_grows_or_fetches(
    declared: str, db: None, kept_units: UnitSet, tmp_path: Path
):
    path = tmp_path / "sent.pyr"
    path.write_text(
        f"<!DOCTYPE pyramid [{declared}]><pyramid><text><line>&x;</line></text></pyramid>"
    )
    user = User.objects.get(email="owner@example.org")
    problem = import_units(kept_units, user, path)[0]
    assert problem["file"] == "sent.pyr"
    assert "declares the entity" in problem["message"]
