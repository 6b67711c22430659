"""Signing in and out, as somebody does who uses the keyboard alone."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.sessions import EMAIL, PASSWORD, path_of, sign_in


def type_into_form(page: Page, email: str, password: str) -> None:
    """The cursor is in the first field already; nothing is pressed with the mouse."""
    expect(page.get_by_label("E-mail")).to_be_focused()
    page.keyboard.type(email)
    page.keyboard.press("Tab")
    page.keyboard.type(password)
    page.keyboard.press("Enter")


def test_it_signs_in_by_keyboard(page: Page) -> None:
    page.goto("/")
    type_into_form(page, EMAIL, PASSWORD)
    expect(page.get_by_role("heading", level=1)).to_have_text("Projects")
    expect(page.get_by_role("link", name="Demo: town news")).to_be_visible()


def test_it_says_that_the_password_is_wrong(page: Page) -> None:
    page.goto("/sign-in/")
    type_into_form(page, EMAIL, "pyramid-dem0")
    expect(page.get_by_role("alert")).to_have_text("The e-mail address or password is wrong.")
    expect(page.get_by_label("E-mail")).to_have_value(EMAIL)
    expect(page.get_by_label("Password")).to_have_value("")


def test_it_leads_on_to_the_page_that_was_asked_for(page: Page) -> None:
    page.goto("/p/demo/examples/?q=tram")
    type_into_form(page, EMAIL, PASSWORD)
    expect(page.get_by_role("searchbox")).to_have_value("tram")
    assert path_of(page) == "/p/demo/examples/?q=tram"


def test_it_leads_to_no_other_site(page: Page) -> None:
    page.goto("/sign-in/?next=/\\example.org/")  # which browsers read as //example.org/
    type_into_form(page, EMAIL, PASSWORD)
    expect(page.get_by_role("heading", level=1)).to_have_text("Projects")
    assert path_of(page) == "/"


def test_it_signs_out(page: Page) -> None:
    page.goto("/sign-in/")
    sign_in(page)
    page.get_by_role("button", name="Sign out").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
    page.goto("/p/demo/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")


def test_a_form_comes_back_that_was_sent_after_the_session_had_ended(page: Page) -> None:
    page.goto("/sign-in/")
    sign_in(page)
    page.goto("/projects/new/")
    page.get_by_label("Name").fill("Dams & weirs of the north")
    page.context.clear_cookies(name="sessionid")
    page.get_by_label("Name").press("Enter")
    expect(page.get_by_role("status")).to_contain_text("Your session had expired")
    page.get_by_label("Password").fill("wrong")
    sign_in(page)
    expect(page.get_by_label("Name")).to_have_value("Dams & weirs of the north")
    expect(page.get_by_role("alert")).to_contain_text("You were signed out")
    page.goto("/")
    expect(page.get_by_role("link", name="Dams & weirs of the north")).to_have_count(0)
