"""What a project has chosen for its writers."""

from __future__ import annotations

from annotation.corpora.models import Project
from annotation.units.models import StudioSettings


def get_settings(project: Project) -> StudioSettings:
    """What was chosen, or what holds until somebody chooses."""
    return getattr(project, "studio", None) or StudioSettings(project=project)
