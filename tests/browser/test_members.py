"""Somebody is invited, joins, gets another role, and is shown out again."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.browser.rest import Rest
from tests.browser.sessions import OpenPage

NAME, EMAIL, PASSWORD = "Ada Reader", "ada@example.org", "lighthouse-keeper"


def make_link(owner: Page, slug: str) -> str:
    """Make an invitation and copy its link by the button."""
    owner.goto(f"/p/{slug}/members/")
    owner.get_by_label("Role", exact=True).select_option("viewer")
    owner.locator("#id_note").fill("for Ada")
    owner.get_by_role("button", name="Create invitation link").press("Enter")
    expect(owner.get_by_role("status").filter(has_text="link is ready")).to_be_visible()
    owner.get_by_role("button", name="Copy").first.press("Enter")
    expect(owner.locator("#announcer")).to_have_text("Copied")
    return str(owner.evaluate("navigator.clipboard.readText()"))


def join(guest: Page, link: str) -> None:
    guest.goto(link)
    guest.get_by_label("Name").fill(NAME)
    guest.get_by_label("E-mail").fill(EMAIL)
    guest.get_by_label("Password").fill(PASSWORD)
    guest.keyboard.press("Enter")


def row_of_guest(owner: Page, slug: str) -> Locator:
    owner.goto(f"/p/{slug}/members/")
    return owner.get_by_role("row").filter(has_text=EMAIL)


def test_it_takes_a_member_in_and_shows_them_out(
    open_desk: OpenPage, page: Page, rest: Rest
) -> None:
    slug = rest.make_project("shared", "Shared study")
    owner = open_desk(permissions=["clipboard-read", "clipboard-write"])
    link = make_link(owner, slug)
    join(page, link)
    expect(page.get_by_role("heading", level=1)).to_have_text("Shared study")
    expect(page.get_by_text("Your role: viewer")).to_be_visible()

    page.goto(link)
    expect(page.get_by_role("heading", level=1)).to_have_text("This invitation is no longer valid")

    row = row_of_guest(owner, slug)
    row.get_by_label(f"Role of {NAME}").select_option("editor")
    row.get_by_role("button", name="Change").press("Enter")
    expect(owner.get_by_role("status").filter(has_text="role is now editor")).to_be_visible()
    page.goto(f"/p/{slug}/")
    expect(page.get_by_text("Your role: editor")).to_be_visible()
    expect(page.get_by_role("link", name="Import texts")).to_be_visible()

    row.get_by_role("button", name=f"Remove {NAME}").press("Enter")
    expect(owner.get_by_role("status").filter(has_text="was removed")).to_be_visible()
    page.goto(f"/p/{slug}/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Not found")
    page.goto("/")
    expect(page.get_by_role("heading", name="No projects yet")).to_be_visible()


def test_it_withdraws_an_invitation(open_desk: OpenPage, page: Page, rest: Rest) -> None:
    slug = rest.make_project("withdrawn")
    owner = open_desk(permissions=["clipboard-read", "clipboard-write"])
    link = make_link(owner, slug)
    owner.get_by_role("button", name="Withdraw").press("Enter")
    expect(owner.get_by_text("No open invitations.")).to_be_visible()
    page.goto(link)
    expect(page.get_by_role("heading", level=1)).to_have_text("Not found")


def test_it_selects_the_link_where_the_browser_lets_nobody_copy(desk: Page, rest: Rest) -> None:
    slug = rest.make_project("uncopied")
    link = rest.invite(slug)
    desk.add_init_script(
        "navigator.clipboard.writeText = () => Promise.reject(new DOMException('no'))"
    )
    desk.goto(f"/p/{slug}/members/")
    desk.get_by_role("button", name="Copy").first.press("Enter")
    expect(desk.locator("#announcer")).to_have_text("Press Ctrl+C")
    assert desk.evaluate("getSelection().toString()") == link
