"""Who may do what with the crowd: the tables of its parts, each with the places it needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.corpora.accounts.models import User
from annotation.corpora.projects.models import Project
from tests.annotation.crowd.campaigns import pages
from tests.annotation.crowd.campaigns import permissions as campaigns
from tests.annotation.crowd.judge import permissions as judge
from tests.annotation.crowd.market import permissions as market
from tests.annotation.crowd.offline import permissions as offline
from tests.annotation.crowd.prolific import permissions as prolific
from tests.annotation.crowd.work import permissions as work
from tests.annotation.roles import Row


@dataclass(frozen=True, slots=True)
class Part:
    """A table, how its places are made, what stands in its addresses and what is sent to them."""

    table: Mapping[str, Row]
    make_places: Callable[[Project, Mapping[str, User]], Any]
    values_for: Callable[[str, Any], dict[str, Any]]
    sent_to: Callable[[str, Any], dict[str, Any]]


PARTS = [
    Part(
        market.TABLE,
        lambda _, people: market.make_market_places(people["owner"]),
        market.values_for,
        market.sent_to,
    ),
    Part(
        work.TABLE,
        lambda _, people: work.make_work_places(people["owner"], people["outsider"]),
        work.values_for,
        work.sent_to,
    ),
    Part(campaigns.TABLE, campaigns.make_places, campaigns.values_for, campaigns.sent_to),
    Part(pages.TABLE, campaigns.make_places, pages.values_for, pages.sent_to),
    Part(judge.TABLE, judge.make_places, judge.values_for, judge.sent_to),
    Part(offline.TABLE, offline.make_places, offline.values_for, offline.sent_to),
    Part(prolific.TABLE, prolific.make_places, prolific.values_for, prolific.sent_to),
]
UPLOADS = offline.UPLOADS
upload = offline.upload
TABLE: dict[str, Row] = {name: row for part in PARTS for name, row in part.table.items()}


@dataclass(frozen=True, slots=True)
class Knock:
    """What an address takes, and what is sent to it."""

    values: dict[str, Any]
    sent: dict[str, Any]


def find_part(name: str, parts: Sequence[Part]) -> Part | None:
    """The part that the address belongs to: only its places are made."""
    return next((part for part in parts if name in part.table), None)


def make_knock(name: str, part: Part | None, places: Any) -> Knock | None:
    if part is None:
        return None
    return Knock(part.values_for(name, places), part.sent_to(name, places))
