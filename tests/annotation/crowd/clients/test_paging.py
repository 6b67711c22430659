"""Loops of the field that index `NextToken` on every page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from annotation.crowd.market.models_accounts import Requester
from tests.annotation.crowd.market.requesting import HIT, make_hit
from tests.annotation.crowd.market.requesting import work as do_work
from tests.annotation.crowd.working import make_worker

pytestmark = pytest.mark.django_db(transaction=True)


def index_every_token(call: Any, member: str, **params: Any) -> Iterator[Any]:
    """A loop of the field: it indexes NextToken on every page, and ends at an empty one."""
    page = call(**params)
    while page["NumResults"] > 0:
        yield from page[member]
        page = call(**params, NextToken=page["NextToken"])
    assert "NextToken" not in page


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_a_loop_that_indexes_the_next_token_ends(client: Any, lab: Requester, size: int):
    hits = [make_hit(lab) for _ in range(3)]
    for name in ("Ann", "Bob", "Cid"):
        assignment = do_work(hits[0], make_worker(name))
        client.send_bonus(
            WorkerId=assignment.worker.worker_id,
            AssignmentId=assignment.assignment_id,
            BonusAmount="0.10",
            Reason="Good work.",
        )
    mine = {"HITId": hits[0].hit_id, "MaxResults": size}
    listed = index_every_token(client.list_hits, "HITs", MaxResults=size)
    assert [row["HITId"] for row in listed] == [hit.hit_id for hit in hits[::-1]]
    done = index_every_token(client.list_assignments_for_hit, "Assignments", **mine)
    assert len({row["AssignmentId"] for row in done}) == 3
    assert len(list(index_every_token(client.list_bonus_payments, "BonusPayments", **mine))) == 3


@pytest.mark.parametrize("size", [1, 3, 11, 100])
def test_a_loop_over_qualification_types_meets_each_once(client: Any, size: int):
    for number in range(2):
        client.create_qualification_type(
            Name=f"Type {number}", Description="Reads.", QualificationTypeStatus="Active"
        )
    for owned, count in ((False, 12), (True, 2)):
        params = {"MustBeRequestable": False, "MustBeOwnedByCaller": owned, "MaxResults": size}
        rows = index_every_token(client.list_qualification_types, "QualificationTypes", **params)
        ids = [row["QualificationTypeId"] for row in rows]
        assert (len(ids), len(set(ids))) == (count, count)


def test_a_paginator_ends(client: Any, lab: Requester):
    for _ in range(3):
        client.create_hit(**HIT)
    pages = client.get_paginator("list_hits").paginate(PaginationConfig={"PageSize": 3})
    assert [page["NumResults"] for page in pages] == [3, 0]
