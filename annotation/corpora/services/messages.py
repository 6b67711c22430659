"""Messages to workers. One that can't be sent costs time only: a sweep sends it again."""

from __future__ import annotations

from typing import Any

from kombu.exceptions import OperationalError

from annotation.breaker import Breaker

FAULTS = (OperationalError, OSError)
broker = Breaker("broker")


def send_message(task: Any, *arguments: object) -> bool:
    """Tell a worker to run a task; whether the broker took the message.

    While the broker is away, one caller in five seconds finds out whether it is back, and the
    others don't wait for it.
    """
    if not broker.allows():
        return False
    try:
        task.apply_async(arguments, retry=False)
    except FAULTS as error:
        broker.fail(error)
        return False
    broker.succeed()
    return True
