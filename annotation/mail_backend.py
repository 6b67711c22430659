"""Mail by SMTP, with one deadline for everything that is said to the server."""

from __future__ import annotations

import smtplib
import socket
from typing import Any

from django.core.mail.backends import smtp

from scoring.outgoing import Cutoff, Deadline

# From the connection to the last word; EMAIL_TIMEOUT is for each of them.
SECONDS = 60.0


class EmailBackend(smtp.EmailBackend):
    """Django's, cut off when its time is over: a server that drips never meets a timeout."""

    _cutoff: Cutoff | None = None
    _talking: smtplib.SMTP | None = None

    def open(self) -> bool | None:
        if self.connection:
            return False
        deadline = Deadline(SECONDS)
        self._cutoff = Cutoff(self._find_socket, deadline)
        is_open = False
        try:
            is_open = bool(super().open())
            if deadline.has_passed:
                # Half a greeting that was cut off looks like a whole one.
                raise smtplib.SMTPServerDisconnected(f"no complete answer within {SECONDS:g} s")
        except BaseException:
            self.close()
            raise
        finally:
            if not is_open:
                self._cutoff.stop()
        return is_open

    def close(self) -> None:
        try:
            super().close()
        finally:
            if self._cutoff is not None:
                self._cutoff.stop()

    @property
    def connection_class(self) -> type[smtplib.SMTP]:
        """One that is known here before the server has said a word."""
        base: type[smtplib.SMTP] = super().connection_class
        backend = self

        class Watched(base):  # type: ignore[valid-type, misc]
            def connect(self, *arguments: Any, **named: Any) -> Any:
                backend._talking = self
                return super().connect(*arguments, **named)

        return Watched

    def _find_socket(self) -> socket.socket | None:
        return getattr(self._talking, "sock", None)
