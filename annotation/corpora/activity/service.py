"""Writing down who did what. Called by the services, inside the transaction of the act itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Model
from django.utils.translation import gettext as _

from annotation.corpora.accounts.models import User
from annotation.corpora.activity.models import Activity, Verb
from annotation.corpora.projects.models import Project
from annotation.corpora.targets import name_kind
from annotation.doors import current_actor, current_door


def record_activity(
    *,
    project: Project | None,
    verb: Verb,
    text: str,
    actor: User | None = None,
    target: Model | None = None,
    details: Mapping[str, Any] | None = None,
) -> Activity:
    """Without an actor it was whoever came in by the door; nobody there, and it was the program.

    `text` goes on from the actor's name. Neither it nor `details` may hold a secret, a worker's
    answer or a text of the corpus.
    """
    return Activity.objects.create(
        project=project,
        actor=actor or current_actor(),
        verb=verb,
        target_kind=name_kind(target) if target is not None else "",
        target_id=target.pk if target is not None else None,
        label=str(target)[:200] if target is not None else "",
        text=text[:300],
        details=dict(details or {}),
        door=current_door(),
    )


def record_export(
    *, project: Project, what: str, format: str, target: Model | None = None
) -> Activity:
    """A dataset leaves the project; tables that a page shows may be saved without a word."""
    return record_activity(
        project=project,
        verb=Verb.EXPORT,
        target=target or project,
        text=_("exported {what} as {format}").format(what=what, format=format),
        details={"format": format},
    )
