"""Writing down who did what."""

from __future__ import annotations

from annotation.corpora.models import Event, Project, User


def record_event(*, project: Project, actor: User | None, action: str, text: str) -> Event:
    return Event.objects.create(project=project, actor=actor, action=action, text=text[:300])
