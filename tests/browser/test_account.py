"""The account page: keys for scripts, and the password."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.rest import Rest
from tests.browser.sessions import sign_in

EMAIL, OLD, NEW = "keys@example.org", "first-password-1", "second-password-2"


@pytest.fixture
def member(page: Page, rest: Rest) -> Page:
    """The page of somebody who has just joined, so that nobody else's session is touched."""
    slug = rest.make_project("keys")
    link = rest.invite(slug)
    page.goto(link)
    page.get_by_label("Name").fill("Key maker")
    page.get_by_label("E-mail").fill(EMAIL)
    page.get_by_label("Password").fill(OLD)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Sign out").wait_for()
    return page


def status_with(page: Page, key: str) -> int:
    """What REST answers to a script with the key, which has no cookies."""
    page.context.clear_cookies()
    answer = page.context.request.get("/api/v1/me/", headers={"Authorization": f"Bearer {key}"})
    return answer.status


def test_it_makes_a_key_that_works_until_it_is_revoked(desk: Page, page: Page) -> None:
    desk.goto("/account/")
    desk.get_by_label("Key name").fill("notebook")
    desk.keyboard.press("Enter")
    key = desk.get_by_role("textbox", name="New key").input_value()
    assert key.startswith("giza_")
    assert status_with(page, key) == 200
    desk.reload()
    expect(desk.get_by_role("textbox", name="New key")).to_have_count(0)
    assert key not in desk.content()
    desk.get_by_role("button", name="Revoke notebook").press("Enter")
    expect(desk.get_by_role("status").filter(has_text="no longer works")).to_be_visible()
    assert status_with(page, key) == 401


def test_it_changes_the_password(member: Page) -> None:
    member.goto("/account/")
    member.get_by_label("Current password").fill("not it at all")
    member.get_by_label("New password").fill(NEW)
    member.keyboard.press("Enter")
    expect(member.get_by_text("This is not your current password.")).to_be_visible()
    member.get_by_label("Current password").fill(OLD)
    member.get_by_label("New password").fill(NEW)
    member.keyboard.press("Enter")
    expect(member.get_by_role("status").filter(has_text="password was changed")).to_be_visible()
    member.get_by_role("button", name="Sign out").press("Enter")
    member.get_by_label("E-mail").fill(EMAIL)
    member.get_by_label("Password").fill(OLD)
    member.keyboard.press("Enter")
    expect(member.get_by_role("alert")).to_contain_text("The e-mail address or password is wrong.")
    sign_in(member, EMAIL, NEW)
