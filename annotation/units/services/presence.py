"""Who has an example open right now, as far as their editors have let us know."""

from __future__ import annotations

from datetime import timedelta

from annotation import clock
from annotation.corpora.models import Example, User
from annotation.faults import if_free
from annotation.units.models import Presence, UnitSet

# An editor asks every two seconds. Writing that down each time would make asking dear.
NOTED_EVERY = timedelta(seconds=10)
GONE_AFTER = timedelta(seconds=30)


def note_presence(*, unit_set: UnitSet, example: Example, user: User) -> list[User]:
    """Note that the person has the example open, and give who else has, in order of names."""
    now = clock.now()
    recent = Presence.objects.filter(set=unit_set, example=example, seen_at__gt=now - GONE_AFTER)
    rows = list(recent.select_related("user").order_by("user__name", "user_id"))
    if not any(row.user_id == user.pk and row.seen_at > now - NOTED_EVERY for row in rows):
        with if_free():
            Presence.objects.bulk_create(
                [Presence(set=unit_set, example=example, user=user, seen_at=now)],
                update_conflicts=True,
                unique_fields=["set", "example", "user"],
                update_fields=["seen_at"],
            )
    return [row.user for row in rows if row.user_id != user.pk]
