"""A real browser reaches the product."""

from __future__ import annotations


def test_it_signs_the_demo_account_in(page):
    page.goto("/sign-in/")
    page.fill("input[type=email]", "demo@example.org")
    page.fill("input[type=password]", "pyramid-demo")
    page.press("input[type=password]", "Enter")
    page.wait_for_url(lambda address: "/sign-in/" not in address)
    assert "Giza" in page.title()


def test_it_shows_the_rest_description_without_breaking_the_policy(page):
    page.goto("/api/docs/")
    page.wait_for_selector(".swagger-ui .info .title")
