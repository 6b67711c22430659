"""What scripts of the field do around a task: publish it, print its address, read the answer."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from tests.browser.workers import task_in

if TYPE_CHECKING:
    from playwright.sync_api import FrameLocator, Page

FREE_TEXT = re.compile(r"<FreeText>(?P<text>.*?)</FreeText>", re.DOTALL)


def create_hit(market: Any, **question: Any) -> Any:
    """A HIT in a group of its own; `question` is Question, or HITLayoutId and its parameters."""
    made = market.create_hit(
        Title=f"Task {uuid4().hex[:6]}",
        Description="Read and answer.",
        Reward="0.15",
        MaxAssignments=1,
        LifetimeInSeconds=3600,
        AssignmentDurationInSeconds=600,
        **question,
    )
    return made["HIT"]


def open_group(page: Page, hit: Any) -> FrameLocator:
    """The address that scripts print, and the task in its frame."""
    page.goto(f"/mturk/preview?groupId={hit['HITGroupId']}")
    return task_in(page)


def take(page: Page, hit: Any) -> FrameLocator:
    frame = open_group(page, hit)
    page.get_by_role("button", name="Accept and work").click()
    page.wait_for_url("**/work/assignments/*/")
    return frame


def read_answer(market: Any, hit: Any) -> str:
    (sent,) = market.list_assignments_for_hit(HITId=hit["HITId"])["Assignments"]
    return str(sent["Answer"])
