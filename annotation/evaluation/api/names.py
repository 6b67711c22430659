"""How workers are called in answers: by their ids to editors, by numbers to others."""

from __future__ import annotations

from annotation.access import ProjectAccess
from annotation.evaluation.selectors.pages_people import PeopleNames, get_people_names


def get_names(access: ProjectAccess) -> PeopleNames:
    return get_people_names(access.project, can_see_ids=access.can_edit)
