"""Something at every address of every app."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from annotation.corpora.projects.models import Membership, Project, Role
from tests.annotation.corpora.places import Places, make_places
from tests.annotation.units.places import UnitPlaces, make_unit_places


@dataclass(frozen=True, slots=True)
class World:
    corpus: Places
    units: UnitPlaces


def make_world(corpus: Project, folder: Path) -> World:
    """Around a project that has a corpus."""
    owner = Membership.objects.get(project=corpus, role=Role.OWNER).user
    return World(make_places(corpus, owner, folder), make_unit_places(corpus, folder))
