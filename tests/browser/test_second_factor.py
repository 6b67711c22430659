"""The second factor in a browser: set up by keyboard, asked for at the next sign-in."""

from __future__ import annotations

import time
from base64 import b32decode

from django_otp.oath import hotp
from playwright.sync_api import Page, expect

from tests.browser.inspection import axe_source, find_barriers
from tests.browser.rest import Rest

EMAIL, PASSWORD = "factor@example.org", "first-password-1"


def code_for(letters: str, steps_ahead: int = 0) -> str:
    """What an app shows that was given the letters."""
    key = b32decode(letters.replace(" ", ""))
    return f"{hotp(key, int(time.time()) // 30 + steps_ahead):06d}"


def test_it_is_set_up_and_asked_for(page: Page, rest: Rest) -> None:
    page.add_init_script(axe_source())
    page.goto(rest.invite(rest.make_project("factors")))
    page.get_by_label("Name").fill("Factor user")
    page.get_by_label("E-mail").fill(EMAIL)
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Sign out").wait_for()
    page.goto("/account/second-factor/")
    expect(page.get_by_role("img", name="QR code of the key below")).to_be_visible()
    letters = page.locator("ol code").inner_text()
    page.get_by_role("textbox", name="Code").fill(code_for(letters))
    page.get_by_label("Current password").fill(PASSWORD)
    page.keyboard.press("Enter")
    codes = page.locator("#recovery-codes").inner_text().split()
    assert len(codes) == 10
    assert find_barriers(page) == []
    page.get_by_role("button", name="Sign out").press("Enter")
    page.get_by_label("E-mail").fill(EMAIL)
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Enter your code")).to_be_visible()
    assert find_barriers(page) == []
    page.get_by_role("textbox", name="Code").fill(code_for(letters, steps_ahead=1))
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Sign out").wait_for()
