"""Every operation of the service model, by name.

An operation takes the requester and checked parameters, and gives the answer in the API's shape.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from annotation.crowd.market.models_accounts import Requester
from annotation.crowd.market.operations.account import ACCOUNT, WORKERS
from annotation.crowd.market.operations.assignments import ASSIGNMENTS, REVIEW
from annotation.crowd.market.operations.hit_types import HIT_TYPES, NOTICES
from annotation.crowd.market.operations.hits import HIT_LISTS, HITS
from annotation.crowd.market.operations.qualifications import (
    QUALIFICATION_REQUESTS,
    QUALIFICATION_TYPES,
    QUALIFICATIONS,
)

Operation = Callable[[Requester, dict[str, Any]], dict[str, Any]]

OPERATIONS: dict[str, Operation] = {
    **ACCOUNT,
    **ASSIGNMENTS,
    **HIT_LISTS,
    **HIT_TYPES,
    **HITS,
    **NOTICES,
    **QUALIFICATION_REQUESTS,
    **QUALIFICATION_TYPES,
    **QUALIFICATIONS,
    **REVIEW,
    **WORKERS,
}
