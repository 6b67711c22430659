"""Every operation of the service model, by name.

An operation takes the requester and checked parameters, and gives the answer in the API's shape.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from annotation.crowd.market.operations.account import OPERATIONS as ACCOUNT
from annotation.crowd.market.operations.assignments import OPERATIONS as ASSIGNMENTS
from annotation.crowd.market.operations.hit_lists import OPERATIONS as HIT_LISTS
from annotation.crowd.market.operations.hit_types import OPERATIONS as HIT_TYPES
from annotation.crowd.market.operations.hits import OPERATIONS as HITS
from annotation.crowd.market.operations.notices import OPERATIONS as NOTICES
from annotation.crowd.market.operations.qualification_requests import (
    OPERATIONS as QUALIFICATION_REQUESTS,
)
from annotation.crowd.market.operations.qualification_types import OPERATIONS as QUALIFICATION_TYPES
from annotation.crowd.market.operations.qualifications import OPERATIONS as QUALIFICATIONS
from annotation.crowd.market.operations.review import OPERATIONS as REVIEW
from annotation.crowd.market.operations.workers import OPERATIONS as WORKERS
from annotation.crowd.models import Requester

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
