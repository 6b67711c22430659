"""Operations of the marketplace for code in this process: no socket, no signature, no JSON.

The caller has checked who asks. What the operations check, and what they refuse, is the same as
over the wire.
"""

from __future__ import annotations

import logging
from typing import Any

from django.db import Error as DatabaseFault
from django.db import close_old_connections, connection
from django.utils.translation import gettext as _

from annotation.crowd.market.errors import ServiceFault
from annotation.crowd.market.models_accounts import Requester
from annotation.crowd.market.protocol import call

logger = logging.getLogger(__name__)


def call_in_process(requester: Requester, operation: str, params: dict[str, Any]) -> dict[str, Any]:
    """Run an operation; what it did is committed when this returns."""
    _refuse_within_transaction(operation)
    try:
        return call(requester, operation, params)
    except DatabaseFault as error:
        logger.exception("%s failed in the database", operation)
        if not connection.in_atomic_block:  # there it would cut the transaction off
            close_old_connections()
        raise ServiceFault("ServiceFault", _("The database is busy.")) from error


def _refuse_within_transaction(operation: str) -> None:
    """An intent must be committed before what it means, and must outlive its failure.

    Django has the same check for `atomic(durable=True)`, but that begins a transaction: on SQLite
    a reading operation would then wait for other writers.
    """
    blocks = connection.atomic_blocks
    if any(not block._from_testcase for block in blocks):  # type: ignore[attr-defined]
        raise RuntimeError(f"{operation} was called within a transaction of the caller")
