"""Sessions in the database, read by one statement that is written once: every page needs it."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore

from annotation import clock
from annotation.statements import fetch

# Whose password was right, in a session of nobody, until the code is typed.
PENDING = "pending_sign_in"
READ = "SELECT session_data FROM django_session WHERE session_key = %s AND expire_date > %s"


class SessionStore(DatabaseStore):
    """The class keeps its name: Django signs sessions with it."""

    def load(self) -> dict[str, Any]:
        row = fetch(READ, self.session_key, clock.now())
        if row is None:
            # A key that nobody was given, or that has run out, is never taken up again.
            self._session_key = None
            return {}
        return dict(self.decode(row[0]))


def end_sessions(user_id: int) -> None:
    """Delete every session of a person, also one that still waits for their code."""
    store = SessionStore()
    rows = store.model.objects.values_list("session_key", "session_data")
    keys = [key for key, data in rows.iterator() if _is_of(store.decode(data), user_id)]
    store.model.objects.filter(pk__in=keys).delete()


def _is_of(data: dict[str, Any], user_id: int) -> bool:
    pending = data.get(PENDING) or {}
    return data.get(SESSION_KEY) == str(user_id) or pending.get("user") == user_id
