"""After a fault, leave a service alone for a moment instead of waiting for it again."""

from __future__ import annotations

import logging
import threading
import time

logger = logging.getLogger(__name__)

PAUSE_SECONDS = 5.0
# While the service stays away, one line in the log per minute is enough.
LOG_EVERY_SECONDS = 60.0


class Breaker:
    """Shared by all threads of a process: one of them tries, the others go on without."""

    def __init__(self, name: str, pause: float = PAUSE_SECONDS) -> None:
        self.name = name
        self._pause = pause
        self._lock = threading.Lock()
        self.is_open = False
        self._try_at = 0.0
        self._log_at = 0.0

    def allows(self) -> bool:
        """Whether to try. While the service is away, only one caller per pause is let through."""
        if not self.is_open:
            return True
        with self._lock:
            now = time.monotonic()
            if self.is_open and now < self._try_at:
                return False
            self._try_at = now + self._pause
            return True

    def fail(self, error: BaseException) -> None:
        with self._lock:
            now = time.monotonic()
            self.is_open = True
            self._try_at = now + self._pause
            if now < self._log_at:
                return
            self._log_at = now + LOG_EVERY_SECONDS
        logger.warning("the %s is unavailable, and Giza continues without it: %r", self.name, error)

    def succeed(self) -> bool:
        """Note that the service has answered. True if it was away until now."""
        if not self.is_open:
            return False
        with self._lock:
            was_open, self.is_open, self._log_at = self.is_open, False, 0.0
        if was_open:
            logger.warning("the %s is available again", self.name)
        return was_open
