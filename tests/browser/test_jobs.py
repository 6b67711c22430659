"""Stopping a job half-way, and trying again one that failed."""

from __future__ import annotations

import shutil
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser.corpora import line_files, zipped
from tests.browser.importing import (
    count_in_navigation,
    held_half_written,
    send,
    wait_until_ready,
)
from tests.browser.rest import Rest
from tests.browser.sessions import LONG_PATIENCE, press
from tests.servers import Product


def job_state(page: Page) -> Locator:
    return page.locator("#job .progress .badge")


def state_in_list(page: Page, slug: str, title: str) -> Locator:
    page.goto(f"/p/{slug}/jobs/")
    return (
        page.get_by_role("row").filter(has=page.get_by_role("link", name=title)).locator(".badge")
    )


def test_it_cancels_an_import_that_is_being_written(
    desk: Page, rest: Rest, product: Product, big_corpus: Path
) -> None:
    slug = rest.make_project("cancelled")
    send(desk, slug, big_corpus)
    wait_until_ready(desk)
    press(desk, "w")
    with held_half_written(desk, product):
        desk.get_by_role("link", name="Import big.jsonl").press("Enter")
        with desk.expect_response(lambda answer: answer.request.method == "POST"):
            desk.get_by_role("button", name="Cancel job").press("Enter")
    expect(job_state(desk)).to_have_text("Cancelled", timeout=LONG_PATIENCE)
    expect(desk.get_by_role("button", name="Retry")).to_have_count(0)
    expect(desk.get_by_role("button", name="Cancel job")).to_have_count(0)
    expect(state_in_list(desk, slug, "Import big.jsonl")).to_have_text("Cancelled")
    expect(state_in_list(desk, slug, "Undo big.jsonl")).to_have_text("Done", timeout=LONG_PATIENCE)
    desk.goto(f"/p/{slug}/examples/")
    expect(count_in_navigation(desk, "Examples")).to_have_text("0")
    expect(desk.get_by_role("heading", name="No examples yet")).to_be_visible()


def test_it_tries_a_failed_job_again(
    desk: Page, rest: Rest, product: Product, tmp_path: Path
) -> None:
    slug = rest.make_project("failed")
    import_id = rest.send(slug, "corpus.zip", zipped(line_files()))
    (folder,) = (product.data_dir / "imports").glob("*/corpus.zip")
    shutil.move(folder, tmp_path / "aside.zip")
    desk.goto(f"/p/{slug}/imports/{import_id}/")
    press(desk, "w")
    expect(desk.get_by_role("alert")).to_be_visible(timeout=LONG_PATIENCE)
    desk.get_by_role("link", name="Open the job's log").press("Enter")
    expect(job_state(desk)).to_have_text("Failed")
    expect(desk.get_by_role("button", name="Retry")).to_be_visible()
    shutil.move(tmp_path / "aside.zip", folder)
    press(desk, "r")
    expect(job_state(desk)).to_have_text("Done", timeout=LONG_PATIENCE)
    expect(desk.get_by_role("button", name="Retry")).to_have_count(0)
    press(desk, "o")
    expect(count_in_navigation(desk, "Examples")).to_have_text("3")


def test_it_offers_no_second_try_for_a_job_that_is_done(
    desk: Page, rest: Rest, reading: str
) -> None:
    for job in rest.get(f"projects/{reading}/jobs/")["results"]:
        desk.goto(f"/p/{reading}/jobs/{job['id']}/")
        expect(job_state(desk)).to_have_text("Done")
        expect(desk.get_by_role("button", name="Retry")).to_have_count(0)
        expect(desk.get_by_role("button", name="Cancel job")).to_have_count(0)
