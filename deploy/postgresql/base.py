"""Django's PostgreSQL, but for how a connection that was kept is checked before its next use."""

from __future__ import annotations

import select

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """Django asks `SELECT 1` once in each request, on top of a few statements."""

    def is_usable(self) -> bool:
        """A server that ends a connection writes to it. One that wrote nothing has not ended it."""
        if self.connection is None or self.errors_occurred or self._has_unread():
            return bool(super().is_usable())
        return True

    def _has_unread(self) -> bool:
        poll = select.poll()
        poll.register(self.connection.fileno(), select.POLLIN)
        return bool(poll.poll(0))
